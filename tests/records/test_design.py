"""A split's part is a value, and a text where it is stored or read; training rows are counted as one by one."""

from collections import Counter

import numpy as np
import pytest

from veracity.records.design import Design, Split, SplitPart

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


@pytest.mark.parametrize("rows", [7, 3_000, 6_000])  # many splits at once, a few, and one by one
@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_training_rows_are_counted_split_by_split(rows, kind):
    draw = np.random.default_rng(rows)
    trains = [np.sort(draw.integers(0, rows, size)).astype(kind) for size in (rows, 1, rows // 2, 2 * rows, 3)]
    tests = [np.flatnonzero(draw.random(rows) < 0.3) for _ in trains]
    design = Design("own", 0, rows, tuple(map(Split, trains, tests)))
    drawn = [Counter(train.tolist()) for train in trains]
    times = [of[row] for of, test in zip(drawn, tests, strict=True) for row in test.tolist()]
    assert design.times_drawn.tolist() == times
    assert design.tests_trained == any(times)
    assert [split.test.tolist() for split in design.fresh.splits] == [
        [row for row in test.tolist() if not of[row]] for of, test in zip(drawn, tests, strict=True)
    ]
    assert not any(split.test.flags.writeable for split in design.fresh.splits)
    assert [split.learned_from for split in design.splits] == list(map(len, drawn))
    codes = draw.integers(0, 4, rows).astype(np.int8)
    shown = [Counter(codes[train].tolist()) for train in trains]
    counted = [of.tolist() for some in design.training_counts(codes, 4) for of in some]
    assert counted == [[of[k] for k in range(4)] for of in shown]
