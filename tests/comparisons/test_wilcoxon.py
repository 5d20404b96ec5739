"""Wilcoxon's test and the interval of Hodges and Lehmann against printed answers and brute force."""

import csv
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import veracity as vc
from veracity.comparisons import comparisons
from veracity.comparisons.wilcoxon import hodges_lehmann, walsh_averages
from veracity.core.confidence import Confidence
from veracity.core.errors import Refused

(FIRST, SECOND) = comparisons["wilcoxon"].known_answers()[0].given.values()

TEN = vc.score_matrix(np.stack([SECOND, FIRST], axis=1), learners=["B", "A"])
REFERENCE = Path(__file__).parents[1] / "reference"


def demsar():
    rows = list(csv.DictReader((REFERENCE / "demsar2006_auc.csv").read_text().splitlines()))
    return vc.score_matrix([[float(row["C4.5+m"]), float(row["C4.5"])] for row in rows])


@pytest.mark.parametrize(
    ("zeros", "plus", "minus", "p"),
    [("split", 34.5, 20.5, 0.5234), ("drop", 23, 13, 0.5469), ("pratt", 33, 19, 0.5234)],
)
def test_ten_data_sets(zeros, plus, minus, p):
    found = vc.compare(TEN, using=f"wilcoxon(zeros='{zeros}')")
    facts = dict(found.facts)
    assert (facts["w_plus"], facts["w_minus"], found.statistic) == (plus, minus, minus)
    assert found.p_value == pytest.approx(p, abs=5e-5)
    assert (facts["wins"], facts["ties"], facts["losses"]) == (5, 2, 3)
    assert "not enough" in str(found)
    assert zeros in found.notes[0].says


def test_demsar_fourteen():
    found = vc.compare(demsar(), using="wilcoxon")
    facts = dict(found.facts)
    assert (facts["w_plus"], facts["w_minus"]) == (93, 12)
    assert found.p_value == pytest.approx(0.0078, abs=5e-5)
    dropped = vc.compare(demsar(), using="wilcoxon(zeros='drop')")
    assert (dict(dropped.facts)["w_plus"], dict(dropped.facts)["w_minus"]) == (71.5, 6.5)
    assert dropped.p_value == pytest.approx(0.0073, abs=5e-5)
    assert "evidence that they differ" in str(found)


def test_demsar_by_the_normal_law():
    found = vc.compare(demsar(), using="wilcoxon(exact=False)")
    assert found.p_value == pytest.approx(0.0110, abs=5e-5)
    assert dict(found.facts)["z"] == pytest.approx(-2.5437, abs=5e-5)  # printed -2.542 is without the ties


def test_the_correction_for_continuity_is_half_a_rank():
    first, second = (np.random.default_rng(i).integers(0, 40, size=30) * 1.0 for i in (1, 2))
    m = vc.score_matrix(np.stack([first, second], axis=1))
    for continuity in (False, True):
        found = vc.compare(m, using=f"wilcoxon(zeros='drop', exact=False, continuity={continuity})")
        expected = stats.wilcoxon(first, second, correction=continuity, method="approx")
        assert found.p_value == pytest.approx(expected.pvalue, rel=1e-10)
    with pytest.raises(vc.BadInput, match="this p-value is exact: add exact=False"):
        vc.compare(m, using="wilcoxon(continuity=True)")


def test_losses_are_not_negated_but_wins_follow_what_is_better():
    lower = vc.score_matrix(1 - TEN.values, better="lower")
    found, plain = vc.compare(lower, using="wilcoxon"), vc.compare(TEN, using="wilcoxon")
    assert found.difference == pytest.approx(-plain.difference)
    assert dict(found.facts)["wins"] == dict(plain.facts)["wins"]
    assert found.p_value == plain.p_value


def test_all_equal_is_no_evidence():
    found = vc.compare(vc.score_matrix(np.tile([[0.5, 0.5]], (8, 1))), using="wilcoxon")
    assert found.p_value == 1 and found.difference == 0
    assert "all-equal" in [note.code for note in found.notes]


def test_five_data_sets_give_no_verdict():
    five = vc.score_matrix([[0.9, 0.1 * i] for i in range(5)])
    found = vc.compare(five)
    assert found.p_value == 0.0625 and not found.rejected and found.interval is None
    assert {"few-datasets", "no-interval"} <= {note.code for note in found.notes}
    with pytest.raises(Refused, match="leave out exact=False"):
        vc.compare(five, using="wilcoxon(exact=False)")


def test_five_data_sets_can_answer_one_side():
    found = vc.compare(vc.score_matrix([[0.9, 0.1 * i] for i in range(5)]), alternative="greater")
    assert found.p_value == 0.03125 and found.rejected
    says = next(note.says for note in found.notes if note.code == "few-datasets")
    assert says.endswith("of 5 it is at least 0.0625, and a one-sided one at least 0.03125")


def test_one_data_set_is_refused():
    with pytest.raises(Refused, match="corrected_t"):
        vc.compare(vc.score_matrix([[0.9, 0.1]]))


def test_infinite_scores_are_worst_and_tie():
    scores = [[np.inf, np.inf], [np.inf, 0.2], *([0.5 + i / 10, 0.3] for i in range(6))]
    found = vc.compare(vc.score_matrix(scores, better="lower"))
    assert (dict(found.facts)["ties"], dict(found.facts)["losses"]) == (1, 7)
    assert found.p_value == pytest.approx(2 / 2**7)


def tail(number, cut):
    """Chance that the ranks of heads sum to at most `cut`, by all patterns."""
    ranks = np.arange(1, number + 1)
    return np.mean([ranks @ np.array(heads) <= cut for heads in product([0, 1], repeat=number)])


@pytest.mark.parametrize("number", [6, 8, 11])
def test_the_interval_leaves_as_much_as_it_may(number):
    d = np.random.default_rng(number).normal(size=number)
    means = walsh_averages(d)
    limits = hodges_lehmann(d, Confidence(0.95))
    cut = int((means < limits.low).sum())
    assert tail(number, cut) <= 0.025 < tail(number, cut + 1)
    assert (means > limits.high).sum() == cut


def test_too_few_for_the_level():
    with pytest.raises(Refused, match="5 data sets are too few"):
        hodges_lehmann(np.arange(5.0), Confidence(0.95))
    assert hodges_lehmann(np.arange(5.0), Confidence(0.9)) == (0, 4, (), None)


@given(st.lists(st.floats(-5, 5), min_size=6, max_size=12))
def test_a_test_at_the_limit_of_its_interval_agrees(d):
    """What the interval leaves out is rejected when it is subtracted, if nothing ties."""
    d = np.array(d)
    limits = hodges_lehmann(d, Confidence(0.95))
    outside = limits.high + 0.37
    shifted = vc.score_matrix(np.stack([d - outside, np.zeros(len(d))], axis=1))
    assert vc.compare(shifted, using="wilcoxon").p_value < 0.05


def test_the_interval_covers_as_often_as_it_says():
    random = np.random.default_rng(0)
    held = [
        (lambda limits: limits.low <= 0.3 <= limits.high)(hodges_lehmann(d, Confidence(0.95)))
        for d in random.logistic(0.3, 1, (800, 15))
    ]
    assert np.mean(held) == pytest.approx(0.95, abs=0.025)


def test_the_normal_cut_is_near_the_exact_one():
    d = np.random.default_rng(5).normal(size=230)
    wide, near = (hodges_lehmann(x, Confidence(0.95)) for x in (d, d[:200]))
    assert wide.high - wide.low == pytest.approx((near.high - near.low) * (200 / 230) ** 0.5, rel=0.2)


@given(st.permutations(range(10)))
def test_the_order_of_data_sets_does_not_matter(order):
    turned = vc.score_matrix(TEN.values[list(order)])
    found, plain = vc.compare(turned), vc.compare(TEN)
    assert (found.p_value, found.statistic) == (plain.p_value, plain.statistic)
    assert found.difference == pytest.approx(plain.difference)
