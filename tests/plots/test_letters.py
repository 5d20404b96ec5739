"""Room for words is told a little too large, never too small, and no letter is lost where they break."""

import string
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

import veracity as vc
from veracity.findings.curve import Curve, Line
from veracity.plots.letters import LONGEST_PLACE, break_lines, cut, place_names, text_width

SIZE = 100


def drawn(line: str) -> float:
    """The true width in sizes of the letters."""
    return (
        TextToPath().get_text_width_height_descent(line, FontProperties(family=["DejaVu Sans"], size=SIZE), False)[0]
        / SIZE
    )


@given(
    st.text(string.digits + string.ascii_letters + string.punctuation.replace("$", "") + " ", min_size=1, max_size=60)
)
def test_no_line_is_wider_than_told(line):
    assert drawn(line) <= text_width(line) + 0.05


@pytest.mark.parametrize(
    "name",
    ["RandomForestClassifier(n_estimators=500, max_depth=17)", "k-nearest neighbours, k = 5", "weka.trees.J48 -C 0.25"],
)
def test_little_room_is_wasted(name):
    assert text_width(name) <= 1.2 * drawn(name)


@given(st.text(max_size=80), st.floats(0.5, 30))
def test_lines_fit_and_no_letter_is_lost(line, most):
    line = " ".join(line.split())
    lines = break_lines(line, most)
    assert "".join(lines).replace(" ", "") == line.replace(" ", "")
    assert all(text_width(each) <= most or len(each) == 1 for each in lines)


def test_numbers_stay_whole_where_there_is_room():
    assert break_lines("(1.73) svc(c=0.05,gamma=-1.5)", 6) == ("(1.73) svc(", "c=0.05,", "gamma=", "-1.5)")


def test_the_middle_of_an_endless_name_is_cut():
    name = "forest(" + "x" * 300 + ", seed=7)"
    assert cut("short", 20) == "short"
    assert len(cut(name, 21)) == 21 and cut(name, 21).startswith("forest(") and cut(name, 21).endswith("seed=7)")


def chart(*names):
    x = np.arange(1.0, len(names) + 1)
    lines = (Line("test rows", x, x), Line("training rows", x, x / 2))
    return Curve("validation", "Title", "depth", "error", lines, x_range=(0.5, len(names) + 0.5), x_names=names)


def test_names_that_fit_stand_side_by_side():
    found = place_names(["1", "5", "None"], 30)
    assert found.names == {1: "1", 2: "5", 3: "None"} and not found.upright and found.deeper == 0


def test_names_that_would_touch_are_turned_and_long_ones_cut():
    found = place_names(["squared_error", "a" * 50], 20)
    assert found.upright and found.deeper > 5
    assert found.names[1] == "squared_error" and len(found.names[2]) <= LONGEST_PLACE and "…" in found.names[2]


def test_of_too_many_names_some_are_shown_at_their_own_places():
    found = place_names([str(number) for number in range(1, 101)], 30)
    assert len(found.names) < 30 and all(float(name) == place for place, name in found.names.items())


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
