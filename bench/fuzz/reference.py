"""Scores, intervals and tests written a second time, in plain Python and scipy, from their definitions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from statistics import NormalDist, fmean
from typing import Any

Labels = Sequence[Any]
Numbers = Sequence[float]
NAN = math.nan


def ratio(above: float, below: float) -> float:
    return above / below if below else NAN


def error(truth: Labels, said: Labels, weights: Numbers) -> float:
    return sum(w for t, s, w in zip(truth, said, weights, strict=True) if t != s) / sum(weights)


def accuracy(truth: Labels, said: Labels, weights: Numbers) -> float:
    return sum(w for t, s, w in zip(truth, said, weights, strict=True) if t == s) / sum(weights)


def cells(truth: Labels, said: Labels, positive: Any, weights: Numbers) -> tuple[float, float, float, float]:
    """True positives, false negatives, false positives and true negatives."""
    found = {(a, b): 0.0 for a in (True, False) for b in (True, False)}
    for t, s, w in zip(truth, said, weights, strict=True):
        found[t == positive, s == positive] += w
    return found[True, True], found[True, False], found[False, True], found[False, False]


OF_CELLS: dict[str, Callable[[float, float, float, float], float]] = {
    "precision": lambda tp, fn, fp, tn: ratio(tp, tp + fp),
    "recall": lambda tp, fn, fp, tn: ratio(tp, tp + fn),
    "specificity": lambda tp, fn, fp, tn: ratio(tn, tn + fp),
    "negative_predictive_value": lambda tp, fn, fp, tn: ratio(tn, tn + fn),
    "fbeta": lambda tp, fn, fp, tn: ratio(2 * tp, 2 * tp + fn + fp),
    "jaccard": lambda tp, fn, fp, tn: ratio(tp, tp + fn + fp),
    "prevalence": lambda tp, fn, fp, tn: (tp + fn) / (tp + fn + fp + tn),
    "positive_rate": lambda tp, fn, fp, tn: (tp + fp) / (tp + fn + fp + tn),
}


def of_labels(name: str, truth: Labels, said: Labels, positive: Any, weights: Numbers) -> float:
    """A score of labels by its name."""
    if name in OF_CELLS:
        return OF_CELLS[name](*cells(truth, said, positive, weights))
    return (error if name == "error" else accuracy)(truth, said, weights)


def auc(truth: Labels, value: Numbers, positive: Any, weights: Numbers) -> float:
    """Pairs in the right order, ties as half, over all pairs."""
    ups = [(v, w) for t, v, w in zip(truth, value, weights, strict=True) if t == positive]
    downs = [(v, w) for t, v, w in zip(truth, value, weights, strict=True) if t != positive]
    right = sum(((a > b) + (a == b) / 2) * w * u for a, w in ups for b, u in downs)
    return ratio(right, sum(w for _, w in ups) * sum(u for _, u in downs))


def mean(losses: Numbers, weights: Numbers) -> float:
    return math.fsum(loss * w for loss, w in zip(losses, weights, strict=True)) / math.fsum(weights)


def log_loss(truth: Labels, chance: Numbers, positive: Any, weights: Numbers) -> float:
    """Of two classes by the probability of the positive one."""
    own = [p if t == positive else 1 - p for t, p in zip(truth, chance, strict=True)]
    return math.inf if min(own) <= 0 else mean([-math.log(p) for p in own], weights)


def brier(truth: Labels, chance: Numbers, positive: Any, weights: Numbers) -> float:
    """Summed over both classes."""
    return mean([2 * ((t == positive) - p) ** 2 for t, p in zip(truth, chance, strict=True)], weights)


def mse(truth: Numbers, said: Numbers, weights: Numbers) -> float:
    return mean([(t - s) ** 2 for t, s in zip(truth, said, strict=True)], weights)


def mae(truth: Numbers, said: Numbers, weights: Numbers) -> float:
    return mean([abs(t - s) for t, s in zip(truth, said, strict=True)], weights)


def rmse(truth: Numbers, said: Numbers, weights: Numbers) -> float:
    return math.sqrt(mse(truth, said, weights))


def wilson(hits: float, rows: float, level: float) -> tuple[float, float]:
    z = NormalDist().inv_cdf(0.5 + level / 2)
    share = hits / rows
    middle = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = z / (1 + z * z / rows) * math.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows))
    return max(0.0, middle - half), min(1.0, middle + half)


def clopper_pearson(hits: int, rows: int, level: float) -> tuple[float, float]:
    from scipy.stats import beta

    tail = (1 - level) / 2
    low = beta.ppf(tail, hits, rows - hits + 1) if hits else 0.0
    return low, beta.ppf(1 - tail, hits + 1, rows - hits) if hits < rows else 1.0


def mcnemar_exact(truth: Labels, first: Labels, second: Labels) -> float:
    from scipy.stats import binomtest

    triples = list(zip(truth, first, second, strict=True))
    one, two = sum(a == t != b for t, a, b in triples), sum(b == t != a for t, a, b in triples)
    return float(binomtest(one, one + two).pvalue) if one + two else 1.0


def paired_t(first: Numbers, second: Numbers) -> float:
    from scipy.stats import ttest_rel

    return float(ttest_rel(first, second).pvalue)


def friedman(table: Sequence[Numbers]) -> float:
    from scipy.stats import friedmanchisquare

    return float(friedmanchisquare(*zip(*table, strict=True)).pvalue)


def average_ranks(table: Sequence[Numbers], better: str) -> list[float]:
    from scipy.stats import rankdata

    sign = 1 if better == "lower" else -1
    ranks = [rankdata([sign * cell for cell in row]) for row in table]
    return [fmean(column) for column in zip(*ranks, strict=True)]


def bonferroni(p: Numbers) -> list[float]:
    return [min(1.0, each * len(p)) for each in p]


def holm(p: Numbers) -> list[float]:
    """Steps down from the smallest."""
    found, most = [0.0] * len(p), 0.0
    for step, place in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        most = max(most, min(1.0, (len(p) - step) * p[place]))
        found[place] = most
    return found


def _step_up(p: Numbers, factor: Callable[[int], float]) -> list[float]:
    """Steps up from the largest; `factor` of the place from 1, smallest first."""
    found, least = [0.0] * len(p), 1.0
    for place in range(len(p), 0, -1):
        at = sorted(range(len(p)), key=lambda i: p[i])[place - 1]
        least = min(least, factor(place) * p[at])
        found[at] = least
    return found


def hochberg(p: Numbers) -> list[float]:
    return _step_up(p, lambda place: len(p) - place + 1)


def benjamini_hochberg(p: Numbers) -> list[float]:
    return _step_up(p, lambda place: len(p) / place)


def roc(truth: Labels, value: Numbers, positive: Any) -> list[tuple[float, float]]:
    """False and true positive rates, from no row selected to all, rows of the same value together."""
    up = [v for t, v in zip(truth, value, strict=True) if t == positive]
    down = [v for t, v in zip(truth, value, strict=True) if t != positive]
    cuts = [math.inf, *sorted(set(value), reverse=True)]
    return [(sum(v >= cut for v in down) / len(down), sum(v >= cut for v in up) / len(up)) for cut in cuts]


def least_cost(truth: Labels, value: Numbers, positive: Any, alarm: float, miss: float) -> float:
    """The smallest mean cost of all thresholds."""
    rows = list(zip(truth, value, strict=True))
    cuts = [math.inf, *set(value)]
    return min(
        sum(alarm if t != positive else 0 for t, v in rows if v >= cut)
        + sum(miss if t == positive else 0 for t, v in rows if v < cut)
        for cut in cuts
    ) / len(rows)


def power_of_sign(datasets: int, win: float, level: float) -> float:
    """Chance of a number of wins of which the two-sided binomial test says that they are no coins."""
    from scipy.stats import binom, binomtest

    uneven = [wins for wins in range(datasets + 1) if binomtest(wins, datasets).pvalue <= 1 - level + 1e-12]
    return float(sum(binom.pmf(wins, datasets, win) for wins in uneven))


def power_of_t(datasets: int, difference: float, sd: float, level: float) -> float:
    from scipy.special import nctdtr
    from scipy.stats import t

    far, shift = t.ppf(0.5 + level / 2, datasets - 1), difference / sd * math.sqrt(datasets)
    other = float(nctdtr(datasets - 1, shift, -far))
    if math.isnan(other) and shift > 6:  # scipy has no number for so little: less than 1e-9, the normal tail below 0
        other = 0.0
    return float(1 - nctdtr(datasets - 1, shift, far)) + other
