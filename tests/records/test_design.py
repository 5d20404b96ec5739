"""A split's part is a value, and a text where it is stored or read."""

import pytest

from veracity.records.design import SplitPart

TEXTS = {
    "": SplitPart(),
    "full": SplitPart("full"),
    "half 3 a": SplitPart("half", (3,), "a"),
    "one out": SplitPart("one out"),
    "two out 0 12": SplitPart("two out", (0, 12)),
    "out of the draw": SplitPart("out of the draw"),
}


@pytest.mark.parametrize(("text", "part"), TEXTS.items())
def test_parts_and_their_texts(text, part):
    assert SplitPart.parse(text) == part and str(part) == text
    assert bool(part) == bool(text)
