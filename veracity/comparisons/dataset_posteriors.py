"""What many data sets say about the next one, as probabilities: from signs, and from signed ranks."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from veracity.comparisons.datasets import INFINITE, ONE_DATASET
from veracity.comparisons.entry import Verdict, comparison
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.posterior import MOST, posterior_of_draws
from veracity.records.arrays import TIE, Array

PRIOR = 1.0  # one data set inside the rope, seen before all others
POINTS = 2_001  # of the grid: the integrand is smooth, so the sum over it is exact to ten digits
PRIOR_WEIGHT = 0.5  # weight of a data set without a difference, seen before all others
ADVISED = 50_000
AT_ONCE = 2_000_000  # weights in memory
Three = tuple[float, float, float]


@comparison(
    "Sign posterior",
    reads=ScoreMatrix,
    cite=("benavoli2017",),
    assumes=("DSI", "PRIOR"),
    limits=(ONE_DATASET,),
    aliases="bayesian_sign, bayesian_sign_test",
    keywords="ROPE, Bayesian, Bayesian test, region of practical equivalence",
)
def sign_posterior(m: ScoreMatrix, *, rope: float = 0.0) -> Verdict:
    """Probabilities that most data sets are won by the second learner, by neither, by the first beyond the rope.

    Shares of data sets left of the rope, inside and right of it have a Dirichlet law whose prior is one data set
    inside. What is told is the probability that each share is the largest; without a rope, that one side is larger
    than the other. Computed by integration, without random numbers; only its picture shows draws.
    """
    rope, d = check_rope(rope), m.difference
    left, right = int((d < -rope).sum()), int((d > rope).sum())
    inside = len(d) - left - right
    chances = chance_larger(left, right) if rope == 0 else chances_largest(left, inside + PRIOR, right)
    facts = (("left", left), ("inside", inside), ("right", right))
    weights = np.array([[left], [inside + PRIOR], [right]])
    drawn = generator(0, "sign_posterior").standard_gamma(weights, (3, MOST))
    return Verdict(None, None, probabilities=chances, facts=facts, posterior=posterior_of_draws(rope, drawn))


def chance_larger(left: float, right: float) -> Three:
    """Which of two shares of a Dirichlet law is larger, whatever there is besides."""
    from scipy.special import betainc

    if left == 0 or right == 0:
        chance = 0.5 if left == right else float(right > 0)
    else:
        chance = float(betainc(left, right, 0.5))
    return 1 - chance, 0.0, chance


def chances_largest(left: float, inside: float, right: float) -> Three:
    """The probability of each share of a Dirichlet law to be the largest; a share without any weight is 0."""
    each = [_chance_to_exceed(*own) for own in ((left, inside, right), (inside, left, right), (right, left, inside))]
    total = sum(each)
    return each[0] / total, each[1] / total, each[2] / total


def _chance_to_exceed(own: float, *others: float) -> float:
    """P(one gamma variable exceeds the others), over a grid of its logarithm."""
    from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

    if own == 0:
        return 0.0
    low, high = np.log(gammaincinv(own, 1e-16)), np.log(gammainccinv(own, 1e-16))
    x = np.linspace(low, high, POINTS)
    density = np.exp(own * x - np.exp(x) - gammaln(own))
    below = np.prod([gammainc(other, np.exp(x)) for other in others if other > 0], axis=0)
    return float((density * below).sum() * (x[1] - x[0]))


@comparison(
    "Signed-rank posterior",
    reads=ScoreMatrix,
    cite=("benavoli2014", "benavoli2017"),
    assumes=("DSI", "PRIOR"),
    limits=(ONE_DATASET, INFINITE),
    aliases="bayesian_signed_rank, bayesian_signed_rank_test, bayesian_wilcoxon",
    keywords="ROPE, Bayesian, Bayesian test, region of practical equivalence",
)
def signed_rank_posterior(m: ScoreMatrix, *, rope: float = 0.0, draws: int = 50_000, seed: int = 0) -> Verdict:
    """Probabilities that differences mostly lie left of the rope, inside it, right of it; the counterpart of wilcoxon.

    A Dirichlet process weighs the data sets and one without a difference (weight 1/2). In each draw the mean of two
    differences drawn by these weights lies left, inside or right with some chance; what is told is the share of draws
    in which each chance is the largest; without a rope, in which one side's exceeds the other's.
    """
    if draws < 1:
        raise BadInput(f"draws must be at least 1, not {draws}")
    rope = check_rope(rope)
    chances = shares_of_draws(m.difference, rope, draws, seed)
    posterior = posterior_of_draws(rope, next(_draw_chances(m.difference, rope, min(draws, MOST), seed)))
    return Verdict(None, None, None, _seed_notes(draws, seed, chances), probabilities=chances, posterior=posterior)


def shares_of_draws(differences: Array, rope: float, draws: int, seed: int) -> Three:
    """The share of draws in which left, inside and right are largest; equals share a draw."""
    counts = np.zeros(3)
    for chances in _draw_chances(differences, rope, draws, seed):
        counts += _count_largest(chances, rope)
    a, b, c = (counts / draws).tolist()
    return a, b, c


def _draw_chances(differences: Array, rope: float, draws: int, seed: int) -> Iterator[Array]:
    """The chances of left, inside and right, up to a factor, in so many draws at a time as memory allows."""
    points = np.sort(np.append(differences, 0.0))
    of_prior = int(np.searchsorted(points, 0.0))
    random, left = generator(seed, "signed_rank_posterior"), draws
    while left:
        number = min(left, max(1, AT_ONCE // len(points)))
        weights = random.standard_exponential((number, len(points)))
        weights[:, of_prior] = random.standard_gamma(PRIOR_WEIGHT, number)
        yield _chances(weights, points, rope)
        left -= number


def _chances(weights: Array, points: Array, rope: float) -> Array:
    """For each draw the weight of pairs whose sum is below -2 rope, between, and above 2 rope; equals count half.

    Points are in order, so the partners of a point that make a small enough sum come first: a running total has them.
    """
    before = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
    close = TIE * max(2 * rope, 2 * float(np.abs(points).max()))
    left = _weight_below(weights, before, points, -2 * rope, close)
    not_right = _weight_below(weights, before, points, 2 * rope, close)
    return np.stack([left, not_right - left, before[:, -1] ** 2 - not_right])


def _weight_below(weights: Array, before: Array, points: Array, bound: float, close: float) -> Array:
    surely = np.searchsorted(points, bound - points - close, side="left")
    at_most = np.searchsorted(points, bound - points + close, side="right")
    return np.einsum("ij,ij->i", weights, before[:, surely] + before[:, at_most]) / 2


def _count_largest(chances: Array, rope: float) -> Array:
    if rope == 0:
        left, _, right = chances
        close = TIE * (left + right)
        wins = np.stack([left >= right - close, np.zeros(len(left), bool), right >= left - close]).astype(float)
    else:
        wins = (chances >= chances.max(axis=0)).astype(float)
    found: Array = (wins / wins.sum(axis=0)).sum(axis=1)
    return found


def _seed_notes(draws: int, seed: int, chances: Three) -> tuple[Note, ...]:
    """Random numbers are never used in silence."""
    error = max(math.sqrt(p * (1 - p) / draws) for p in chances)
    says = f"{draws} draws with seed {seed}: Monte Carlo error {error:.2g}"
    notes = (Note("seed", "remark", says),)
    if draws >= ADVISED:
        return notes
    return (*notes, Note("few-draws", "caution", f"{draws} draws are fewer than the {ADVISED} advised"))


def check_rope(rope: float) -> float:
    """Half the width of the region, in units of the score; 0 for no region."""
    if not 0 <= rope < float("inf"):
        raise BadInput(f"rope must be 0 or more, in units of the score, not {rope!r}")
    return float(rope)


def point_mass(point: float, rope: float) -> Three:
    """Left, inside and right of the region when the difference is known to be `point`; without a region 0 is half."""
    if rope == 0 and point == 0:
        return 0.5, 0.0, 0.5
    return float(point < -rope), float(abs(point) <= rope), float(point > rope)
