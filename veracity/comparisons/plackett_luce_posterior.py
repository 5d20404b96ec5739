"""The Plackett-Luce model of rankings: how likely each learner is to be the best."""

from __future__ import annotations

import math
from itertools import permutations, product

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.hierarchical_posterior import CONVERGED, split_r_hat
from veracity.comparisons.many_learners import WHOLE
from veracity.core.errors import BadInput
from veracity.core.notes import Note, seed_note
from veracity.core.seeds import generator
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.kernels.recursions import plackett_luce_sweeps
from veracity.records.arrays import Array

WARMUP = 500  # sweeps before the first that counts
PLAIN_BELOW = 20_000  # learners placed in all sweeps: below this, compiling would take longer than the loop itself
ADVISED = 10_000
MOST_ORDERS = 20_000  # that ties allow, for the weights of largest likelihood


@comparison(
    "Plackett-Luce posterior",
    reads=ScoreMatrix,
    compares=0,
    cite=("calvo2018", "caron2012", "hunter2004"),
    assumes=("DSI", "PRIOR"),
    limits=WHOLE,
    aliases="bayesian_plackett_luce",
    keywords="Bayesian ranking, probability of being the best, Bradley-Terry, Elo rating",
)
def plackett_luce(m: ScoreMatrix, *, draws: int = 10_000, seed: int = 0) -> Verdict:
    """Chance of each learner to have the largest weight, where the best is chosen in proportion to weights, then the
    best of the rest, and so on.

    The prior is flat over weights that sum to 1 (Dirichlet with all parameters 1). Ties are averaged over all orders
    they allow. The probabilities are in the order of the learners; the facts hold the mean weight of each, which is
    the chance to rank first on the next data set, and the weights of largest likelihood where those exist.
    """
    if draws < 4:
        raise BadInput(f"draws is the number of posterior draws, such as {ADVISED}, not {draws}")
    weights = posterior_draws(m.ranks, draws, seed)
    best = np.bincount(weights.argmax(axis=1), minlength=weights.shape[1]) / draws
    facts = [
        (f"weight of {name}", weight) for name, weight in zip(m.learners, weights.mean(axis=0).tolist(), strict=True)
    ]
    likely = likeliest_weights(m.ranks)
    if likely is not None:
        facts += [(f"likeliest weight of {name}", w) for name, w in zip(m.learners, likely.tolist(), strict=True)]
    notes = (seed_note(draws, seed), *_notes(weights, likely))
    return Verdict(None, None, None, notes, probabilities=tuple(best.tolist()), facts=tuple(facts))


def posterior_draws(ranks: Array, draws: int, seed: int) -> Array:
    """Draws of the weights, one row each."""
    orders = np.argsort(ranks, axis=1, kind="stable")
    sorted_ranks = np.take_along_axis(ranks, orders, axis=1)
    tied = sorted_ranks[:, 1:] == sorted_ranks[:, :-1]
    out = np.empty((draws, ranks.shape[1]))
    run = plackett_luce_sweeps.function if draws * ranks.size < PLAIN_BELOW else plackett_luce_sweeps.compiled
    run(generator(seed, "plackett_luce"), orders.astype(np.int64), tied, WARMUP, out)
    return out


def likeliest_weights(ranks: Array) -> Array | None:
    """The weights of largest likelihood, by Hunter's iteration; None without any, or where ties allow too many orders.

    There are none where some learners always beat the rest.
    """
    orders, row = _possible_orders(ranks)
    if orders is None or not _is_connected(ranks):
        return None
    k = ranks.shape[1]
    weights = np.full(k, 1 / k)
    for _ in range(100_000):
        left = np.cumsum(weights[orders][:, ::-1], axis=1)[:, ::-1]
        share = _shares(-np.log(left).sum(axis=1), row)  # of the orders that a data set allows
        waited = np.cumsum(1 / left[:, :-1], axis=1)
        waited = np.concatenate([waited, waited[:, -1:]], axis=1)
        rate = np.bincount(orders.ravel(), (share[:, None] * waited).ravel(), k)
        wins = np.bincount(orders[:, :-1].ravel(), np.repeat(share, k - 1), k)
        new = wins / rate
        new /= new.sum()
        if np.abs(new - weights).max() < 1e-13:
            return new
        weights = new
    return weights


def _possible_orders(ranks: Array) -> tuple[Array | None, Array]:
    """Every order of the learners that the ties of each data set allow, and which data set it is of."""
    blocks = [[np.flatnonzero(row == rank).tolist() for rank in np.unique(row)] for row in ranks]
    number = sum(math.prod(math.factorial(len(block)) for block in row) for row in blocks)
    if number > MOST_ORDERS:
        return None, np.empty(0)
    orders = [
        ([j for block in order for j in block], i)
        for i, row in enumerate(blocks)
        for order in product(*(permutations(block) for block in row))
    ]
    return np.array([order for order, _ in orders]), np.array([i for _, i in orders])


def _shares(log_chance: Array, row: Array) -> Array:
    """The chance of each order among those of its data set."""
    chance = np.exp(log_chance - np.maximum.reduceat(log_chance, np.flatnonzero(np.diff(row, prepend=-1)))[row])
    return chance / np.bincount(row, chance)[row]


def _is_connected(ranks: Array) -> bool:
    """Whether no set of learners always beats the rest: each can be reached from each by wins."""
    reach: Array = np.asarray((ranks[:, :, None] <= ranks[:, None, :]).any(axis=0))
    for middle in range(ranks.shape[1]):
        reach = reach | (reach[:, middle : middle + 1] & reach[middle])
    return bool(reach.all())


def _notes(weights: Array, likely: Array | None) -> tuple[Note, ...]:
    notes = []
    if len(weights) < ADVISED:
        notes.append(Note("few-draws", "caution", f"fewer than {ADVISED:,} draws: the chances are rough"))
    if (worst := max(split_r_hat(weight[None]) for weight in weights.T)) >= CONVERGED:
        notes.append(Note("not-settled", "caution", f"the draws have not settled (R-hat {worst:.3f}): use more draws"))
    if likely is None:
        says = "there are no weights of largest likelihood: some learners always beat the rest, or ties are too many"
        notes.append(Note("no-likeliest", "remark", says))
    return tuple(notes)
