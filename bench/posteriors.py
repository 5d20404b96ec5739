"""Speed of posteriors of two learners, beside baycomp where that needs no compiler."""

from __future__ import annotations

from time import process_time
from typing import Any

import baycomp
import numpy as np

import veracity as vc
from bench.row import Measure, Row, alone, faster, measure, measure_growth


def _scores(*shape: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores of two learners that differ by little; the last axis has the splits or the data sets."""
    random = np.random.default_rng(0)
    first = random.uniform(0.6, 0.9, shape)
    return first, first + random.normal(0.003, 0.02, shape)


def correlated_t_posterior() -> Row:
    a, b = _scores(100)
    tables = {
        10 * repeats: vc.split_scores(
            {"a": a[: 10 * repeats], "b": b[: 10 * repeats]}, train=900, test=100, k=10, repeats=repeats
        )
        for repeats in (1, 3, 10)
    }

    def job(splits: int) -> list[Any]:
        return [vc.compare(tables[splits], using="correlated_t_posterior(rope=0.01)") for _ in range(50)]

    theirs = baycomp.two_on_single(b, a, rope=0.01, runs=10)  # which names the second learner first
    np.testing.assert_allclose(job(100)[0].probabilities, theirs, rtol=1e-9)
    ours = measure_growth(job, 100, 20, process_time, (10, 30), "splits")
    peer = measure(lambda: [baycomp.two_on_single(a, b, rope=0.01, runs=10) for _ in range(50)], 20, clock=process_time)
    return faster("Correlated t posterior of 100 splits, 50 times; baycomp two_on_single", ours, peer, 1)


def _over_data_sets(using: str, times: int) -> Measure:
    """A posterior of 54 data sets, and of fewer."""
    matrix = np.stack(_scores(54), axis=1)
    matrices = {number: vc.score_matrix(matrix[:number]) for number in (6, 18, 54)}
    return measure_growth(
        lambda number: vc.compare(matrices[number], using=using), 54, times, of="data sets", smaller=(6, 18)
    )


def _check_draws(using: str, theirs: Any) -> None:
    """Fifty thousand draws know a probability to a hundredth."""
    matrix = vc.score_matrix(np.stack(_scores(54), axis=1))
    np.testing.assert_allclose(vc.compare(matrix, using=using).probabilities, theirs, atol=0.01)


def signed_rank_posterior() -> Row:
    a, b = _scores(54)
    using = "signed_rank_posterior(rope=0.01)"
    _check_draws(using, baycomp.SignedRankTest.probs(b, a, rope=0.01))
    peer = measure(lambda: baycomp.SignedRankTest.probs(a, b, rope=0.01), 3)
    name = "Signed-rank posterior of 54 data sets, 50,000 draws; baycomp SignedRankTest"
    return faster(name, _over_data_sets(using, 5), peer, 1)


def sign_posterior() -> Row:
    a, b = _scores(54)
    using = "sign_posterior(rope=0.01)"
    _check_draws(using, baycomp.SignTest.probs(b, a, rope=0.01))
    peer = measure(lambda: baycomp.SignTest.probs(a, b, rope=0.01), 5)
    name = "Sign posterior of 54 data sets, exact; baycomp SignTest with 50,000 draws"
    return faster(name, _over_data_sets(using, 5), peer, 1)


def hierarchical_posterior() -> Row:
    a, b = _scores(54, 100)
    tables = [vc.split_scores({"a": a[i], "b": b[i]}, train=900, test=100, k=10, repeats=10) for i in range(54)]

    def job(number: int) -> object:
        matrix = vc.score_matrix({f"data {i}": tables[i] for i in range(number)})
        return vc.compare(matrix, using="hierarchical_posterior(rope=0.01)")

    ours = measure_growth(job, 54, 3, smaller=(6, 18), of="data sets")
    name = "Hierarchical posterior of 54 data sets x 100 splits, 32,000 draws; the time alone"
    return alone(name, ours, 10, "none without a compiler")


def wilcoxon_of_all_pairs() -> Row:
    scores = np.random.default_rng(1).uniform(0.6, 0.9, (50, 30))

    def job(learners: int) -> object:
        return vc.compare(vc.score_matrix(scores[:, :learners]), using="wilcoxon")

    ours = measure_growth(job, 30, 3, smaller=(4, 10), of="learners")
    name = "Exact Wilcoxon with intervals of all 435 pairs of 30 learners on 50 data sets; the time alone"
    return alone(name, ours, 2, "none exact with ties")


ROWS = (correlated_t_posterior, sign_posterior, signed_rank_posterior, hierarchical_posterior, wilcoxon_of_all_pairs)
