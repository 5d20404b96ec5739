"""Scores per group of rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence, Side
from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.verb import verb
from veracity.evidence.labels import as_labels, codes, distinct_labels
from veracity.evidence.predictions import Predictions, check_predictions, subset
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import Estimates
from veracity.risk.estimates import estimate
from veracity.scores.default import default_score
from veracity.scores.entry import UNLABELLED

MORE = {"value": "auc", "proba": "brier"}  # beside the default score, by what the predictions offer


@verb
def slices(
    p: Predictions | Mapping[str, Predictions],
    by: Any,
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
    models = p if isinstance(p, Mapping) else {"": p}
    groups = as_labels(by, "by")
    labels = distinct_labels(groups)
    number = codes(groups, labels, "by")
    each = 1 - Confidence(level, side).miss / max(len(labels), 1)
    rows: list[Estimate] = []
    for model, source in models.items():
        _check_lengths(source, groups)
        asked = usual_scores(source) if names is None else names
        for label, part in _parts(source, labels, number):
            estimates = estimate({model: part}, asked, interval=interval, level=each, side=side, seed=seed)
            rows += [replace(row, data=label) for row in estimates]
    one = f"{len(labels)} slices: each interval has level {each:.6g}"
    says = f"{one}, so that all of one score hold together with level {level:g} (Bonferroni)"
    return Estimates(tuple(rows), (Note("simultaneous-level", "remark", says),))


def usual_scores(p: Predictions) -> list[str]:
    """The scores of slices when none are named."""
    if p.labelled == "positives":
        return sorted(UNLABELLED)
    first = [default_score(p.kind)] if {"label", "number"} & set(p.offers) else []
    return first + [name for offer, name in MORE.items() if offer in p.offers]


def _check_lengths(p: Predictions, groups: np.ndarray[Any, Any]) -> None:
    check_predictions(p, "slices")
    if len(groups) != len(p):
        raise BadInput(f"by has {len(groups)} rows, but the predictions have {len(p)}: they must match")


def _parts(p: Predictions, labels: tuple[Any, ...], number: np.ndarray[Any, Any]) -> Iterator[tuple[str, Predictions]]:
    """Each slice's name and rows, from one sort of the rows by slice."""
    order = np.argsort(number, kind="stable")
    bounds = np.searchsorted(number[order], np.arange(len(labels) + 1))
    for k, label in enumerate(labels):
        yield str(label), subset(p, order[bounds[k] : bounds[k + 1]])
