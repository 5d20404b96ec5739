"""What learners say that they are for."""

import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import veracity as vc
from veracity.learners.inspection import target_kind


class Plain:
    def fit(self, X, y):  # noqa: N803
        return self

    def predict(self, X):  # noqa: N803
        return X[:, 0]


class Odd(Plain):
    def __sklearn_tags__(self):
        raise RuntimeError("not today")


@pytest.mark.parametrize(
    ("learners", "kind"),
    [
        ([Ridge(), DummyRegressor()], "numbers"),
        ([LogisticRegression(), DummyClassifier()], "classes"),
        ([make_pipeline(StandardScaler(), Ridge())], "numbers"),
        ([vc.tuned(Ridge(), {"alpha": [1, 2]}, score="mse")], "numbers"),
        ([Ridge(), LogisticRegression()], None),
        ([Ridge(), Plain()], None),
        ([Plain()], None),
        ([Odd()], None),
        ([StandardScaler()], None),
        ([], None),
    ],
)
def test_all_must_agree(learners, kind):
    assert target_kind(learners) == kind
