"""Calibration error: the published answer, brute force, ties and edges of bins."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity import BadInput, estimate, predictions, score

CHANCE = [0.1, 0.1, 0.3, 0.3, 0.3, 0.7, 0.7, 0.9, 0.9, 0.9]
TRUTH = [0, 0, 0, 1, 0, 1, 1, 1, 1, 0]
rows = st.lists(st.tuples(st.integers(0, 100), st.booleans()), min_size=1, max_size=50)


def test_the_published_example():
    assert score(predictions(TRUTH, proba=CHANCE, positive=1), "calibration_error(bins=5)") == pytest.approx(0.16)


@given(rows, st.integers(1, 60))
def test_brute_force_over_bins_of_equal_width(pairs, bins):
    chance, truth = np.array([c for c, _ in pairs]), np.array([t for _, t in pairs])
    number = np.minimum(chance * bins // 100, bins - 1)  # whole numbers, so edges are exact
    error = sum(abs((chance[number == b] / 100 - truth[number == b]).sum()) for b in range(bins)) / len(pairs)
    p = predictions(truth, proba=chance / 100, classes=[False, True], positive=True)
    assert score(p, f"calibration_error(bins={bins})") == pytest.approx(error)


def test_equal_counts_never_split_a_tied_block():
    chance = np.array([0.1] * 7 + [0.6, 0.7, 0.8])
    truth = np.array([0] * 7 + [1, 1, 0])
    found = score(predictions(truth, proba=chance, positive=1), "calibration_error(bins=2, strategy='count')")
    assert found == pytest.approx((0.7 + abs((chance - truth)[7:].sum())) / 10)


def test_equal_counts_hold_equal_numbers_of_distinct_values():
    chance = np.linspace(0.05, 0.95, 10)
    truth = np.array([0, 1] * 5)
    gaps = np.abs((chance - truth).reshape(5, 2).sum(1))
    found = score(predictions(truth, proba=chance, positive=1), "calibration_error(bins=5, strategy='count')")
    assert found == pytest.approx(gaps.sum() / 10)


def test_more_classes_hold_top_confidence_against_hits():
    p = predictions([0, 2, 2], proba=[[0.6, 0.3, 0.1], [0.6, 0.2, 0.2], [0.1, 0.1, 0.8]], classes=[0, 1, 2])
    assert score(p, "calibration_error(bins=2)") == pytest.approx(abs(0.6 + 0.6 + 0.8 - 2) / 3, abs=1e-12)
    assert score(p, "calibration_error") == pytest.approx((abs(1.2 - 1) + abs(0.8 - 1)) / 3)


def test_probability_one_belongs_to_the_last_bin():
    assert score(predictions([1, 0], proba=[1.0, 0.95], positive=1), "calibration_error") == pytest.approx(0.95 / 2)


def test_few_rows_per_bin_is_a_caution():
    p = predictions(TRUTH, proba=CHANCE, positive=1)
    found = estimate(p, ["calibration_error", "calibration_error(bins=1)"], interval="delta")
    assert "few-rows-per-bin" in {note.code for note in found["calibration_error"].notes}
    many = predictions(TRUTH * 20, proba=CHANCE * 20, positive=1)
    codes = {note.code for note in estimate(many, "calibration_error", interval="delta")["calibration_error"].notes}
    assert "few-rows-per-bin" not in codes


@pytest.mark.parametrize("asked", ["bins=0", "bins=2.5", "strategy='size'"])
def test_wrong_bins(asked):
    with pytest.raises(BadInput, match=r"bins (is|must be) a whole number|strategy is"):
        score(predictions(TRUTH, proba=CHANCE, positive=1), f"calibration_error({asked})")
