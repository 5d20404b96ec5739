"""Quantiles of Student's law, of a share and of the logistic law, of few rows and of very many, in plain Python.

Loading scipy.special takes a quarter of a command that scores a small file, and these are all that it needs of it. What
lies between, and unusual tails, scipy answers.
"""

from __future__ import annotations

from functools import lru_cache
from math import exp, inf, lgamma, log, log1p, pi, sqrt
from statistics import NormalDist
from typing import Any

from veracity.core.root import root

FEW = 1_000  # rows: up to here logarithms of factorials keep twelve digits
MANY_DEGREES = 500  # from here on five terms of an expansion in their reciprocal give all digits of usual tails
SOME_DEGREES = 10  # from here on the expansion is near enough for Newton's steps to end at once
NEWTON = 5
SMALLEST_TAIL, LARGEST_TAIL = 1e-6, 0.25
SMALLEST = 1e-300
TERMS = 1_000


@lru_cache(maxsize=512)
def student_quantile(degrees: float, tail: float) -> float:
    """The number above which Student's t lies with the chance `tail`."""
    if not SMALLEST_TAIL <= tail <= LARGEST_TAIL or not degrees >= 1:
        return _scipy_quantile(degrees, tail)
    if degrees >= MANY_DEGREES:
        return _expanded_quantile(degrees, NormalDist().inv_cdf(1 - tail))
    if degrees != int(degrees):  # thousands of them come in one study, each another: a search would take too long
        return _refined_quantile(degrees, tail) if degrees >= SOME_DEGREES else _scipy_quantile(degrees, tail)
    x = root(lambda x: beta_below(x, degrees / 2, 0.5) - 2 * tail, 0.0, 1.0, SMALLEST)
    return sqrt(degrees * (1 - x) / x)


def _refined_quantile(degrees: float, tail: float) -> float:
    """The expansion mended by Newton's steps, of which one or two are enough."""
    t = _expanded_quantile(degrees, NormalDist().inv_cdf(1 - tail))
    front = lgamma((degrees + 1) / 2) - lgamma(degrees / 2) - log(degrees * pi) / 2
    for _ in range(NEWTON):
        above = beta_below(degrees / (degrees + t * t), degrees / 2, 0.5) / 2
        step = (above - tail) / exp(front - (degrees + 1) / 2 * log1p(t * t / degrees))
        t += step
        if abs(step) < 3e-7 * t:  # its square is what is left
            break
    return t


def _scipy_quantile(degrees: float, tail: float) -> float:
    from scipy.special import stdtrit

    return -float(stdtrit(degrees, tail))  # a small tail has more digits than what it leaves


def _expanded_quantile(degrees: float, z: float) -> float:
    """Fisher and Cornish's expansion around the normal quantile."""
    s = z * z
    terms = (
        z,
        z * (s + 1) / 4,
        z * ((5 * s + 16) * s + 3) / 96,
        z * (((3 * s + 19) * s + 17) * s - 15) / 384,
        z * ((((79 * s + 776) * s + 1482) * s - 1920) * s - 945) / 92_160,
    )
    return sum(term / degrees**power for power, term in enumerate(terms))


def logit(share: float) -> float:
    """The logarithm of the odds of a share; endless at 0 and at 1."""
    if share in (0, 1):
        return inf if share else -inf
    return log(share) - log1p(-share)


def expit(logarithm: float) -> float:
    """The share whose odds have this logarithm."""
    odds = exp(-abs(logarithm))
    return (1 if logarithm >= 0 else odds) / (1 + odds)


@lru_cache(maxsize=512)
def share_of_at_least(hits: float, rows: float, tail: float) -> float:
    """The share under which so many hits or more have the probability `tail`."""
    if hits <= 0:
        return 0.0
    if rows <= FEW and SMALLEST_TAIL <= tail <= LARGEST_TAIL:
        return root(lambda x: beta_below(x, hits, rows - hits + 1) - tail, 0.0, 1.0, SMALLEST)
    return beta_quantile(hits, rows - hits + 1, tail)


def beta_quantile(a: float, b: float, below: float) -> float:
    """The number below which a beta number lies with the chance `below`."""
    return float(beta_quantiles(a, b, below))


def beta_quantiles(a: Any, b: Any, below: Any) -> Any:
    """The same for arrays of parameters and chances."""
    from numpy import asarray, broadcast_arrays, isnan
    from scipy.special import betainc, betaincinv

    def inverse(a: float, b: float, below: float) -> float:
        return root(lambda x: float(betainc(a, b, x)) - below, 0.0, 1.0, SMALLEST)

    found = asarray(betaincinv(a, b, below))
    if (unknown := isnan(found)).any():  # scipy 1.13 knows the law of 10^12 rows, but not everywhere its inverse
        laws = (part[unknown].tolist() for part in broadcast_arrays(a, b, below))
        found[unknown] = list(map(inverse, *laws))
    return found


def beta_below(x: float, a: float, b: float) -> float:
    """The chance that a beta number is at most x: the continued fraction of the incomplete beta function."""
    if not 0 < x < 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_below(1 - x, b, a)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    below, up, down = 1.0, 1.0, 0.0
    for place in range(1, TERMS):  # from its front, as Lentz does
        half, odd = divmod(place, 2)
        part = -(a + half) * (a + b + half) / (a + 2 * half + 1) if odd else half * (b - half) / (a + 2 * half - 1)
        part *= x / (a + 2 * half)
        down, up = 1 / (1 + part * down), 1 + part / up
        below *= up * down
        if abs(up * down - 1) < 1e-16:
            break
    return front / below
