"""Training scores and how sure their mean is."""

import numpy as np
import pytest
from sklearn.dummy import DummyRegressor

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.designs.make_design import make_design
from veracity.experiments.risk_curves import estimate_training, with_training_tested
from veracity.records.design import Rows
from veracity.risk.estimate_run import EstimateRequest
from veracity.scores import scores

RANDOM = np.random.default_rng(1)


def trained(y, by, constant=0.0):
    """The training score of a model that never learns, so that it is a mean over rows of one model."""
    design = with_training_tested(make_design(by, Rows(len(y)), 0))
    learner = DummyRegressor(strategy="constant", constant=constant)
    runs = vc.evaluate(learner, np.zeros((len(y), 1)), y, by=[design])
    return estimate_training(runs.run(), EstimateRequest(scores.choose("mae"), "mae", Confidence(0.95)))


@pytest.mark.parametrize("k", [3, 5, 10])
def test_for_a_mean_over_rows_the_width_is_that_of_the_folds_themselves(k):
    y = RANDOM.gamma(2, 1, 60)
    found = trained(y, f"kfold(k={k})")
    design = make_design(f"kfold(k={k})", Rows(60), 0)
    folds = np.array([y[split.test].mean() for split in design.splits])
    half = Confidence(0.95).t(k - 1) * folds.std(ddof=1) / np.sqrt(k)  # disjoint, hence independent
    assert found.value == pytest.approx(y.mean())
    assert found.interval.width == pytest.approx(2 * half)


def test_what_it_answers_and_that_it_is_said():
    found = trained(RANDOM.random(30) + 1, "kfold(k=10)")
    assert found.answers == "mean score of models on their own training rows"
    assert [note.code for note in found.notes] == ["shared-training"]


@pytest.mark.parametrize("by", ["holdout(test=0.5)", "resubstitution"])
def test_one_model_has_a_training_score_and_no_interval(by):
    found = trained(RANDOM.random(30) + 1, by)
    assert found.interval is None and found.value > 0
    assert found.notes
