import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from veracity.kernels.hull import upper_chain

grids = st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=20)


def is_vertex(point, points):
    """Above every chord between two others that spans it, and the highest of its column."""
    x, y = point
    if any(px == x and py > y for px, py in points):
        return False
    left, right = ([p for p in points if p[0] < x], [p for p in points if p[0] > x])
    return all((y - a[1]) * (b[0] - a[0]) > (b[1] - a[1]) * (x - a[0]) for a in left for b in right)


@given(grids)
def test_agrees_with_comparing_every_chord(points):
    # as curves do: one start below left, one end at the top right
    every = sorted({*points, (0, 0), (8, 8)})
    x, y = (np.array(side, float) for side in zip(*every, strict=True))
    found = {every[i] for i in upper_chain(x, y)}
    expected = {point for point in every if is_vertex(point, every)}
    assert found == expected | {(0, 0)}


def test_compiled_and_plain_agree():
    random = np.random.default_rng(0)
    x, y = np.sort(random.random(300)), np.sort(random.random(300))
    assert upper_chain.compiled(x, y).tolist() == upper_chain.function(x, y).tolist()
