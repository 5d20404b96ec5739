"""Bounds for the mean of losses in a known range that hold at every number of rows."""

from __future__ import annotations

from collections.abc import Callable
from math import inf, log, sqrt

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, refuse
from veracity.core.seeds import generator
from veracity.evidence.losses import Apparent, Bounded
from veracity.findings.interval import Limits
from veracity.intervals import interval
from veracity.kernels.recursions import betting_stakes, betting_wins
from veracity.records.arrays import Array

VACUOUS = Note(
    "vacuous", "refuse", "the bound is at least as wide as the whole range, so it says nothing: more rows are needed"
)


def known_width(answer: float, errors: int, rows: int, side: str, **parameters: int) -> Known:
    """A known half width at 95 %, for so many errors among the rows."""
    return Known({"hits": errors, "rows": rows, "level": 0.95, "side": side, **parameters}, answer)


def limits_around(x: Bounded, half: float) -> Limits:
    """The mean plus or minus a half width, in the score's own units; refused where it says nothing."""
    return Limits(x.back(x.mean - half), x.back(x.mean + half), (VACUOUS,) if half >= 1 else ())


@interval(
    "Hoeffding",
    reads=Bounded,
    cite=("hoeffding1963",),
    assumes=("IID", "FIX", "BND"),
    known=(known_width(0.1358, 8, 100, "two"), known_width(0.1224, 8, 100, "upper")),
    aliases="hoeffding_bound, hoeffding_inequality",
    keywords="concentration inequality, distribution-free bound, Chernoff, McDiarmid, test set bound",
)
def hoeffding(x: Bounded, at: Confidence) -> Limits:
    """Mean plus or minus a width that depends on the number of rows and the range only."""
    return limits_around(x, sqrt(log(1 / at.tail) / (2 * x.rows)))


@interval(
    "Empirical Bernstein",
    reads=Bounded,
    cite=("maurer2009",),
    assumes=("IID", "FIX", "BND"),
    limits=(refuse("one-row", "one row has no variance: use hoeffding", lambda x: x.rows < 2),),
    known=(known_width(0.1610, 8, 100, "upper"), known_width(0.1840, 8, 100, "two")),
    aliases="bernstein, maurer_pontil",
    keywords="concentration inequality",
)
def empirical_bernstein(x: Bounded, at: Confidence) -> Limits:
    """Mean plus or minus a width that shrinks with the variance of the losses."""
    reach = log(2 / at.tail)
    return limits_around(
        x, sqrt(2 * x.variance * reach / x.rows) + 7 * reach / (3 * (x.rows - 1)) if x.rows > 1 else inf
    )


@interval(
    "Finite-class bound",
    reads=Apparent,
    cite=("hoeffding1963",),
    assumes=("IID", "BND"),
    known=(known_width(0.0728, 80, 1000, "two", size_h=1000), known_width(0.0704, 80, 1000, "upper", size_h=1000)),
    aliases="pac_bound, finite_hypothesis_bound",
    keywords="PAC, PAC learning, probably approximately correct, union bound, Occam",
)
def finite_class_bound(x: Apparent, at: Confidence, *, size_h: int) -> Limits:
    """Holds for all of `size_h` hypotheses at once, so also for the one chosen on these very rows.

    `size_h` counts the hypotheses that could have been chosen; it is not a dimension.
    """
    if size_h < 1:
        raise BadInput(f"finite_class_bound: size_h counts hypotheses, so it is at least 1, not {size_h!r}")
    return limits_around(x, sqrt(log(size_h / at.tail) / (2 * x.rows)))


@interval(
    "Vapnik-Chervonenkis bound",
    reads=Apparent,
    cite=("vapnik1971",),
    assumes=("IID", "BND"),
    known=(known_width(0.2689, 800, 10000, "two", vc_dim=10), known_width(0.7341, 80, 1000, "two", vc_dim=10)),
    aliases="vapnik_chervonenkis, vc",
    keywords="VC dimension, Vapnik, structural risk minimisation, shattering, uniform convergence, PAC"
    " learning, Rademacher complexity, growth function, generalisation bound, Sauer lemma",
)
def vc_bound(x: Apparent, at: Confidence, *, vc_dim: int) -> Limits:
    """Holds for all hypotheses of a class of this dimension at once, so also for the one chosen on these very rows."""
    if vc_dim < 1 or vc_dim > x.rows:
        raise BadInput(f"vc_bound: vc_dim lies between 1 and the number of rows ({x.rows}), not {vc_dim!r}")
    complexity = vc_dim * (1 + log(2 * x.rows / vc_dim))
    return limits_around(x, sqrt(8 / x.rows * (complexity + log(2 / at.tail))))


PROBES = 50  # halvings of [0, 1]: an end is found to 1e-15
EVERY_TWELFTH = tuple(range(6, 100, 12))


@interval(
    "Betting",
    reads=Bounded,
    cite=("waudby2024",),
    assumes=("IID", "FIX", "BND"),
    known=(
        Known({"ones": EVERY_TWELFTH, "rows": 100, "level": 0.95, "side": "two", "shuffle": False}, (0.0244, 0.1745)),
    ),
    aliases="waudby_smith_ramdas",
    keywords="confidence sequence, anytime valid",
)
def betting(x: Bounded, at: Confidence, *, shuffle: bool = True, seed: int = 0) -> Limits:
    """All means against which no bettor multiplied a capital by the inverse of the miss; holds at every number of rows.

    The limits depend on the order of the rows, which is shuffled with a recorded seed unless `shuffle=False`.
    """
    losses = np.asarray(x.losses, float)
    if not shuffle and not x.ordered:
        raise Refused("counts do not know the order of their rows, which shuffle=False is about: give rows", "no-order")
    if shuffle:
        losses = generator(seed, "betting").permutation(losses)
    low = lower_end(losses, at.tail)
    high = 1 - lower_end(1 - losses, at.tail)
    return Limits(x.back(low), x.back(high))


def lower_end(losses: Array, tail: float) -> float:
    """The largest mean refuted from below: capital falls as the claimed mean rises, so halving finds it."""
    goal = log(1 / tail)
    stake = betting_stakes(losses, 2 * goal / len(losses))
    return _last_refuted(lambda claimed: bool(betting_wins(losses, stake, claimed, goal)), float(losses.mean()))


def _last_refuted(refuted: Callable[[float], bool], high: float) -> float:
    low = 0.0
    for _ in range(PROBES):
        middle = (low + high) / 2
        if middle <= low or middle >= high:
            break
        low, high = (middle, high) if refuted(middle) else (low, middle)
    return low
