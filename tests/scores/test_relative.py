"""Relative errors: which mean they are relative to."""

import numpy as np
import pytest

from veracity import BadInput, estimate, predictions, score

ACTUAL, SAID = np.array([3.0, 5, 2, 7]), np.array([2.5, 5, 4, 8])
NAMES = ["relative_absolute_error", "relative_squared_error", "root_relative_squared_error"]


@pytest.mark.parametrize(("name", "power", "root"), [(NAMES[0], 1, 1), (NAMES[1], 2, 1), (NAMES[2], 2, 0.5)])
def test_training_mean_is_the_default(name, power, root):
    p = predictions(ACTUAL, number=SAID, train_mean=1.0)
    expected = (np.abs(SAID - ACTUAL) ** power).sum() / (np.abs(ACTUAL - 1) ** power).sum()
    assert score(p, name) == pytest.approx(expected**root)


@pytest.mark.parametrize("name", NAMES)
def test_unknown_training_mean_names_the_way_out(name):
    found = score(predictions(ACTUAL, number=SAID), name)
    assert np.isnan(found)
    assert "train_mean=" in found.reason and "baseline='test'" in found.reason


@pytest.mark.parametrize("name", NAMES)
def test_a_target_that_is_always_the_training_mean(name):
    found = score(predictions([0.1] * 3, number=[1.0, 2, 3], train_mean=0.1), name)
    assert found.reason == "the target is always the mean it is compared with"


@pytest.mark.parametrize("name", NAMES)
def test_naming_the_test_mean_scores_one(name):
    p = predictions(ACTUAL, number=[ACTUAL.mean()] * 4)
    assert score(p, f"{name}(baseline='test')") == pytest.approx(1)


@pytest.mark.parametrize("name", NAMES)
def test_the_mean_is_printed(name):
    row = estimate(predictions(ACTUAL, number=SAID, train_mean=1.0), name, interval="mean_t")[name]
    assert {note.code: note.says for note in row.notes}["baseline"] == "measured against the mean of the training rows"


def test_weighted_test_mean():
    weights = np.array([1.0, 2, 3, 4])
    mean = np.average(ACTUAL, weights=weights)
    expected = (weights * np.abs(SAID - ACTUAL)).sum() / (weights * np.abs(ACTUAL - mean)).sum()
    p = predictions(ACTUAL, number=SAID, weights=weights)
    assert score(p, "relative_absolute_error(baseline='test')") == pytest.approx(expected)


def test_an_unknown_baseline():
    with pytest.raises(BadInput, match="baseline is 'train' or 'test'"):
        score(predictions(ACTUAL, number=SAID), "relative_absolute_error(baseline='mean')")
