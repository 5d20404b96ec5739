"""The sign test against printed answers, coins, and what cannot matter to it."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.comparisons import comparisons
from veracity.comparisons.wilcoxon import median_limits
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused

(FIRST, SECOND) = comparisons["wilcoxon"].known_answers()[0].given.values()

TEN = vc.score_matrix(np.stack([SECOND, FIRST], axis=1))
cells = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=15)


@pytest.mark.parametrize(("ties", "wins", "p"), [("drop", 5, 0.7266), ("split", 6, 0.7539)])
def test_ten_data_sets(ties, wins, p):
    found = vc.compare(TEN, using=f"sign(ties='{ties}')")
    assert (found.statistic, found.p_value) == pytest.approx((wins, p), abs=5e-5)


@pytest.mark.parametrize(("ties", "p"), [("drop", 0.0386), ("split", 0.0574)])
def test_ten_wins_two_ties_two_losses(ties, p):
    scores = [[1, 0]] * 10 + [[1, 1]] * 2 + [[0, 1]] * 2
    assert vc.compare(vc.score_matrix(scores), using=f"sign(ties='{ties}')").p_value == pytest.approx(p, abs=5e-5)


@given(cells)
def test_every_pattern_of_coins(scores):
    found = vc.compare(vc.score_matrix(scores), using="sign")
    first, second = np.transpose(scores)
    wins, losses = int((first > second).sum()), int((first < second).sum())
    number = min(wins + losses, 12)
    if wins + losses > number:
        return
    heads = [sum(pattern) for pattern in product([0, 1], repeat=number)]
    expected = min(1.0, 2 * np.mean([each <= min(wins, losses) for each in heads]))
    assert found.p_value == pytest.approx(expected)


@given(cells)
def test_a_monotone_change_of_scores_changes_nothing(scores):
    plain = vc.compare(vc.score_matrix(scores), using="sign")
    turned = vc.compare(vc.score_matrix(np.exp(4.0 * np.array(scores)) - 7), using="sign")
    assert (plain.p_value, plain.statistic, plain.facts) == (turned.p_value, turned.statistic, turned.facts)


@given(cells)
def test_turning_the_pair_turns_wins_and_losses(scores):
    one = vc.compare(vc.score_matrix(scores), using="sign")
    other = vc.compare(vc.score_matrix([pair[::-1] for pair in scores]), using="sign")
    assert one.p_value == other.p_value and one.difference == -other.difference
    assert dict(one.facts)["wins"] == dict(other.facts)["losses"]


def test_data_sets_of_very_different_scale_all_count():
    scales = 10.0 ** np.arange(-5, 8)
    found = vc.compare(vc.score_matrix(np.stack([1.01 * scales, scales], axis=1), better="lower"), using="sign")
    assert dict(found.facts) == {"wins": 0, "ties": 0, "losses": 13}


def test_the_interval_of_the_median():
    limits = median_limits(np.arange(1.0, 11), Confidence(0.95))
    assert (limits.low, limits.high) == (2, 9)  # P(at most 1 of 10 below) = .0107, of 2 = .0547
    with pytest.raises(Refused, match="5 data sets are too few"):
        median_limits(np.arange(5.0), Confidence(0.95))


def test_all_ties_and_unknown_rules():
    assert vc.compare(vc.score_matrix([[1, 1]] * 7), using="sign").p_value == 1
    with pytest.raises(BadInput, match="'drop' or 'split'"):
        vc.compare(TEN, using="sign(ties='half')")


@pytest.mark.parametrize("using", ["sign", "wilcoxon"])
def test_differences_that_are_alike_have_no_interval(using):
    for values in ([[0.9, 0.9]] * 8, [[0.9, 0.8]] * 8):
        found = vc.compare(vc.score_matrix(values), using=using)
        assert found.interval is None and "its width would be 0" in str(found.notes)


@pytest.mark.parametrize("using", ["sign", "wilcoxon"])
def test_one_tie_is_one(using):
    says = str(vc.compare(vc.score_matrix([[i, 0] for i in range(8)]), using=using).notes)
    assert "one data set ties" in says or "one difference is 0" in says
