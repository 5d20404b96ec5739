"""Nested designs, paired subsampling, and the scheme of Bates and others."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.errors import BadInput, Refused
from veracity.designs import designs
from veracity.designs.folds import folds_left_out
from veracity.designs.make_design import make_design
from veracity.records.design import Rows


def test_nested_keeps_the_outer_splits_and_the_inner_choice():
    design = make_design("nested(outer=kfold(k=5), inner=kfold(k=3))", Rows(40), 2)
    assert design.name == "nested(outer=kfold(k=5), inner=kfold(k=3))"
    assert design.fingerprint == make_design("kfold(k=5)", Rows(40), 2).fingerprint
    assert design.inner == designs.choose("kfold(k=3)")
    assert make_design("kfold(k=5)", Rows(40), 2).inner is None


def test_nested_from_python_takes_texts_and_choices():
    asked = designs["nested"](outer="kfold(k=5)", inner=designs["kfold"](k=3))
    assert make_design(asked, Rows(40), 2).name == "nested(outer=kfold(k=5), inner=kfold(k=3))"
    assert str(make_design(asked, Rows(40), 2).inner) == "kfold(k=3)"
    assert designs.choose("nested(kfold(k=5), kfold(k=3))").spelling == "nested(outer=kfold(k=5), inner=kfold(k=3))"
    with pytest.raises(BadInput, match="nested needs inner"):
        make_design("nested(outer=kfold(k=5))", Rows(40), 2)
    with pytest.raises(BadInput, match="name a design by its text"):
        make_design("nested(outer=kfold(k=5), inner=3)", Rows(40), 2)


@given(st.integers(20, 60), st.integers(1, 4), st.integers(1, 4), st.integers(0, 2**32))
def test_paired_subsampling(number, outer, inner, seed):
    design = make_design(f"paired_subsampling(outer={outer}, inner={inner}, test=0.1)", Rows(number), seed)
    tested = -(-number // 10)
    assert len(design) == inner * (2 * outer + 1)
    assert {len(split.test) for split in design.splits} == {tested}
    full = [split for split in design.splits if str(split.part) == "full"]
    assert len(full) == inner and {len(split.train) for split in full} == {number - tested}
    for pair in range(outer):
        halves = []
        for side in "ab":
            splits = [split for split in design.splits if str(split.part) == f"half {pair} {side}"]
            assert [split.repeat for split in splits] == list(range(inner))
            members = {tuple(sorted([*split.train.tolist(), *split.test.tolist()])) for split in splits}
            assert len(members) == 1  # all hold-outs of a half use the rows of that half
            halves.append(members.pop())
        assert sorted(halves[0] + halves[1]) == list(range(number))
        assert abs(len(halves[0]) - len(halves[1])) <= 1


def test_more_pairs_and_more_hold_outs_keep_the_earlier_ones():
    rows = Rows(40, np.arange(40) % 2)
    small = make_design("paired_subsampling(outer=2, inner=3)", rows, 1).splits
    large = {(s.part, s.repeat): s for s in make_design("paired_subsampling(outer=4, inner=5)", rows, 1).splits}
    for split in small:
        assert split.train.tobytes() == large[split.part, split.repeat].train.tobytes()


def test_halves_keep_classes():
    classes = np.array([0] * 26 + [1] * 14)
    for split in make_design("paired_subsampling(outer=3, inner=3)", Rows(40, classes), 1).splits:
        rows = len(split.train) + len(split.test)
        assert abs((classes[split.test] == 1).sum() - 14 * 4 / 40) < 1.01
        assert (classes[split.train] == 1).sum() + (classes[split.test] == 1).sum() == 14 * rows / 40


@pytest.mark.parametrize(("number", "test"), [(10, 0.5), (11, 0.45), (5, 0.4), (10, 0.7)])
def test_a_test_part_of_half_the_rows_is_refused(number, test):
    with pytest.raises(Refused, match="leave no training row in halves"):
        make_design(f"paired_subsampling(test={test})", Rows(number), 0)


def test_groups_cannot_keep_the_size_of_paired_subsamples():
    with pytest.raises(Refused, match="puts a group on both sides"):
        make_design("paired_subsampling", Rows(40, None, np.arange(40) // 4), 0)


@given(st.integers(3, 7), st.integers(1, 3), st.integers(0, 2**32))
def test_bates(k, repeats, seed):
    rows = Rows(5 * k + 2, np.arange(5 * k + 2) % 2)
    design = make_design(f"nested_cv_bates(k={k}, repeats={repeats})", rows, seed)
    assert len(design) == repeats * (k + k * (k - 1) // 2)
    folds = {(s.repeat, s.fold): set(s.test.tolist()) for s in design.splits if str(s.part) == "one out"}
    assert len(folds) == k * repeats
    pairs = set()
    for split in design.splits:
        out = folds_left_out(split)
        assert set(split.test.tolist()) == set.union(*(folds[split.repeat, fold] for fold in out))
        assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(len(rows)))
        if len(out) == 2:
            assert str(split.part) == f"two out {out[0]} {out[1]}" and out[0] < out[1] < k
            pairs.add((split.repeat, out))
    assert len(pairs) == repeats * k * (k - 1) // 2


def test_models_that_leave_one_fold_out_are_those_of_repeated_kfold():
    rows = Rows(30, np.arange(30) % 3)
    one = [
        s.train.tobytes()
        for s in make_design("nested_cv_bates(k=4, repeats=3)", rows, 5).splits
        if str(s.part) == "one out"
    ]
    assert one == [s.train.tobytes() for s in make_design("repeated_kfold(k=4, repeats=3)", rows, 5).splits]


def test_two_folds_cannot_both_be_left_out():
    with pytest.raises(Refused, match="at least 3 folds, not 2"):
        make_design("nested_cv_bates(k=2)", Rows(20), 0)


def test_resubstitution():
    (split,) = make_design("resubstitution", Rows(4, None, np.zeros(4), np.arange(4)), 0).splits
    assert split.train.tolist() == split.test.tolist() == [0, 1, 2, 3]
