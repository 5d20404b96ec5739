"""A band ends where an interval is missing, and one place between two gaps is seen."""

import numpy as np

import veracity as vc
from veracity.findings.curve import Curve, Line

X = np.arange(1.0, 7)
LOW = np.array([1, 1, np.nan, 1, np.nan, np.nan])
BAND = Line("95% interval", X, X, low=LOW, high=LOW + 2, style="band", of="a")


def test_a_band_ends_before_a_place_without_interval():
    ax = vc.plot(Curve("validation", "Title", "x", "y", (Line("a", X, X),), guides=(BAND,)))
    filled, alone = ax.collections
    corners = [path.vertices for path in filled.get_paths() if np.ptp(path.vertices[:, 0]) > 0]
    assert [(part[:, 0].min(), part[:, 0].max()) for part in corners] == [(1, 2)]
    (stroke,) = alone.get_segments()
    assert stroke.tolist() == [[4, 1], [4, 3]]


def test_a_band_without_gaps_is_one_piece():
    whole = Line("95% interval", X, X, low=X - 1, high=X + 1, style="band", of="a")
    ax = vc.plot(Curve("validation", "Title", "x", "y", (Line("a", X, X),), guides=(whole,)))
    (filled,) = ax.collections
    assert len(filled.get_paths()) == 1
