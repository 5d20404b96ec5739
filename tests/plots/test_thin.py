"""Thinned lines look the same: extremes of every column stay."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.plots.chart_layout import COLUMNS, GRID, thin_cloud, thin_line


def test_short_lines_stay_as_they_are():
    x = np.arange(100.0)
    assert thin_line(x, x)[0] is x


@settings(max_examples=20)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_column_keeps_its_lowest_and_highest_point(seed, rising):
    random = np.random.default_rng(seed)
    x, y = np.sort(random.random(6_000) ** 2), random.normal(size=6_000)
    x = x if rising else x[::-1]
    few = thin_line(x, y)
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
    few = thin_line(x, np.sin(40 * x))
    assert (np.diff(few[0]) > 0).all()


def test_gaps_stay_gaps():
    x = np.linspace(0, 1, 50_000)
    y = np.where((x > 0.4) & (x < 0.6), np.nan, x)
    few = thin_line(x, y)
    assert np.isnan(few[1]).any()
    assert np.nanmax(few[1][few[0] < 0.5]) == y[x <= 0.4][-1] and np.nanmin(few[1][few[0] > 0.5]) == y[x >= 0.6][0]


def cells_of(x, y, low, wide):
    return {tuple(cell) for cell in ((np.stack([x, y], 1) - low) / wide * GRID).astype(int).tolist()}


def test_a_cloud_keeps_every_occupied_cell_and_counts_its_points():
    points = np.random.default_rng(1).normal(size=(40_000, 2))
    x, y, number = thin_cloud(*points.T)
    low, wide = points.min(0), np.ptp(points, 0) * (1 + 1e-9)
    assert cells_of(x, y, low, wide) == cells_of(*points.T, low, wide)
    assert number.sum() == 40_000 and len(x) <= GRID**2


def test_a_small_cloud_stays_as_it_is():
    x, y, number = thin_cloud(np.array([1.0, np.nan, 2.0]), np.array([3.0, 4.0, 5.0]))
    assert x.tolist() == [1, 2] and y.tolist() == [3, 5] and number.tolist() == [1, 1]
