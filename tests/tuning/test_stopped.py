"""A learner that stops in time: when, by which rows, and which learners can."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone, is_classifier
from sklearn.datasets import load_diabetes, make_classification
from sklearn.ensemble import GradientBoostingClassifier, GradientBoostingRegressor, HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import veracity as vc

NOISY = make_classification(200, 6, flip_y=0.3, random_state=5)


class Scripted(ClassifierMixin, BaseEstimator):
    """After each pass its probability of the truth (class 1 has feature 1) is the next one of a script."""

    def __init__(self, script=(0.5, 0.6, 0.55, 0.9, 0.9, 0.9, 0.9)):
        self.script = script

    def fit(self, x, y):
        return self.partial_fit(x, y)

    def partial_fit(self, x, y, classes=None):
        self.classes_ = np.unique(y) if classes is None else np.asarray(classes)
        self.passes_ = getattr(self, "passes_", 0) + 1
        self.rows_ = len(y)
        return self

    def predict_proba(self, x):
        of_one = np.where(x[:, 0] == 1, self.script[self.passes_ - 1], 1 - self.script[self.passes_ - 1])
        return np.column_stack([1 - of_one, of_one])

    def predict(self, x):
        return self.classes_[self.predict_proba(x).argmax(1)]


CODED = (np.tile([0.0, 1.0], 50)[:, None], np.tile([0, 1], 50))


def test_patience_and_going_back_by_hand():
    """Losses .69 .51 .60 .11 .11 ...: patience 1 stops at the third round, patience 2 reaches the fourth."""
    short = vc.stopped(Scripted(), rounds=7, patience=1).fit(*CODED)
    assert (short.rounds_, len(short.history_), short.model_.passes_) == (2, 3, 2)
    long = vc.stopped(Scripted(), rounds=7, patience=2).fit(*CODED)
    assert (long.rounds_, len(long.history_)) == (4, 6)
    assert long.history_ == pytest.approx(-np.log(Scripted().script[:6]))
    assert long.predict_proba(CODED[0][:1])[0] == pytest.approx([0.9, 0.1])


def test_an_improvement_below_the_minimum_does_not_count():
    small = vc.stopped(Scripted((0.5, 0.52, 0.54, 0.56)), rounds=4, patience=2, minimum=0.1).fit(*CODED)
    assert (small.rounds_, len(small.history_)) == (1, 3)
    assert vc.stopped(Scripted((0.5, 0.52, 0.54, 0.56)), rounds=4, patience=2).fit(*CODED).rounds_ == 4


def test_higher_may_be_better():
    found = vc.stopped(Scripted(), rounds=7, patience=2, score="accuracy").fit(*CODED)
    assert found.history_.tolist() == [0.5, 1.0, 1.0, 1.0] and found.rounds_ == 2


def test_validation_rows_are_cut_from_the_training_rows():
    found = vc.stopped(Scripted(), rounds=1, validation=0.25).fit(*CODED)
    assert found.model_.rows_ == 75


def test_validation_rows_of_a_three_way_split_are_used():
    given = vc.stopped(Scripted(), rounds=1).fit(*CODED, validation=(CODED[0][:10], CODED[1][:10]))
    assert given.model_.rows_ == 100
    learners = {"plain": vc.stopped(Scripted(), rounds=7, patience=2)}
    learners["scaled"] = make_pipeline(StandardScaler(), vc.stopped(SGDClassifier(loss="log_loss"), patience=2))
    runs = vc.evaluate(learners, *CODED, by="three_way(validation=0.3, test=0.2)")
    assert not runs.failures()
    assert runs.chosen("plain").splits[0].params == {"rounds": 4}
    assert runs.final("plain").model_.rows_ == 80  # on all rows it cuts its own again


@pytest.mark.parametrize(
    "learner",
    [
        GradientBoostingClassifier(),
        HistGradientBoostingClassifier(min_samples_leaf=5),
        LogisticRegression(),
        SGDClassifier(loss="log_loss"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_learners_that_can_go_on(learner):
    found = vc.stopped(learner, rounds=12, patience=3, score="brier").fit(*NOISY)
    assert 1 <= found.rounds_ <= len(found.history_) <= 12
    assert found.history_[found.rounds_ - 1] == found.history_.min()
    again = pickle.loads(pickle.dumps(clone(found).fit(*NOISY)))
    assert again.history_.tolist() == found.history_.tolist()
    assert is_classifier(found) and list(found.classes_) == [0, 1]


def test_members_are_those_of_the_best_round():
    x, y = load_diabetes(return_X_y=True)
    found = vc.stopped(GradientBoostingRegressor(learning_rate=0.5), rounds=60, patience=5, score="mse").fit(x, y)
    assert len(found.model_.estimators_) == found.rounds_ < len(found.history_)
    alone = GradientBoostingRegressor(learning_rate=0.5, n_estimators=found.rounds_)
    assert alone.get_params()["n_estimators"] == found.model_.n_estimators


def test_test_rows_never_enter():
    """In a study it is what training and validation rows alone make of it."""
    x, y = NOISY
    learner = vc.stopped(GradientBoostingClassifier(random_state=0), rounds=20, patience=3)
    runs = vc.evaluate({"gb": learner}, x, y, by="three_way", seed=2)
    split = runs.run("gb").design.splits[0]
    alone = clone(learner).fit(x[split.train], y[split.train], validation=(x[split.validation], y[split.validation]))
    one = runs.chosen("gb").splits[0]
    assert (one.params, one.inner) == ({"rounds": alone.rounds_}, alone.history_.min())
    told = runs.predictions("gb")
    assert (told.proba == alone.predict_proba(x[told.rows])).all()
    assert vc.estimate(runs, "log_loss")["gb"].value != one.inner  # what is reported is of the test rows


def test_tuned_over_stopped_cuts_its_validation_from_inner_training_rows():
    learner = vc.tuned(
        vc.stopped(Scripted(), rounds=2, validation=0.2), {"patience": [1, 2]}, by="kfold(k=5)", score="error"
    )
    found = learner.fit(*CODED)
    assert found.model_.model_.rows_ == 80 and found.best_params_ == {"patience": 1}


@pytest.mark.parametrize(
    ("learner", "change", "says"),
    [
        (DecisionTreeClassifier(), {}, "DecisionTreeClassifier cannot go on learning where it stopped"),
        (make_pipeline(StandardScaler(), SGDClassifier()), {}, "put the transformers before it"),
        (GaussianNB(), {"patience": 0}, "patience must be at least 1"),
        (GaussianNB(), {"rounds": 2.5}, "`rounds=` must be a whole number, not 2.5"),
        (GaussianNB(), {"validation": 1}, "share of the rows between 0 and 1"),
        (GaussianNB(), {"minimum": -1}, "0 or more"),
        (GaussianNB(), {"score": "log_los"}, "did you mean log_loss"),
    ],
)
def test_wrong_calls_are_one_sentence(learner, change, says):
    with pytest.raises(vc.VeracityError, match=says):
        vc.stopped(learner, **change)


def test_too_few_rows_to_cut():
    with pytest.raises(vc.Refused, match="validation rows cannot be cut from 4 rows: the rarest class has 1 row"):
        vc.stopped(GaussianNB()).fit(np.arange(4.0)[:, None], [0, 0, 0, 1])
