"""Learners that change what they are handed: every fit and every question gets fresh rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.datasets import load_breast_cancer, load_wine
from sklearn.linear_model import LinearRegression, LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, Normalizer, PowerTransformer, RobustScaler, StandardScaler
from sklearn.svm import LinearSVC

import veracity as vc
from veracity.lab.learners import fitted_learner

WINE = load_wine(return_X_y=True)
SCALERS = [StandardScaler, MinMaxScaler, RobustScaler, MaxAbsScaler, PowerTransformer, Normalizer]
FINAL = [LogisticRegression(max_iter=300), GaussianNB()]


def outcomes(learner, x, y, **options):
    """Everything that was stored of a learner, from folds."""
    runs = vc.evaluate({"a": learner}, x, y, by="kfold(k=4)", seed=3, **options)
    p = runs.predictions("a")
    return {name: array for name in ("label", "proba", "value", "number") if (array := getattr(p, name)) is not None}


@pytest.mark.parametrize("final", FINAL, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("scaler", SCALERS, ids=lambda one: one.__name__)
def test_a_scaler_without_copies_predicts_as_one_with_copies(scaler, final):
    plain, in_place = (outcomes(make_pipeline(scaler(copy=copy), final), *WINE) for copy in (True, False))
    assert plain.keys() == in_place.keys() == {"label", "proba"}
    assert (plain["label"] == in_place["label"]).all() and (plain["proba"] == in_place["proba"]).all()


def spoil(*arrays):
    for array in arrays:
        if hasattr(array, "iloc"):
            array.iloc[:, :] = -1
        elif hasattr(array, "data") and hasattr(array, "tocsr"):
            array.data[:] = -1
        elif array is not None:
            array[:] = array[0]


class Spoiling(ClassifierMixin, BaseEstimator):
    """Overwrites all that it is handed, after it was used."""

    def __init__(self, learner, spoils=True):
        self.learner, self.spoils = learner, spoils

    def fit(self, x, y, sample_weight=None):
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.classes_ = np.unique(y)
        self.model_ = self.learner.fit(x, y, **weights)
        self._spoil(x, y, sample_weight)
        return self

    def partial_fit(self, x, y, classes=None, sample_weight=None):
        self.classes_ = np.unique(y) if classes is None else np.asarray(classes)
        self.model_ = self.learner.partial_fit(x, y, classes=classes)
        self._spoil(x, y)
        return self

    def _spoil(self, *arrays):
        if self.spoils:
            spoil(*arrays)

    def _ask(self, method, x):
        said = np.array(getattr(self.model_, method)(x))
        self._spoil(x)
        return said

    def predict(self, x):
        return self._ask("predict", x)


class SpoilingProba(Spoiling):
    def predict_proba(self, x):
        return self._ask("predict_proba", x)


class SpoilingMargin(Spoiling):
    def decision_function(self, x):
        return self._ask("decision_function", x)


class SpoilingNumbers(RegressorMixin, Spoiling):
    pass


def pairs():
    cancer = load_breast_cancer()
    x, y = StandardScaler().fit_transform(cancer.data)[:200, :5], cancer.target[:200]
    yield SpoilingProba, LogisticRegression(), x, y
    yield SpoilingMargin, LinearSVC(), x, y
    yield SpoilingNumbers, LinearRegression(), x, x[:, 0] + y
    yield SpoilingProba, LogisticRegression(), csr_array(x), y
    pandas = pytest.importorskip("pandas")
    yield SpoilingProba, LogisticRegression(), pandas.DataFrame(x, columns=list("abcde")), y


@pytest.mark.parametrize(
    ("kind", "learner", "x", "y"), [*pairs()], ids=["proba", "margin", "numbers", "sparse", "frame"]
)
def test_learners_that_overwrite_their_rows_predict_as_those_that_do_not(kind, learner, x, y):
    weights = np.arange(200) % 3 + 1.0
    careful, spoiling = (outcomes(kind(learner, spoils), x, y, weights=weights) for spoils in (False, True))
    assert careful.keys() == spoiling.keys()
    assert all((careful[name] == spoiling[name]).all() for name in careful)


def test_rows_are_fresh_in_all_that_fits():
    """Tuned and stopped learners, learning curves, bias and variance, permutations, worlds of the lab."""
    x, y = WINE[0][:130, :3], WINE[1][:130]

    def answers(spoils):
        bayes = SpoilingProba(GaussianNB(), spoils)
        tuned = vc.tuned(bayes, {"learner__var_smoothing": [1e-9, 0.5]}, score="error")
        stopped = vc.stopped(SpoilingMargin(SGDClassifier(random_state=0), spoils), rounds=5, score="error")
        runs = vc.evaluate({"tuned": tuned, "stopped": stopped}, x, y, by="holdout", seed=1)
        world = vc.lab.plasmode(x, y, model=SpoilingProba(LogisticRegression(max_iter=500), spoils))
        sample = world.draw(40, 0)
        fitted = fitted_learner(lambda: SpoilingProba(GaussianNB(), spoils), *sample)
        return (
            [row.value for row in vc.estimate(runs, "error").values()],
            vc.learning_curve(bayes, x, y, sizes=[40, 80], by="kfold(k=3)", score="error", seed=1).to_json(),
            vc.bias_variance(bayes, x, y, loss="zero_one", draws=5, seed=1).to_json(),
            vc.permutation_test(bayes, x, y, score="error", by="kfold(k=3)", draws=5, seed=1).to_json(),
            (world.risk(fitted, 500), sample.features.tolist()),
        )

    assert answers(True) == answers(False)
