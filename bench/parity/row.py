"""One quantity computed by veracity and by a peer over the same inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

SAME = 1e-9  # relative to the larger of the two, or absolute below one


@dataclass(frozen=True)
class Row:
    """What is compared, as it is typed here and there, the largest difference found, and why there is one."""

    ours: str
    theirs: str
    inputs: int
    difference: float
    because: str = ""
    within: float = SAME
    broken: str = ""  # why it could not be computed

    @property
    def verdict(self) -> str:
        """`same`, `explained`, or what is wrong with the row."""
        if self.broken:
            return f"DID NOT RUN: {self.broken}"
        alike = self.difference <= self.within
        if alike and self.because and self.within == SAME:
            return "SAME, though a difference is explained"
        if alike:
            return "same"
        return "explained" if self.because else "DIFFERS WITHOUT AN EXPLANATION"

    @property
    def sound(self) -> bool:
        return self.verdict in ("same", "explained")


def compare(
    ours: str,
    theirs: str,
    inputs: Iterable[Any],
    here: Callable[[Any], Any],
    there: Callable[[Any], Any],
    because: str = "",
    within: float = SAME,
) -> Row:
    """Both over all inputs; an error of either is told, not raised."""
    worst, number = 0.0, 0
    for one in inputs:
        number += 1
        try:
            worst = max(worst, _distance(here(one), there(one)))
        except Exception as why:  # a peer may raise anything, and the others go on
            return Row(ours, theirs, number, math.nan, because, within, f"{type(why).__name__}: {str(why)[:120]}")
    return Row(ours, theirs, number, worst, because, within)


def _distance(first: Any, second: Any) -> float:
    """Largest relative difference; a number on one side alone is infinitely far from none on the other."""
    a, b = (np.atleast_1d(np.asarray(x, dtype=float)).ravel() for x in (first, second))
    if len(a) != len(b):
        return math.inf
    if (np.isnan(a) != np.isnan(b)).any():
        return math.inf
    known = ~np.isnan(a) & (a != b)
    scale = np.maximum(1.0, np.maximum(np.abs(a[known]), np.abs(b[known])))
    return float(np.max(np.abs(a[known] - b[known]) / scale, initial=0.0))
