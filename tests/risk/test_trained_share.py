"""What splits are like: how much of the rows their models learned from, and that some learned from more."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import LeaveOneGroupOut, TimeSeriesSplit

import veracity as vc
from veracity.records.design import Rows
from veracity.risk.designs import design_for, trained_share

RANDOM = np.random.default_rng(4)
X, Y = RANDOM.normal(size=(60, 2)), RANDOM.normal(size=60)
GROWING = [
    ("kfold(k=5)", {"time": np.arange(60)}, "16.7 % to 83.3 %"),
    (TimeSeriesSplit(5), {}, "16.7 % to 83.3 %"),
    (LeaveOneGroupOut(), {"groups": np.repeat([0, 1, 2], [40, 10, 10])}, "33.3 % to 83.3 %"),
]
EVEN = [("kfold(k=7)", {}), ("repeated_holdout(repeats=3)", {}), (TimeSeriesSplit(3, max_train_size=15), {})]


@pytest.mark.parametrize(("by", "roles", "share"), GROWING)
def test_training_sets_that_grow_are_told(by, roles, share):
    runs = vc.evaluate({"line": LinearRegression(), "mean": DummyRegressor()}, X, Y, by=by, **roles)
    row = vc.estimate(runs, "mse")["line"]
    assert row.answers == f"mean risk of the procedure trained on {share} of the rows"
    assert row.interval.method == "conservative_t" and "unequal-training" in {note.code for note in row.interval.notes}
    assert "unequal-training" in {note.code for note in vc.compare(runs, "mse").notes}


@pytest.mark.parametrize(("by", "roles"), EVEN)
def test_folds_that_do_not_come_out_even_are_not(by, roles):
    row = vc.estimate(vc.evaluate(LinearRegression(), X, Y, by=by, **roles), "mse")["mse"]
    assert row.interval.method == "conservative_t"
    assert "unequal-training" not in {note.code for note in row.all_notes} and " to " not in row.answers


def test_bootstrap_draws_are_of_one_size():
    assert " to " not in trained_share(design_for("loo_bootstrap(draws=200)", Rows(5), 0))
