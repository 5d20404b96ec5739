"""Fingerprints: the same for the same learner in any process, another for any other learner."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.gaussian_process.kernels import RBF
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC

import veracity as vc
from veracity.core.errors import BadInput
from veracity.learners.fingerprint import fingerprint

MADE = """
import numpy as np
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.model_selection import GridSearchCV, KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.svm import SVC
from veracity.learners.fingerprint import fingerprint

def of(weights):
    grid = GridSearchCV(SVC(class_weight=weights), {"C": np.array([0.1, 1.0])}, cv=KFold(3, shuffle=True))
    options = {"kinds": {"a", "b", "c", "d"}, "rest": frozenset("xyz")}
    forest = RandomForestClassifier(random_state=np.random.RandomState(3))
    vote = VotingClassifier([("nb", GaussianNB()), ("forest", forest), ("grid", grid)])
    return fingerprint(make_pipeline(StandardScaler(), FunctionTransformer(np.log1p, kw_args=options), vote))
"""


def test_the_same_in_another_process_and_whatever_the_order_of_dicts_and_sets():
    environment = {**os.environ, "PYTHONHASHSEED": "5"}
    code = MADE + "print(of({'b': 2, 'a': 1}), of({'b': 2, 'a': 3}))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stderr
    same, other = ran.stdout.split()
    here: dict = {}
    exec(MADE, here)
    assert here["of"]({"a": 1, "b": 2}) == same != other
    assert len(same) == 32


def test_fitting_a_learner_does_not_make_it_another():
    learner = make_pipeline(StandardScaler(), GaussianNB())
    before = fingerprint(learner)
    learner.fit(np.arange(8.0).reshape(4, 2), [0, 0, 1, 1])
    assert fingerprint(learner) == before


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SVC(C=1.0), SVC(C=2.0)),
        (SVC(kernel=RBF(1.0)), SVC(kernel=RBF(2.0))),
        (make_pipeline(StandardScaler(), SVC()), make_pipeline(StandardScaler(with_mean=False), SVC())),
        (GaussianNB(priors=np.array([0.5, 0.5])), GaussianNB(priors=np.array([0.4, 0.6]))),
        (GaussianNB(priors=[0.5, 0.5]), GaussianNB(priors=(0.5, 0.5))),
        (GaussianNB(), LogisticRegression()),
        (RandomForestClassifier(random_state=None), RandomForestClassifier(random_state=0)),
        (FunctionTransformer(lambda x: x + 1), FunctionTransformer(lambda x: x * 2)),
        (FunctionTransformer(np.log), FunctionTransformer(np.exp)),
        (
            FunctionTransformer(functools.partial(np.clip, a_min=0)),
            FunctionTransformer(functools.partial(np.clip, a_min=1)),
        ),
        (GridSearchCV(SVC(), {"C": [1]}, cv=KFold(3)), GridSearchCV(SVC(), {"C": [1]}, cv=KFold(4))),
        (VotingClassifier([("a", SVC()), ("b", GaussianNB())]), VotingClassifier([("b", GaussianNB()), ("a", SVC())])),
    ],
)
def test_another_parameter_anywhere_is_another_learner(one, other):
    assert fingerprint(one) == fingerprint(one)
    assert fingerprint(one) != fingerprint(other)


def test_what_a_closure_holds_counts():
    def shifted(by):
        return FunctionTransformer(lambda x: x + by)

    assert fingerprint(shifted(1)) == fingerprint(shifted(1)) != fingerprint(shifted(2))


def test_a_frozen_learner_counts_by_what_it_has_learned():
    frozen_estimator = pytest.importorskip("sklearn.frozen").FrozenEstimator  # from scikit-learn 1.6 on
    table = np.arange(8.0).reshape(4, 2)
    one = frozen_estimator(GaussianNB().fit(table, [0, 0, 1, 1]))
    same = frozen_estimator(GaussianNB().fit(table, [0, 0, 1, 1]))
    other = frozen_estimator(GaussianNB().fit(table, [0, 1, 0, 1]))
    assert fingerprint(one) == fingerprint(same) != fingerprint(other)


class Own:
    """A learner without get_params."""

    def __init__(self, options):
        self.options = options

    def fit(self, features, target):
        return self

    def predict(self, features):
        return np.zeros(len(features))


def test_an_own_learner_counts_by_its_state():
    assert fingerprint(Own({"a": 1, "b": {2, 3}})) == fingerprint(Own({"b": {3, 2}, "a": 1}))
    assert fingerprint(Own({"a": 1})) != fingerprint(Own({"a": 2}))


def test_editing_an_own_class_makes_another_learner(tmp_path):
    code = "class Mine:\n    def fit(self, x, y): return self\n    def predict(self, x): return [{}] * len(x)\n"
    asks = "import mine, veracity.learners.fingerprint as f; print(f.fingerprint(mine.Mine()))"

    def of(value):
        (tmp_path / "mine.py").write_text(code.format(value))
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(tmp_path)}
        ran = subprocess.run([sys.executable, "-c", asks], capture_output=True, text=True, env=environment, check=True)
        return ran.stdout

    assert of(0) == of(0) != of(1)


def test_an_object_inside_itself_ends():
    held = []
    held.append(held)
    assert fingerprint(Own(held)) == fingerprint(Own(held))


@pytest.mark.parametrize("held", [threading.Lock(), (number for number in range(3)), sys.stdout])
def test_what_cannot_be_described_is_refused(held):
    with pytest.raises(BadInput, match="the parameters of Own cannot be described") as caught:
        fingerprint(Own(held))
    assert "\n" not in str(caught.value)


def test_a_store_filled_by_an_installed_version_is_found_by_any_other():
    """Veracity is a library wherever it lies: its learners count by their names, not by their text."""
    tuned = vc.tuned(GaussianNB(), {"var_smoothing": [1e-9, 0.1]}, by="kfold(k=3)", score="error")
    assert fingerprint(tuned) == "d4b31e42ff6c327eb49ff160723e8d9e"
    assert fingerprint(vc.stopped(GaussianNB(), rounds=10, patience=3)) == "6e9d38db6e6cbf82a08fe5f5a82a5bff"
