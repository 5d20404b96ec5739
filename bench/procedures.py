"""Speed of procedures that fit a learner over and over, beside scikit-learn's."""

from __future__ import annotations

from functools import partial

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold, permutation_test_score
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from bench.row import Row, faster, measure, measure_growth

DRAWS, FOLDS = 1000, 10


def permutation_test() -> list[Row]:
    """A thousand permutations of ten folds, with the same number of workers.

    Both keep idle workers for the next call, so the best of the repeats is of workers that had started.
    """
    features, target = load_breast_cancer(return_X_y=True)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    given = {"cv": folds, "n_permutations": DRAWS, "random_state": 0}

    def ours(workers: int, draws: int) -> object:
        by = f"kfold(k={FOLDS})"
        return vc.permutation_test(GaussianNB(), features, target, by=by, draws=draws, workers=workers, progress=False)

    def peer(workers: int) -> object:
        return permutation_test_score(GaussianNB(), features, target, n_jobs=workers, **given)

    rows = []
    for workers in (1, 2):
        name = f"{DRAWS} permutations x {FOLDS} folds, {workers} worker(s); permutation_test_score"
        growing = measure_growth(partial(ours, workers), DRAWS, of="permutations")
        rows.append(faster(name, growing, measure(partial(peer, workers)), 1.5))
    return rows


ROWS = (permutation_test,)
