"""Confidence intervals of scores of a confusion matrix: F1, costs, sums, averages and ratios of rates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import copysign, exp, inf, log, sqrt
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.distributions import root
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import check, refuse
from veracity.evidence.counts import Counts
from veracity.evidence.interval_evidence import FewValues, Proportion
from veracity.findings.interval import Limits
from veracity.intervals import fewer_than, interval, intervals, only_plain_rows
from veracity.intervals.means import PLAIN_SCALE, SCALES
from veracity.intervals.scored import Scored
from veracity.records.arrays import Array, power_sums, ratio
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
    """Return where a value passes from outside an interval to inside, by the sign of `beyond`."""
    if outside == inside or beyond(outside) <= 0:
        return outside
    within = inside + 1e-6 * (outside - inside)  # at the value itself there may be no spread at all
    return root(beyond, outside, within, xtol=1e-12)


def _variance(x: FewValues, mean: float) -> float:
    """Return the variance of the values by the likeliest shares with this mean.

    These are n_k / (n (1 + tilt gap_k)), with the tilt at which their mean gap is 0, or the furthest allowed.
    """
    gaps, seen = x.values - mean, x.counts > 0
    counts, gap = x.counts[seen], gaps[seen]

    def lean(tilt: float) -> float:
        return float((counts * gap / (1 + tilt * gap)).sum())

    ends = -(1 - 1e-12) / gaps[-1], -(1 - 1e-12) / gaps[0]
    tilt = ends[0] if lean(ends[0]) <= 0 else ends[1] if lean(ends[1]) >= 0 else root(lean, *ends, xtol=1e-14)
    shares = counts / (counts.sum() * (1 + tilt * gap))
    rest = 1 - shares.sum()  # on an end that no row has, where those seen cannot have this mean
    far = gaps[0 if shares @ gap > 0 else -1]
    return float(shares @ gap**2) + (rest * far**2 if rest > 1e-12 else 0.0)


LARGEST_RATIO = 1e15
SUMS_OF_RATES = ("youden", "balanced_accuracy", "balanced_error")
RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio")
PLAIN = only_plain_rows(lambda m: m.evidence.sampling is not None)
OF_PLAIN_ROWS: dict[str, Any] = {"reads": Scored, "assumes": ("IID", "FIX"), "limits": (PLAIN,)}


@interval("Exact interval of F1", **OF_PLAIN_ROWS, only=("fbeta",), cite=("clopper1934",))
def f1_exact(m: Scored, at: Confidence, *, of: str = "clopper_pearson") -> Limits:
    """The interval of TP / (TP + FP + FN), a share of the rows that are not true negatives, carried over to F1."""
    c = m.evidence
    assert isinstance(c, Counts)
    if m.score.value("beta") != 1 or m.averaging != "none":
        raise Refused("f1_exact is for F1 (beta=1) of one class: use delta or bca", "wrong-score")
    limits = share_limits(Proportion(float(c.tp), float(c.tp + c.fp + c.fn)), at, of)
    return Limits(f1_from_jaccard(limits.low), f1_from_jaccard(limits.high), limits.notes)


def f1_from_jaccard(jaccard: Any) -> Any:
    """Return F1 as a function of the Jaccard index."""
    return 2 * jaccard / (1 + jaccard)


@interval("Square-and-add", **OF_PLAIN_ROWS, cite=("newcombe2001", "zou2008"))
def square_and_add(m: Scored, at: Confidence, *, of: str | None = None) -> Limits:
    """The distances of each class's rate to its own limits, squared, added and rooted.

    For Youden's J, balanced accuracy and error, and averages over classes of rates, of F1, of Youden's J and of the
    negative likelihood ratio. Rates of classes often come from different rows and vary independently; where rows are
    shared, distances go with their correlation. Two rates have Wilson's limits. Those are drawn towards a half, which
    is lost where many are added: three or more classes have mid-p limits, and F1 of classes has Clopper and Pearson's.
    """
    c, score, average = m.evidence, m.score, is_average_of_rates(m)
    if not isinstance(c, Counts) or not (average or score.is_one_of(*SUMS_OF_RATES)):
        raise Refused(f"{score} is neither a sum nor an average of rates of classes", "wrong-score")
    if of is None and (len(c.classes) < 3 or (score.is_one_of("youden") and not average)):
        of = "wilson"
    elif of is None:
        of = "clopper_pearson" if score.is_one_of("fbeta") else "mid_p"
    weights: Any = 1 / len(c.classes)
    correlation = np.eye(len(c.classes))
    if average:
        own = {key: value for key, value in score.given.items() if key != "average"}
        weights = c.of_truth / c.total if score.value("average") == "prior" else weights
        correlation = _correlation(score.entry.influence_on_classes(c, **own), c)
        rates = _rates_of_classes(score.entry, c.each_against_rest(), at, of, own)
    elif score.is_one_of("youden"):
        _check_one_class(m)
        weights, correlation = 1.0, np.eye(2)
        rates = _rates([c.tp, c.tn], [c.tp + c.fn, c.tn + c.fp], at, of)
    else:  # recalls of different classes come from different rows, so they are independent
        right = np.diagonal(c.matrix)
        rates = _rates(c.of_truth - right if score.is_one_of("balanced_error") else right, c.of_truth, at, of)
    value, low, high = rates
    below, above = weights * (value - low), weights * (high - value)
    half_below, half_above = (sqrt(max(float(gap @ correlation @ gap), 0.0)) for gap in (below, above))
    return Limits(m.value - half_below, m.value + half_above)


def is_average_of_rates(m: Scored) -> bool:
    """Return whether a score is the average over classes of something made of rates, with limits for each class."""
    score = m.score
    if m.averaging not in ("macro", "prior"):
        return False
    f1 = score.is_one_of("fbeta") and score.value("beta") == 1
    return bool(score.share or f1 or score.is_one_of("youden", "negative_likelihood_ratio"))


def _rates_of_classes(entry: CountScore, each: Counts, at: Confidence, of: str, own: dict[str, Any]) -> Array:
    """Return the score of each class against the rest, and the lower and upper limits it has as one class."""
    positives, negatives = each.tp + each.fn, each.tn + each.fp
    if entry.is_one_of("youden"):  # its two rates come from different rows
        recall, specificity = _rates(each.tp, positives, at, of), _rates(each.tn, negatives, at, of)
        _, below, above = np.hypot(recall - recall[0], specificity - specificity[0])
        value = recall[0] + specificity[0] - 1
        return np.array([value, value - below, value + above])
    if entry.is_one_of("negative_likelihood_ratio"):
        pairs = zip(map(_share, each.fn, positives), map(_share, each.tn, negatives), strict=True)
        ratios = ((above, below, above.share / below.share) for above, below in pairs)
        return np.array([(value, *_limits_of_ratio(above, below, value, at)) for above, below, value in ratios]).T
    if entry.is_one_of("fbeta"):
        return f1_from_jaccard(_rates(each.tp, each.tp + each.fp + each.fn, at, of))
    hits, rows = entry.function(each, **own)
    return _rates(hits, rows, at, of)


def _rates(hits: Iterable[Any], rows: Iterable[Any], at: Confidence, of: str) -> Array:
    """Return shares of rows, and their lower and upper limits by the interval named."""
    return np.array([(p.share, *share_limits(p, at, of)[:2]) for p in map(_share, hits, rows)]).T


def _share(hits: Any, rows: Any) -> Proportion:
    return Proportion(float(hits), float(rows))


def _correlation(influence: Array, c: Counts) -> Array:
    """Return the correlations of the scores of classes; none where one does not vary."""
    centred = influence - (influence @ c.cells / c.cells.sum())[:, None]
    together = (centred * c.cells) @ centred.T
    spread = np.sqrt(np.diagonal(together))
    product = np.outer(spread, spread)
    correlation = np.where(product > 1e-9, ratio(together, product), 0.0)
    np.fill_diagonal(correlation, 1.0)
    return correlation


@interval(
    "Ratio on the log scale",
    **{**OF_PLAIN_ROWS, "assumes": ("IID", "FIX", "NORM", "BIG")},
    only=RATIOS,
    cite=("simel1991",),
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


@interval("Score interval of a ratio", **OF_PLAIN_ROWS, only=RATIOS, cite=("miettinen1985",))
def score_ratio(m: Scored, at: Confidence) -> Limits:
    """The ratios of two rates that a score test at this level would not reject; also where a rate is 0 or 1."""
    above, below = _ratio_of(m)
    return Limits(*_limits_of_ratio(above, below, m.value, at))


def _limits_of_ratio(above: Proportion, below: Proportion, value: float, at: Confidence) -> tuple[float, float]:
    """Return where the distance to the ratio passes the normal quantile, down and up from the value."""

    def crossing(side: int) -> float:
        def beyond(logarithm: float) -> float:
            return -side * ratio_distance(above, below, exp(logarithm)) - at.z

        inner = log(max(value, 1e-12))
        outer = inner
        while beyond(outer) < 0 and abs(outer) < log(LARGEST_RATIO):
            outer += side * log(2)
        return exp(root(beyond, inner, outer, xtol=1e-15) if beyond(outer) >= 0 and outer != inner else outer)

    return 0.0 if above.hits == 0 else crossing(-1), inf if below.hits == 0 else crossing(1)


def _ratio_of(m: Scored) -> tuple[Proportion, Proportion]:
    c = m.evidence
    assert isinstance(c, Counts)
    _check_one_class(m)
    above, below = (c.tp, c.fp) if m.score.is_one_of("positive_likelihood_ratio") else (c.fn, c.tn)
    return _share(above, c.tp + c.fn), _share(below, c.fp + c.tn)


def ratio_distance(above: Proportion, below: Proportion, ratio: float) -> float:
    """Return how far the rates are from a ratio, in standard errors that rates of just that ratio would have."""
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


def _check_one_class(m: Scored) -> None:
    if m.averaging != "none":
        raise Refused(f"{m.score} is an average over classes: use delta or bca", "wrong-score")


def share_limits(p: Proportion, at: Confidence, of: Any) -> Limits:
    """Return the limits of one share by the method named, within 0 and 1."""
    choice = intervals.choose(of)
    if choice.reads is not Proportion:
        raise BadInput(f"of= names an interval for a share of rows, such as 'wilson', not {choice.name!r}")
    notes = check(choice.limits, p)
    limits: Limits = choice.function(p, at)
    return Limits(max(0.0, limits.low), min(1.0, limits.high), notes + limits.notes)


SMOOTHED = ("kappa", "mcc", "lift", "fbeta")
ADDED = 2.0  # rows, spread evenly over the cells: half a row in each cell of two classes
FEW = fewer_than(20, "rows", "the interval says little", lambda m: m.evidence.cells.sum())


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
    total, first, second, _ = power_sums(m.score.influence_of(counts), counts.cells)
    half = at.z * sqrt((second / total - (first / total) ** 2) / total) * scale.slope(value)
    low, high = scale.around(scale.there(value), half)
    return Limits(min(low, m.value), max(high, m.value))
