"""What a fit changes for everybody is put back before the next: the order of learners never decides."""

import os
import random
import warnings

import numpy as np
import pytest
from sklearn import get_config, set_config
from sklearn.linear_model import SGDClassifier
from sklearn.naive_bayes import GaussianNB
from threadpoolctl import ThreadpoolController, threadpool_limits

from veracity.records.fit import Fit
from veracity.running.fit_learner import fit_all, isolated
from veracity.running.worker import run_batch


def threads():
    return [library.get_num_threads() for library in ThreadpoolController().lib_controllers]


CHANGES = {
    "numpy's errors": (lambda: np.seterr(all="raise"), np.geterr),
    "numpy's random numbers": (lambda: np.random.seed(1), lambda: np.random.get_state()[1].tolist()),  # noqa: NPY002
    "random numbers": (lambda: random.seed(1), random.getstate),
    "warnings": (lambda: warnings.simplefilter("error"), lambda: list(warnings.filters)),
    "folder": (lambda: os.chdir("/"), os.getcwd),
    "threads": (lambda: threadpool_limits(3), threads),
    "scikit-learn": (lambda: set_config(assume_finite=True), get_config),
}


class Hostile(GaussianNB):
    """Changes one thing for everybody, and may raise then."""

    def __init__(self, what, raises=False):
        super().__init__()
        self.what = what
        self.raises = raises

    def fit(self, features, target, sample_weight=None):
        CHANGES[self.what][0]()
        if self.raises:
            raise RuntimeError("and now?")
        return super().fit(features, target)


class Victim(GaussianNB):
    """Divides by zero, warns and draws."""

    def fit(self, features, target, sample_weight=None):
        np.divide(np.ones(1), np.zeros(1))
        warnings.warn("careful", stacklevel=1)
        self.epsilon = np.random.random()  # noqa: NPY002
        return super().fit(features, target)

    def predict_proba(self, features):
        return super().predict_proba(features) * 0 + 1 / 3


@pytest.mark.parametrize("raises", [False, True])
@pytest.mark.parametrize("what", CHANGES)
def test_everything_is_as_before(iris, fitted, what, raises):
    with isolated():  # so that the test leaves nothing either, if it fails
        before = CHANGES[what][1]()
        assert fitted(Hostile(what, raises), iris).status == ("failed" if raises else "done")
        assert CHANGES[what][1]() == before


def test_each_change_is_one():
    """Else nothing is shown by its being taken back."""
    for name, (change, read) in CHANGES.items():
        with isolated():
            before = read()
            change()
            assert read() != before, name


@pytest.mark.parametrize("what", CHANGES)
def test_whoever_comes_next_answers_the_same(iris, fitted, done, what):
    first = done(fitted(Victim(), iris))
    fitted(Hostile(what), iris)
    again = done(fitted(Victim(), iris))
    assert (first.label == again.label).all() and (first.proba == again.proba).all()


def test_a_fit_of_all_rows_leaves_the_users_process_alone(iris):
    before = np.geterr(), os.getcwd()  # noqa: PTH109
    fit_all(Hostile("numpy's errors"), iris, 7)
    fit_all(Hostile("folder"), iris, 7)
    assert (np.geterr(), os.getcwd()) == before  # noqa: PTH109


def test_a_folder_that_is_no_more_is_left(tmp_path):
    with isolated():
        os.chdir(tmp_path)
        tmp_path.rmdir()
    assert os.getcwd() != str(tmp_path)  # noqa: PTH109


def outcomes_of(learner, data, number=3):
    """Of some fits of one batch, as a worker carries them out."""
    every = np.arange(len(data))
    fits = [Fit(f"k{place}", "iris", "l", np.delete(every, place), every, 7) for place in range(number)]
    return run_batch(data, learner, fits).outcomes


@pytest.mark.parametrize("what", CHANGES)
def test_a_batch_leaves_nothing_whoever_fits(iris, what):
    with isolated():
        before = CHANGES[what][1]()
        for learner in (Hostile(what), GaussianNB(), Hostile(what, raises=True), GaussianNB()):
            ended = {outcome.status for outcome in outcomes_of(learner, iris)}
            assert CHANGES[what][1]() == before
            assert ended == {"done"} or isinstance(learner, Hostile)  # which may stand in its own way


def test_filters_that_several_threads_leave_do_not_reach_the_next_fit(iris, monkeypatch):
    """Threads that each put filters of warnings back may put back those of the other."""
    fit, seen = SGDClassifier.fit, []

    def fit_and_leave(model, *rows):
        seen.append(list(warnings.filters))
        fit(model, *rows)
        warnings.simplefilter("default", BytesWarning)

    monkeypatch.setattr(SGDClassifier, "fit", fit_and_leave)
    assert {outcome.status for outcome in outcomes_of(SGDClassifier(n_jobs=2), iris)} == {"done"}
    assert len(seen) == 3 and seen[0][0][0] == "ignore" and seen[0] == seen[1] == seen[2]
