"""Post hoc tests that judge all pairs, or all against a control, by one critical difference."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.anova import parts
from veracity.comparisons.many import INFINITE, SMALL
from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.posthoc.entry import HOLES, POOL, Outcome, posthoc
from veracity.posthoc.laws import control_critical, control_tail, range_critical, range_tail
from veracity.posthoc.ranks import mean_ranks, standard_error
from veracity.records.arrays import Array

MEANS = "mean scores"


@posthoc(
    "Nemenyi",
    cite=("nemenyi1963", "demsar2006"),
    assumes=("DSI", "BIG"),
    limits=(HOLES, POOL, SMALL),
    alone=True,
    asks="all",
)
def nemenyi(m: ScoreMatrix, first: Array, second: Array, miss: float, *, df: str = "infinite") -> Outcome:
    """All differences of mean ranks against one critical difference, from the law of the range of all of them.

    The weakest choice: then='holm' with pairs='mean_ranks' is never far behind, and bergmann_hommel finds more.
    `df="finite"` takes (N-1)k degrees of freedom, as scmamp does, in place of infinitely many.
    """
    if df not in ("infinite", "finite"):
        raise BadInput(f"nemenyi: df is 'infinite' or 'finite', not {df!r}")
    n, k = m.values.shape
    degrees = (n - 1) * k if df == "finite" else math.inf
    found = mean_ranks.function(m, first, second, miss)
    adjusted = range_tail(math.sqrt(2) * np.abs(found.statistic), k, degrees)
    q = range_critical(miss, k, degrees)
    return found._replace(adjusted=adjusted, critical_difference=q / math.sqrt(2) * standard_error(m))


@posthoc(
    "Bonferroni-Dunn",
    cite=("dunn1961", "demsar2006"),
    assumes=("DSI", "BIG"),
    limits=(HOLES, POOL, SMALL),
    alone=True,
    asks="control",
)
def bonferroni_dunn(m: ScoreMatrix, first: Array, second: Array, miss: float) -> Outcome:
    """Differences of mean ranks to those of a control, each p-value times their number.

    then='holm' with pairs='mean_ranks' is never worse.
    """
    from scipy.special import ndtri

    found = mean_ranks.function(m, first, second, miss)
    number = len(first)
    critical = -ndtri(miss / (2 * number)) * standard_error(m)
    return found._replace(adjusted=np.minimum(number * found.p, 1.0), critical_difference=float(critical))


@posthoc(
    "Tukey",
    cite=("tukey1949",),
    assumes=("DSI", "COMM", "NORM", "SPH"),
    limits=(HOLES, INFINITE),
    alone=True,
    asks="all",
    about=MEANS,
)
def tukey(m: ScoreMatrix, first: Array, second: Array, miss: float) -> Outcome:
    """All differences of mean scores against one least difference, with the error of the analysis of variance."""
    k, df = len(m.learners), parts(m).df[1]
    found, error = _by_student(m, first, second)
    adjusted = range_tail(math.sqrt(2) * np.abs(found.statistic), k, df)
    least = range_critical(miss, k, df) / math.sqrt(2) * error
    return found._replace(adjusted=adjusted, critical_difference=least)


@posthoc(
    "Dunnett",
    cite=("dunnett1955",),
    assumes=("DSI", "COMM", "NORM", "SPH"),
    limits=(HOLES, INFINITE),
    alone=True,
    asks="control",
    about=MEANS,
)
def dunnett(m: ScoreMatrix, first: Array, second: Array, miss: float) -> Outcome:
    """Differences of mean scores to that of a control against one least difference, as tukey does for all pairs."""
    others, df = len(first), parts(m).df[1]
    found, error = _by_student(m, first, second)
    adjusted = control_tail(np.abs(found.statistic), others, df)
    least = control_critical(miss, others, df) * error
    return found._replace(adjusted=adjusted, critical_difference=least)


def _by_student(m: ScoreMatrix, first: Array, second: Array) -> tuple[Outcome, float]:
    """Each pair alone, by Student's test with the error of the analysis of variance; and that error."""
    from scipy.special import stdtr

    found = parts(m)
    error = math.sqrt(2 * found.error / len(m))
    means = m.values.mean(axis=0)
    difference = means[first] - means[second]
    t = difference / error if error > 0 else np.zeros(len(difference))
    return Outcome(difference, t, 2 * stdtr(found.df[1], -np.abs(t))), error
