"""Two learners on many data sets by their split scores: a mean that trusts precise data sets more."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.datasets import ONE_DATASET
from veracity.comparisons.entry import Verdict, comparison
from veracity.core.errors import BadInput
from veracity.core.notes import Note, caution, refuse
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import Array

NO_SPLITS = refuse(
    "no-splits",
    "two_level reads the split scores of each data set, and these scores have none: use wilcoxon",
    lambda m: m.splits is None or any(cell is None for row in m.splits for cell in row),
)
FEW = caution(
    "few-datasets",
    "fewer than 6 data sets: how much the difference varies between them is poorly known",
    lambda m: len(m) < 6,
)


@comparison(
    "Two-level mean",
    reads=ScoreMatrix,
    cite=("nadeau2003", "paule1982", "sidik2005", "kish1965"),
    assumes=("DSI", "COMM", "NORM", "RHO"),
    limits=(ONE_DATASET, NO_SPLITS, FEW),
)
def two_level(m: ScoreMatrix) -> Verdict:
    """The mean difference over data sets, each weighing by how precisely its splits tell its own difference.

    Splits vary within a data set (their variance raised for shared training rows, as in corrected_t) and true
    differences vary between data sets. More repeats make the first smaller, so they buy power, down to what the second
    leaves. Differences must be comparable in size across data sets.

    The variance between data sets is Paule and Mandel's. Weights that are estimated are not known: the error is the
    larger of what the model says and what the data sets scatter, and Student's law has the effective number of data
    sets less one as its degrees of freedom. With N - 1 of them and the error of the model, as is common, up to 12 % of
    simulated null worlds were rejected at .05; in this form about 5 % at most, and fewer where differences vary little.
    """
    from scipy.special import stdtr

    means, variances, floored = _levels(m)
    if not variances.any() and not np.ptp(means):
        return _constant(float(means[0]), len(m) - 1)
    between = between_data_sets(means, variances)
    weights = 1 / (variances + between)
    share = weights / weights.sum()
    mean = float(share @ means)
    scatter = math.sqrt(share**2 @ (np.square(means - mean) / (1 - share)))
    error = max(1 / math.sqrt(weights.sum()), scatter)
    df = max(1 / float(share @ share) - 1, 1.0)
    facts = (("deviation_between", math.sqrt(between)), ("deviation_within", math.sqrt(variances.mean())))
    t = mean / error
    return Verdict(t, float(2 * stdtr(df, -abs(t))), df, floored, mean, error, facts=facts)


def between_data_sets(means: Array, variances: Array) -> float:
    """The variance of true differences that brings weighted squares down to their degrees of freedom, or 0."""
    from scipy.optimize import brentq

    def excess(between: float) -> float:
        weights = 1 / (variances + between)
        centre = weights @ means / weights.sum()
        return float(weights @ np.square(means - centre)) - (len(means) - 1)

    lowest = 0.0 if variances.all() else 1e-12 * float(np.var(means))
    if excess(lowest) <= 0:
        return lowest
    return float(brentq(excess, lowest, 2 * float(np.square(means - means.mean()).sum()), xtol=1e-300, rtol=1e-12))


def _levels(m: ScoreMatrix) -> tuple[Array, Array, tuple[Note, ...]]:
    """The mean difference of each data set and its corrected variance; one of 0 gets the smallest of the others."""
    assert m.splits is not None
    differences = [first - second for first, second in m.splits if first is not None and second is not None]
    for name, found in zip(m.datasets, differences, strict=True):
        if len(found) < 2 or found.undefined:
            raise BadInput(f"two_level needs two or more splits with a score on each data set, and {name} lacks them")
    means = np.array([found.mean for found in differences])
    variances = np.array([found.spread**2 * (1 / len(found) + found.test_share) for found in differences])
    flat = variances == 0
    if not flat.any() or flat.all():
        return means, variances, ()
    says = f"on {int(flat.sum())} data sets all splits differ alike: they get the smallest variance of the others"
    return means, np.where(flat, variances[~flat].min(), variances), (Note("no-spread", "caution", says),)


def _constant(mean: float, df: int) -> Verdict:
    if mean == 0:
        says = "the learners score alike on every split: no evidence either way"
        return Verdict(0.0, 1.0, df, (Note("all-equal", "remark", says),), mean)
    says = "the difference is the same on all splits of all data sets, so its spread says nothing: use wilcoxon"
    return Verdict(None, 1.0, df, (Note("no-spread", "refuse", says),), mean)
