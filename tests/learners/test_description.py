"""A learner in one line for a reader."""

import pytest
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler

import veracity as vc
from veracity.learners.fingerprint import LONGEST, describe


class Plain:
    """A learner that does not print itself."""


class Speaks:
    """A learner that prints whatever it is given, or fails to."""

    def __init__(self, says):
        self.says = says

    def __repr__(self):
        if self.says is None:
            raise RuntimeError("no")
        return self.says


def test_class_and_parameters():
    assert describe(GaussianNB()) == "GaussianNB()"
    assert describe(KNeighborsClassifier(n_neighbors=3)) == "KNeighborsClassifier(n_neighbors=3)"


def test_one_line_that_is_cut():
    many = describe(make_pipeline(*(StandardScaler() for _ in range(20)), GaussianNB()))
    assert many.startswith("Pipeline(steps=[('standardscaler-1', StandardScaler()), ")
    assert "\n" not in many and many.endswith("...") and len(many) == LONGEST


@pytest.mark.parametrize("learner", [Plain(), FunctionTransformer(lambda x: x)])
def test_no_place_in_memory(learner):
    assert "0x" in repr(learner) and "0x" not in describe(learner)


@pytest.mark.parametrize(("says", "shown"), [("a\n\0b\ud800\u202ec", "a b c"), (None, "Speaks"), ("", "")])
def test_whatever_it_prints_can_be_kept(says, shown):
    assert describe(Speaks(says)) == shown


def test_a_tuned_learner_says_what_it_chooses_and_how():
    grid = {"C": [0.1, 1.0], "tol": [10.0**-k for k in range(60)]}
    inner = LogisticRegression(max_iter=500)
    text = describe(vc.tuned(inner, grid, by="kfold(k=3)", score="brier", rule="one_standard_error"))
    assert text.startswith("tuned(LogisticRegression(max_iter=500), grid={'C': [0.1, 1.0], ")
    assert "..., by='kfold(k=3)', score='brier', rule='one_standard_error', " in text


def test_a_stopped_learner_says_when_it_stops():
    text = describe(vc.stopped(SGDClassifier(loss="log_loss"), rounds=50, patience=3))
    assert text.startswith("stopped(SGDClassifier(loss='log_loss'), rounds=50, patience=3, ")
