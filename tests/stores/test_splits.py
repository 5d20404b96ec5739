"""Designs come back split by split, from few bytes."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from veracity.records.design import Design, Split, SplitPart
from veracity.stores.plan import pack_design, unpack_design

PARTS = [SplitPart(), SplitPart("a"), SplitPart("half", (3,), "a"), SplitPart("two out", (0, 12))]
ROWS = st.lists(st.integers(0, 29), max_size=40).map(lambda rows: np.array(rows, np.int64))
SPLITS = st.builds(Split, ROWS, ROWS, st.integers(0, 3), st.integers(0, 9), st.sampled_from(PARTS), st.none() | ROWS)


def folds(rows, k, repeats):
    for repeat in range(repeats):
        order = np.random.default_rng(repeat).permutation(rows)
        for fold in range(k):
            test = np.sort(order[fold::k])
            yield Split(np.setdiff1d(np.arange(rows), test), test, repeat, fold)


@given(st.lists(SPLITS, max_size=5).map(tuple))
def test_any_splits_come_back(splits):
    design = Design("any", 3, 30, splits)
    found = unpack_design("any", *pack_design(design))
    assert found.fingerprint == design.fingerprint
    assert [(s.repeat, s.fold, s.part) for s in found.splits] == [(s.repeat, s.fold, s.part) for s in splits]
    assert not any(split.train.flags.writeable for split in found.splits)


def test_parts_are_texts_in_the_store():
    rows = np.arange(2)
    splits = tuple(Split(rows, rows, part=part) for part in PARTS)
    described, _ = pack_design(Design("any", 3, 30, splits))
    assert json.loads(described)["parts"] == ["", "a", "half 3 a", "two out 0 12"]


def test_ten_times_ten_folds_of_10000_rows_are_small():
    design = Design("repeated_kfold(k=10, repeats=10)", 0, 10_000, tuple(folds(10_000, 10, 10)))
    described, packed = pack_design(design)
    assert len(described) + len(packed) < 90_000  # of 8,000,000
    assert unpack_design(design.name, described, packed).fingerprint == design.fingerprint


def test_training_rows_out_of_order_stay_so():
    design = Design("d", 0, 4, (Split(np.array([3, 1, 2]), np.array([0])), Split(np.array([1, 2, 3]), np.array([0]))))
    found = unpack_design("d", *pack_design(design))
    assert [split.train.tolist() for split in found.splits] == [[3, 1, 2], [1, 2, 3]]
