"""Equivalence within a margin: the known answer, its duality with intervals, and non-inferiority's direction."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.comparisons.stated_value import Effect, non_inferiority, tost
from veracity.contests.compare import compare
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.evidence.make_predictions import predictions
from veracity.readers.scores_of_arrays import split_scores

NUMBERS = st.floats(-1, 1)
SCALES = st.floats(0.01, 1)


def learners():
    (known,) = tost.known_answers()
    differences = np.array(known.given["differences"])
    return split_scores({"a": 0.2 + differences, "b": np.full(10, 0.2)}, train=90, test=10, better="lower")


def test_known_answer():
    found = compare(learners(), using="tost(margin=0.05, of=corrected_t)")
    assert found.p_value == pytest.approx(0.0030, abs=5e-5)
    assert found.interval.level == pytest.approx(0.90)
    assert found.interval.assumes == ("RHO", "NORM")
    assert "90% interval" in str(found) and "evidence that they are equivalent within 0.05" in str(found)
    assert "not enough to conclude that they are equivalent within 0.03" in str(
        compare(learners(), using="tost(margin=0.03, of=corrected_t)")
    )


@given(NUMBERS, SCALES, SCALES, st.none() | st.integers(2, 50))
def test_equivalent_just_when_the_ninety_percent_interval_is_inside(difference, error, margin, df):
    p = tost.function(Effect(difference, error, df), margin=margin, of="corrected_t").p_value
    half = error * (Confidence(0.9).z if df is None else Confidence(0.9).t(df))
    inside = -margin < difference - half and difference + half < margin
    assert (p < 0.05) is inside or abs(p - 0.05) < 1e-9
    assert 0 <= p <= 1


@given(NUMBERS, SCALES, SCALES)
def test_order_of_the_two_does_not_matter(difference, error, margin):
    one, other = (tost.function(Effect(d, error), margin=margin, of="x").p_value for d in (difference, -difference))
    assert one == pytest.approx(other)


@given(NUMBERS, SCALES, SCALES)
def test_non_inferiority_looks_at_the_worse_side(difference, error, margin):
    lower = non_inferiority.function(Effect(difference, error, None, "lower"), margin=margin, of="x").p_value
    higher = non_inferiority.function(Effect(-difference, error, None, "higher"), margin=margin, of="x").p_value
    both = tost.function(Effect(difference, error), margin=margin, of="x").p_value
    assert lower == pytest.approx(higher)
    assert lower <= both + 1e-12


TRUTH = np.tile([0, 1], 200)
MODELS = {
    name: predictions(TRUTH, label=np.where(np.arange(400) % step == 0, 1 - TRUTH, TRUTH), positive=1)
    for name, step in (("a", 10), ("b", 9))
}


def test_of_models_by_any_test_with_a_standard_error():
    found = compare(MODELS, "error", using="tost(margin=0.1, of=paired_loss_t)")
    assert found.rejected
    bound = compare(MODELS, "error", using="non_inferiority(margin=0.1, of=paired_bootstrap(draws=1999))")
    assert bound.rejected and bound.interval.low == -np.inf and bound.interval.high < 0.1
    assert bound.to_json()["low"] is None
    assert "one-sided" in {note.code for note in bound.all_notes}


@pytest.mark.parametrize(
    ("using", "error", "says"),
    [
        ("tost(margin=0, of=paired_loss_t)", Refused, "margin must be above 0"),
        ("tost(margin=0.1, of=mcnemar_midp)", Refused, "no standard error"),
        ("tost(margin=0.1, of=cochran_q)", BadInput, "a test of a difference"),
        ("tost(margin=0.1, of=tost(margin=0.1, of=paired_loss_t))", BadInput, "a test of a difference"),
        ("tost(margin=0.1, of=nothing)", BadInput, "no comparison called 'nothing'"),
        ("tost(of=paired_loss_t)", BadInput, "needs margin"),
    ],
)
def test_what_is_refused(using, error, says):
    with pytest.raises(error, match=says):
        compare(MODELS, "error", using=using)
