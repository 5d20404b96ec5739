"""Tails and quantiles of distributions, from scipy, which is imported where it is first needed: that takes a while."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from math import cbrt, erfc, exp, inf, isnan, log, log1p, sqrt
from typing import Any

from veracity.core.errors import BadInput

MAX_ROOT_STEPS = 5_000  # halving alone takes fewer between any two numbers
MIN_ROOT_SHARE = 4 * 2.0**-52  # of a root itself: scipy's brentq finds no more digits
SHIFT_NODES = 801  # of the integral of the noncentral t
MAX_DEVIATIONS = 9.0  # standard deviations: 1e-19 of a normal distribution lies beyond


def above(z: float) -> float:
    """Return the probability that a standard normal number is larger than z, to full precision in the tail."""
    return erfc(z / sqrt(2)) / 2


def two_sided(z: float) -> float:
    """Return the probability that a standard normal number is at least as far from 0 as z."""
    return erfc(abs(z) / sqrt(2))


@lru_cache(maxsize=512)
def student_quantile(degrees: float, tail: float) -> float:
    """Return the number above which Student's t lies with the probability `tail`."""
    from scipy.special import stdtrit

    return -float(stdtrit(degrees, tail))  # a small tail has more digits than what it leaves


def logit(share: float) -> float:
    """Return the logarithm of the odds of a share; infinite at 0 and at 1."""
    if share in (0, 1):
        return inf if share else -inf
    return log(share) - log1p(-share)


def expit(logarithm: float) -> float:
    """Return the share whose odds have this logarithm."""
    odds = exp(-abs(logarithm))
    return (1 if logarithm >= 0 else odds) / (1 + odds)


@lru_cache(maxsize=512)
def share_of_at_least(hits: float, rows: float, tail: float) -> float:
    """Return the share under which so many hits or more have the probability `tail`."""
    return beta_quantile(hits, rows - hits + 1, tail) if hits > 0 else 0.0


def beta_quantile(a: float, b: float, below: float) -> float:
    """Return the number below which a beta distributed number lies with the probability `below`."""
    return float(beta_quantiles(a, b, below))


def beta_quantiles(a: Any, b: Any, below: Any) -> Any:
    """Return the same for arrays of parameters and probabilities."""
    from numpy import asarray, broadcast_arrays, isnan
    from scipy.special import betainc, betaincinv

    def inverse(a: float, b: float, below: float) -> float:
        return root(lambda x: float(betainc(a, b, x)) - below, 0.0, 1.0, 1e-300)

    found = asarray(betaincinv(a, b, below))
    if (unknown := isnan(found)).any():  # scipy 1.13 knows the distribution of 10^12 rows, but not always its inverse
        given = (part[unknown].tolist() for part in broadcast_arrays(a, b, below))
        found[unknown] = list(map(inverse, *given))
    return found


def below_noncentral(t: float, df: float, shift: float) -> float:
    """Return the probability that a noncentral t with this shift is at most t: a mean over its denominator.

    scipy's is NaN, or never ends, for some large shifts.
    """
    from scipy.special import ndtr

    scales, weights = student_scales(df)
    return float(weights @ ndtr(t * scales - shift))


@lru_cache(maxsize=32)
def student_scales(df: float) -> Any:
    """Return values of the denominator of Student's t, whose root mean square is 1, and their probabilities.

    They are taken at equal steps of a standard normal deviate: the integrand is smooth and dies out at both ends, where
    equal steps are exact to all digits. Over the quantile itself the denominator has infinite slopes there, which cost
    all but six.
    """
    import numpy as np
    from scipy.special import gammainccinv, gammaincinv, ndtr

    places = np.linspace(-MAX_DEVIATIONS, MAX_DEVIATIONS, SHIFT_NODES)
    densities = np.exp(-(places**2) / 2)
    lower, upper = gammaincinv(df / 2, ndtr(places)), gammainccinv(df / 2, ndtr(-places))
    return np.sqrt(2 * np.where(places < 0, lower, upper) / df), densities / densities.sum()


def straightened(t: float, skewness: float) -> float:
    """Return Hall's cubic of the t ratio of a mean: it takes the skewness out, which leaves it nearly Student's."""
    a = skewness / 3
    return t + a * t**2 + a**2 * t**3 / 3 + a / 2


def bent(t: float, skewness: float) -> float:
    """Return the t ratio that `straightened` maps to t: the cubic is (1 + a t)^3 in disguise, so it has one root."""
    a = skewness / 3
    away = t - a / 2
    scale = cbrt(1 + 3 * a * away)
    return 3 * away / (scale**2 + scale + 1)


def root(
    function: Callable[[float], float], low: float, high: float, xtol: float = 1e-12, rtol: float = MIN_ROOT_SHARE
) -> float:
    """Return where a function of one number crosses 0 between two ends, by Brent's method.

    It is found to `xtol` or to the share `rtol` of itself, whichever is wider.
    """
    from scipy.optimize import brentq

    def value(at: float) -> float:
        found = float(function(at))
        if isnan(found):
            raise BadInput(f"a function that is not defined at {at!r} has no root that can be found")
        return found

    try:
        return float(brentq(value, low, high, xtol=xtol, rtol=max(rtol, MIN_ROOT_SHARE), maxiter=MAX_ROOT_STEPS))
    except (ValueError, RuntimeError) as why:
        if isinstance(why, BadInput):
            raise
        raise BadInput(f"no root between {low!r} and {high!r} was found: {why}") from None
