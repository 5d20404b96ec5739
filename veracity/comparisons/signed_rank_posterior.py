"""What the differences on many data sets say about the next one, as probabilities."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from veracity.comparisons.datasets import INFINITE, ONE_DATASET
from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.rope import Three, checked
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.seeds import generator
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.posterior import MOST, of_draws
from veracity.records.arrays import TIE, Array

PRIOR = 0.5  # weight of a data set without a difference, seen before all others
ADVISED = 50_000
AT_ONCE = 2_000_000  # weights in memory


@comparison(
    "Signed-rank posterior",
    reads=ScoreMatrix,
    cite=("benavoli2014", "benavoli2017"),
    assumes=("DSI", "PRIOR"),
    limits=(ONE_DATASET, INFINITE),
)
def signed_rank_posterior(m: ScoreMatrix, *, rope: float = 0.0, draws: int = 50_000, seed: int = 0) -> Verdict:
    """Probabilities that differences mostly lie left of the rope, inside it, right of it; the counterpart of wilcoxon.

    A Dirichlet process weighs the data sets and one without a difference (weight 1/2). In each draw the mean of two
    differences drawn by these weights lies left, inside or right with some chance; what is told is the share of draws
    in which each chance is the largest; without a rope, in which one side's exceeds the other's.
    """
    if draws < 1:
        raise BadInput(f"draws must be at least 1, not {draws}")
    rope = checked(rope)
    found = shares(m.difference, rope, draws, seed)
    posterior = of_draws(rope, next(_drawn_chances(m.difference, rope, min(draws, MOST), seed)))
    return Verdict(None, None, None, _drawn(draws, seed, found), probabilities=found, posterior=posterior)


def shares(differences: Array, rope: float, draws: int, seed: int) -> Three:
    """The share of draws in which left, inside and right are largest; equals share a draw."""
    counts = np.zeros(3)
    for chances in _drawn_chances(differences, rope, draws, seed):
        counts += _largest(chances, rope)
    a, b, c = (counts / draws).tolist()
    return a, b, c


def _drawn_chances(differences: Array, rope: float, draws: int, seed: int) -> Iterator[Array]:
    """The chances of left, inside and right, up to a factor, in so many draws at a time as memory allows."""
    points = np.sort(np.append(differences, 0.0))
    of_prior = int(np.searchsorted(points, 0.0))
    random, left = generator(seed, "signed_rank_posterior"), draws
    while left:
        number = min(left, max(1, AT_ONCE // len(points)))
        weights = random.standard_exponential((number, len(points)))
        weights[:, of_prior] = random.standard_gamma(PRIOR, number)
        yield _chances(weights, points, rope)
        left -= number


def _chances(weights: Array, points: Array, rope: float) -> Array:
    """For each draw the weight of pairs whose sum is below -2 rope, between, and above 2 rope; equals count half.

    Points are in order, so the partners of a point that make a small enough sum come first: a running total has them.
    """
    before = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
    close = TIE * max(2 * rope, 2 * float(np.abs(points).max()))
    left = _below(weights, before, points, -2 * rope, close)
    not_right = _below(weights, before, points, 2 * rope, close)
    return np.stack([left, not_right - left, before[:, -1] ** 2 - not_right])


def _below(weights: Array, before: Array, points: Array, bound: float, close: float) -> Array:
    surely = np.searchsorted(points, bound - points - close, side="left")
    at_most = np.searchsorted(points, bound - points + close, side="right")
    return np.einsum("ij,ij->i", weights, before[:, surely] + before[:, at_most]) / 2


def _largest(chances: Array, rope: float) -> Array:
    if rope == 0:
        left, _, right = chances
        close = TIE * (left + right)
        wins = np.stack([left >= right - close, np.zeros(len(left), bool), right >= left - close]).astype(float)
    else:
        wins = (chances >= chances.max(axis=0)).astype(float)
    found: Array = (wins / wins.sum(axis=0)).sum(axis=1)
    return found


def _drawn(draws: int, seed: int, found: Three) -> tuple[Note, ...]:
    """Random numbers are never used in silence."""
    error = max(math.sqrt(p * (1 - p) / draws) for p in found)
    says = f"{draws} draws with seed {seed}: Monte Carlo error {error:.2g}"
    notes = (Note("seed", "remark", says),)
    if draws >= ADVISED:
        return notes
    return (*notes, Note("few-draws", "caution", f"{draws} draws are fewer than the {ADVISED} advised"))
