"""The whole estimate on shuffled data: the same for any number of workers, exact where all draws can be made."""

import os
import signal
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import veracity as vc
from veracity.designs.make_design import make_design
from veracity.experiments import permutation_test
from veracity.experiments.permutation_test import PermutationQuestion, estimate_draws
from veracity.readers.read_data import data_of
from veracity.records.design import Rows
from veracity.scores import scores

RANDOM = np.random.default_rng(0)
Y = np.repeat([0, 1], 20)
X = RANDOM.normal(size=(40, 3)) + Y[:, None]


def question(learner, x=X, y=Y, score="error", by="kfold(k=4)", kind="labels", seed=0):
    data = data_of(x, y)
    classes = data.truth if data.kind == "classes" else None
    return PermutationQuestion(
        learner, data, make_design(by, Rows(len(data), classes), seed), scores.choose(score), kind, seed
    )


def silent(progress, left):
    pass


class Nearest:
    """The label of the nearest training row."""

    def fit(self, x, y):
        self.x, self.y = x, y
        return self

    def predict(self, x):
        return self.y[np.abs(x - self.x.T).argmin(1)]


def test_all_permutations_of_six_rows_are_those_of_a_bare_loop(monkeypatch):
    x, y = np.array([[0.0], [1.0], [2.5], [4.5], [7.0], [11.0]]), np.array([0, 0, 1, 0, 1, 1])
    asked = question(Nearest(), x, y, by="kfold(k=3)")
    every = list(permutations(range(6)))
    monkeypatch.setattr(
        permutation_test, "shuffle_data", lambda data, kind, seed, draw: replace(data, features=x[list(every[draw])])
    )
    null = [found.value for found in asked.ask(range(1, 720))]
    for order, value in zip(every[1:], null, strict=True):
        wrong = 0
        for split in asked.design.splits:
            moved = x[list(order)][:, 0]
            nearest = [split.train[np.abs(moved[split.train] - moved[row]).argmin()] for row in split.test]
            wrong += (y[nearest] != y[split.test]).sum()
        assert value == wrong / 6


@pytest.mark.parametrize(
    ("learner", "score"),
    [(GaussianNB(), "auc"), (DecisionTreeClassifier(max_features=1), "error"), (RandomForestClassifier(3), "brier")],
)
def test_workers_and_the_order_of_draws_change_nothing(learner, score):
    asked = question(learner, score=score)
    one = list(estimate_draws(asked, 9, 1, silent))
    backwards = [asked.ask([draw])[0] for draw in range(9, 0, -1)][::-1]
    assert one[1:] == backwards
    assert len({found.value for found in one}) > 3


@pytest.mark.slow
def test_two_workers_find_what_one_finds():
    asked = question(LogisticRegression(), score="brier")
    assert list(estimate_draws(asked, 9, 1, silent)) == list(estimate_draws(asked, 9, 2, silent))


def test_the_estimate_of_the_data_is_that_of_evaluate():
    asked = question(GaussianNB(), score="error")
    runs = vc.evaluate(GaussianNB(), X, Y, by="kfold(k=4)")
    assert asked.ask([0])[0].value == pytest.approx(vc.estimate(runs, "error")["error"].value)


@pytest.mark.parametrize("by", ["kfold(k=4)", "holdout(test=0.5)", "leave_one_out"])
def test_one_matrix_gives_what_the_splits_give(by, monkeypatch):
    fast = question(GaussianNB(), score="fbeta(beta=2)", by=by).ask(range(5))
    monkeypatch.setattr(permutation_test, "ONE_MATRIX", ())
    slow = question(GaussianNB(), score="fbeta(beta=2)", by=by).ask(range(5))
    assert [found.value for found in fast] == pytest.approx([found.value for found in slow])


@pytest.mark.parametrize("by", ["repeated_kfold(k=4, repeats=2)", "holdout(test=0.5)", "loo_bootstrap(draws=10)"])
def test_any_design_or_estimator_will_do(by):
    found = vc.permutation_test(GaussianNB(), X, Y, by=by, draws=5)
    runs = vc.evaluate(GaussianNB(), X, Y, by=by)
    assert found.value == pytest.approx(vc.estimate(runs, "error")["error"].value)
    assert len(found.null) == 5


def test_numbers_can_be_tested_too():
    asked = question(LinearRegression(), X, X[:, 0] + RANDOM.normal(size=40), score="mse")
    first, *null = (found.value for found in estimate_draws(asked, 9, 1, silent))
    assert first < min(null)


class Moody(GaussianNB):
    """Fails where the first training row is of some kind."""

    def fit(self, x, y):
        if x[0, 0] > 0.7:
            raise RuntimeError("not today")
        return super().fit(x, y)


def test_a_draw_that_fails_has_a_reason_and_no_value():
    values = question(Moody()).ask(range(1, 21))
    failed = [found for found in values if np.isnan(found.value)]
    assert 0 < len(failed) < 20
    assert failed[0].reason == "RuntimeError: not today"


class Deadly:
    """Ends every process but the one it was made in."""

    def __init__(self):
        self.home = os.getpid()

    def fit(self, x, y):
        if os.getpid() != self.home:
            os._exit(1)
        return self

    def predict(self, x):
        return np.zeros(len(x), int)


class KilledNowAndThen(GaussianNB):
    """Its process is killed at some of its fits, each time once, as from outside."""

    def __init__(self, home=0, folder="", fatal=""):
        super().__init__()
        self.home, self.folder, self.fatal = home, folder, fatal

    def fit(self, x, y, sample_weight=None):
        mark = Path(self.folder) / f"{int(1e6 * abs(np.dot(x[:, 0], y))) % 10}"
        if os.getpid() != self.home and mark.name in self.fatal and not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().fit(x, y, sample_weight)


@pytest.mark.parametrize("fatal", ["1", pytest.param("1234", marks=pytest.mark.slow)])
def test_draws_of_a_worker_that_was_killed_are_made_again(tmp_path, fatal):
    asked = question(KilledNowAndThen(os.getpid(), str(tmp_path), fatal))
    found = list(estimate_draws(asked, 12, 2, silent))
    assert {mark.name for mark in tmp_path.iterdir()} == set(fatal)
    assert found == question(GaussianNB()).ask(range(13))


@pytest.mark.slow
def test_a_fit_that_kills_its_worker_is_told():
    with pytest.raises(vc.VeracityError, match=r"killed its worker .*, alone and twice"):
        list(estimate_draws(question(Deadly()), 9, 2, silent))


def test_the_cost_is_told_before_the_draws_begin():
    told = []
    list(estimate_draws(question(GaussianNB()), 8, 1, lambda progress, left: told.append((progress, left))))
    first, seconds = told[0]
    assert (first.fits, first.done) == (9 * 4, 4) and seconds > 0
    assert told[-1][0].left == 0


def test_a_learner_that_learns_nothing_is_never_better_than_chance():
    """Labels that move between folds would unbalance them, and only shuffled data would suffer."""
    found = vc.permutation_test(DummyClassifier(), X, Y, draws=99)
    assert found.p_value == 1


@pytest.mark.slow
def test_p_values_are_uniform_when_there_is_nothing_to_find():
    small = 0
    for seed in range(300):
        random = np.random.default_rng(seed)
        x, y = random.normal(size=(24, 2)), np.repeat([0, 1], 12)
        small += vc.permutation_test(GaussianNB(), x, y, by="kfold(k=3)", draws=19, seed=seed).p_value <= 0.2
    assert small / 300 < 0.2 + 3 * np.sqrt(0.2 * 0.8 / 300)
