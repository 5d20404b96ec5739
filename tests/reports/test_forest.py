"""Estimates below each other: every name once, every limit in its place."""

import re

from veracity.reports.svg.forest import LONG, ForestRow, forest
from veracity.reports.svg.paper import THIRD


def words(drawn):
    return re.findall(r"<text[^>]*>([^<]*)<", drawn)


def test_every_row_has_its_name_and_tells_its_numbers():
    rows = [ForestRow(name, 0.5, 0.4, 0.6) for name in ("nb", "tree")]
    drawn = str(forest(rows, "error", "errors"))
    assert [word for word in words(drawn) if word in ("nb", "tree")] == ["nb", "tree"]
    assert "<title>tree: 0.5 [0.4, 0.6]</title>" in drawn


def test_a_long_picture_has_its_numbers_above_too():
    few, many = (str(forest([ForestRow(f"m{i}", i / k) for i in range(k)], "error", "e")) for k in (LONG, LONG + 1))
    assert words(few).count("0.5") == 1 and words(many).count("0.5") == 2


def test_long_names_are_whole_and_all_is_inside():
    names = [f"forest(trees=500, criterion=entropy, features=all, depth={depth})" for depth in range(3)]
    drawn = str(forest([ForestRow(name, 0.1, 0.0, 0.2) for name in names], "error", "errors"))
    said = "".join(words(drawn)).replace(" ", "")
    assert all(name.replace(" ", "") in said for name in names)
    places = [float(x) for x in re.findall(r' (?:x|x1|x2|cx)="([-\d.]+)"', drawn)]
    assert min(places) >= 0 and max(places) <= THIRD


def test_what_is_infinite_or_has_no_limits_is_told_without_a_line():
    drawn = str(forest([ForestRow("a", float("inf")), ForestRow("b", 0.5, float("-inf"), 1.0)], "loss", "losses"))
    assert "infinite" in words(drawn) and "whisker" not in drawn and drawn.count("<circle") == 1
