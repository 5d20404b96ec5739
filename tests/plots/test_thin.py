"""Thinned lines look the same: extremes of every column stay."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from veracity.plots.thin import COLUMNS, GRID, thinned, thinned_cloud


def test_short_lines_stay_as_they_are():
    x = np.arange(100.0)
    assert thinned(x, x)[0] is x


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_column_keeps_its_lowest_and_highest_point(seed, rising):
    random = np.random.default_rng(seed)
    x, y = np.sort(random.random(20_000) ** 2), random.normal(size=20_000)
    x = x if rising else x[::-1]
    few = thinned(x, y)
    assert len(few[0]) <= 4 * COLUMNS
    assert set(zip(*few, strict=True)) <= set(zip(x, y, strict=True))
    column = lambda side: np.minimum((side - x.min()) / np.ptp(x) * COLUMNS, COLUMNS - 1).astype(int)  # noqa: E731
    for edge, start in ((np.minimum, np.inf), (np.maximum, -np.inf)):
        whole, kept = np.full(COLUMNS, start), np.full(COLUMNS, start)
        edge.at(whole, column(x), y)
        edge.at(kept, column(few[0]), few[1])
        assert np.array_equal(whole, kept)
    assert (few[0][0], few[0][-1]) == (x[0], x[-1])


def test_order_along_the_line_stays():
    x = np.linspace(0, 1, 100_000)
    few = thinned(x, np.sin(40 * x))
    assert (np.diff(few[0]) > 0).all()


def test_gaps_stay_gaps():
    x = np.linspace(0, 1, 50_000)
    y = np.where((x > 0.4) & (x < 0.6), np.nan, x)
    few = thinned(x, y)
    assert np.isnan(few[1]).any()
    assert np.nanmax(few[1][few[0] < 0.5]) == y[x <= 0.4][-1] and np.nanmin(few[1][few[0] > 0.5]) == y[x >= 0.6][0]


def test_a_cloud_keeps_every_occupied_cell():
    random = np.random.default_rng(1)
    x, y = random.normal(size=(2, 300_000))
    few = thinned_cloud(x, y)
    cells = [
        {
            (int(a * GRID), int(b * GRID))
            for a, b in zip((u - x.min()) / np.ptp(x), (v - y.min()) / np.ptp(y), strict=True)
        }
        for u, v in ((x, y), few)
    ]
    assert len(cells[0]) == len(cells[1]) and len(few[0]) <= GRID**2
