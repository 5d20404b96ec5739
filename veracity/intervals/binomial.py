"""Intervals for a share of rows."""

from __future__ import annotations

from math import sqrt

from veracity.core.confidence import Confidence
from veracity.core.notes import refuse
from veracity.intervals.entry import interval
from veracity.records.interval import Limits
from veracity.records.proportion import Proportion

NO_ROWS = refuse("no-rows", "there is no row to count: an interval needs at least one", lambda p: p.rows <= 0)


@interval("Wilson", reads=Proportion, cite=("wilson1927",), assumes=("IID", "FIX"), limits=(NO_ROWS,))
def wilson(p: Proportion, at: Confidence) -> Limits:
    """The shares that a score test at this level would not reject."""
    m, q, z = p.rows, p.share, at.z
    centre = q + z**2 / (2 * m)
    half = z * sqrt(q * (1 - q) / m + z**2 / (4 * m**2))
    return Limits((centre - half) / (1 + z**2 / m), (centre + half) / (1 + z**2 / m))
