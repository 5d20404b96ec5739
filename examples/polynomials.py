"""The classic pair of validation curves: polynomials of rising degree, and one of degree 9 with a rising penalty."""

import numpy as np
from numpy.polynomial.chebyshev import chebvander

from veracity.findings.curve import Curve, Line

NOISE, DRAWS = 0.3, 200
EVERYWHERE = (np.arange(2000) + 0.5) / 2000
DEGREES = np.arange(10)
LOG_PENALTIES = np.arange(-35.0, 0.5, 2.5)


def rows(number, draws, seed):
    """So many training sets of a sine with noise."""
    random = np.random.default_rng(seed)
    x = random.random((draws, number))
    return x, np.sin(2 * np.pi * x) + random.normal(0, NOISE, x.shape)


def weights(features, y, penalty=0.0):
    """Least squares with penalty |w|^2 for each training set, from singular values: no matrix is ever squared."""
    u, s, v = np.linalg.svd(features, full_matrices=False)
    smallest = s[:, :1] * 1e-13  # directions that training rows say nothing of
    shrink = np.where(s > smallest, s / np.maximum(s**2 + penalty, np.finfo(float).tiny), 0)
    return np.einsum("dji,dj->di", v, shrink * np.einsum("dji,dj->di", u, y))


def errors(powers, number, penalty=0.0, seed=0):
    """Mean squared error of every training set on its own rows and on new ones, for a function that makes features.

    The second needs no test rows, for the truth is known: the distance to the sine, and the noise of a new row.
    """
    x, y = rows(number, DRAWS, seed)
    w = weights(powers(x), y, penalty)
    training = ((np.einsum("dnp,dp->dn", powers(x), w) - y) ** 2).mean(1)
    test = ((w @ powers(EVERYWHERE).T - np.sin(2 * np.pi * EVERYWHERE)) ** 2).mean(1) + NOISE**2
    return training, test


def by_degree(number):
    """Errors of degrees 0 to 9: (training or test, degree, training set). Any basis gives the same polynomial."""
    found = [errors(lambda x, m=m: chebvander(2 * x - 1, m), number) for m in DEGREES]
    return np.array(found).transpose(1, 0, 2)


def by_penalty(number):
    """Errors of degree 9 for each penalty; the penalty is on the coefficients of plain powers."""
    found = [errors(lambda x: x[..., None] ** np.arange(10), number, np.exp(log)) for log in LOG_PENALTIES]
    return np.array(found).transpose(1, 0, 2)


def chart(title, x_title, x, found):
    """Medians over training sets, with the middle half of them as a band."""
    names = ("new rows", "training rows")
    low, middle, high = np.maximum(np.quantile(found[::-1], (0.25, 0.5, 0.75), axis=2), 1e-4)
    lines = tuple(Line(name, x, y) for name, y in zip(names, middle, strict=True))
    bands = tuple(
        Line("middle half of the draws", x, y, low=a, high=b, style="band", of=name)
        for name, y, a, b in zip(names, middle, low, high, strict=True)
    )
    return Curve("validation", title, x_title, "mean squared error", lines, bands, log_y=True)
