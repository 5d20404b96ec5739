"""Speed of procedures that fit a learner over and over, beside scikit-learn's."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, permutation_test_score
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from bench.row import Row, faster, measure, measure_growth
from veracity.findings.experiments import PermutationTest

DRAWS, FOLDS, ROWS_OF_FOLD = 1000, 10, 56


def permutation_test() -> list[Row]:
    """A thousand permutations of the same ten folds, with the same number of workers.

    Folds of one size, where the mean over folds is that over rows: the error and the p-value are the same on both
    sides, and the errors of shuffled labels, which each draws for itself, are the same on average. Both keep idle
    workers for the next call, so the best of the repeats is of workers that had started.
    """
    features, target = (column[: FOLDS * ROWS_OF_FOLD] for column in load_breast_cancer(return_X_y=True))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)

    def ours(workers: int, draws: int) -> PermutationTest:
        return vc.permutation_test(
            GaussianNB(), features, target, by=folds, draws=draws, workers=workers, progress=False
        )

    def peer(workers: int) -> tuple[float, np.ndarray, float]:
        given = {"cv": folds, "n_permutations": DRAWS, "random_state": 0}
        return permutation_test_score(GaussianNB(), features, target, n_jobs=workers, **given)

    rows = []
    for workers in (1, 2):
        name = f"{DRAWS} permutations x {FOLDS} folds, {workers} worker(s); permutation_test_score"
        growing = measure_growth(partial(ours, workers), DRAWS, of="permutations")
        rows.append(faster(name, growing, measure(partial(peer, workers)), 1.5))
        _check_same(ours(workers, DRAWS), *peer(workers))
    return rows


def _check_same(test: PermutationTest, accuracy: float, null: np.ndarray, p_value: float) -> None:
    assert math.isclose(test.value, 1 - accuracy, rel_tol=1e-9) and test.p_value == p_value, (test, accuracy, p_value)
    spread = math.hypot(null.std(), np.std(test.null)) / math.sqrt(DRAWS)
    assert abs(np.mean(test.null) - (1 - null).mean()) < 5 * spread, (np.mean(test.null), null.mean(), spread)


ROWS = (permutation_test,)
