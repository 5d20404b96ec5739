"""Two shares of different rows: known answers, scipy's chi-squared test, and the trap of shared rows."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr

from veracity.comparisons.mcnemar import two_proportion_z
from veracity.contests.compare import compare
from veracity.core.errors import Refused
from veracity.evidence.interval_evidence import Proportion, Shares
from veracity.evidence.make_predictions import predictions


def shares(hits, rows):
    return Shares(*(Proportion(*counted) for counted in zip(hits, rows, strict=True)))


@pytest.mark.parametrize("known", two_proportion_z.known_answers(), ids=str)
def test_known_answers(known):
    found = two_proportion_z.function(shares(**known.given))
    assert (found.statistic, found.p_value) == pytest.approx(known.answer, abs=5e-5)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_square_is_chi_squared(a, b, c, d):
    assume(min(a + b, c + d, a + c, b + d) > 0)
    found = two_proportion_z.function(shares((a, c), (a + b, c + d)))
    expected = stats.chi2_contingency([[a, b], [c, d]], correction=False)
    assert found.statistic**2 == pytest.approx(expected.statistic, abs=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue)
    turned = two_proportion_z.function(shares((c, a), (c + d, a + b)))
    assert (turned.statistic, turned.p_value) == pytest.approx((-found.statistic, found.p_value))


@pytest.mark.parametrize("hits", [(0, 0), (40, 50)])
def test_rows_that_are_all_alike_give_no_evidence(hits):
    found = two_proportion_z.function(shares(hits, (40, 50)))
    assert found.p_value == 1 and found.notes[0].code == "no-information"


def model(rows, errors):
    truth = np.arange(rows) % 2
    return predictions(truth, label=np.where(np.arange(rows) < errors, 1 - truth, truth))


def test_different_rows_have_newcombes_interval():
    found = compare({"old": model(40, 12), "new": model(50, 20)}, "error", using="two_proportion_z")
    assert (found.statistic, found.p_value) == pytest.approx((-0.9848, 0.3247), abs=5e-5)
    assert (found.interval.low, found.interval.high) == pytest.approx((-0.2825, 0.0979), abs=5e-5)
    wald = compare(
        {"old": model(40, 12), "new": model(50, 20)}, "error", using="two_proportion_z", interval="wald_difference"
    )
    assert (wald.interval.low, wald.interval.high) == pytest.approx((-0.2965, 0.0965), abs=5e-5)


def test_the_same_rows_are_refused():
    both = {"old": model(40, 12), "new": model(40, 20)}
    with pytest.raises(Refused, match="mcnemar_midp"):
        compare(both, "error", using="two_proportion_z")
    assert not compare(both, "error", using="two_proportion_z", anyway=True).rejected


@pytest.mark.parametrize("ids", [np.arange(40)[::-1], np.arange(39, 79)])
def test_rows_that_are_shared_are_found_by_their_ids(ids):
    """In another order, or only one of them."""
    truth = np.tile([0, 1], 20)
    models = {"a": predictions(truth, label=truth, rows=np.arange(40)), "b": predictions(truth, label=truth, rows=ids)}
    with pytest.raises(Refused, match="the same rows, or some of them"):
        compare(models, "error", using="two_proportion_z")


def test_weights_are_told():
    truth = np.tile([0, 1], 20)
    weighted = predictions(truth, label=1 - truth, weights=np.arange(1.0, 41))
    found = compare({"a": weighted, "b": predictions(truth[:30], label=truth[:30])}, using="two_proportion_z")
    assert any("weight" in note.says for note in found.notes)


def test_far_out_the_p_value_is_exact():
    truth = np.zeros(40, int)
    other = predictions(truth[:39], label=1 - truth[:39], classes=[0, 1])
    found = compare({"a": predictions(truth, label=truth, classes=[0, 1]), "b": other}, using="two_proportion_z")
    assert found.p_value == pytest.approx(2 * ndtr(-abs(found.statistic)), rel=1e-9) and 0 < found.p_value < 1e-17
