"""The splits of a design in the forms that intervals for a learner read, refused where the design does not fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from veracity.core.counting import many
from veracity.core.errors import Refused
from veracity.evidence.bounded import Apparent
from veracity.evidence.drawn_losses import DrawnLosses
from veracity.evidence.fold_losses import FoldLosses
from veracity.evidence.nested_losses import NestedLosses
from veracity.evidence.split_scores import SplitScores
from veracity.evidence.subsamples import Subsamples
from veracity.intervals.measured import Measured
from veracity.risk.drawn_losses import drawn_losses, with_replacement
from veracity.risk.fold_losses import fold_losses
from veracity.risk.kinds import trained_share
from veracity.risk.larger_parts import larger_parts
from veracity.risk.made import estimator_of
from veracity.risk.nested_losses import nested_losses
from veracity.risk.pooled_rows import pooled_rows
from veracity.risk.resampling import Resampling
from veracity.risk.subsamples import subsamples

REPEATED = "by='repeated_kfold(k=10, repeats=10)'"


def view(r: Resampling, wanted: type) -> Any:
    """The evidence that an interval reads. What is put together from several parts has no interval but its own."""
    entry = estimator_of(r.run.design).entry
    if entry.parts is not None and not entry.interval:
        raise Refused(f"no interval is known for {entry.name}: use corrected_t {REPEATED}", "no-interval")
    if wanted in VIEWS:
        return VIEWS[wanted](r)
    resubstituted = entry.name == "resubstitution"
    if wanted is Apparent and resubstituted:
        return _apparent(r)
    rows = "had trained it" if resubstituted else "were predicted by the models of several splits"
    raise Refused(
        f"this interval is about one fixed model on new rows, and these rows {rows}: "
        f"use corrected_t {REPEATED}, or by='holdout' for one model",
        "several-models",
    )


def _apparent(r: Resampling) -> Apparent:
    """The training rows of one model."""
    p = r.together(r.numbers(r.first), "all")
    found: Apparent = Measured(r.score, r.score.entry.gather(p, **r.score.given)).view(Apparent)
    return replace(found, answers=f"risk of the one model trained on {trained_share(r.run.design)} of the rows")


def _split_scores(r: Resampling) -> SplitScores:
    if with_replacement(r):
        raise Refused(
            f"this interval is for splits without replacement, and {r.run.design.name} draws training rows with it: "
            f"use {'loo_bootstrap_se, or ' if r.is_mean else ''}{REPEATED}",
            "wrong-design",
        )
    found = r.split_scores()
    if found.undefined:
        says = f"{r.score} is undefined in {found.undefined} of {many(len(found), 'split')}, and none is dropped"
        raise Refused(f"{says}: {larger_parts(r)}", "undefined-splits")
    return found


VIEWS: dict[type, Callable[[Resampling], Any]] = {
    SplitScores: _split_scores,
    Subsamples: lambda r: subsamples(r.score, r.run),
    FoldLosses: fold_losses,
    NestedLosses: nested_losses,
    DrawnLosses: drawn_losses,
    Measured: pooled_rows,
}
