"""Scores per group of rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from veracity.core.arguments import Column, verb
from veracity.core.confidence import Confidence, Side
from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.evidence.labels import as_labels, simultaneous_note, slice_rows
from veracity.evidence.looks import enter_look, one_look, sliced_words
from veracity.evidence.predictions import Predictions, check_predictions, subset
from veracity.evidence.runs import Runs
from veracity.findings.estimates import Estimate, Estimates
from veracity.risk.estimates import as_list, estimate
from veracity.scores.default import default_score
from veracity.scores.entry import UNLABELLED

EXACT = "clopper_pearson"
EXACT_SHARES = Note(
    "exact-shares",
    "remark",
    "shares have Clopper and Pearson's interval here: near level 1 Wilson's misses more often than it may",
)
FEW = 50
SMALL_SLICE = Note(
    "small-slice",
    "caution",
    f"a slice has fewer than {FEW} rows, too few for a level near 1: all slices hold together less often than told",
)
Sliced = dict[str, tuple[Predictions, Any]]  # by model: its rows and the label of each
MORE = {"value": "auc", "proba": "brier"}  # beside the default score, by what the predictions offer


@verb
def slices(
    p: Predictions | Mapping[str, Predictions] | Runs,
    by: Column,
    names: MethodLike | Iterable[MethodLike] | None = None,
    *,
    interval: MethodLike | Iterable[MethodLike] | None = None,
    level: float = 0.95,
    side: Side = "two",
    seed: int = 0,
) -> Estimates:
    """Scores of each group of rows that `by` names (one label per row), the slice as `data` in the table.

    Of runs, which must be on one data set by one design, `by` has a label for each row of the data set. Intervals
    hold together: with k slices each has level 1 - (1 - level)/k (Bonferroni), and shares have Clopper and Pearson's
    unless another is named. Without `names` the scores are error, auc and brier, or rmse, as far as the predictions
    offer them.
    """
    sliced = _learners(p, by) if isinstance(p, Runs) else _models(p, by)
    with one_look():
        found = _estimate_slices(sliced, names, interval=interval, level=level, side=side, seed=seed)
    enter_look(p, "slices", list(dict.fromkeys(row.asked for row in found)), **sliced_words(p, by))
    return replace(found, notes=found.notes + _run_notes(p, sliced)) if isinstance(p, Runs) else found


def _estimate_slices(sliced: Sliced, names: Any, *, level: float, side: Side, **how: Any) -> Estimates:
    rows: list[Estimate] = []
    together: tuple[Note, ...] = ()
    for model, (source, labels) in sliced.items():
        check_predictions(source, "slices")
        parts = slice_rows(labels, "by", len(source))
        each = 1 - Confidence(level, side).miss / max(len(parts), 1)
        asked = usual_scores(source) if names is None else names
        for label, places in parts:
            part = {model: subset(source, places)}
            estimates = estimate(part, asked, level=each, side=side, **how)
            found = estimates.rows
            if len(parts) > 1 and how["interval"] is None:
                found = _near_level_one(found, part, asked, level=each, side=side, **how)
            rows += [replace(row, data=label) for row in found]
        together = (simultaneous_note(len(parts), each, level, "score"),)
    exact = any(row.interval is not None and row.interval.method == EXACT for row in rows)
    return Estimates(tuple(rows), together + ((EXACT_SHARES,) if exact and how["interval"] is None else ()))


def _near_level_one(
    rows: tuple[Estimate, ...], part: Mapping[str, Predictions], asked: Any, **how: Any
) -> tuple[Estimate, ...]:
    """Wilson's interval misses up to five times as often as it may there, the exact one never; others need rows."""
    found: list[Estimate] = []
    for row, name in zip(rows, as_list(asked), strict=True):
        method = None if row.interval is None else row.interval.method
        if method == "wilson":
            found += estimate(part, [name], **{**how, "interval": EXACT}).rows
        elif method is not None and row.rows < FEW:
            found.append(replace(row, notes=(*row.notes, SMALL_SLICE)))
        else:
            found.append(row)
    return tuple(found)


def _models(p: Predictions | Mapping[str, Predictions], by: Column) -> Sliced:
    return {name: (source, by) for name, source in (p if isinstance(p, Mapping) else {"": p}).items()}


def _learners(runs: Runs, by: Column) -> Sliced:
    """What each learner said of test rows, and the labels of these; who failed everywhere is left out."""
    data = runs.data(runs.run(runs.learner_names[0]).data)
    labels = as_labels(by, "by")
    if len(labels) != len(data):
        raise BadInput(f"by has {len(labels)} labels, but {data.name} has {len(data)} rows: they must match")
    found = {name: runs.run(name).fresh.predictions for name in runs.learner_names}
    kept = {name: (p, labels[p.rows]) for name, p in found.items() if p is not None}
    if not kept:
        raise Refused("no split of any learner succeeded: see failures(runs)", "all-failed")
    return kept


def _run_notes(runs: Runs, sliced: Sliced) -> tuple[Note, ...]:
    """What was chosen of the runs, and who is missing."""
    says = "no split succeeded, so it is left out"
    lost = (Note("left-out", "caution", f"{name}: {says}") for name in runs.learner_names if name not in sliced)
    return (*runs.selection_notes, *lost)


def usual_scores(p: Predictions) -> list[str]:
    """The scores of slices when none are named."""
    if p.labelled == "positives":
        return sorted(UNLABELLED)
    first = [default_score(p.kind)] if {"label", "number", "loss", "grade"} & set(p.offers) else []
    return first + [name for offer, name in MORE.items() if offer in p.offers]
