"""A score that the learner does not tell enough for is refused before any fit, with a way out that can be followed."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import StackingClassifier
from sklearn.linear_model import Ridge, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

import veracity as vc

X = np.random.default_rng(0).normal(size=(60, 2))
Y = (X[:, 0] + 0.3 * X[:, 1] > 0).astype(int)
GRID = {"C": [0.1, 1.0]}
STACKED = StackingClassifier([("bayes", GaussianNB()), ("svc", LinearSVC())], cv=2)


class Labels(ClassifierMixin, BaseEstimator):
    """Tells labels, and nothing else."""

    def __init__(self, depth=1):
        self.depth = depth

    def fit(self, features, target):
        return self

    def predict(self, features):
        return (features[:, 0] > 0).astype(int)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: vc.tuned(LinearSVC(), GRID), "log_loss needs probabilities, but LinearSVC has no predict_proba: use"),
        (lambda: vc.tuned(SVC(), GRID, score="brier"), "brier needs probabilities, but SVC has no predict_proba"),
        (lambda: vc.tuned(make_pipeline(StandardScaler(), LinearSVC()), {"linearsvc__C": [1.0]}), "Pipeline has no"),
        (
            lambda: vc.tuned(Labels(), {"depth": [1]}, score="auc"),
            "auc needs probabilities or decision values, but Labels has no predict_proba and no decision_function: use",
        ),
        (
            lambda: vc.tuned(Ridge(), {"alpha": [1.0]}),
            "log_loss is for classes, but Ridge predicts numbers: use score=",
        ),
        (
            lambda: vc.tuned(make_pipeline(StandardScaler(), SVC()), {"svc__C": [1.0]}, score="mse"),
            "mse is for numbers, but Pipeline predicts classes: use score='error'",
        ),
        (lambda: vc.stopped(SGDClassifier(), score="mae"), "mae is for numbers, but SGDClassifier predicts classes"),
        (lambda: vc.stopped(SGDClassifier(loss="hinge")), "log_loss needs probabilities, but SGDClassifier has no"),
    ],
)
def test_refused_when_it_is_made(make, says):
    with pytest.raises(vc.BadInput, match=says):
        make()


@pytest.mark.parametrize(
    "learner",
    [
        vc.tuned(LinearSVC(), GRID, score="error"),
        vc.tuned(LinearSVC(), GRID, score="auc"),
        vc.tuned(CalibratedClassifierCV(LinearSVC()), {"estimator__C": [0.1, 1.0]}),
        vc.tuned(SGDClassifier(random_state=0), {"loss": ["hinge", "log_loss"]}),  # one of its settings tells enough
        vc.tuned(STACKED, {"passthrough": [False, True]}),  # its last learner is made in the fit
        vc.tuned(make_pipeline(StandardScaler(), STACKED), {"stackingclassifier__passthrough": [False, True]}),
    ],
)
def test_what_is_advised_can_be_fitted(learner):
    assert learner.fit(X, Y).results_


def test_settings_that_tell_too_little_are_left_out_where_others_tell_enough():
    found = vc.tuned(SGDClassifier(random_state=0), {"loss": ["hinge", "log_loss"]}).fit(X, Y)
    assert found.best_params_ == {"loss": "log_loss"} and found.results_[0].reason


class Own:
    """A learner that says nothing of its kind."""

    def __init__(self, a=1):
        self.a = a

    def get_params(self, deep=True):
        return {"a": self.a}

    def set_params(self, **params):
        return self

    def fit(self, x, y):
        return self

    def predict(self, x):
        return x[:, 0]


def test_a_learner_that_says_nothing_of_its_kind_is_taken_as_it_is():
    assert vc.tuned(Own(), {"a": [1]}, score="mse").fit(X, X[:, 1]).best_params_ == {"a": 1}
    with pytest.raises(vc.BadInput, match="log_loss needs probabilities, but Own has no predict_proba"):
        vc.tuned(Own(), {"a": [1]})
