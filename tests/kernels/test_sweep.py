"""Hull kernels against the definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.kernels import sweep
from veracity.kernels.sweep import upper_chain

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


def area_under_hull(positives, negatives):
    """By the vertices that the kernel gives."""
    _, tall, wide = sweep.hull(positives[None], negatives[None])
    return np.trapezoid(np.append(0, tall[0]), np.append(0, wide[0]))


@given(blocks)
def test_hull_area_is_that_under_the_highest_chords(pairs):
    y, x = corners(pairs)
    edges = np.unique(x)
    inner = [hull_height(x, y, at) for at in edges]
    area = np.trapezoid(inner, edges) if len(edges) > 1 else 0.0
    assert area_under_hull(*np.array(pairs).T) == pytest.approx(area)


@given(blocks)
def test_hull_vertices_are_ends_of_blocks(pairs):
    positives, negatives = np.array(pairs).T
    last, tall, wide = (part[0] for part in sweep.hull(positives[None], negatives[None]))
    assert last[-1] == len(pairs) - 1
    assert tall.tolist() == np.cumsum(positives)[last].tolist()
    assert wide.tolist() == np.cumsum(negatives)[last].tolist()


def test_a_hull_with_more_vertices_than_the_first_room():
    steps = np.arange(1, 1_301)
    positives, negatives = steps[::-1], steps
    area = sweep.rank_area(positives[None], negatives[None])[0]
    assert area_under_hull(positives, negatives) == pytest.approx(area)
    two = [np.stack([part, part[::-1]]) for part in (positives, negatives)]
    last, tall, _ = sweep.hull(*two)
    assert last.shape == (2, 1300) and (last[1] == 1299).all() and (tall[1] == positives.sum()).all()


def test_points_on_an_edge_are_no_vertices():
    assert upper_chain(np.array([0.0, 1, 2, 3]), np.array([0.0, 1, 2, 2])).tolist() == [0, 2, 3]


grids = st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=20)


def is_vertex(point, points):
    """Above every chord between two others that spans it, and the highest of its column."""
    x, y = point
    if any(px == x and py > y for px, py in points):
        return False
    left, right = ([p for p in points if p[0] < x], [p for p in points if p[0] > x])
    return all((y - a[1]) * (b[0] - a[0]) > (b[1] - a[1]) * (x - a[0]) for a in left for b in right)


@given(grids)
def test_the_chain_agrees_with_comparing_every_chord(points):
    # as curves do: one start below left, one end at the top right
    every = sorted({*points, (0, 0), (8, 8)})
    x, y = (np.array(side, float) for side in zip(*every, strict=True))
    found = {every[i] for i in upper_chain(x, y)}
    expected = {point for point in every if is_vertex(point, every)}
    assert found == expected | {(0, 0)}


def test_the_compiled_and_the_plain_chain_agree():
    random = np.random.default_rng(0)
    x, y = np.sort(random.random(300)), np.sort(random.random(300))
    assert upper_chain.compiled(x, y).tolist() == upper_chain.function(x, y).tolist()


@pytest.mark.parametrize("positives", [[[0, 0, 0]], [[0, 1, 2]]])
def test_blocks_that_a_replicate_lacks_are_no_best_threshold(positives):
    """Nothing is divided by the rows of a first block that has none, whether or not positive rows follow."""
    positives = np.array(positives)
    given = positives, np.array([[0, 2, 1]]), positives.sum(1, dtype=float), 1.0
    plain, compiled = sweep.best_f(*given), sweep.best_f.compiled(*given)
    assert (plain == compiled).all() and plain[0, 0] == pytest.approx(2 * positives.sum() / (positives.sum() + 6) or 0)
