"""What test parts of few rows do to a score that is larger the fewer rows there are."""

from __future__ import annotations

import numpy as np

from veracity.core.notes import Note
from veracity.core.words import option
from veracity.findings.interval import Interval
from veracity.records.arrays import Array, ratio
from veracity.risk.resampling import Resampling

MATTERS = 0.1  # of the distance to the lower limit, beyond which it is told; by simulation


def small_parts_notes(r: Resampling, value: float, interval: Interval | None) -> tuple[Note, ...]:
    """The first few rows of an ordering decide its average precision, which is higher the fewer are ordered."""
    if r.score.entry.name != "average_precision" or interval is None:
        return ()
    above = _excess(r, value)
    if not above > MATTERS * (value - interval.low):
        return ()
    says = (
        f"average_precision is higher the fewer rows are ordered, by about {above:.2g} here, and the interval is about"
        f" test parts of so few: use {option('by', 'repeated_holdout(test=0.5)')}, or compare it with such parts alone"
    )
    return (Note("small-test-parts", "caution", says),)


def _excess(r: Resampling, value: float) -> float:
    """What orderings by chance have beyond their share of positive rows, in proportion to what is left of 1."""
    parts = r.main_predictions.values()
    rows = np.array([len(part) for part in parts], float)
    positives = np.array([np.count_nonzero(part.truth == part.positive) for part in parts], float)
    by_chance = chance_precision(rows, positives)
    above = by_chance - positives / rows
    return float(np.mean(above * ratio(1 - value, 1 - by_chance)))


def chance_precision(rows: Array, positives: Array) -> Array:
    """The mean average precision of all orders of so many rows, of which so many are positive."""
    harmonic = np.array([np.sum(1 / np.arange(1, number + 1)) for number in rows])
    others = ratio(positives - 1, rows - 1)
    return np.asarray((harmonic + others * (rows - harmonic)) / rows)
