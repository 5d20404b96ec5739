"""A curve on a page: values that are no numbers at their places, bands that end where nothing is known."""

import re
from dataclasses import replace

import numpy as np
import pytest

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
    assert len(corners_of(band)) == 4 and band.endswith("z")
    assert len(re.findall(r'<rect [^>]*width="4"[^>]*class="band"', drawn)) == 1


def test_a_band_that_reaches_zero_goes_down_to_a_logarithmic_axis():
    down = replace(BAND, low=np.array([0.0, 0.5, 0.4, 0.5]), high=X + 1)
    drawn = str(chart(replace(NAMED, guides=(down,), log_y=True)))
    (band,) = re.findall(r'<path d="([^"]*)" class="band"', drawn)
    assert len(corners_of(band)) == 8


def test_a_line_is_written_by_its_corners():
    """Points straight between others and repeated ones are left out; turns, turns back and gaps stay."""
    frame = Frame((0, 10), (0, 10), width=100, height=100, left=0, right=0, top=0, bottom=0)
    x, y = np.array([[0, 0], [1, 0], [1, 0], [3, 0], [3, 2], [5, 4], [6, 5], [4, 3], [4, np.nan], [7, 7], [8, 8]]).T
    drawn = str(path(frame, x, y, "line"))
    assert drawn == '<path d="M0 100h30v-20l30-30l-20 20M70 30l10-10" class="line"/>'
    assert str(path(frame, x[:0], y[:0], "line")) == '<path d="" class="line"/>'
    assert 'd="M10 100"' in str(path(frame, x[1:3], y[1:3], "line"))


def corners_of(way):
    """The corners of a path that does not break, in pixels."""
    place, corners = np.zeros(2), []
    for letter, numbers in re.findall(r"([Mlhv])([^a-zA-Z]*)", way):
        step = np.array(re.findall(r"-?(?:\d+(?:\.\d)?|\.\d)", numbers), float)
        far = {"h": [*step, 0], "v": [0, *step]}.get(letter, step)
        place = place + far
        corners.append(place)
    return np.array(corners)


def furthest(places, corners):
    """How far the furthest place lies from the line through the corners."""
    starts, ways = corners[:-1], np.diff(corners, axis=0)
    share = ((places[:, None] - starts) * ways).sum(axis=2) / (ways**2).sum(axis=1)
    nearest = starts + np.clip(share, 0, 1)[..., None] * ways
    return np.hypot(*np.moveaxis(places[:, None] - nearest, 2, 0)).min(axis=1).max()


@pytest.mark.parametrize("size", [0.03, 0.3, 3, 30])
@pytest.mark.parametrize("shape", ["stairs", "walk", "circle", "zigzag"])
def test_corners_draw_what_all_points_draw(shape, size):
    """No place is half a pixel from the line, whose corners are places; a smooth line has few."""
    random = np.random.default_rng(3)
    x, y = {
        "stairs": np.cumsum(random.integers(0, 2, (2, 500)), axis=1),
        "walk": np.cumsum(random.normal(size=(2, 500)), axis=1),
        "circle": 40 * np.array([np.sin(np.arange(500) / 20), np.cos(np.arange(500) / 20)]),
        "zigzag": np.array([np.arange(500) % 2 * np.arange(500) / 9, np.arange(500) / 9]),
    }[shape] * size
    frame = Frame((0, 1000), (0, 1000), width=1000, height=1000, left=0, right=0, top=0, bottom=0)
    (way,) = re.findall(r'd="([^"]*)"', str(path(frame, x, y, "line")))
    places, corners = np.column_stack([x, 1000 - y]), corners_of(way)
    assert furthest(places, corners) < 0.5
    assert all(np.hypot(*(places - corner).T).min() < 0.1 for corner in corners)
    assert len(corners) < {"stairs": 60, "circle": 60}.get(shape, 501) or size > 0.1
