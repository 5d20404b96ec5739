"""Power of tests of many learners over data sets, simulated: Friedman's, and the pairs that follow it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from veracity.comparisons.wilcoxon import coin_sum_law
from veracity.core.confidence import Confidence, rejects
from veracity.core.errors import BadInput
from veracity.core.seeds import generator
from veracity.planning import power_of
from veracity.planning.tests import MOST_DATASETS, check_positive, difference_span
from veracity.records.arrays import Array

FEW = 10  # data sets below which the F law is rough, and the law of ranks is simulated too
NULL = 20_000  # tables of equal learners for that
AT_ONCE = 2_000_000  # differences of one block
MOST_LEARNERS = 40
PAIRS, THEN = ("wilcoxon", "mean_ranks"), ("holm", "bonferroni", "nemenyi")
SIMULATED: dict[str, Any] = {
    "span": difference_span,
    "most": MOST_DATASETS,
    "beyond": "fewer learners, or a larger difference, need fewer",
    "assumes": ("DSI",),
}


@power_of(
    "Friedman over data sets, simulated",
    **SIMULATED,
    cite=("friedman1937", "iman1980"),
    keywords="omnibus test, how many data sets, rank learners",
)
def friedman(
    datasets: int, difference: float, at: Confidence, *, sd: float, learners: int, draws: int = 2_000, seed: int = 0
) -> float:
    """Share of simulated tables on which the test of all learners concludes when one of them is better.

    One of `learners` is better than all others by the difference, which are equal; `sd` is the standard deviation of
    the differences of two learners over data sets, as for wilcoxon. By the F law of iman_davenport from 10 data sets
    on, by the law of ranks below. The result depends on `draws`; its Monte-Carlo error is told with it.
    """
    concluded = sum(int(found.sum()) for found, _ in _tables(datasets, difference, at, sd, learners, draws, seed))
    return concluded / draws


@power_of(
    "Pairs after Friedman over data sets, simulated",
    **SIMULATED,
    cite=("demsar2006", "benavoli2016"),
    keywords="post hoc test, nemenyi, critical difference, how many data sets, rank learners",
)
def friedman_pairs(
    datasets: int,
    difference: float,
    at: Confidence,
    *,
    sd: float,
    learners: int,
    pairs: str = "wilcoxon",
    then: str = "holm",
    draws: int = 2_000,
    seed: int = 0,
) -> float:
    """Chance that a pair that differs is found, after the test of all learners has concluded and all pairs were judged.

    One of `learners` is better than all others by the difference, and it is the share of its pairs that are found.
    `pairs` tests each, wilcoxon or mean_ranks, and `then` adjusts: holm, bonferroni, or nemenyi, which is of mean
    ranks. `sd` is the standard deviation of the differences of two learners over data sets.
    """
    for word, value, known in (("pairs", pairs, PAIRS), ("then", then, THEN)):
        if value not in known:
            raise BadInput(f"`{word}=` is {' or '.join(known)} here, not {value!r}")
    pairs = "mean_ranks" if then == "nemenyi" else pairs
    first, second = np.triu_indices(learners, 1)
    found = 0.0
    for concluded, scores in _tables(datasets, difference, at, sd, learners, draws, seed):
        if then == "nemenyi":
            means = _ranks(scores).mean(axis=1)
            apart = np.abs(means[:, first] - means[:, second])
            rejected = apart > _nemenyi_difference(datasets, learners, at.miss)
        else:
            rejected = rejects(_adjust(_p_values(scores, first, second, pairs), then), at.level)
        found += float((rejected[:, first == 0] & concluded[:, None]).mean(axis=1).sum())
    return found / draws


def _tables(
    datasets: int, difference: float, at: Confidence, sd: float, learners: int, draws: int, seed: int
) -> Iterator[tuple[Array, Array]]:
    """In blocks, whether the test of all learners concludes, and the scores: tables x data sets x learners."""
    check_positive("sd", sd)
    check_positive("draws", draws)
    if not 3 <= learners <= MOST_LEARNERS:
        raise BadInput(f"`learners=` is a whole number from 3 to {MOST_LEARNERS}, not {learners}")
    if datasets > MOST_DATASETS:
        raise BadInput(f"this is simulated for up to {MOST_DATASETS} data sets, not {datasets}")
    random, cut = generator(seed, "power of friedman", datasets), _critical_sum(datasets, learners, at.miss)
    block = max(1, AT_ONCE // (datasets * learners**2))
    for start in range(0, draws, block):
        scores = random.standard_normal((min(block, draws - start), datasets, learners))
        scores[:, :, 0] += difference / sd * math.sqrt(2)  # each of two scores has half of their difference's variance
        yield _sum_of_squares(_ranks(scores)) >= cut, scores


def _ranks(scores: Array) -> Array:
    """The largest score has the largest rank; nothing is tied."""
    return np.argsort(np.argsort(scores, axis=-1), axis=-1) + 1.0


def _sum_of_squares(ranks: Array) -> Array:
    """Of the rank sums less their mean."""
    sums = ranks.sum(axis=1) - ranks.shape[1] * (ranks.shape[2] + 1) / 2
    return (sums**2).sum(axis=-1)


@lru_cache(512)
def _critical_sum(datasets: int, learners: int, miss: float) -> float:
    """The sum of squares from which on the test concludes."""
    from scipy.special import fdtri

    if datasets < FEW:
        random = generator(0, "ranks of equal learners", datasets)
        null = np.sort(_sum_of_squares(_ranks(random.standard_normal((NULL, datasets, learners)))))
        values, starts = np.unique(null.round(6), return_index=True)
        rare = values[(NULL - starts) / NULL <= miss]
        return float(rare[0]) - 1e-6 if len(rare) else math.inf
    df = learners - 1
    f = fdtri(df, df * (datasets - 1), 1 - miss)
    spread = datasets * learners * (learners + 1) / 12  # chi-square is the sum of squares over this
    return float(datasets * df * f / (datasets - 1 + f) * spread)


def _p_values(scores: Array, first: Array, second: Array, pairs: str) -> Array:
    """Of every pair in every table: tables x pairs."""
    datasets, learners = scores.shape[1:]
    if pairs == "mean_ranks":
        from scipy.special import ndtr

        means = _ranks(scores).mean(axis=1)
        error = math.sqrt(learners * (learners + 1) / (6 * datasets))
        return 2 * ndtr(-np.abs(means[:, first] - means[:, second]) / error)
    apart = scores[:, :, first] - scores[:, :, second]
    ranks = np.argsort(np.argsort(np.abs(apart), axis=1), axis=1) + 1
    plus = np.where(apart > 0, ranks, 0).sum(axis=1)
    below = _signed_rank_law(datasets)
    return np.minimum(1.0, 2 * below[np.minimum(plus, len(below) - 1 - plus)])


@lru_cache(256)
def _signed_rank_law(datasets: int) -> Array:
    """Chance of at most each sum of the ranks of positive differences."""
    return np.cumsum(coin_sum_law(np.arange(1, datasets + 1), datasets * (datasets + 1) // 2))


def _adjust(p: Array, then: str) -> Array:
    number = p.shape[1]
    if then == "bonferroni":
        return np.minimum(number * p, 1.0)
    order = np.argsort(p, axis=1)
    steps = np.maximum.accumulate(np.take_along_axis(p, order, axis=1) * np.arange(number, 0, -1), axis=1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(steps, 1.0), axis=1)
    return adjusted


@lru_cache(256)
def _nemenyi_difference(datasets: int, learners: int, miss: float) -> float:
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - miss, learners, math.inf)
    return float(q / math.sqrt(2) * math.sqrt(learners * (learners + 1) / (6 * datasets)))
