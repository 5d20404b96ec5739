"""The standard error of a setting's mean score: by hand, and the same size whatever inner design measures it."""

import math

import numpy as np
import pytest
from sklearn.model_selection import RepeatedKFold, ShuffleSplit
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.designs.make_design import make_design
from veracity.records.design import Rows, Split
from veracity.tuning.tuned import between_rows, between_splits

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 3))
Y = (X[:, 0] + RANDOM.normal(size=90) > 0).astype(int)


def folds(*repeats):
    return [Split(np.arange(8), np.arange(8, 10), repeat) for repeat in repeats]


def test_folds_by_hand():
    """Scores .16 .24 .32 have the standard deviation .08."""
    assert between_splits([0.16, 0.24, 0.32], folds(0, 0, 0)) == pytest.approx(0.08 / math.sqrt(3))
    assert math.isnan(between_splits([0.16], folds(0)))
    assert math.isnan(between_splits([0.16, math.inf], folds(0, 0)))
    assert math.isnan(between_rows(np.array([0.16, math.inf]), np.arange(2)))


def test_repeats_by_hand():
    """Standard errors .08/sqrt(3) and .02/sqrt(3): the root of their mean square; equal repeats change nothing."""
    values = [0.16, 0.24, 0.32, 0.22, 0.24, 0.26]
    expected = math.sqrt((0.08**2 + 0.02**2) / 2 / 3)
    assert between_splits(values, folds(0, 0, 0, 1, 1, 1)) == pytest.approx(expected)
    assert between_splits(values[:3] * 50, folds(*np.repeat(range(50), 3))) == pytest.approx(0.08 / math.sqrt(3))


def test_draws_by_hand():
    """Three hold-outs of 8 training and 2 test rows: 1/3 + 2/8; rows drawn twice train once: 1/3 + 2/4."""
    assert between_splits([0.16, 0.24, 0.32], folds(0, 1, 2)) == pytest.approx(0.08 * math.sqrt(1 / 3 + 0.25))
    drawn = [Split(np.repeat(np.arange(4), 2), np.arange(8, 10), repeat) for repeat in range(3)]
    assert between_splits([0.16, 0.24, 0.32], drawn) == pytest.approx(0.08 * math.sqrt(1 / 3 + 0.5))


def test_every_row_counts_once():
    losses, rows = np.array([1.0, 0.0, 1.0, 1.0, 0.0, 0.0]), np.arange(6)
    once = between_rows(losses, rows)
    assert once == pytest.approx(np.std(losses, ddof=1) / math.sqrt(6))
    assert between_rows(np.tile(losses, 9), np.tile(rows, 9)) == pytest.approx(once)
    assert between_rows(np.array([1.0, 0.0, 0.0]), np.array([4, 4, 5])) == pytest.approx(
        0.25
    )  # sd of .5 and 0 / sqrt 2


def error_of(by, **how):
    learner = vc.tuned(KNeighborsClassifier(5), {"n_neighbors": [5]}, by=by, score="error", **how)
    return learner.fit(X, Y).results_[0].standard_error


@pytest.mark.parametrize("se", ["splits", "rows"])
def test_repeats_do_not_shrink_it(se):
    single = np.mean([error_of("kfold(k=5)", se=se, seed=seed) for seed in range(8)])
    for by in ("repeated_kfold(k=5, repeats=30)", RepeatedKFold(n_splits=5, n_repeats=30, random_state=0)):
        assert error_of(by, se=se) == pytest.approx(single, rel=0.25)
    for by in ("repeated_holdout(test=0.2, repeats=100)", "bootstrap(draws=100)", ShuffleSplit(100, test_size=0.2)):
        assert 0.7 < error_of(by, se=se) / single < 1.7


def test_every_design_says_which_splits_belong_together():
    """What the rule goes by: folds of one repeat are marked as such, draws are repeats of their own."""
    rows = Rows(40)
    for by, repeats in {"kfold(k=5)": 1, "repeated_kfold(k=5, repeats=3)": 3, "bootstrap(draws=7)": 7}.items():
        assert len({split.repeat for split in make_design(by, rows, 0).splits}) == repeats
