"""Scores of many groups of rows at once against one group after the other."""

import numpy as np
import pytest

from veracity.evidence.predictions import Predictions, subset
from veracity.risk import fold_scores
from veracity.risk.fold_scores import group_values
from veracity.scores import scores
from veracity.scores.entry import value_of

RANDOM = np.random.default_rng(0)
PLACE = RANDOM.integers(0, 6, 120)
CHANCE = RANDOM.random(120)
CLASSES = Predictions(
    "classes",
    RANDOM.integers(0, 2, 120),
    (0, 1),
    1,
    label=(CHANCE >= 0.5).astype(int),
    proba=np.stack([1 - CHANCE, CHANCE], 1),
    weights=RANDOM.random(120),
    repeats=RANDOM.integers(1, 4, 120),
)
NUMBERS = Predictions("numbers", RANDOM.normal(size=120), number=RANDOM.normal(size=120))


@pytest.mark.parametrize("name", ["error", "fbeta", "mcc", "brier", "log_loss", "auc", "calibration_error"])
def test_classes(name):
    choice = scores.choose(name)
    expected = [value_of(choice, subset(CLASSES, group == PLACE)) for group in range(6)]
    assert group_values(choice, CLASSES, PLACE, 6) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["mse", "rmse", "r2", "correlation", "median_absolute_error"])
def test_numbers(name):
    choice = scores.choose(name)
    expected = [value_of(choice, subset(NUMBERS, group == PLACE)) for group in range(6)]
    assert group_values(choice, NUMBERS, PLACE, 6) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["error", "brier", "auc"])
def test_a_group_without_rows_has_no_score(name):
    found = group_values(scores.choose(name), CLASSES, PLACE, 7)
    assert np.isnan(found[6]) and not np.isnan(found[:6]).any()


def test_too_many_matrices_are_made_one_by_one(monkeypatch):
    together = group_values(scores.choose("error"), CLASSES, PLACE, 6)
    monkeypatch.setattr(fold_scores, "MOST", 3)
    assert group_values(scores.choose("error"), CLASSES, PLACE, 6) == pytest.approx(together)
