"""Small studies, and learners that go wrong in every way."""

import itertools
import os
import signal
import time
from contextlib import ExitStack

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_classification
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from veracity.core.errors import VeracityError
from veracity.readers.read_data import data_of
from veracity.records.fit import Fit
from veracity.running.ending import ASKING
from veracity.running.fit_learner import fit_one
from veracity.stores.open_store import open_store
from veracity.studies.study import Study

X, Y = load_iris(return_X_y=True)


@pytest.fixture
def nothing_is_ignored():
    """Signals that ask to end do what they do by default, also where nohup started the tests."""
    before = {number: signal.signal(number, signal.SIG_DFL) for number in ASKING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


class Bad(GaussianNB):
    """Goes wrong where the rows it trains on hold the row `at`, whose first feature is known."""

    def __init__(self, how="raises", at=0):
        self.how = how
        self.at = at

    def get_params(self, deep=True):
        return {"how": self.how, "at": self.at}

    def set_params(self, **given):
        for name, value in given.items():
            setattr(self, name, value)
        return self

    def __sklearn_clone__(self):
        return Bad(self.how, self.at)

    def fit(self, features, target, sample_weight=None):
        self.bad = not (features == X[self.at]).all(1).any()  # the split that tests this row
        if self.bad and self.how == "raises":
            raise RuntimeError("the learner is unwell")
        if self.bad and self.how == "hangs":
            time.sleep(600)
        if self.bad and self.how == "hangs in C":
            sum(itertools.repeat(0))  # which holds Python's lock for ever: no signal is heard, no thread runs
        if self.bad and self.how == "kills":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.bad and self.how == "memory":
            raise MemoryError
        if self.bad and self.how == "interrupts":
            raise KeyboardInterrupt
        self.inner = GaussianNB().fit(features, target)
        self.classes_ = self.inner.classes_
        return self

    def predict(self, features):
        found = self.inner.predict(features)
        return found[:-1] if self.bad and self.how == "length" else found

    def predict_proba(self, features):
        found = self.inner.predict_proba(features)
        return found * np.nan if self.bad and self.how == "nan" else found


@pytest.fixture(scope="session")
def bad():
    """A learner that goes wrong in one split."""
    return lambda how: Bad(how)


@pytest.fixture(scope="session")
def small():
    """Two learners on two data sets by a small design; anything can be set otherwise."""

    def make(**other):
        given = {
            "data": {"iris": (X, Y), "half": (X[::2], Y[::2])},
            "learners": {"nb": GaussianNB(), "tree": DecisionTreeClassifier()},
            "by": "kfold(k=5)",
            "seed": 7,
        }
        return Study(**{**given, **other})

    return make


@pytest.fixture(scope="session")
def content():
    """Everything that a store says of finished fits, to the last bit, but how long they took."""

    def read(where):
        with open_store(where, create=False) as store:
            return {outcome.key: _bits(outcome) for outcome in store.outcomes()}

    return read


@pytest.fixture(scope="session")
def stored():
    """How many fits a store holds, none while it is just being made, or away."""

    def count(where):
        try:
            with open_store(where, create=False) as store:
                return len(store.finished())
        except VeracityError:
            return 0

    return count


def _bits(outcome):
    arrays = (outcome.rows, outcome.label, outcome.proba, outcome.value, outcome.number)
    told = tuple(None if array is None else (array.dtype.str, array.shape, array.tobytes()) for array in arrays)
    return outcome.status, outcome.reason, told


@pytest.fixture(scope="session")
def iris():
    """Three classes with names."""
    found = load_iris()
    return data_of(found.data, found.target_names[found.target], name="iris")


@pytest.fixture(scope="session")
def two():
    """Two classes, one of them named positive."""
    features, target = make_classification(150, 6, flip_y=0.2, random_state=1)
    return data_of(features, np.where(target == 1, "bad", "good"), name="two", positive="bad")


@pytest.fixture(scope="session")
def parts():
    """Two thirds of the rows to train on, the others to predict."""

    def make(data, seed=0):
        order = np.random.default_rng(seed).permutation(len(data))
        return order[: len(data) * 2 // 3], np.sort(order[len(data) * 2 // 3 :])

    return make


@pytest.fixture(scope="session")
def fitted(parts):
    """The outcome of one fit."""

    def make(learner, data, key="k", train=None, predict=None, timeout=None, seed=7):
        rows, rest = parts(data)
        fit = Fit(key, data.name, "l", rows if train is None else train, rest if predict is None else predict, seed)
        return fit_one(learner, data, fit, timeout=timeout)

    return make


@pytest.fixture(scope="session")
def done():
    """An outcome that must have succeeded."""

    def check(outcome):
        assert outcome.status == "done", outcome.reason + outcome.traceback
        return outcome

    return check


@pytest.fixture(scope="session")
def local_cluster():
    """A dask cluster of two workers on this machine, whose pages have any free port: two at once want no warning."""

    def make(threads=1):
        distributed = pytest.importorskip("distributed")
        how = {"processes": True, "dashboard_address": None, "scheduler_kwargs": {"dashboard_address": "127.0.0.1:0"}}
        return distributed.LocalCluster(n_workers=2, threads_per_worker=threads, **how)

    return make


@pytest.fixture
def cluster(local_cluster):
    """Start such a cluster, and say how a study runs there; it ends with the test."""
    with ExitStack() as running:

        def start(threads=1):
            started = running.enter_context(local_cluster(threads))
            return {"engine": "dask", "address": started.scheduler_address}

        yield start
