"""A curve on a page: values that are no numbers at their places, bands that end where nothing is known."""

import re
from dataclasses import replace

import numpy as np

from veracity.findings.curve import Curve, Line
from veracity.reports.svg.chart import chart

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
    down = replace(BAND, low=np.array([0.0, 0.5, 0.5, 0.5]), high=X + 1)
    drawn = str(chart(replace(NAMED, guides=(down,), log_y=True)))
    (band,) = re.findall(r'<path d="([^"]*)" class="band"', drawn)
    assert band.count("L") == 7
