"""Wilcoxon's test of many pairs of learners at once: the same numbers as of each alone, by compiled loops."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from veracity.comparisons.entry import LEAST
from veracity.comparisons.wilcoxon import EXACT_UP_TO, coin_sum_law, hodges_lehmann, largest_sum, signed_ranks
from veracity.core.confidence import Confidence
from veracity.core.normal import two_sided
from veracity.core.p_values import PValues
from veracity.evidence.score_matrix import ROUNDING, ScoreMatrix
from veracity.kernels.recursions import coin_sums, rank_sums, sums_at
from veracity.records.arrays import TIE, Array

TOGETHER = 50_000  # differences from which on compiled loops pay
AT_ONCE = 256  # pairs of one block: their differences stay near the processor
FEWEST = 6  # differences that are not 0, below which a pair is judged by itself, with what must be said of it


class SignedRankVerdict(NamedTuple):
    """What Wilcoxon's test says of one pair."""

    statistic: float
    p_value: float
    difference: float
    low: float
    high: float
    zeros: int
    sums: tuple[float, float]  # W+ and W-


def wilcoxon_pairs(
    matrix: ScoreMatrix, first: Array, second: Array, at: Confidence
) -> Iterator[SignedRankVerdict | None]:
    """Of each pair, by the places of its learners; None where there is more to say of it than of zeros."""
    rows = len(matrix)
    cut = largest_sum(rows, at)
    if cut < 0 or rows * len(first) < TOGETHER or not np.isfinite(matrix.values).all():
        yield from [None] * len(first)
        return
    scores = np.ascontiguousarray(matrix.values.T)
    last = rows * (rows + 1) // 2 - 1
    places = np.array([cut, last // 2, last - cut])

    def judge(start: int) -> list[SignedRankVerdict | None]:
        some = slice(start, start + AT_ONCE)
        differences = np.sort(_differences(scores[first[some]], scores[second[some]]), axis=1)
        return _judge_block(differences, places, at)

    with ThreadPoolExecutor(os.cpu_count()) as pool:  # the loops let go of the interpreter
        for block in pool.map(judge, range(0, len(first), AT_ONCE)):
            yield from block


def _differences(first: Array, second: Array) -> Array:
    """As `ScoreMatrix.difference` has them, a pair in each row."""
    size = np.maximum(np.abs(first), np.abs(second))
    found = first - second
    found[np.abs(found) <= np.maximum(TIE * size, ROUNDING * size.max(axis=1, keepdims=True))] = 0.0
    return found


def _judge_block(ordered: Array, places: Array, at: Confidence) -> list[SignedRankVerdict | None]:
    sums = rank_sums.compiled(ordered, TIE)
    low, middle, high, follows = (sums_at.compiled(ordered, places) / 2).T
    even = places[0] + places[2] != 2 * places[1]
    centre = np.where(even & (middle != follows), (middle + follows) / 2, middle)
    zeros = (ordered == 0).sum(axis=1)
    numbers = zip(sums.tolist(), centre.tolist(), low.tolist(), high.tolist(), zeros.tolist(), ordered, strict=True)
    return [_verdict(at, *one) for one in numbers]


def _verdict(
    at: Confidence, sums: list[float], centre: float, low: float, high: float, zeros: int, d: Array
) -> SignedRankVerdict | None:
    plus, minus, squares, nonzero, ranked, ties = sums
    if nonzero < FEWEST:
        return None
    if ties or zeros:
        low, high, *_ = hodges_lehmann(d, at, _p_values)
    if low == high:
        return None
    smaller = min(plus, minus)
    if nonzero > EXACT_UP_TO:
        below = min(smaller - (plus + minus) / 2, 0.0)
        p = two_sided(below / (squares**0.5 / 2))
    elif ties:
        p = _p_values(d).two_sided
    else:
        p = _exact_p(smaller, int(nonzero), int(ranked))
    return SignedRankVerdict(smaller, max(p, LEAST), centre, low, high, zeros, (plus, minus))


def _p_values(d: Array) -> PValues:
    return signed_ranks(d).p_values(law_of=coin_sums.compiled)


def _exact_p(smaller: float, nonzero: int, zeros: int) -> float:
    """As of `SignedRanks`, of whose law pairs without ties share all but the sum."""
    free = round(2 * smaller - zeros * (zeros + 1) / 2)
    return min(1.0, 2 * float(_law(nonzero, zeros)[: free + 1].sum()))


@lru_cache(512)
def _law(nonzero: int, zeros: int) -> Array:
    doubled = 2 * np.arange(zeros + 1, zeros + nonzero + 1)
    return coin_sum_law(doubled, int(doubled.sum()) // 2 + 1)
