"""Room for words is told a little too large, never too small, and no letter is lost where they break."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextToPath

from veracity.plots.letters import broken, cut, wide

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
    assert drawn(line) <= wide(line) + 0.05


@pytest.mark.parametrize(
    "name",
    ["RandomForestClassifier(n_estimators=500, max_depth=17)", "k-nearest neighbours, k = 5", "weka.trees.J48 -C 0.25"],
)
def test_little_room_is_wasted(name):
    assert wide(name) <= 1.2 * drawn(name)


@given(st.text(max_size=80), st.floats(0.5, 30))
def test_lines_fit_and_no_letter_is_lost(line, most):
    line = " ".join(line.split())
    lines = broken(line, most)
    assert "".join(lines).replace(" ", "") == line.replace(" ", "")
    assert all(wide(each) <= most or len(each) == 1 for each in lines)


def test_numbers_stay_whole_where_there_is_room():
    assert broken("(1.73) svc(c=0.05,gamma=-1.5)", 6) == ("(1.73) svc(", "c=0.05,", "gamma=", "-1.5)")


def test_the_middle_of_an_endless_name_is_cut():
    name = "forest(" + "x" * 300 + ", seed=7)"
    assert cut("short", 20) == "short"
    assert len(cut(name, 21)) == 21 and cut(name, 21).startswith("forest(") and cut(name, 21).endswith("seed=7)")
