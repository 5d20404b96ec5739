"""One is singular; none and several are plural."""

from veracity.core.words import plural


def test_many():
    assert [plural(number, "split") for number in (0, 1, 2)] == ["0 splits", "1 split", "2 splits"]
