"""Confidence intervals of means and functions of means, and bounds for losses in a known range."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from math import exp, inf, isnan, log, nan, sqrt, tanh
from typing import Any, NamedTuple

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.distributions import bent, expit, logit, straightened
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, caution, refuse
from veracity.core.seeds import generator
from veracity.evidence.interval_evidence import Linear
from veracity.evidence.losses import Apparent, Bounded, Losses
from veracity.findings.interval import Limits
from veracity.intervals import SKEWED_LOSSES, interval, only_plain_rows
from veracity.intervals.scored import Scored
from veracity.kernels.recursions import betting_stakes, betting_wins
from veracity.records.arrays import Array, unroll

NO_SPREAD = refuse(
    "no-spread",
    "all rows (or groups) say the same, so no spread can be measured: use betting or clopper_pearson where they fit",
    lambda x: x.flat,
)
FEW = caution(
    "few-rows",
    "fewer than 30 independent rows: the normal approximation may be poor",
    lambda x: x.units < 30 and not x.sampled,  # of others their own notes tell
)
ONE_UNIT = refuse(
    "one-row",
    "one row or group holds all the weight, so there is no standard error: more of them are needed",
    lambda x: min(x.units, x.effective) < 2 and isnan(x.sample_error),
)
LINEAR: dict[str, Any] = {"reads": Linear, "limits": (ONE_UNIT, NO_SPREAD, FEW)}
TOO_FEW_FOR_ORDER = Note(
    "few-rows", "refuse", "there are too few rows for the order of losses to bound their median at this level"
)
PLAIN_ORDER = only_plain_rows(
    lambda x: x.sampling is not None,
    "order statistics count plain rows, but these are weighted or grouped: use percentile",
)


@interval(
    "Student t of the mean", **LINEAR, cite=("student1908", "bell2002", "kish1965"), assumes=("IID", "FIX", "NORM")
)
def mean_t(x: Linear, at: Confidence) -> Limits:
    """Mean loss plus or minus a Student quantile times its standard error.

    A function of means (a root mean squared error, say) enters through its slope; a cluster of rows counts as one unit.
    Weighted rows and unequal clusters have one degree of freedom less than equal ones that tell as much.
    """
    return Limits.plus_minus(x.value, at.t(x.degrees) * x.sample_error)


@interval("Delta method", **LINEAR, cite=("hampel1974", "takahashi2022"), assumes=("IID", "FIX", "NORM", "BIG"))
def delta(x: Linear, at: Confidence, *, scale: str = "plain") -> Limits:
    """Value plus or minus a normal quantile times the standard error from influence values.

    With groups or weights the quantile is Student's, with one degree less than groups or rows in effect.
    `scale="logit"` builds the interval on the logit scale, for scores between 0 and 1.
    """
    # the spread of a few groups or heavy rows is poorly known, which only Student's quantile makes good for
    half = (at.t(x.degrees) if x.sampled else at.z) * x.standard_error
    if scale == "plain":
        return Limits.plus_minus(x.value, half)
    if scale != "logit" or not 0 < x.value < 1:
        raise BadInput(
            f"delta: scale is 'plain', or 'logit' for a value strictly between 0 and 1, not {scale!r} at {x.value:.4g}"
        )
    return on_logit_scale(x.value, half)


def on_logit_scale(value: float, half: float) -> Limits:
    """Return limits symmetric on the logit scale of a value in (0, 1) with this half width on the plain scale."""
    if not 0 < value < 1:  # the logit of either end is infinite
        return Limits(nan, nan)
    half /= value * (1 - value)
    return Limits(expit(logit(value) - half), expit(logit(value) + half))


@interval(
    "Order statistics",
    reads=Losses,
    only=("median_absolute_error",),
    cite=("conover1999",),
    assumes=("IID", "FIX"),
    limits=(PLAIN_ORDER,),
)
def order_statistics(x: Losses, at: Confidence) -> Limits:
    """The losses at the ranks between which a fair coin's number of heads falls often enough; exact for any law."""
    losses = np.sort(x.columns[:, 0] if x.weight is None else unroll(x.columns[:, 0], x.weight))
    rank = outer_rank(len(losses), at.tail)
    if rank < 1:
        return Limits(0.0, inf, (TOO_FEW_FOR_ORDER,))
    return Limits(float(losses[rank - 1]), float(losses[-rank]))


def outer_rank(rows: int, tail: float) -> int:
    """Return the largest k for which fewer than k of `rows` fair coins show heads with probability at most `tail`."""
    from scipy.special import bdtr

    return bisect_left(range(1, rows // 2 + 1), True, key=lambda rank: bool(bdtr(rank - 1, rows, 0.5) > tail))


UNDERSTATED = 1.5  # samples show less skewness than there is: chosen by simulation, as hall_t's page says
MOST = 0.55  # beyond this skewness the transformation has nothing more to give
VERY = 0.4
APART = 2.0  # a gap among the largest losses that few laws have but those of rare large ones
MANY = 100  # rows
LARGE = 10_000  # rows: above this, influence values tell what leaving a row out does
TOO_FEW = f"fewer than {MANY} rows: with skewed errors this interval of a function of several means may be too narrow"
SKEWED = caution("skewed-losses", SKEWED_LOSSES.format("model"), lambda x: abs(x.skewness) > VERY or x.gap > APART)


@interval(
    "Student t without its skewness",
    reads=Linear,
    cite=("hall1992", "student1908", "bell2002", "kish1965", "bahadur1956"),
    assumes=("IID", "FIX"),
    limits=(ONE_UNIT, NO_SPREAD, FEW, SKEWED),
)
def hall_t(x: Linear, at: Confidence) -> Limits:
    """Student's interval of a mean after Hall's cubic transformation, which takes the skewness of the losses away.

    Losses are skewed: a few large ones make the mean, and samples without them look better and surer than they are.
    The sample's skewness is taken half as large again, as small samples understate it. That of weighted rows and of
    unequal groups is poorly known, so there each limit is the wider of this and Student's own. A sample that shows few
    of rare large losses, or none, is too sure, and nothing tells it from one of a tame law; most have a few losses far
    apart from all others, and that is cautioned.
    """
    t, error = at.t(x.degrees), x.sample_error
    low, high = (x.value - error * bent(end, _bounded_skewness(x)) for end in (t, -t))
    if x.sampled:
        low, high = min(low, x.value - t * error), max(high, x.value + t * error)
    return Limits(low, high)


def _bounded_skewness(x: Linear) -> float:
    return min(max(UNDERSTATED * x.skewness, -MOST), MOST)


def hall_statistic(x: Linear, stated: float, lower: bool) -> float:
    """Return the t statistic of a mean against a stated value that it is said to be lower (or higher) than.

    It lies at the quantile of a level exactly where the limit of `hall_t` at that level is the stated value.
    """
    gap = (x.value - stated) / x.sample_error
    without_skewness = straightened(gap, _bounded_skewness(x))
    return float((max if lower else min)(gap, without_skewness) if x.sampled else without_skewness)


class Scale(NamedTuple):
    """A variance-stabilising transformation of a bounded score, and the way back."""

    there: Callable[[Any], Any]
    back: Callable[[float], float]
    slope: Callable[[float], float]  # of the way there, whatever its sign

    def around(self, centre: float, half: float) -> list[float]:
        """Return the way back of both ends of an interval on the scale, in order."""
        return sorted((self.back(centre - half), self.back(centre + half)))


SCALES = {
    (0.0, inf): Scale(np.log, exp, lambda x: 1 / x),
    (0.0, 1.0): Scale(lambda x: np.log(x / (1 - x)), lambda x: 1 / (1 + exp(-x)), lambda x: 1 / (x * (1 - x))),
    (-inf, 1.0): Scale(lambda x: np.log(1 - x), lambda x: 1 - exp(x), lambda x: 1 / (1 - x)),
    (-1.0, 1.0): Scale(np.arctanh, tanh, lambda x: 1 / (1 - x * x)),
}
PLAIN_SCALE = Scale(lambda x: x, float, lambda _: 1.0)
PLAIN = only_plain_rows(
    lambda m: m.evidence.sampling is not None,
    "jackknife_t leaves single rows out, but these are weighted or grouped: use hall_t",
)


@interval("Jackknife t", reads=Scored, cite=("tukey1958",), assumes=("IID", "FIX", "NORM"), limits=(PLAIN,))
def jackknife_t(m: Scored, at: Confidence) -> Limits:
    """Student's interval of a function of means, from its values with each row left out, on the score's own scale.

    Scores from 0 up are taken by their logarithm, a coefficient of determination by that of the share not explained, a
    correlation by Fisher's transformation: there they vary about evenly to both sides.
    """
    return jackknife_law(m).limits(at)


class ScaledLaw(NamedTuple):
    """Student's law of a score on a scale of its own."""

    scale: Scale
    centre: float
    error: float
    degrees: float
    notes: tuple[Note, ...]

    def limits(self, at: Confidence) -> Limits:
        low, high = self.scale.around(self.centre, at.t(self.degrees) * self.error)
        return Limits(low, high, self.notes)

    def statistic(self, value: float, stated: float) -> float:
        """Return how many standard errors the value lies above the stated one, on the scale."""
        with np.errstate(divide="ignore"):
            gap = abs(self.centre - float(self.scale.there(stated))) / self.error
        return gap if value > stated else -gap


def jackknife_law(m: Scored) -> ScaledLaw:
    """Return the law of a function of means, from its values with each row left out."""
    x = m.evidence
    if not m.score.is_function_of_means or not isinstance(x, Losses):
        raise Refused(f"{m.score} is no function of means over rows: use bca", "wrong-score")
    if x.rows < 3:
        raise Refused(f"{m.score} of so few rows has no value when one is left out: more rows are needed", "few-rows")
    scale = SCALES.get(m.score.range, PLAIN_SCALE)
    if x.rows > LARGE and m.linear is not None:  # influence values tell the same there
        error = m.linear.sample_error * scale.slope(m.linear.value)
        skewed = (SKEWED.note(m.linear),) if SKEWED.when(m.linear) else ()
        return ScaledLaw(scale, float(scale.there(m.linear.value)), error, m.linear.degrees, skewed)
    times = np.asarray(x.cells)
    without = m.score.link_means((x.rows * x.means - x.columns) / (x.rows - 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        centre, moved = scale.there(m.value), scale.there(without)
    if not (np.isfinite(centre) and np.isfinite(moved).all()):
        raise Refused(f"{m.score} is at the edge of its range, so it has no standard error here", "edge")
    rows = times.sum()
    gap = (times @ moved) / rows - moved
    squares = float(times @ gap**2)
    if not squares > (1e-9 * max(abs(centre), 1e-3)) ** 2:
        raise Refused("all rows say the same, so no spread can be measured", "no-spread")
    notes: tuple[Note, ...] = (Note("few-rows", "caution", TOO_FEW),) if rows < MANY else ()
    notes += (SKEWED.note(),) if abs(times @ gap**3) > VERY * squares**1.5 else ()
    return ScaledLaw(scale, float(centre), sqrt(squares * (rows - 1) / rows), float(rows - 1), notes)


PRECISION = 1e-15  # to which the ends of `betting` are found
VACUOUS = Note(
    "vacuous", "refuse", "the bound is at least as wide as the whole range, so it says nothing: more rows are needed"
)


def limits_around(x: Bounded, half: float) -> Limits:
    """Return the mean plus or minus a half width, in the score's own units; refused where it says nothing."""
    return Limits(x.back(x.mean - half), x.back(x.mean + half), (VACUOUS,) if half >= 1 else ())


OF_BOUNDED: dict[str, Any] = {"reads": Bounded, "assumes": ("IID", "FIX", "BND")}


@interval("Hoeffding", **OF_BOUNDED, cite=("hoeffding1963",))
def hoeffding(x: Bounded, at: Confidence) -> Limits:
    """Mean plus or minus a width that depends on the number of rows and the range only."""
    return limits_around(x, sqrt(log(1 / at.tail) / (2 * x.rows)))


@interval(
    "Empirical Bernstein",
    **OF_BOUNDED,
    cite=("maurer2009",),
    limits=(refuse("one-row", "one row has no variance: use hoeffding", lambda x: x.rows < 2),),
)
def empirical_bernstein(x: Bounded, at: Confidence) -> Limits:
    """Mean plus or minus a width that shrinks with the variance of the losses."""
    reach = log(2 / at.tail)
    half = sqrt(2 * x.variance * reach / x.rows) + 7 * reach / (3 * (x.rows - 1)) if x.rows > 1 else inf
    return limits_around(x, half)


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


@interval("Betting", **OF_BOUNDED, cite=("waudby2024",))
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
