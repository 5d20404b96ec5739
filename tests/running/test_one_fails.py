"""One fit of a learner of one's own, which may go wrong in every way: a failed outcome, never an exception."""

from __future__ import annotations

import random
import sys
import time
import warnings

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB

from veracity.readers.read_data import data_of


class Own:
    """An own learner: no parameters, no classes_."""

    def fit(self, features, target):
        self.labels, counts = np.unique(target, return_counts=True)
        self.shares = counts / len(target)
        return self

    def predict(self, features):
        return np.full(len(features), self.labels[self.shares.argmax()])


class Chances(Own):
    def predict_proba(self, features):
        return np.tile(self.shares, (len(features), 1))


class Bad(Own):
    """Does one thing wrong."""

    def __init__(self, how):
        self.how = how

    def fit(self, features, target):
        super().fit(features, target)
        match self.how:
            case "raises":
                raise ValueError("the matrix is\nsingular")
            case "memory":
                raise MemoryError
            case "exits":
                sys.exit(3)
            case "hangs":
                time.sleep(60)
            case "spins":
                while True:
                    pass
            case "swallows":
                try:
                    time.sleep(60)
                except Exception:
                    time.sleep(60)
        return self

    def predict(self, features):
        said = super().predict(features)
        answers = {
            "short": said[:-1],
            "wide": np.zeros((len(said), 2)),
            "unseen": np.full(len(said), "tulip"),
            "number": np.full(len(said), 0.5),
            "nan": np.full(len(said), np.nan),
            "nothing": None,
        }
        if self.how == "late":
            raise KeyError("lost")
        return answers.get(self.how, said)


class BadChances(Bad):
    def predict_proba(self, features):
        said = np.tile(self.shares, (len(features), 1))
        answers = {
            "sum": said * 1.1,
            "proba nan": said * np.nan,
            "narrow": said[:, 1:],
            "below": np.add(said, [-0.9, 0.9, 0]),
        }
        return answers.get(self.how, said)


class NumbersGone:
    def fit(self, features, target):
        return self

    def predict(self, features):
        return np.r_[np.zeros(len(features) - 1), np.inf]


def test_own_learners_need_fit_and_predict_only(iris, fitted, done):
    assert done(fitted(Own(), iris)).proba is None
    outcome = done(fitted(Chances(), iris, train=np.arange(40, 120), predict=np.arange(5)))
    assert outcome.proba[0].tolist() == [10 / 80, 50 / 80, 20 / 80]


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("raises", "fit raised ValueError: the matrix is singular"),
        ("late", "predict raised KeyError: 'lost'"),
        ("memory", "fit ran out of memory"),
        ("exits", "fit raised SystemExit: 3"),
        ("short", "predict gave shape (49,) for 50 rows: one value per row is needed"),
        ("wide", "predict gave shape (50, 2) for 50 rows: one value per row is needed"),
        ("nothing", "predict gave shape () for 50 rows: one value per row is needed"),
        ("nan", "predict gave nan for the 1st of its rows"),
        (
            "unseen",
            "predict: row 0 holds 'tulip', which is not among the classes ['setosa', 'versicolor', 'virginica']",
        ),
        ("number", "predict: row 0 holds 0.5, which is not among the classes ['setosa', 'versicolor', 'virginica']"),
    ],
)
def test_whatever_goes_wrong_is_a_failed_outcome(iris, how, says, fitted):
    outcome = fitted(Bad(how), iris)
    assert (outcome.status, outcome.reason) == ("failed", says)
    assert outcome.label is None and outcome.rows is None and outcome.key == "k"
    assert ("Traceback" in outcome.traceback) == ("raised" in says or "memory" in says)


@pytest.mark.parametrize(
    ("how", "says"),
    [
        ("sum", "for the 1st of its rows: these are no probabilities"),
        ("below", "these are no probabilities"),
        ("proba nan", "predict_proba gave [nan nan nan] for the 1st of its rows"),
        ("narrow", "predict_proba gave shape (50, 2) for 50 rows and 3 classes in training"),
    ],
)
def test_probabilities_that_are_none(iris, how, says, fitted):
    outcome = fitted(BadChances(how), iris)
    assert outcome.status == "failed" and says in outcome.reason


def test_numbers_must_be_finite(fitted):
    outcome = fitted(NumbersGone(), data_of(*load_diabetes(return_X_y=True)))
    assert outcome.reason == "predict gave inf for the 148th of its rows"


def test_rounding_above_one_is_taken_away(iris, fitted, done):
    class Rounded(Own):
        def predict_proba(self, features):
            return np.tile([1 + 1e-12, -1e-12, 0], (len(features), 1))

    assert done(fitted(Rounded(), iris)).proba[0].tolist() == [1, 0, 0]


@pytest.mark.parametrize("how", ["hangs", "spins", "swallows"])
def test_a_fit_that_hangs_ends_at_its_timeout(iris, how, fitted, done):
    outcome = fitted(Bad(how), iris, timeout=0.1)
    assert (outcome.status, outcome.reason) == ("failed", "fit took longer than the timeout of 0.1 s")
    assert done(fitted(GaussianNB(), iris, timeout=30)).reason == ""


def test_a_timeout_leaves_no_timer_behind(iris, fitted):
    import signal

    fitted(GaussianNB(), iris, timeout=0.05)
    assert signal.getitimer(signal.ITIMER_REAL) == (0, 0)
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_in_another_thread_there_is_a_result_too(iris, fitted, done):
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        done(pool.submit(fitted, GaussianNB(), iris, timeout=30).result())


def test_an_interrupt_is_for_the_user(iris, fitted):
    class Stopped(Own):
        def fit(self, features, target):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fitted(Stopped(), iris)


def test_an_error_that_cannot_be_printed_is_known_by_its_kind(iris, fitted):
    class Silent(Exception):
        def __str__(self):
            raise RuntimeError

    class Fails(Own):
        def fit(self, features, target):
            raise Silent

    assert fitted(Fails(), iris).reason == "fit raised Silent"


def test_warnings_do_not_matter(iris, fitted, done):
    class Warns(BaseEstimator, ClassifierMixin, Own):
        def fit(self, features, target):
            warnings.warn("careful", stacklevel=1)
            return Own.fit(self, features, target)

    done(fitted(Warns(), iris))


def test_global_generators_are_as_before(iris, fitted):
    before = random.getstate(), np.random.get_state()[1].copy()  # noqa: NPY002
    fitted(Bad("raises"), iris)
    fitted(RandomForestClassifier(3), iris)
    assert random.getstate() == before[0] and (np.random.get_state()[1] == before[1]).all()  # noqa: NPY002
