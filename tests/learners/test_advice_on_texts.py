"""A learner that wants numbers and meets texts says so with the way out."""

import numpy as np
import pandas
from sklearn.base import BaseEstimator
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder

import veracity as vc
from veracity.learners.preparation import advice_on_texts
from veracity.readers.read_data import data_of

X = np.random.default_rng(0).normal(size=(40, 2))
Y = np.where(np.arange(40) % 2, "spam", "ham")
TEXTS = np.where(X > 0, "big", "small").astype(object)


class Numeric(BaseEstimator):
    """Predicts the mean target as one of the classes, which it takes for numbers."""

    def fit(self, X, y):  # noqa: N803
        self.mean_ = np.asarray(y, float).mean()
        return self

    def predict(self, X):  # noqa: N803
        return np.full(len(X), round(self.mean_))


def reason(learner, x=X, y=Y, **how):
    runs = vc.evaluate({"own": learner}, x, y, by="kfold(k=2)", kind="classes", **how)
    return {outcome.reason for outcome in runs.failures()}


def test_classes_that_are_texts():
    (says,) = {one.partition("; ")[2] for one in reason(Numeric())}
    assert says.startswith("its classes are texts and this learner wants numbers: encode them before")
    assert "LabelEncoder" in says
    assert reason(Numeric(), y=(Y == "spam").astype(int)) == set()


def test_features_that_are_texts():
    (says,) = {one.partition("; ")[2] for one in reason(GaussianNB(), TEXTS, (Y == "spam").astype(int), prepare=None)}
    assert says.startswith("some features are texts and this learner wants numbers") and "OrdinalEncoder" in says
    for features in (TEXTS, pandas.DataFrame(TEXTS, columns=["a", "b"])):
        (both,) = {one.partition("; ")[2] for one in reason(GaussianNB(), features)}
        assert both.startswith("some features are texts")  # the cell that it names is none of the classes
    pipeline = make_pipeline(OrdinalEncoder(), GaussianNB())
    assert reason(pipeline, TEXTS) == set()  # the way out, and this learner takes classes that are texts


def test_other_failures_get_no_advice():
    table = data_of(X, Y)
    assert advice_on_texts(ValueError("n_neighbors is 5 of 3 rows"), table) == ""
    assert advice_on_texts(RuntimeError("could not convert string to float: 'spam'"), table) == ""
    assert advice_on_texts(ValueError("could not convert string to float: 'x'"), data_of(X, X[:, 0])) == ""
    assert "LabelEncoder" in advice_on_texts(TypeError("bad operand type for unary -: 'str'"), table)
    inferred = ValueError("Invalid classes inferred from unique values of `y`. Expected: [0 1], got ['ham' 'spam']")
    assert "LabelEncoder" in advice_on_texts(inferred, table)
