"""Scores per group of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from veracity.core.confidence import Confidence, Side
from veracity.core.entry import MethodLike
from veracity.core.kinds import Column
from veracity.core.notes import Note
from veracity.core.verb import verb
from veracity.evidence.looks import enter_look, one_look, sliced_words
from veracity.evidence.predictions import Predictions, check_predictions
from veracity.evidence.slice_rows import simultaneous_note, slice_rows
from veracity.evidence.take_rows import subset
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import Estimates
from veracity.risk.estimates import estimate
from veracity.scores.default import default_score
from veracity.scores.entry import UNLABELLED

MORE = {"value": "auc", "proba": "brier"}  # beside the default score, by what the predictions offer


@verb
def slices(
    p: Predictions | Mapping[str, Predictions],
    by: Column,
    names: MethodLike | Iterable[MethodLike] | None = None,
    *,
    interval: MethodLike | Iterable[MethodLike] | None = None,
    level: float = 0.95,
    side: Side = "two",
    seed: int = 0,
) -> Estimates:
    """Scores of each group of rows that `by` names (one label per row), the slice as `data` in the table.

    Intervals hold together: with k slices each has level 1 - (1 - level)/k (Bonferroni). Without `names` the scores are
    error, auc and brier, or rmse, as far as the predictions offer them.
    """
    with one_look():
        found = _estimate_slices(p, by, names, interval=interval, level=level, side=side, seed=seed)
    enter_look(p, "slices", list(dict.fromkeys(row.asked for row in found)), **sliced_words(by))
    return found


def _estimate_slices(
    p: Predictions | Mapping[str, Predictions], by: Column, names: Any, *, level: float, side: Side, **how: Any
) -> Estimates:
    models = p if isinstance(p, Mapping) else {"": p}
    rows: list[Estimate] = []
    together: tuple[Note, ...] = ()
    for model, source in models.items():
        check_predictions(source, "slices")
        parts = slice_rows(by, "by", len(source))
        each = 1 - Confidence(level, side).miss / max(len(parts), 1)
        asked = usual_scores(source) if names is None else names
        for label, places in parts:
            part = {model: subset(source, places)}
            estimates = estimate(part, asked, level=each, side=side, **how)
            rows += [replace(row, data=label) for row in estimates]
        together = (simultaneous_note(len(parts), each, level, "score"),)
    return Estimates(tuple(rows), together)


def usual_scores(p: Predictions) -> list[str]:
    """The scores of slices when none are named."""
    if p.labelled == "positives":
        return sorted(UNLABELLED)
    first = [default_score(p.kind)] if {"label", "number", "loss"} & set(p.offers) else []
    return first + [name for offer, name in MORE.items() if offer in p.offers]
