"""Speed of posteriors of two learners, beside baycomp where that needs no compiler."""

from __future__ import annotations

from time import process_time

import baycomp
import numpy as np

import veracity as vc
from bench.row import Row, faster, measure


def _scores(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two learners that differ by little; the last axis has the splits or the data sets."""
    random = np.random.default_rng(0)
    first = random.uniform(0.6, 0.9, shape)
    return first, first + random.normal(0.003, 0.02, shape)


def correlated_t_posterior() -> Row:
    a, b = _scores(100)
    table = vc.split_scores({"a": a, "b": b}, train=900, test=100, k=10, repeats=10)
    using = "correlated_t_posterior(rope=0.01)"
    theirs = baycomp.two_on_single(b, a, rope=0.01, runs=10)
    np.testing.assert_allclose(vc.compare(table, using=using).probabilities, theirs, rtol=1e-9)
    ours = measure(lambda: [vc.compare(table, using=using) for _ in range(50)], 20, clock=process_time)
    peer = measure(lambda: [baycomp.two_on_single(a, b, rope=0.01, runs=10) for _ in range(50)], 20, clock=process_time)
    return faster("Correlated t posterior of 100 splits, 50 times; baycomp two_on_single", ours, peer, 1)


def signed_rank_posterior() -> Row:
    a, b = _scores(54)
    matrix = vc.score_matrix(np.stack([a, b], axis=1))
    using = "signed_rank_posterior(rope=0.01)"
    ours = measure(lambda: vc.compare(matrix, using=using), 5)
    peer = measure(lambda: baycomp.SignedRankTest.probs(a, b, rope=0.01), 3)
    return faster("Signed-rank posterior of 54 data sets, 50,000 draws; baycomp SignedRankTest", ours, peer, 1)


def sign_posterior() -> Row:
    a, b = _scores(54)
    matrix = vc.score_matrix(np.stack([a, b], axis=1))
    ours = measure(lambda: vc.compare(matrix, using="sign_posterior(rope=0.01)"), 5)
    peer = measure(lambda: baycomp.SignTest.probs(a, b, rope=0.01), 5)
    return faster("Sign posterior of 54 data sets, exact; baycomp SignTest with 50,000 draws", ours, peer, 1)


def hierarchical_posterior() -> Row:
    a, b = _scores(54, 100)
    tables = {
        f"data {i}": vc.split_scores({"a": a[i], "b": b[i]}, train=900, test=100, k=10, repeats=10) for i in range(54)
    }
    matrix = vc.score_matrix(tables)
    ours = measure(lambda: vc.compare(matrix, using="hierarchical_posterior(rope=0.01)"), 3)
    name = "Hierarchical posterior of 54 data sets x 100 splits, 32,000 draws; the time alone"
    return Row(name, str(ours), "none without a compiler", ours.best, 10, at_most=True, unit=" s")


def wilcoxon_of_all_pairs() -> Row:
    matrix = vc.score_matrix(np.random.default_rng(1).uniform(0.6, 0.9, (50, 30)))
    ours = measure(lambda: vc.compare(matrix, using="wilcoxon"), 3)
    name = "Exact Wilcoxon with intervals of all 435 pairs of 30 learners on 50 data sets; the time alone"
    return Row(name, str(ours), "none exact with ties", ours.best, 2, at_most=True, unit=" s")


ROWS = (correlated_t_posterior, sign_posterior, signed_rank_posterior, hierarchical_posterior, wilcoxon_of_all_pairs)
