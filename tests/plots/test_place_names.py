"""Names along an axis: each at its place, turned where they would touch, fewer where they could not be read."""

from itertools import pairwise

import numpy as np
import pytest

import veracity as vc
from veracity.findings.curve import Curve, Line
from veracity.plots.place_names import LONGEST, place_names


def chart(*names):
    x = np.arange(1.0, len(names) + 1)
    lines = (Line("test rows", x, x), Line("training rows", x, x / 2))
    return Curve("validation", "Title", "depth", "error", lines, x_range=(0.5, len(names) + 0.5), x_names=names)


def test_names_that_fit_stand_side_by_side():
    found = place_names(["1", "5", "None"], 30)
    assert found.shown == {1: "1", 2: "5", 3: "None"} and not found.turned and found.deeper == 0


def test_names_that_would_touch_are_turned_and_long_ones_cut():
    found = place_names(["squared_error", "a" * 50], 20)
    assert found.turned and found.deeper > 5
    assert found.shown[1] == "squared_error" and len(found.shown[2]) <= LONGEST and "…" in found.shown[2]


def test_of_too_many_names_some_are_shown_at_their_own_places():
    found = place_names([str(number) for number in range(1, 101)], 30)
    assert len(found.shown) < 30 and all(float(name) == place for place, name in found.shown.items())


@pytest.mark.parametrize(
    "names", [("1", "5", "None"), ("squared_error", "friedman_mse", "absolute_error", "poisson"), ("$a", "b\nc")]
)
def test_the_values_are_the_ticks_and_hide_nothing(names):
    ax = vc.plot(chart(*names))
    ax.figure.draw_without_rendering()
    assert list(ax.get_xticks()) == list(range(1, len(names) + 1))
    shown = [label.get_text().replace("\\", "") for label in ax.get_xticklabels()]
    assert shown == [" ".join(name.split()) for name in names]
    boxes = [label.get_window_extent() for label in ax.get_xticklabels()]
    assert not any(one.overlaps(other) for one, other in pairwise(boxes))
    title = ax.xaxis.get_label().get_window_extent()
    assert title.y1 <= min(box.y0 for box in boxes) + 1
    assert ax.get_legend().get_window_extent().y1 <= title.y0
    assert ax.figure.bbox.y0 <= ax.get_legend().get_window_extent().y0
