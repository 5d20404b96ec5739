"""Bounds for the mean of losses in a known range that hold at every number of rows."""

from __future__ import annotations

from math import inf, log, sqrt

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, refuse
from veracity.core.seeds import generator
from veracity.evidence.losses import Apparent, Bounded
from veracity.findings.interval import Limits
from veracity.intervals import interval
from veracity.kernels.recursions import betting_stakes, betting_wins
from veracity.records.arrays import Array

PRECISION = 1e-15  # to which the ends of `betting` are found
VACUOUS = Note(
    "vacuous", "refuse", "the bound is at least as wide as the whole range, so it says nothing: more rows are needed"
)


def limits_around(x: Bounded, half: float) -> Limits:
    """The mean plus or minus a half width, in the score's own units; refused where it says nothing."""
    return Limits(x.back(x.mean - half), x.back(x.mean + half), (VACUOUS,) if half >= 1 else ())


@interval("Hoeffding", reads=Bounded, cite=("hoeffding1963",), assumes=("IID", "FIX", "BND"))
def hoeffding(x: Bounded, at: Confidence) -> Limits:
    """Mean plus or minus a width that depends on the number of rows and the range only."""
    return limits_around(x, sqrt(log(1 / at.tail) / (2 * x.rows)))


@interval(
    "Empirical Bernstein",
    reads=Bounded,
    cite=("maurer2009",),
    assumes=("IID", "FIX", "BND"),
    limits=(refuse("one-row", "one row has no variance: use hoeffding", lambda x: x.rows < 2),),
)
def empirical_bernstein(x: Bounded, at: Confidence) -> Limits:
    """Mean plus or minus a width that shrinks with the variance of the losses."""
    reach = log(2 / at.tail)
    return limits_around(
        x, sqrt(2 * x.variance * reach / x.rows) + 7 * reach / (3 * (x.rows - 1)) if x.rows > 1 else inf
    )


@interval("Finite-class bound", reads=Apparent, cite=("hoeffding1963",), assumes=("IID", "BND"))
def finite_class_bound(x: Apparent, at: Confidence, *, size_h: int) -> Limits:
    """Holds for all of `size_h` hypotheses at once, so also for the one chosen on these very rows.

    `size_h` counts the hypotheses that could have been chosen; it is not a dimension.
    """
    if size_h < 1:
        raise BadInput(f"finite_class_bound: size_h counts hypotheses, so it is at least 1, not {size_h!r}")
    return limits_around(x, sqrt(log(size_h / at.tail) / (2 * x.rows)))


@interval("Vapnik-Chervonenkis bound", reads=Apparent, cite=("vapnik1971",), assumes=("IID", "BND"))
def vc_bound(x: Apparent, at: Confidence, *, vc_dim: int) -> Limits:
    """Holds for all hypotheses of a class of this dimension at once, so also for the one chosen on these very rows."""
    if vc_dim < 1 or vc_dim > x.rows:
        raise BadInput(f"vc_bound: vc_dim lies between 1 and the number of rows ({x.rows}), not {vc_dim!r}")
    complexity = vc_dim * (1 + log(2 * x.rows / vc_dim))
    return limits_around(x, sqrt(8 / x.rows * (complexity + log(2 / at.tail))))


@interval("Betting", reads=Bounded, cite=("waudby2024",), assumes=("IID", "FIX", "BND"))
def betting(x: Bounded, at: Confidence, *, shuffle: bool = True, seed: int = 0) -> Limits:
    """All means against which no bettor multiplied a capital by the inverse of the miss; holds at every number of rows.

    The limits depend on the order of the rows, which is shuffled with a recorded seed unless `shuffle=False`.
    """
    losses = np.asarray(x.losses, float)
    if not shuffle and not x.ordered:
        raise Refused("counts do not know the order of their rows, which shuffle=False is about: give rows", "no-order")
    if shuffle:
        losses = generator(seed, "betting").permutation(losses)
    return Limits(x.back(lower_end(losses, at.tail)), x.back(1 - lower_end(1 - losses, at.tail)))


def lower_end(losses: Array, tail: float) -> float:
    """Return the largest mean refuted from below: capital falls as the claimed mean rises, so halving finds it."""
    goal = log(1 / tail)
    stake = betting_stakes(losses, 2 * goal / len(losses))
    low, high = 0.0, float(losses.mean())
    while high - low > PRECISION:
        middle = (low + high) / 2
        low, high = (middle, high) if betting_wins(losses, stake, middle, goal) else (low, middle)
    return low
