"""Cross-validation Wald: both forms, repeats, and where it stops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import check
from veracity.evidence.losses import FoldLosses
from veracity.intervals.resampled import cv_wald

AT = Confidence(0.95)
SQUARES = (12.25, 6.25, 0.25, 0.25, 6.25, 12.25)
LOSSES, FOLDS = np.array([SQUARES]), np.array([[0, 0, 1, 1, 2, 2]])


def half(x, form):
    low, high, *_ = cv_wald.function(x, AT, form=form)
    return (high - low) / 2 / AT.z


def test_standard_errors_of_example_j():
    x = FoldLosses(LOSSES, FOLDS)
    assert half(x, "all_pairs") == pytest.approx(2.0)
    assert half(x, "within_fold") == pytest.approx(2**0.5)


@given(st.lists(st.floats(0, 10), min_size=7, max_size=7), st.permutations([0, 0, 1, 1, 1, 2, 2]))
def test_within_folds_as_one_would_write_it(losses, folds):
    losses, folds = np.array(losses), np.array(folds)
    slow = np.mean([losses[folds == fold].var(ddof=1) for fold in range(3)])
    assert FoldLosses(losses[None], folds[None]).variance_within() == pytest.approx(slow)


def test_repeats_do_not_make_it_narrower():
    once = FoldLosses(LOSSES, FOLDS)
    twice = FoldLosses(np.vstack([LOSSES, LOSSES]), np.vstack([FOLDS, FOLDS + 3]))
    for form in ("all_pairs", "within_fold"):
        assert half(once, form) == pytest.approx(half(twice, form))
    assert [note.code for note in check(cv_wald.limits, twice)] == ["repeated-folds"]


def test_models_that_disagree_are_a_caution_with_the_share():
    (note,) = check(cv_wald.limits, FoldLosses(LOSSES, FOLDS, disagreement=0.25))
    assert note.code == "unstable-learner" and note.says.endswith("use corrected_t (two of them on 25.0% of the rows)")
    assert not check(cv_wald.limits, FoldLosses(LOSSES, FOLDS, disagreement=0.05))


def test_folds_of_one_row_have_no_variance_inside():
    x = FoldLosses(LOSSES, np.arange(6)[None])
    (note,) = cv_wald.function(x, AT, form="within_fold").notes
    assert (note.code, note.weight) == ("one-row-folds", "refuse")
    assert np.isfinite(cv_wald.function(x, AT).low)


def test_unknown_form():
    with pytest.raises(BadInput, match="'all_pairs' or 'within_fold'"):
        cv_wald.function(FoldLosses(LOSSES, FOLDS), AT, form="pairs")
