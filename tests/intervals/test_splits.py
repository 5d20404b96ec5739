"""The corrected resampled t against the published answer, and where it stops."""

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import check
from veracity.evidence.split_scores import SplitScores
from veracity.intervals.for_learners import DIFFERENCES, corrected_t

AT = Confidence(0.95)


def test_ten_differences():
    s = SplitScores.of(DIFFERENCES, 9, 1)
    low, high, *_ = corrected_t.function(s, AT)
    assert (low, high) == pytest.approx((0.0010, 0.0390), abs=5e-5)
    assert s.spread == pytest.approx(0.01826, abs=5e-6)


def test_the_published_statistic_of_thirty_splits(reference):
    known = reference("correctR_expected.json")
    s = SplitScores.of(np.subtract(known["x"], known["y"]), known["n_train"], known["n_test"])
    low, high, *_ = corrected_t.function(s, AT)
    statistic = s.mean / ((high - low) / 2 / AT.t(known["df"]))
    assert statistic == pytest.approx(known["t"], abs=5e-7)


def test_sizes_of_folds_that_differ_give_one_over_k_minus_one():
    test = np.array([4, 3, 3])
    assert SplitScores.of([1, 2, 3], 10 - test, test).test_share == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("values", "code"), [([0.1], "one-split"), ([0.1] * 10, "no-spread"), ([0.1, np.nan, 0.2], "undefined-splits")]
)
def test_refuses(values, code):
    with pytest.raises(Refused) as why:
        check(corrected_t.limits, SplitScores.of(values, 9, 1))
    assert why.value.code == code


def test_few_splits_are_a_caution():
    codes = [note.code for note in check(corrected_t.limits, SplitScores.of([0.1, 0.2], 9, 1))]
    assert codes == ["few-splits"]


def test_equal_scores_have_no_spread_at_all():
    assert SplitScores.of([0.1] * 7, 9, 1).spread == 0.0


@pytest.mark.parametrize("wrong", [([], 1, 1), ([[1, 2]], 1, 1), ([1, 2], [1], 1), ([1, 2], 0, 1)])
def test_wrong_split_scores_are_told(wrong):
    with pytest.raises(BadInput):
        SplitScores.of(*wrong)


def test_training_sets_that_grow_are_a_caution():
    values = np.linspace(0.1, 0.3, 10)
    (note,) = check(corrected_t.limits, SplitScores.of(values, 10 * np.arange(1, 11), 10))
    assert note.code == "unequal-training" and note.says.endswith("(they have 10 to 100 rows)")
    folds = SplitScores.of(values, np.where(np.arange(10) < 3, 29, 30), np.where(np.arange(10) < 3, 4, 3))
    assert check(corrected_t.limits, folds) == ()
