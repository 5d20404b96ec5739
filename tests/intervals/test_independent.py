"""Differences of two shares of different rows: limits, mirrors and refusals."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.notes import check
from veracity.evidence.interval_evidence import Proportion, Shares
from veracity.intervals.proportions import newcombe, wald_difference

SHARE = st.tuples(st.integers(0, 60), st.integers(0, 60)).filter(lambda x: sum(x) > 0)


def shares(first, second):
    return Shares(*(Proportion(hits, hits + misses) for hits, misses in (first, second)))


@pytest.mark.parametrize("entry", [wald_difference, newcombe], ids=lambda e: e.name)
@given(first=SHARE, second=SHARE)
def test_limits_hold_the_difference_and_mirror(entry, first, second):
    s = shares(first, second)
    one, other = entry.function(s, Confidence()), entry.function(shares(second, first), Confidence())
    assert one.low - 1e-9 <= s.difference <= one.high + 1e-9
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)


@given(SHARE, SHARE)
def test_newcombe_stays_among_possible_differences(first, second):
    found = newcombe.function(shares(first, second), Confidence(0.999))
    assert -1 - 1e-9 <= found.low <= found.high <= 1 + 1e-9


@given(SHARE, SHARE)
def test_wald_is_refused_just_where_its_width_is_zero(first, second):
    assume(min(sum(first), sum(second)) > 0)
    s = shares(first, second)
    found = wald_difference.function(s, Confidence())
    refused = any(limit.weight == "refuse" and limit.when(s) for limit in wald_difference.limits)
    assert refused is (found.high - found.low == 0)


def test_same_rows_are_refused():
    s = Shares(Proportion(12, 40), Proportion(20, 50), same=True)
    for entry in (wald_difference, newcombe):
        with pytest.raises(Refused, match="mcnemar_midp"):
            check(entry.limits, s)


@pytest.mark.parametrize("entry", [wald_difference, newcombe], ids=lambda e: e.name)
def test_a_share_of_no_rows_is_refused_whatever_is_accepted(entry):
    models = {
        name: vc.predictions([0, 0, 0, 1], label=said, positive=1)
        for name, said in (("a", [0] * 4), ("b", [0, 1, 0, 1]))
    }
    with pytest.raises(vc.Refused, match="no row to count for one of the models"):
        vc.compare(models, "precision", interval=entry.name, anyway=True)


def test_a_bound_of_level_one_half_is_the_share_itself():
    """Quantiles of both laws are 0 there, and their ratio is none."""
    p = vc.predictions([0, 0, 1, 1, 1, 0], label=[0, 1, 1, 1, 0, 0], groups=[0, 0, 1, 1, 2, 2])
    found = vc.estimate(p, "error", level=0.5, side="lower")["error"]
    assert found.interval is not None and found.interval.low == pytest.approx(found.value)
