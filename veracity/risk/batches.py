"""One score of many groups of rows at once."""

from __future__ import annotations

import numpy as np

from veracity.core.entry import Choice
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions
from veracity.evidence.subset import subset
from veracity.records.arrays import Array, ratio
from veracity.scores.on_counts import CountScore
from veracity.scores.on_rows import RowScore

MOST = 10_000_000  # cells of confusion matrices at once, to bound memory


def value(choice: Choice, p: Predictions) -> float:
    """One score of some predictions, NaN where it has none."""
    return float(choice.entry.evaluate(choice.entry.gather(p, **choice.given), **choice.given))


def of_groups(choice: Choice, p: Predictions, place: Array, number: int) -> Array:
    """The score of the rows at each place 0, 1, ..., NaN where it has none."""
    entry = choice.entry
    if isinstance(entry, CountScore) and number * len(p.classes) ** 2 <= MOST:
        return _of_counts(choice, p, place, number)
    if isinstance(entry, RowScore) and entry.reduce is None:
        return _of_means(choice, p, place, number)
    order = np.argsort(place, kind="stable")
    groups = np.split(order, np.searchsorted(place[order], np.arange(1, number)))
    return np.array([value(choice, subset(p, group)) if len(group) else np.nan for group in groups])


def _of_counts(choice: Choice, p: Predictions, place: Array, number: int) -> Array:
    classes = len(p.classes)
    cell = (place * classes + p.truth) * classes + p.labels()
    total = np.bincount(cell, p.multiplicity, number * classes**2).reshape(number, classes, classes)
    found: Array = choice.entry.evaluate(Counts(total.astype(float), p.classes, p.positive), **choice.given)
    return found


def _of_means(choice: Choice, p: Predictions, place: Array, number: int) -> Array:
    columns = choice.entry.gather(p, **choice.given).columns
    weight = np.ones(len(p)) if p.multiplicity is None else p.multiplicity
    sums = np.stack([np.bincount(place, weight * column, number) for column in columns.T], -1)
    found: Array = choice.entry.linked(ratio(sums, np.bincount(place, weight, number)[:, None]), **choice.given)
    return found
