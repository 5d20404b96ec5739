"""0 lies outside an interval exactly where its test rejects, or a note says that they are of two laws."""

from itertools import product

import numpy as np
import pytest

import veracity as vc
from veracity.core.confidence import ALTERNATIVES
from veracity.findings.comparison import Comparison


def agrees(found: Comparison, level: float = 0.05) -> bool:
    """Whether the interval leaves out 0 just where the p-value rejects; a note must say where it does not."""
    if found.interval is None:
        return True
    agree = (0 in found.interval) is (found.p_value > level)
    noted = "interval-contradicts" in {note.code for note in found.notes}
    assert agree is not noted
    return agree


def tied_tables(number, seed):
    """Few data sets, on which many differences are equal in size and some are 0."""
    random = np.random.default_rng(seed)
    for _ in range(number):
        d = random.integers(-4, 6, random.integers(5, 14)) / 100
        if random.random() < 0.3:
            d[random.random(len(d)) < 0.4] = 0
        yield vc.score_matrix(np.stack([0.8 + d, np.full(len(d), 0.8)], axis=1))


@pytest.mark.parametrize("zeros", ["split", "drop", "pratt"])
def test_wilcoxon_under_ties_and_zeros(zeros):
    left_out = 0
    for table in tied_tables(900, len(zeros)):
        found = vc.compare(table, using=f"wilcoxon(zeros={zeros!r})")
        assert agrees(found)
        if found.interval is not None:
            assert found.interval.low <= found.interval.high
            left_out += 0 not in found.interval
    assert left_out > 20


@pytest.mark.parametrize("alternative", ["less", "greater"])
def test_one_sided_wilcoxon_under_ties_and_zeros(alternative):
    assert all(agrees(vc.compare(table, using="wilcoxon", alternative=alternative)) for table in tied_tables(400, 1))


@pytest.mark.parametrize("using", ["wilcoxon(exact=False)", "wilcoxon(exact=False, continuity=True)"])
def test_wilcoxon_by_the_normal_law_under_ties(using):
    assert all(agrees(vc.compare(table, using=using, anyway=True)) for table in tied_tables(300, 2))


def test_wilcoxon_of_more_data_sets_than_the_exact_law_reads():
    random = np.random.default_rng(0)
    for shift in np.linspace(0.0, 0.5, 40):
        d = (random.normal(shift / 2, 1, 220) * 4).round() / 4
        assert agrees(vc.compare(vc.score_matrix(np.stack([d, np.zeros(220)], axis=1)), using="wilcoxon"))


def test_the_table_whose_interval_held_0_beside_a_small_p_value():
    d = np.array([3, -1, 5, 2, -2, 5, 4, 3]) / 100
    found = vc.compare(vc.score_matrix(np.stack([0.5 + d, np.full(8, 0.5)], axis=1)), using="wilcoxon")
    assert found.p_value == 0.046875
    assert (found.interval.low, found.interval.high) == pytest.approx((0.005, 0.045))


def test_only_0_is_rejected():
    """Signs decide while 4 differences are 0; a shift however small ranks these."""
    d = np.array([0.0] * 4 + [0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    found = vc.compare(vc.score_matrix(np.stack([1 + d, np.ones(10)], axis=1)), using="wilcoxon(zeros='drop')")
    assert found.p_value == pytest.approx(2 / 2**6)
    assert agrees(found) and 0 < found.interval.low < 1e-6


@pytest.mark.parametrize("using", ["mcnemar", "mcnemar_z", "mcnemar_exact", "mcnemar_midp"])
@pytest.mark.parametrize("score", ["error", "accuracy"])
def test_mcnemar_of_every_small_table(using, score):
    for (n01, n10), of in product(product(range(0, 13, 2), range(0, 13, 3)), (25, 60)):
        for alternative in ALTERNATIVES:
            found = vc.compare(vc.pairs(n01=n01, n10=n10, of=of), score, using=using, alternative=alternative)
            assert agrees(found), (n01, n10, of, alternative)


@pytest.mark.parametrize("using", ["sign", "sign(ties='split')"])
def test_the_sign_test_agrees_without_ties_and_says_where_it_does_not(using):
    random = np.random.default_rng(3)
    for table in tied_tables(300, 4):
        agrees(vc.compare(table, using=using))
    for number in range(6, 14):
        d = random.normal(0.5, 1, number)
        assert agrees(vc.compare(vc.score_matrix(np.stack([d, np.zeros(number)], axis=1)), using=using))


def test_two_proportions_say_where_newcombes_interval_disagrees():
    disagreed = 0
    for first, second in product(range(0, 30, 3), range(0, 40, 3)):
        for alternative in ALTERNATIVES:
            models = {"a": vc.errors(first, of=30), "b": vc.errors(second, of=40)}
            disagreed += not agrees(vc.compare(models, "error", using="two_proportion_z", alternative=alternative))
    assert disagreed  # they are of two methods


@pytest.mark.parametrize("using", ["paired_permutation", "paired_bootstrap(draws=499)"])
def test_tests_by_draws_say_where_their_interval_disagrees(using):
    random = np.random.default_rng(5)
    for _ in range(60):
        truth = random.integers(0, 2, 40)
        a, b = (np.where(random.random(40) < right, truth, 1 - truth) for right in (0.9, 0.72))
        models = {"a": vc.predictions(truth, label=a), "b": vc.predictions(truth, label=b)}
        agrees(vc.compare(models, "error", using=using))


def test_two_proportions_of_groups_are_of_one_law():
    """Equal models reject and leave out 0 about as often, by Student's law in both."""
    random, group, times = np.random.default_rng(0), np.repeat(np.arange(6), 20), 1_500
    rejected = left_out = 0
    for _ in range(times):
        models = {}
        for place, name in enumerate("ab"):
            right = random.random(120) < np.repeat(random.beta(8, 4, 6), 20)
            models[name] = vc.predictions(correct=right.astype(int), groups=group, rows=np.arange(120) + 200 * place)
        found = vc.compare(models, "error", using="two_proportion_z")
        rejected, left_out = rejected + found.rejected, left_out + (0 not in found.interval)
    assert abs(rejected - left_out) / times < 0.01
    assert rejected / times < 0.05 and found.df < 10
