"""Signed ranks: exact laws against all sign patterns, all zero rules, and scipy."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from veracity.comparisons.friedman import mid_ranks
from veracity.comparisons.wilcoxon import signed_ranks
from veracity.core.errors import BadInput

ZEROS = ("split", "drop", "pratt")
small = st.lists(st.integers(-4, 4), min_size=1, max_size=9)


def by_enumeration(d, zeros):
    """Every pattern of signs of the nonzero differences, as likely as any other."""
    d = np.array(d, float)
    if zeros == "drop":
        d = d[d != 0]
    if zeros == "split" and (d == 0).sum() % 2:
        d = np.delete(d, np.flatnonzero(d == 0)[0])
    ranks = stats.rankdata(np.abs(d)) if len(d) else np.zeros(0)
    moving, still = ranks[d != 0], ranks[d == 0].sum() / 2 if zeros == "split" else 0.0
    plus, minus = ranks[d > 0].sum() + still, ranks[d < 0].sum() + still
    sums = [moving[np.array(signs, bool)].sum() + still for signs in product([0, 1], repeat=len(moving))]
    chance = np.mean(np.array(sums) <= min(plus, minus) + 1e-9) if len(moving) else 1.0
    return plus, minus, min(1.0, 2 * chance)


@pytest.mark.parametrize("zeros", ZEROS)
@given(d=small)
def test_every_pattern_of_signs(zeros, d):
    found = signed_ranks(np.array(d, float), zeros)
    assert (found.plus, found.minus, found.p_values(exact=True).two_sided) == pytest.approx(
        by_enumeration(d, zeros), abs=1e-12
    )


@given(st.lists(st.integers(-1000, 1000).filter(bool), min_size=2, max_size=40, unique_by=abs))
def test_scipy_agrees_where_nothing_ties(d):
    expected = stats.wilcoxon(d, method="exact")
    found = signed_ranks(np.array(d, float))
    assert found.smaller == expected.statistic
    assert found.p_values(exact=True).two_sided == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize(("zeros", "scipy_name"), [("drop", "wilcox"), ("pratt", "pratt")])
def test_scipy_agrees_with_the_normal_law(zeros, scipy_name):
    d = np.round(np.random.default_rng(0).normal(0.2, 1, 60), 1)
    assert (d == 0).any()
    expected = stats.wilcoxon(d, zero_method=scipy_name, method="approx", correction=False)
    assert signed_ranks(d, zeros).p_values(exact=False).two_sided == pytest.approx(expected.pvalue, rel=1e-9)


@given(small)
def test_the_two_sums_are_all_ranks_and_change_places_with_the_sign(d):
    one, other = signed_ranks(np.array(d, float)), signed_ranks(-np.array(d, float))
    assert (one.plus, one.minus) == (other.minus, other.plus)
    ranked = len(d) - d.count(0) % 2
    assert one.plus + one.minus == ranked * (ranked + 1) / 2


def test_differences_that_only_rounding_tells_apart_tie():
    values = np.array([0.3 - 0.1, 0.9 - 0.7, 0.2, 0.5])
    assert len(set(values[:3])) > 1
    assert mid_ranks(values).tolist() == [2, 2, 2, 4]
    assert mid_ranks(np.array([np.inf, 1.0, np.inf])).tolist() == [2.5, 1, 2.5]


def test_exact_and_normal_meet_at_two_hundred():
    found = signed_ranks(np.random.default_rng(2).normal(0.15, 1, 200))
    assert found.p_values(exact=True).two_sided == pytest.approx(found.p_values(exact=False).two_sided, rel=0.02)
    assert found.p_values().two_sided == found.p_values(exact=True).two_sided


def test_other_zero_rules_there_are_none():
    with pytest.raises(BadInput, match="'split', 'drop' or 'pratt'"):
        signed_ranks(np.ones(3), "ignore")


@pytest.mark.parametrize("zeros", ZEROS)
def test_it_never_rejects_more_often_than_its_level(zeros):
    d = np.round(np.random.default_rng(3).normal(size=(1500, 12)), 1)
    p = np.array([signed_ranks(row, zeros).p_values().two_sided for row in d])
    assert np.mean(p < 0.05) < 0.05 + 3 * 0.0056
