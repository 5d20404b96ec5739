"""A curve on a page: values that are no numbers at their places, bands that end where nothing is known."""

import re
from dataclasses import replace

import numpy as np

from veracity.findings.curve import Curve, Line
from veracity.reports.svg.chart import chart
from veracity.reports.svg.paper import Frame, path

X = np.arange(1.0, 5)
LOW = np.array([1, 1, np.nan, 1])
BAND = Line("95% interval", X, X, low=LOW, high=LOW + 1, style="band", of="a")
NAMED = Curve("validation", "Title", "depth", "error", (Line("a", X, X),), x_range=(0.5, 4.5))


def ticks(drawn):
    """The places and words of the ticks of the horizontal axis that stand side by side."""
    return re.findall(r'<text x="([\d.]+)" y="[\d.]+" class="tick" text-anchor="middle">([^<]*)<', drawn)


def test_the_values_are_the_ticks_at_the_points():
    drawn = str(chart(replace(NAMED, x_names=("1", "5", "8", "<None>"))))
    places, names = zip(*ticks(drawn), strict=True)
    assert names == ("1", "5", "8", "&lt;None&gt;")
    assert len(set(np.diff(np.array(places, float)).round())) == 1


def test_long_values_are_turned_and_the_chart_is_higher():
    few, long = (str(chart(replace(NAMED, x_names=names))) for names in (("a", "b", "c", "d"), ("squared_error",) * 4))
    assert long.count("rotate(-90)") == few.count("rotate(-90)") + 4 and not ticks(long)
    tall = [float(re.search(r' height="(\d+)', drawn)[1]) for drawn in (few, long)]
    assert tall[1] > tall[0] + 50


def test_a_band_ends_before_a_place_without_interval():
    drawn = str(chart(replace(NAMED, guides=(BAND,))))
    (band,) = re.findall(r'<path d="([^"]*)" class="band"', drawn)
    assert band.count("M") == 1 and band.count("L") == 3 and band.endswith("Z")
    assert len(re.findall(r'<rect [^>]*width="4"[^>]*class="band"', drawn)) == 1


def test_a_band_that_reaches_zero_goes_down_to_a_logarithmic_axis():
    down = replace(BAND, low=np.array([0.0, 0.5, 0.4, 0.5]), high=X + 1)
    drawn = str(chart(replace(NAMED, guides=(down,), log_y=True)))
    (band,) = re.findall(r'<path d="([^"]*)" class="band"', drawn)
    assert band.count("L") == 7


def test_a_line_is_written_by_its_corners():
    """Points straight between others and repeated ones are left out; turns, turns back and gaps stay."""
    frame = Frame((0, 10), (0, 10), width=100, height=100, left=0, right=0, top=0, bottom=0)
    x, y = np.array([[0, 0], [1, 0], [1, 0], [3, 0], [3, 2], [5, 4], [6, 5], [4, 3], [4, np.nan], [7, 7], [8, 8]]).T
    drawn = str(path(frame, x, y, "line"))
    assert drawn == '<path d="M0 100L30 100L30 80L60 50L40 70M70 30L80 20" class="line"/>'
    assert str(path(frame, x[:0], y[:0], "line")) == '<path d="" class="line"/>'
    assert 'd="M10 100"' in str(path(frame, x[1:3], y[1:3], "line"))


def test_corners_draw_what_all_points_draw():
    """Every point of a staircase lies on the line of its corners, and between neighbours it goes straight."""
    random = np.random.default_rng(3)
    x, y = np.cumsum(random.integers(0, 2, (2, 500)), axis=1)
    frame = Frame((0, 500), (0, 500), width=5000, height=5000, left=0, right=0, top=0, bottom=0)
    drawn = np.array(re.findall(r"[ML]([\d.]+) ([\d.]+)", str(path(frame, x, y, "line"))), float)
    corners = drawn / 10 * [1, -1] + [0, 500]
    assert len(corners) < 400
    along = corners.sum(axis=1)  # grows at every step
    for side, places in zip((x, y), corners.T, strict=True):
        assert np.allclose(np.interp(x + y, along, places), side)
