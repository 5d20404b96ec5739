"""Confidence intervals of scores of a confusion matrix: F1, costs, sums, averages and ratios of rates."""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, exp, hypot, inf, log, sqrt
from typing import Any, NamedTuple

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.distributions import root
from veracity.core.entry import Known
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import caution, check, refuse
from veracity.evidence.counts import Counts
from veracity.evidence.proportion import FewValues, Proportion
from veracity.findings.interval import Limits
from veracity.intervals import interval, intervals
from veracity.intervals.means import PLAIN_SCALE, SCALES
from veracity.intervals.scored import Scored
from veracity.kernels.block_influence import moments
from veracity.records.arrays import Array, ratio
from veracity.scores.on_counts import CountScore

EDGE = 1e-9  # of a range: as near to its end as numbers allow


@interval(
    "Score interval of a mean of few values",
    reads=FewValues,
    cite=("wilson1927", "owen1988"),
    assumes=("IID", "FIX"),
    limits=(refuse("no-spread", "every row costs the same whatever is predicted", lambda x: x.values.size < 2),),
)
def mean_score(x: FewValues, at: Confidence) -> Limits:
    """The means that a score test at this level would not reject: Wilson's interval for rows of more than two values.

    The variance is that of the likeliest shares of the values that have the mean in question, so that a dear mistake
    that was not seen, or seen once, still counts.
    """
    low, high = float(x.values[0]), float(x.values[-1])

    def beyond(mean: float) -> float:
        return float(x.rows * (x.mean - mean) ** 2 - at.z**2 * _variance(x, mean))

    edge = EDGE * (high - low)
    return Limits(
        low if x.mean - low <= edge else limit_between(beyond, low + edge, x.mean),
        high if high - x.mean <= edge else limit_between(beyond, high - edge, x.mean),
    )


def limit_between(beyond: Callable[[float], float], outside: float, inside: float) -> float:
    """Where a value passes from outside an interval to inside, by the sign of `beyond`."""
    if outside == inside or beyond(outside) <= 0:
        return outside
    within = inside + 1e-6 * (outside - inside)  # at the value itself there may be no spread at all
    return root(beyond, outside, within, xtol=1e-12)


def _variance(x: FewValues, mean: float) -> float:
    """Of the values, by the likeliest shares with this mean."""
    gap = x.values - mean
    seen = x.counts > 0
    shares = _likeliest(x.counts[seen], gap[seen], gap[0], gap[-1])
    total = float(shares @ gap[seen] ** 2)
    rest = 1 - shares.sum()  # on an end that no row has, where those seen cannot have this mean
    return total + (rest * gap[0 if shares @ gap[seen] > 0 else -1] ** 2 if rest > 1e-12 else 0.0)


def _likeliest(counts: Array, gap: Array, lowest: float, highest: float) -> Array:
    """Shares n_k / (n (1 + tilt gap_k)), with the tilt at which their mean gap is 0, or the furthest allowed."""

    def lean(tilt: float) -> float:
        return float((counts * gap / (1 + tilt * gap)).sum())

    ends = -(1 - 1e-12) / highest, -(1 - 1e-12) / lowest
    tilt = ends[0] if lean(ends[0]) <= 0 else ends[1] if lean(ends[1]) >= 0 else root(lean, *ends, xtol=1e-14)
    shares: Array = counts / (counts.sum() * (1 + tilt * gap))
    return shares


PROBES = 100  # halvings of the logarithm of a ratio
OF_CLASSES = ("youden", "balanced_accuracy", "balanced_error")
RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")
AVERAGED = ("youden", "negative_likelihood_ratio")  # limits of the other ratio lie too far apart to add up
EXAMPLE_F1 = {"score": "fbeta", "matrix": ((40, 10), (20, 130)), "level": 0.95}
EXAMPLE = ((40, 10), (20, 130))
F1_OF_PLAIN_ROWS = refuse(
    "not-iid",
    "f1_exact counts plain rows, but these are weighted or grouped: use delta or bca",
    lambda m: m.evidence.sampling is not None,
)
PLAIN = refuse(
    "not-iid",
    "this interval counts plain rows, but these are weighted or grouped: use delta or bca",
    lambda m: m.evidence.sampling is not None,
)


@interval(
    "Exact interval of F1",
    reads=Scored,
    only=("fbeta",),
    cite=("clopper1934",),
    assumes=("IID", "FIX"),
    limits=(F1_OF_PLAIN_ROWS,),
    known=(Known(EXAMPLE_F1, (0.6183, 0.8160)), Known({**EXAMPLE_F1, "of": "wilson"}, (0.6252, 0.8100))),
    aliases="f1_interval",
)
def f1_exact(m: Scored, at: Confidence, *, of: str = "clopper_pearson") -> Limits:
    """The interval of TP / (TP + FP + FN), a share of the rows that are not true negatives, carried over to F1."""
    c = m.evidence
    assert isinstance(c, Counts)
    if m.score.value("beta") != 1 or m.score.averaging(c, m.score.value("average")) != "none":
        raise Refused("f1_exact is for F1 (beta=1) of one class: use delta or bca", "wrong-score")
    limits = share_limits(Proportion(float(c.tp), float(c.tp + c.fp + c.fn)), at, of)
    return Limits(f1_from_jaccard(limits.low), f1_from_jaccard(limits.high), limits.notes)


def f1_from_jaccard(jaccard: float) -> float:
    """F1 as a function of the Jaccard index."""
    return 2 * jaccard / (1 + jaccard)


@interval(
    "Square-and-add",
    reads=Scored,
    cite=("newcombe2001", "zou2008"),
    assumes=("IID", "FIX"),
    limits=(PLAIN,),
    known=(Known({"score": "youden", "matrix": EXAMPLE, "level": 0.95}, (0.5216, 0.7653)),),
    aliases="mover, zou_donner",
)
def square_and_add(m: Scored, at: Confidence, *, of: str | None = None) -> Limits:
    """The distances of each class's rate to its own limits, squared, added and rooted.

    For Youden's J, balanced accuracy and error, and averages over classes of rates, of F1, of Youden's J and of the
    negative likelihood ratio. Rates of classes often come from different rows and vary independently; where rows are
    shared, distances go with their correlation. Two rates have Wilson's limits. Those are drawn towards a half, which
    is lost where many are added: three or more classes have mid-p limits, and F1 of classes has Clopper and Pearson's.
    """
    weight, classes, alike = _classes(m, at, of or _usual_limits(m))
    low, high, value = (np.array([getattr(one, end) for one in classes]) for end in ("low", "high", "value"))
    gaps = (weight * (value - low), weight * (high - value))
    below, above = (sqrt(max(float(gap @ alike @ gap), 0.0)) for gap in gaps)
    return Limits(m.value - below, m.value + above)


def _usual_limits(m: Scored) -> str:
    """The interval of each rate, where none is named."""
    c = m.evidence
    two = isinstance(c, Counts) and len(c.classes) < 3
    if two or (m.score.is_one_of("youden") and not is_average_of_rates(m)):  # one class against the others
        return "wilson"
    return "clopper_pearson" if m.score.is_one_of("fbeta") else "mid_p"


class OfClass(NamedTuple):
    """The score of one class and its limits."""

    value: float
    low: float
    high: float


def _classes(m: Scored, at: Confidence, of: str) -> tuple[Array | float, list[OfClass], Array]:
    """The score is the sum of these by their weights, plus a constant; how alike they vary."""
    c, entry = m.evidence, m.score.entry
    if not isinstance(c, Counts) or not (entry.is_one_of(*OF_CLASSES) or is_average_of_rates(m)):
        raise Refused(f"{m.score} is neither a sum nor an average of rates of classes", "wrong-score")
    number = len(c.classes)
    if is_average_of_rates(m):
        own = {key: one for key, one in m.score.given.items() if key != "average"}
        weight = c.of_truth / c.total if m.score.value("average") == "prior" else 1 / number
        alike = _correlation(entry.influence_on_classes(c, **own), c.cells)
        return weight, _each_class(entry, c.each_against_rest(), at, of, own), alike
    if entry.is_one_of("youden"):
        _check_one_class(m)
        return 1.0, [_of_rate(rate, at, of) for rate in _recall_and_specificity(c)], np.eye(2)
    right = np.diagonal(c.matrix)
    hits = c.of_truth - right if entry.is_one_of("balanced_error") else right
    return 1 / number, [_of_rate(rate, at, of) for rate in zip(hits, c.of_truth, strict=True)], np.eye(number)


def is_average_of_rates(m: Scored) -> bool:
    """Whether a score is the average over classes of something that is made of rates and has limits for each class."""
    c, score = m.evidence, m.score
    if score.reads != "confusion matrix" or not isinstance(c, Counts) or not score.one_class:
        return False
    f1 = score.is_one_of("fbeta") and score.value("beta") == 1
    of_classes = score.averaging(c, score.value("average")) in ("macro", "prior")
    return of_classes and bool(score.share or f1 or score.is_one_of(*AVERAGED))


def _each_class(entry: CountScore, each: Counts, at: Confidence, of: str, own: dict[str, Any]) -> list[OfClass]:
    """The score of each class against the rest, with the limits that it has as a score of one class."""
    if entry.is_one_of("youden"):
        rates = ([_of_rate(rate, at, of) for rate in zip(*pair, strict=True)] for pair in _recall_and_specificity(each))
        return [_youden_of_class(*both) for both in zip(*rates, strict=True)]
    if entry.is_one_of("negative_likelihood_ratio"):
        above, below = (zip(*pair, strict=True) for pair in _rates_of_ratio(entry.name, each))
        return [_ratio_of_class(_share(a), _share(b), at) for a, b in zip(above, below, strict=True)]
    f1 = entry.is_one_of("fbeta")
    hits, rows = (each.tp, each.tp + each.fp + each.fn) if f1 else entry.function(each, **own)
    classes = [_of_rate(rate, at, of) for rate in zip(hits, rows, strict=True)]
    return [OfClass(*map(f1_from_jaccard, one)) for one in classes] if f1 else classes


def _recall_and_specificity(c: Counts) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Hits and rows of either."""
    return (c.tp, c.tp + c.fn), (c.tn, c.tn + c.fp)


def _youden_of_class(recall: OfClass, specificity: OfClass) -> OfClass:
    value = recall.value + specificity.value - 1
    below, above = (hypot(*(getattr(one, end) - one.value for one in (recall, specificity))) for end in ("low", "high"))
    return OfClass(value, value - below, value + above)


def _ratio_of_class(above: Proportion, below: Proportion, at: Confidence) -> OfClass:
    value = above.share / below.share
    return OfClass(value, *_limits_of_ratio(above, below, value, at))


def _of_rate(rate: tuple[Any, Any], at: Confidence, of: str) -> OfClass:
    p = _share(rate)
    return OfClass(p.share, *share_limits(p, at, of)[:2])


def _share(rate: tuple[Any, Any]) -> Proportion:
    return Proportion(float(rate[0]), float(rate[1]))


def _correlation(influence: Array, cells: Array) -> Array:
    """Of the scores of classes; none where one does not vary."""
    centred = influence - (influence @ cells / cells.sum())[:, None]
    together = (centred * cells) @ centred.T
    spread = np.sqrt(np.diagonal(together))
    alike = np.where(np.outer(spread, spread) > 1e-9, ratio(together, np.outer(spread, spread)), 0.0)
    np.fill_diagonal(alike, 1.0)
    return alike


@interval(
    "Ratio on the log scale",
    reads=Scored,
    only=RATIOS,
    cite=("simel1991",),
    assumes=("IID", "FIX", "NORM", "BIG"),
    limits=(PLAIN,),
    known=(Known({"score": "positive_likelihood_ratio", "matrix": EXAMPLE, "level": 0.95}, (3.90, 9.23), digits=2),),
    aliases="katz_log",
    keywords="rate ratio, risk ratio, ratio of two rates",
)
def log_ratio(m: Scored, at: Confidence) -> Limits:
    """The logarithm of a ratio of two rates plus or minus a normal quantile times its standard error."""
    above, below = _ratio_of(m)
    if above.hits == 0 or below.hits == 0:
        raise Refused("a rate is 0, so the logarithm of the ratio has no standard error: use score_ratio", "zero-rate")
    half = at.z * sqrt(max(sum(1 / part.hits - 1 / part.rows for part in (above, below)), 0.0))
    if half == 0:
        raise Refused("both rates are 1, so the ratio has no standard error here: use score_ratio", "zero-width")
    return Limits(exp(log(m.value) - half), exp(log(m.value) + half))


@interval(
    "Score interval of a ratio",
    reads=Scored,
    only=RATIOS,
    cite=("miettinen1985",),
    assumes=("IID", "FIX"),
    limits=(PLAIN,),
    aliases="koopman, miettinen_nurminen",
    keywords="rate ratio, risk ratio, ratio of two rates",
)
def score_ratio(m: Scored, at: Confidence) -> Limits:
    """The ratios of two rates that a score test at this level would not reject; also where a rate is 0 or 1."""
    above, below = _ratio_of(m)
    return Limits(*_limits_of_ratio(above, below, m.value, at))


def _limits_of_ratio(above: Proportion, below: Proportion, value: float, at: Confidence) -> tuple[float, float]:
    def crossing(side: int) -> float:
        return _crossing(lambda ratio: -side * ratio_distance(above, below, ratio) - at.z, value, side)

    return 0.0 if above.hits == 0 else crossing(-1), inf if below.hits == 0 else crossing(1)


def _ratio_of(m: Scored) -> tuple[Proportion, Proportion]:
    """The rate above the line and the one below it."""
    assert isinstance(m.evidence, Counts)
    _check_one_class(m)
    above, below = _rates_of_ratio(m.score.name, m.evidence)
    return _share(above), _share(below)


def _rates_of_ratio(name: str, c: Counts) -> tuple[tuple[Any, Any], tuple[Any, Any]]:
    """Hits and rows of the rate above the line and of the one below it."""
    above, below = (c.tp, c.fp) if name == "positive_likelihood_ratio" else (c.fn, c.tn)
    return (above, c.tp + c.fn), (below, c.fp + c.tn)


def ratio_distance(above: Proportion, below: Proportion, ratio: float) -> float:
    """How far the rates are from a ratio, in standard errors that rates of just that ratio would have."""
    rows = above.rows + below.rows
    half = (above.rows * ratio + above.hits + below.rows + below.hits * ratio) / 2
    root = sqrt(max(half**2 - rows * ratio * (above.hits + below.hits), 0.0))
    low = (above.hits + below.hits) / (half + root)  # the likeliest rate below the line: the smaller root
    high = min(ratio * low, 1.0)
    variance = high * (1 - high) / above.rows + ratio**2 * low * (1 - low) / below.rows
    gap = above.share - ratio * below.share
    if variance <= 0:
        return 0.0 if gap == 0 else copysign(inf, gap)
    return gap / sqrt(variance * rows / (rows - 1))


def _crossing(beyond: Callable[[float], float], start: float, side: int) -> float:
    """Where a function of the ratio that is negative at the start becomes positive, down or up from there."""
    inner = max(start, 1e-12)
    outer = inner
    while beyond(outer) < 0 and 1e-15 < outer < 1e15:
        outer *= 2.0**side
    for _ in range(PROBES):
        middle = sqrt(inner * outer)
        inner, outer = (middle, outer) if beyond(middle) < 0 else (inner, middle)
    return outer


def _check_one_class(m: Scored) -> None:
    if m.score.averaging(m.evidence, m.score.value("average")) != "none":
        raise Refused(f"{m.score} is an average over classes: use delta or bca", "wrong-score")


def share_limits(p: Proportion, at: Confidence, of: Any) -> Limits:
    """The limits of one share by the method named, within 0 and 1."""
    choice = intervals.choose(of)
    if choice.reads is not Proportion:
        raise BadInput(f"of= names an interval for a share of rows, such as 'wilson', not {choice.name!r}")
    notes = check(choice.limits, p)
    limits: Limits = choice.function(p, at)
    return Limits(max(0.0, limits.low), min(1.0, limits.high), notes + limits.notes)


SMOOTHED = ("kappa", "mcc", "lift", "fbeta")
ADDED = 2.0  # rows, spread evenly over the cells: half a row in each cell of two classes
LEAST = 20
FEW = caution(
    "few-rows", f"fewer than {LEAST} rows: the interval says little", lambda m: m.evidence.cells.sum() < LEAST
)


@interval(
    "Delta method with half a row in each cell",
    reads=Scored,
    only=SMOOTHED,
    cite=("agresti1998", "hampel1974"),
    assumes=("IID", "FIX", "BIG"),
    limits=(PLAIN, FEW),
)
def delta_half(m: Scored, at: Confidence) -> Limits:
    """The delta method on the score's own scale, after half a row was added to each cell of two classes.

    With more classes the same two rows are spread over all cells; a score of one class reads two, it and the rest. It
    answers also where a cell is empty and bootstrap samples lose a class. Correlations are taken by Fisher's
    transformation, lift by its logarithm, F by its logit.
    """
    assert isinstance(m.evidence, Counts)
    read = m.score.part_read(m.evidence)
    counts = read.reweigh(read.cells + ADDED / read.cells.size)
    value = float(m.evaluate(counts))
    scale = SCALES.get(m.score.range, PLAIN_SCALE)
    total, first, second, _ = moments(counts.cells, m.score.influence_of(counts))
    half = at.z * sqrt((second / total - (first / total) ** 2) / total) * scale.slope(value)
    low, high = sorted((scale.back(scale.there(value) - half), scale.back(scale.there(value) + half)))
    return Limits(min(low, m.value), max(high, m.value))
