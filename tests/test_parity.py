"""How results beside those of peers are judged; the peers themselves are compared by `make parity`."""

import math

import pytest

from bench.parity import __main__ as parity
from bench.parity.row import Row, compare


@pytest.mark.parametrize(
    ("difference", "because", "verdict"),
    [
        (0.0, "", "same"),
        (0.1, "another divisor", "explained"),
        (0.1, "", "DIFFERS WITHOUT AN EXPLANATION"),
        (0.0, "another divisor", "SAME, though a difference is explained"),
    ],
)
def test_a_row_is_sound_if_it_is_the_same_or_explained(difference, because, verdict):
    row = Row("ours", "theirs", 1, difference, because)
    assert row.verdict == verdict and row.sound == (verdict in ("same", "explained"))


def test_nothing_is_far_from_a_number():
    assert compare("a", "b", [1], lambda t: math.nan, lambda t: 0.0).difference == math.inf
    assert compare("a", "b", [1], lambda t: math.nan, lambda t: math.nan).difference == 0
    assert compare("a", "b", [1], lambda t: [1, 2], lambda t: [1, 2, 3]).difference == math.inf


def test_a_peer_that_raises_is_told():
    row = compare("a", "b", [1], lambda t: 1, lambda t: 1 / 0)
    assert row.verdict == "DID NOT RUN: ZeroDivisionError: division by zero" and not row.sound


def test_a_peer_that_is_not_installed_is_told_in_one_line(monkeypatch, capsys):
    monkeypatch.setitem(parity.PEERS, "scipy", "of_nobody")
    sections, rows, absent = parity.measure(["scipy"])
    assert not sections and not rows and len(absent) == 1
    assert capsys.readouterr().out.startswith("scipy is not installed, so it was not compared: ")


def test_results_are_those_of_scipy():
    from bench.parity import scipy_stats

    assert [row for row in scipy_stats.rows() if not row.sound] == []
