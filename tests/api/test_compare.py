"""Comparing two models on the same rows."""

import numpy as np
import pytest

from veracity.api.compare import compare
from veracity.core.errors import BadInput
from veracity.records.checked import predictions


def models():
    truth = np.repeat([0, 1, 0, 1], [60, 15, 5, 20])
    first = np.concatenate([truth[:75], 1 - truth[75:]])
    second = np.where((np.arange(100) < 60) | ((np.arange(100) >= 75) & (np.arange(100) < 80)), truth, 1 - truth)
    return predictions(truth, label=first), predictions(truth, label=second)


def test_error_difference_is_first_minus_second():
    first, second = models()
    found = compare({"old": first, "new": second}, "error")
    assert found.difference == pytest.approx(-0.10)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.1866, -0.0120), abs=5e-5)
    assert (found.n01, found.n10) == (5, 15)
    assert "lower (better)" in str(found)


def test_accuracy_turns_the_sign():
    first, second = models()
    assert compare({"old": first, "new": second}, "accuracy").difference == pytest.approx(0.10)


def test_json_has_the_keys_of_the_contract():
    first, second = models()
    found = compare({"a": first, "b": second}, "error", using="mcnemar").to_json()
    keys = "score using a b difference low high level statistic p_value df n01 n10 notes"
    assert list(found) == keys.split()


def test_different_rows_are_refused():
    first, _ = models()
    shorter = predictions(first.truth[:-1], label=first.truth[:-1])
    with pytest.raises(BadInput, match="same rows"):
        compare({"a": first, "b": shorter}, "error")
    other = predictions(1 - first.truth, label=first.truth)
    with pytest.raises(BadInput, match="truths of the two models differ"):
        compare({"a": first, "b": other}, "error")


def test_only_shares_of_right_rows():
    first, second = models()
    with pytest.raises(BadInput, match="compares error or accuracy"):
        compare({"a": first, "b": second}, "kappa", using="mcnemar")
