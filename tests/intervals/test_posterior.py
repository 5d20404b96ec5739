"""The shortest posterior interval: its mass, its ends, and its one-sided bounds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals.proportions import isaksson

AT = Confidence(0.95)


@given(rows=st.integers(1, 300), share=st.floats(0, 1), level=st.floats(0.5, 0.99))
def test_holds_the_level_with_equal_density_at_both_ends(rows, share, level):
    hits = round(share * rows)
    law = beta(hits + 1, rows - hits + 1)
    found = isaksson.function(Proportion(hits, rows), Confidence(level))
    assert law.cdf(found.high) - law.cdf(found.low) == pytest.approx(level, abs=1e-7)
    equal = isaksson.function(Proportion(hits, rows), Confidence(level), tails="equal")
    assert found.high - found.low <= equal.high - equal.low + 1e-9
    if 0 < hits < rows:
        assert law.pdf(found.low) == pytest.approx(law.pdf(found.high), rel=1e-4)


def test_reaches_the_end_where_all_rows_are_alike():
    assert isaksson.function(Proportion(0, 20), AT).low == 0
    assert isaksson.function(Proportion(20, 20), AT).high == 1


def test_a_one_sided_bound_leaves_the_whole_miss_on_its_side():
    p, law = Proportion(0, 20), beta(1, 21)
    assert law.cdf(isaksson.function(p, Confidence(0.95, "upper")).high) == pytest.approx(0.95)


def test_unknown_tails():
    with pytest.raises(BadInput, match="'hpd' or 'equal'"):
        isaksson.function(Proportion(3, 25), AT, tails="both")
