"""Paired differences of accuracies: the score test that Tango inverts, mirrors, and models that never disagree."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from veracity.core.confidence import Confidence
from veracity.evidence.same_rows import Pairs
from veracity.intervals import intervals
from veracity.intervals.proportions import paired_wald, tango

NAMES = ["paired_wald", "newcombe_paired", "tango", "bonett_price"]
COUNTS = st.integers(0, 40)


def limits(name, pairs, level=0.95):
    return intervals[name].function(pairs, Confidence(level))


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_naming_the_models_the_other_way_round_mirrors_the_limits(a, b, c, d):
    assume(a + b + c + d > 0)
    pairs = Pairs(a, b, c, d)
    for name in NAMES:
        one, other = limits(name, pairs), limits(name, pairs.swap())
        assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_limits_hold_the_difference_and_widen_with_the_level(a, b, c, d):
    assume(a + b + c + d > 0)
    pairs = Pairs(a, b, c, d)
    for name in ("paired_wald", "newcombe_paired", "tango"):  # bonett_price is centred elsewhere
        near, far = limits(name, pairs, 0.8), limits(name, pairs, 0.99)
        assert far.low - 1e-9 <= near.low <= pairs.difference + 1e-9
        assert pairs.difference - 1e-9 <= near.high <= far.high + 1e-9


def likeliest(pairs, difference):
    """Tango's variance by brute force: the most likely chance of 'only the second' given the difference."""
    q = np.linspace(max(0, -difference), (1 - difference) / 2, 400_001)[1:-1]
    rest = pairs.both + pairs.neither
    found = (
        pairs.first_only * np.log(q + difference) + pairs.second_only * np.log(q) + rest * np.log1p(-2 * q - difference)
    )
    return q[found.argmax()]


@pytest.mark.parametrize("counts", [(60, 15, 5, 20), (10, 3, 1, 6), (30, 1, 12, 7)])
def test_tango_inverts_the_score_test(counts):
    pairs, at = Pairs(*counts), Confidence()
    found = tango.function(pairs, at)
    for limit, sign in ((found.low, 1), (found.high, -1)):
        q = likeliest(pairs, limit)
        score = (pairs.difference - limit) * sqrt(pairs.rows) / sqrt(2 * q + limit * (1 - limit))
        assert score == pytest.approx(sign * at.z, abs=1e-3)


@given(st.integers(1, 500))
def test_tango_of_models_that_never_disagree(rows):
    """The score test then has the closed form z^2 / (rows + z^2)."""
    at = Confidence()
    found = tango.function(Pairs(rows, 0, 0, 0), at)
    assert (found.low, found.high) == pytest.approx((-found.high, at.z**2 / (rows + at.z**2)), abs=1e-9)


@given(COUNTS, COUNTS)
def test_tango_excludes_zero_just_when_mcnemar_z_rejects(b, c):
    assume(b + c > 0)
    found = tango.function(Pairs(20, b, c, 10), Confidence())
    rejects = abs(b - c) / sqrt(b + c) > Confidence().z
    assert (found.low > 0 or found.high < 0) is rejects


def test_wald_is_refused_where_its_width_is_zero():
    assert any(limit.weight == "refuse" and limit.when(Pairs(5, 0, 0, 5)) for limit in paired_wald.limits)
    assert not any(limit.when(Pairs(5, 1, 0, 5)) for limit in paired_wald.limits)
