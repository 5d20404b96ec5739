"""What goes wrong with learners and data: a refusal or a note that says what to do."""

import math

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid

import veracity as vc

RANDOM = np.random.default_rng(0)
FEATURES = RANDOM.normal(size=(24, 2))
TARGET = (FEATURES[:, 0] > 0).astype(int)


class Fails(ClassifierMixin, BaseEstimator):
    """Fails when it is trained on as many rows as `at`, of which `least` or more are different."""

    def __init__(self, at=24, least=0):
        self.at = at
        self.least = least

    def fit(self, features, target):
        if len(features) == self.at and len(np.unique(features[:, 0])) >= self.least:
            raise RuntimeError("too hard")
        self.classes_ = np.unique(target)
        return self

    def predict(self, features):
        return np.full(len(features), self.classes_[0])


def test_without_the_model_of_all_rows_there_is_no_estimate(evaluated):
    by = ["boot632(draws=20)", "boot632plus(draws=20)", "optimism_bootstrap(draws=20)", "corrected_kfold(k=3)"]
    runs = evaluated(Fails(24, least=24), FEATURES, TARGET, [*by, "loo_bootstrap(draws=20)"])
    est = vc.estimate(runs, "error")
    for name in by:
        row = est[name]
        assert math.isnan(row.value) and "no split of the part 'resubstitution' succeeded" in row.value.reason
        assert row.notes[0].code == "failed-splits" and row.interval is None
    assert not math.isnan(est["loo_bootstrap(draws=20)"].value)


def test_a_fold_that_failed_makes_the_correction_impossible(evaluated):
    runs = evaluated(Fails(at=19), FEATURES, TARGET, ["corrected_kfold(k=5)", "kfold(k=5)"])  # four folds of five rows
    est = vc.estimate(runs, "error")
    needed = "the estimate needs all 5 splits of the part 'folds', of which 1 succeeded"
    assert est["corrected_kfold(k=5)"].value.reason == needed
    assert est["kfold(k=5)"].value in (0.0, 0.25, 0.5, 0.75, 1.0)  # the one fold of four rows
    assert est["kfold(k=5)"].notes[0].code == "failed-splits"


def test_draws_that_failed_are_said_first(evaluated):
    runs = evaluated(Fails(24, least=16), FEATURES, TARGET, "loo_bootstrap(draws=20)")
    row = vc.estimate(runs, "error")["error"]
    assert 0 < row.failed < 20 and row.notes[0].code == "failed-splits" and 0 <= row.value <= 1


def test_when_everything_failed(evaluated):
    row = vc.estimate(evaluated(Fails(24), FEATURES, TARGET, "boot632plus(draws=3)"), "error")["error"]
    assert math.isnan(row.value) and row.value.reason == "no split succeeded"


def test_a_draw_that_misses_a_class(evaluated):
    target = np.repeat([0, 1, 2], [11, 11, 2])
    runs = evaluated(GaussianNB(), FEATURES, target, "loo_bootstrap(draws=40)")
    assert any(note.code == "class-missing-in-training" and "2 in " in note.says for note in runs.notes)
    p = runs.run().predictions
    assert p.proba.shape[1] == 3 and (p.proba[:, 2] == 0).any()
    est = vc.estimate(runs, ["error", "log_loss"])
    assert 0 < est["error"].value < 1
    assert math.isinf(est["log_loss"].value) and any(note.code == "infinite" for note in est["log_loss"].notes)


def test_scores_undefined_in_some_draws_are_undefined_and_counted(evaluated):
    target = np.repeat([0, 1], [21, 3])
    runs = evaluated(KNeighborsClassifier(), FEATURES, target, "loo_bootstrap(draws=60)", positive=1)
    est = vc.estimate(runs, ["auc", "fbeta"])
    assert "of 60 splits only one of the two classes has rows" in est["auc"].value.reason
    assert not math.isnan(est["fbeta"].value)  # counted over all draws together


@pytest.mark.parametrize("by", ["boot632plus(draws=10)", "corrected_kfold(k=3)", "optimism_bootstrap(draws=10)"])
def test_infinite_losses_are_infinite_or_undefined_with_the_reason(evaluated, by):
    random = np.random.default_rng(1)
    runs = evaluated(KNeighborsClassifier(1), random.normal(size=(24, 2)), TARGET, by)
    value = vc.estimate(runs, "log_loss")["log_loss"].value
    assert math.isinf(value) or "infinite in some splits" in value.reason


def test_a_constant_target(evaluated):
    by = ["boot632plus(draws=10)", "corrected_kfold(k=3)", "jackknife"]
    runs = evaluated(LinearRegression(), FEATURES, np.full(24, 2.5), by)
    for row in vc.estimate(runs, "mse"):
        assert row.value == pytest.approx(0, abs=1e-20)
    for row in vc.estimate(runs, "r2"):
        assert "constant" in row.value.reason


def test_a_learner_without_probabilities(evaluated):
    runs = evaluated(Fails(), FEATURES, TARGET, "kfold(k=3)")
    with pytest.raises(vc.BadInput, match="log_loss needs probabilities, but Fails has no predict_proba: use a score"):
        vc.estimate(runs, "log_loss")
    with pytest.raises(vc.BadInput, match="auc needs probabilities or decision values, but Fails has no predict_proba"):
        vc.estimate(runs, "auc")


def test_learners_that_tell_labels_only_have_errors(evaluated):
    runs = evaluated(NearestCentroid(), FEATURES, TARGET, ["boot632plus(draws=20)"])
    assert 0 <= vc.estimate(runs, "error")["error"].value < 0.5


def test_a_majority_learner_left_one_out_is_always_wrong(evaluated):
    runs = evaluated(DummyClassifier(), FEATURES, np.tile([0, 1], 12), ["leave_one_out", "boot632plus(draws=200)"])
    est = vc.estimate(runs, "error")
    assert est["leave_one_out"].value == 1
    assert est["boot632plus(draws=200)"].value == pytest.approx(0.5)


@pytest.mark.parametrize("source", ["preds.csv", ["part1.csv", "part2.csv"]])
def test_files_are_told_how_they_are_read(source):
    with pytest.raises(vc.BadInput, match=r"or of a file with veracity\.read_predictions\(\.\.\.\)"):
        vc.score(source, "error")
