"""Hull kernels against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.kernels import sweep
from veracity.kernels.hull import upper_chain

blocks = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12).filter(
    lambda pairs: all(sum(pair) for pair in pairs)
)


def corners(pairs):
    """The running sums, from nothing selected on."""
    return np.concatenate([[(0, 0)], np.cumsum(pairs, 0)]).T.astype(float)


def hull_height(x, y, at):
    """Upper hull by brute force: the highest chord over any point."""
    chords = [
        y[i] + (y[j] - y[i]) * (at - x[i]) / (x[j] - x[i]) if x[j] > x[i] else max(y[i], y[j])
        for i in range(len(x))
        for j in range(i, len(x))
        if x[i] <= at <= x[j]
    ]
    return max(chords)


@given(blocks)
def test_hull_area_is_that_under_the_highest_chords(pairs):
    y, x = corners(pairs)
    edges = np.unique(x)
    inner = [hull_height(x, y, at) for at in edges]
    area = np.trapezoid(inner, edges) if len(edges) > 1 else 0.0
    positives, negatives = np.array(pairs).T
    assert sweep.hull_area(positives[None], negatives[None])[0] == pytest.approx(area)


@given(blocks)
def test_blocks_of_one_edge_end_at_one_vertex(pairs):
    positives, negatives = np.array(pairs).T
    last = sweep.hull_blocks(positives[None], negatives[None])[0]
    assert (np.diff(last) >= 0).all() and (last >= np.arange(len(last))).all() and last[-1] == len(last) - 1
    pooled = [np.bincount(last, part, len(last))[None] for part in (positives, negatives)]
    assert sweep.rank_area(*pooled)[0] == pytest.approx(sweep.hull_area(positives[None], negatives[None])[0])


def test_a_hull_with_more_vertices_than_the_first_stack():
    steps = np.arange(1, 1_301)
    positives, negatives = steps[::-1][None], steps[None]
    assert sweep.hull_area(positives, negatives)[0] == pytest.approx(sweep.rank_area(positives, negatives)[0])


def test_points_on_an_edge_are_no_vertices():
    assert upper_chain(np.array([0.0, 1, 2, 3]), np.array([0.0, 1, 2, 2])).tolist() == [0, 2, 3]
