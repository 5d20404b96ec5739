"""One is singular; none and several are plural."""

from veracity.core.counting import many


def test_many():
    assert [many(number, "split") for number in (0, 1, 2)] == ["0 splits", "1 split", "2 splits"]
