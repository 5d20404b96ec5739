"""t tests over data sets against scipy and theory's ten data sets."""

import numpy as np
import pytest
from scipy import stats

import veracity as vc
from veracity.comparisons import comparisons
from veracity.core.errors import Refused

(FIRST, SECOND) = comparisons["wilcoxon"].known_answers()[0].given.values()

TEN = vc.score_matrix(np.stack([SECOND, FIRST], axis=1))


def test_paired_t_of_ten_data_sets():
    found = vc.compare(TEN, using="paired_t")
    assert (abs(found.statistic), found.p_value) == pytest.approx((0.274, 0.790), abs=5e-4)
    expected = stats.ttest_rel(SECOND, FIRST)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))
    interval = expected.confidence_interval(0.95)
    assert (found.interval.low, found.interval.high) == pytest.approx((interval.low, interval.high))


def test_averaged_t_is_welch():
    found, expected = vc.compare(TEN, using="averaged_t"), stats.ttest_ind(SECOND, FIRST, equal_var=False)
    assert (found.statistic, found.df, found.p_value) == pytest.approx(
        (expected.statistic, expected.df, expected.pvalue)
    )
    assert "averages" in [note.code for note in found.notes]


def test_a_constant_difference():
    constant = np.array([0.3, 0.7, 0.9, 0.5])
    with pytest.raises(vc.Refused, match="same on all data sets"):
        vc.compare(vc.score_matrix(np.stack([constant + 0.1, constant], axis=1)), using="paired_t")
    same = vc.score_matrix(np.stack([constant, constant], axis=1))
    assert vc.compare(same, using="paired_t").p_value == 1
    assert vc.compare(vc.score_matrix([[1.0, 1.0]] * 3), using="averaged_t").p_value == 1


@pytest.mark.parametrize("name", ["paired_t", "averaged_t", "signed_rank_posterior", "hierarchical_posterior"])
def test_infinite_scores_have_no_mean(name):
    with pytest.raises(vc.Refused):
        vc.compare(vc.score_matrix([[np.inf, 1.0], [1.0, 2.0], [2.0, 2.0]]), using=name)


@pytest.mark.parametrize("name", ["paired_t", "averaged_t", "wilcoxon", "sign", "sign_posterior"])
def test_one_data_set_is_refused(name):
    with pytest.raises(vc.Refused, match="one data set says nothing"):
        vc.compare(vc.score_matrix([[0.5, 0.6]]), using=name)


def test_columns_that_do_not_vary_are_no_evidence():
    """Their rounding errors once were: p = 1e-206."""
    with pytest.raises(Refused, match="neither learner's score varies"):
        vc.compare(vc.score_matrix([[0.9, 0.8]] * 8), using="averaged_t")
    found = vc.compare(vc.score_matrix([[0.9, 0.9]] * 8), using="averaged_t")
    assert found.p_value == 1 and found.interval is None and "all-equal" in {note.code for note in found.notes}


@pytest.mark.parametrize("using", ["wilcoxon", "sign", "sign_posterior"])
def test_infinities_of_both_signs_are_told(using):
    """Without a warning of numpy, which is an error here."""
    infinite = [[0.9, np.inf], [np.inf, 0.7], [np.inf, np.inf], [0.3, 0.4], [0.2, 0.1], [0.5, 0.4], [0.6, 0.4]]
    said = vc.compare(vc.score_matrix(infinite, better="lower"), using=using).to_json()
    assert said["difference"] is not None or "infinite" in {note["code"] for note in said["notes"]}


def test_an_infinite_difference_is_null_and_told():
    said = vc.compare(vc.score_matrix([[0.9, np.inf]] * 7, better="lower")).to_json()
    assert said["difference"] is None and {"infinite", "no-interval"} <= {note["code"] for note in said["notes"]}
