import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.errors import BadInput
from veracity.curves.discovery import posterior_fdr
from veracity.evidence.make_predictions import predictions

SAID = [0.99, 0.97, 0.95, 0.90, 0.80, 0.60, 0.30]


def found(said, alpha=0.05, **more):
    truth = np.arange(len(said)) % 2
    p = predictions(truth, proba=said, classes=[0, 1], positive=1, **more)
    return posterior_fdr({"m": p}, alpha=alpha)


def test_example():
    curve = found(SAID)
    four = curve.facts["discoveries"]["m"]
    assert (four.number, four.threshold) == (4, 0.90)
    assert four.rate == pytest.approx(0.0475)
    assert curve.only.y[5] == pytest.approx(0.078, abs=5e-4)
    assert four.observed == 0.5
    assert curve.notes[0].code == "needs-calibration"


def test_none_is_found_where_even_the_best_row_is_too_doubtful():
    none = found([0.9, 0.5]).facts["discoveries"]["m"]
    assert (none.number, none.rate, none.threshold, none.observed) == (0, 0, np.inf, None)


def test_equal_to_the_tolerance_is_within_it():
    assert found([0.95] * 3).facts["discoveries"]["m"].number == 3  # 1 - 0.95 is a little more than 0.05 in a computer


def test_tied_rows_are_taken_together_or_not_at_all():
    assert found([0.99, 0.90, 0.90]).facts["discoveries"]["m"].number == 1
    assert found([0.99, 0.90, 0.90], alpha=0.06).facts["discoveries"]["m"].number == 1  # one of the two would do
    assert found([0.99, 0.90, 0.90], alpha=0.07).facts["discoveries"]["m"].number == 3


@given(st.lists(st.integers(0, 20), min_size=1, max_size=30), st.floats(0, 1))
def test_agrees_with_trying_every_threshold(values, alpha):
    said = np.array(values) / 20
    best, rate = 0, 0.0
    for t in np.unique(said):
        chosen = said >= t
        expected = (1 - said[chosen]).mean()
        if expected <= alpha + 1e-12 and chosen.sum() > best:
            best, rate = int(chosen.sum()), expected
    curve = found(said, alpha)
    assert curve.facts["discoveries"]["m"].number == best
    assert curve.facts["discoveries"]["m"].rate == pytest.approx(rate)
    assert (np.diff(curve.only.y) >= -1e-12).all()


def test_decision_values_beside_probabilities_do_not_matter():
    assert found(SAID, value=[1.0, 2, 3, 4, 5, 6, 7]).facts["discoveries"]["m"].number == 4


def test_true_repeats_count():
    assert found(SAID, counts=[2] * 7).facts["discoveries"]["m"].number == 8


def test_positive_unlabelled_rows_have_no_observed_share():
    assert found(SAID, labelled="positives").facts["discoveries"]["m"].observed is None


def test_bad_calls():
    with pytest.raises(BadInput, match="alpha"):
        found(SAID, alpha=1.5)
    with pytest.raises(BadInput, match="proba="):
        posterior_fdr({"m": predictions([0, 1], value=[1.0, 2.0], positive=1)})
