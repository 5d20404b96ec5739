import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.curves.costs import ROUNDING, dominance, gaps, roc_hull, verdict
from veracity.evidence.make_predictions import predictions
from veracity.findings.curve import Line

counts = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=8)


def line(*points, name="m"):
    x, y = zip(*points, strict=True)
    return Line(name, np.array(x, float), np.array(y, float))


def polyline(blocks, name):
    """A ROC curve from (positive, negative) counts per block, one more of each to end with."""
    steps = np.array([(0, 0), *blocks, (1, 1)]).cumsum(0)
    return Line(name, steps[:, 1] / steps[-1, 1], steps[:, 0] / steps[-1, 0])


def dominates(a, b):
    """At least as high at every false positive rate of both curves, and higher somewhere."""
    _, gap = gaps(a, b)
    return bool((gap >= -ROUNDING).all() and (gap > ROUNDING).any())


LOW = line((0, 0), (0.5, 0.5), (1, 1), name="low")
HIGH = line((0, 0), (0, 0.3), (0.5, 0.8), (1, 1), name="high")
EARLY = line((0, 0), (0, 0.6), (1, 1), name="early")
LATE = line((0, 0), (0.4, 0.4), (0.4, 1), (1, 1), name="late")


def test_higher_everywhere_dominates():
    assert dominates(HIGH, LOW) and not dominates(LOW, HIGH)
    assert verdict(HIGH, LOW).relation == "dominates"
    assert verdict(LOW, HIGH).relation == "is dominated"
    assert str(verdict(LOW, HIGH)).startswith("high dominates low")


def test_crossing_is_found_where_it_happens():
    found = verdict(EARLY, LATE)
    assert found.relation == "cross" and found.crossings == (0.4,)
    assert "cross at false positive rate 0.4" in str(found)


def test_crossing_inside_straight_parts():
    steep, flat = line((0, 0), (0.2, 0.8), (1, 1)), line((0, 0), (0, 0.5), (0.8, 1), (1, 1))
    rates = verdict(steep, flat).crossings
    assert len(rates) == 2 and 0 < rates[0] < 0.2 < rates[1] < 0.8
    assert np.interp(rates, steep.x, steep.y) == pytest.approx([0.5 + rate * 0.5 / 0.8 for rate in rates])


def test_a_rise_at_the_last_moment_does_not_hide_what_came_before():
    jump = line((0, 0), (0.5, 0.5), (0.5, 1), (1, 1))
    straight = line((0, 0), (0.5, 0.6), (1, 1))
    assert not dominates(jump, straight)  # just before 0.5 it is lower, though not at any vertex's highest point
    assert verdict(jump, straight).crossings == (0.5,)


def test_curves_that_run_together_before_they_cross():
    a = line((0, 0), (0, 0.5), (0.2, 0.6), (0.4, 0.7), (1, 1))
    b = line((0, 0), (0.2, 0.6), (0.4, 0.7), (0.5, 0.9), (1, 1))
    assert verdict(a, b).crossings == pytest.approx((0.4,))


@given(counts, counts)
def test_dominance_is_an_order(first, second):
    a, b = polyline(first, "a"), polyline(second, "b")
    assert not dominates(a, a)
    assert not (dominates(a, b) and dominates(b, a))
    mirror = {"dominates": "is dominated", "is dominated": "dominates", "cross": "cross", "equal": "equal"}
    assert verdict(b, a).relation == mirror[verdict(a, b).relation]
    assert (verdict(a, b).relation == "dominates") == dominates(a, b)


@given(counts, counts)
def test_agrees_with_a_fine_grid(first, second):
    a, b = polyline(first, "a"), polyline(second, "b")
    grid = np.linspace(0, 1, 997)[1:-1]
    gap = np.interp(grid, a.x, a.y) - np.interp(grid, b.x, b.y)
    relation = verdict(a, b).relation
    if (gap > 1e-9).any() and (gap < -1e-9).any():
        assert relation == "cross"
    if dominates(a, b):
        assert (gap >= -1e-9).all()


def test_of_two_models():
    y = [1, 1, 0, 1, 0, 0]
    good = predictions(y, value=[6.0, 5, 3, 4, 2, 1], positive=1, name="good")
    poor = predictions(y, value=[6.0, 3, 5, 4, 2, 1], positive=1, name="poor")
    assert str(dominance(good, poor)).startswith("good dominates poor")
    assert dominance(good, good).relation == "equal"
    assert roc_hull({"good": good, "poor": poor}).facts["dominance"] == dominance(good, poor)
