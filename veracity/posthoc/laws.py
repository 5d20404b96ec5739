"""The laws of the largest of several differences: studentised range, and Dunnett's for a control."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import numpy as np

from veracity.records.arrays import Array

POINTS = 64  # of the inner integral: 10 digits for 2 to 1,000 learners
OUTER = 64  # of the integral over the standard deviation
REACH = 9.0  # normal deviations beyond which nothing is left to double precision
CHUNK = 8_000  # values at a time


def range_tail(q: Array, learners: int, df: float = math.inf) -> Array:
    """Chance that the range of so many means over their standard error is at least q, to full relative precision."""

    def at(q: Array) -> Array:
        from scipy.special import ndtr, ndtri

        lowest = max(-REACH, float(ndtri(math.exp(-45 / (learners - 1)))))  # the largest of many is never lower
        u, weight = _nodes(lowest, REACH, POINTS)
        top = learners * weight * _density(u) * ndtr(u) ** (learners - 1)
        below = np.minimum(ndtr(u - q[:, None]) / ndtr(u), 1.0)  # of the others, given that the largest is u
        return _any_of(below, learners - 1) @ top

    return _over_deviations(at, np.asarray(q, float), df)


def control_tail(d: Array, others: int, df: float = math.inf) -> Array:
    """Chance that the largest of the differences to a control, over its standard error, is at least d in size."""

    def at(d: Array) -> Array:
        from scipy.special import ndtr

        u, weight = _nodes(-REACH, REACH, POINTS)
        wide = math.sqrt(2) * d[:, None]
        outside = np.minimum(ndtr(u - wide) + ndtr(-u - wide), 1.0)
        return _any_of(outside, others) @ (weight * _density(u))

    return _over_deviations(at, np.asarray(d, float), df)


@cache
def range_critical(miss: float, learners: int, df: float = math.inf) -> float:
    """The value that `range_tail` exceeds with chance `miss`."""
    return _exceeded(lambda q: range_tail(q, learners, df), miss)


@cache
def control_critical(miss: float, others: int, df: float = math.inf) -> float:
    """The value that `control_tail` exceeds with chance `miss`."""
    return _exceeded(lambda d: control_tail(d, others, df), miss)


def _exceeded(tail: Callable[[Array], Array], miss: float) -> float:
    from scipy.optimize import brentq

    high = 4.0
    while tail(np.array([high]))[0] > miss:
        high *= 2
    return float(brentq(lambda x: tail(np.array([x]))[0] - miss, 0.0, high, xtol=1e-12))


def _any_of(chance: Array, number: int) -> Array:
    """Chance that at least one of so many independent events happens."""
    with np.errstate(divide="ignore"):
        return -np.expm1(number * np.log1p(-chance))


def _over_deviations(at: Callable[[Array], Array], values: Array, df: float) -> Array:
    """The mean of a tail over the law of a standard deviation that was estimated with `df` degrees of freedom."""
    deviations, weights = _deviations(df)
    step = max(1, CHUNK // len(weights))
    found = np.empty(len(values))
    for start in range(0, len(values), step):
        scaled = np.multiply.outer(values[start : start + step], deviations)
        found[start : start + step] = at(scaled.ravel()).reshape(scaled.shape) @ weights
    return np.clip(found, 0.0, 1.0)


@cache
def _deviations(df: float) -> tuple[Array, Array]:
    if math.isinf(df):
        return np.ones(1), np.ones(1)
    from scipy.special import gammaincinv, gammaln

    low, high = np.sqrt(2 * gammaincinv(df / 2, [1e-17, 1 - 1e-16]) / df)
    s, weight = _nodes(low, high, OUTER)
    log = df / 2 * math.log(df / 2) - gammaln(df / 2) + math.log(2) + (df - 1) * np.log(s) - df * s**2 / 2
    return s, weight * np.exp(log)


@cache
def _nodes(low: float, high: float, number: int) -> tuple[Array, Array]:
    """Gauss and Legendre's points and weights between two limits."""
    x, weight = np.polynomial.legendre.leggauss(number)
    half = (high - low) / 2
    return low + half * (x + 1), half * weight


def _density(u: Array) -> Array:
    return np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)
