"""One comparison and a table of comparisons are read by the same words."""

import pytest

import veracity as vc

SCORES = [[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.6, 0.5], [0.9, 0.7, 0.8]]
WORDS = ("a", "b", "using", "difference", "interval", "p_value", "adjusted_p_value", "rejected", "verdict")


@pytest.fixture(scope="module")
def several():
    return vc.compare(vc.score_matrix(SCORES, ["x", "y", "z"]), using="sign")


@pytest.fixture(scope="module")
def one():
    return vc.compare(vc.score_matrix([row[:2] for row in SCORES], ["x", "y"]), using="sign")


def test_one_comparison_is_read_as_a_table(one):
    assert one["x", "y"] is one[0] is one
    assert [*one] == [one] and len(one) == 1 and one.rows == (one,)
    with pytest.raises(vc.BadInput, match="the pair y, x was not compared: there are x, y"):
        one["y", "x"]


@pytest.mark.parametrize("word", WORDS)
def test_a_table_of_one_pair_has_what_the_pair_has(several, word):
    pair = several["x", "z"]
    alone = vc.Comparisons((pair,))
    assert getattr(alone, word) == getattr(pair, word)


@pytest.mark.parametrize("word", WORDS)
def test_several_pairs_say_how_to_name_one(several, word):
    with pytest.raises(vc.BadInput, match=rf"3 comparisons have no {word} together: name one of them.*\['x', 'y'\]"):
        getattr(several, word)


def test_a_table_of_no_pair_has_nothing_to_name():
    with pytest.raises(vc.BadInput, match=r"0 comparisons have no p_value together: name one of them$"):
        vc.Comparisons(()).p_value  # noqa: B018
