"""What wins, draws and losses on many data sets say about the next one, as probabilities."""

from __future__ import annotations

import numpy as np

from veracity.comparisons.datasets import ONE_DATASET
from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.rope import Three, checked
from veracity.core.seeds import generator
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.posterior import MOST, of_draws

PRIOR = 1.0  # one data set inside the rope, seen before all others
POINTS = 2_001  # of the grid: the integrand is smooth, so the sum over it is exact to ten digits


@comparison(
    "Sign posterior",
    reads=ScoreMatrix,
    cite=("benavoli2017",),
    assumes=("DSI", "PRIOR"),
    limits=(ONE_DATASET,),
)
def sign_posterior(m: ScoreMatrix, *, rope: float = 0.0) -> Verdict:
    """Probabilities that most data sets are won by the second learner, by neither, by the first beyond the rope.

    Shares of data sets left of the rope, inside and right of it have a Dirichlet law whose prior is one data set
    inside. What is told is the probability that each share is the largest; without a rope, that one side is larger
    than the other. Computed by integration, without random numbers; only its picture shows draws.
    """
    rope, d = checked(rope), m.difference
    left, right = int((d < -rope).sum()), int((d > rope).sum())
    inside = len(d) - left - right
    found = larger(left, right) if rope == 0 else largest(left, inside + PRIOR, right)
    facts = (("left", left), ("inside", inside), ("right", right))
    weights = np.array([[left], [inside + PRIOR], [right]])
    drawn = generator(0, "sign_posterior").standard_gamma(weights, (3, MOST))
    return Verdict(None, None, probabilities=found, facts=facts, posterior=of_draws(rope, drawn))


def larger(left: float, right: float) -> Three:
    """Which of two shares of a Dirichlet law is larger, whatever there is besides."""
    from scipy.special import betainc

    if left == 0 or right == 0:
        chance = 0.5 if left == right else float(right > 0)
    else:
        chance = float(betainc(left, right, 0.5))
    return 1 - chance, 0.0, chance


def largest(left: float, inside: float, right: float) -> Three:
    """The probability of each share of a Dirichlet law to be the largest; a share without any weight is 0."""
    each = [_beats(own, others) for own, others in _against(left, inside, right)]
    total = sum(each)
    return each[0] / total, each[1] / total, each[2] / total


def _against(*weights: float) -> list[tuple[float, list[float]]]:
    return [(own, [other for j, other in enumerate(weights) if j != i]) for i, own in enumerate(weights)]


def _beats(own: float, others: list[float]) -> float:
    """P(one gamma variable exceeds the others), over a grid of its logarithm."""
    from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

    if own == 0:
        return 0.0
    low, high = np.log(gammaincinv(own, 1e-16)), np.log(gammainccinv(own, 1e-16))
    x = np.linspace(low, high, POINTS)
    density = np.exp(own * x - np.exp(x) - gammaln(own))
    below = np.prod([gammainc(other, np.exp(x)) for other in others if other > 0], axis=0)
    return float((density * below).sum() * (x[1] - x[0]))
