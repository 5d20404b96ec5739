"""Hold-outs and three-way splits: sizes, strata, groups, order."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from veracity.core.errors import BadInput, Refused
from veracity.designs.make_design import make_design
from veracity.records.design import Rows

seeds = st.integers(0, 2**32)


@given(st.integers(2, 200), st.integers(1, 99), seeds)
def test_the_size_is_the_share_rounded_up(number, percent, seed):
    tested = math.ceil(number * percent / 100)  # exact: a whole number over 100
    if tested == number:
        with pytest.raises(Refused, match="leaves no row to train on"):
            make_design(f"holdout(test={percent / 100})", Rows(number), seed)
        return
    (split,) = make_design(f"holdout(test={percent / 100})", Rows(number), seed).splits
    assert len(split.test) == tested and len(split.train) == number - tested
    assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(number))


def test_a_share_means_what_is_written():
    assert math.ceil(0.07 * 100) == 8  # the trap
    assert len(make_design("holdout(test=0.07)", Rows(100), 0).splits[0].test) == 7
    assert len(make_design("holdout", Rows(100), 0).splits[0].test) == 34


@given(st.lists(st.integers(3, 40), min_size=1, max_size=5), st.sampled_from([0.1, 0.25, 0.3]), seeds)
def test_strata_are_kept_in_all_three_parts(counts, share, seed):
    classes = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    assume(len(classes) > 5)
    (split,) = make_design(f"three_way(validation={share}, test=0.3)", Rows(len(classes), classes), seed).splits
    parts = (split.train, split.validation, split.test)
    assert sorted(np.concatenate(parts).tolist()) == list(range(len(classes)))
    for part in parts:
        found = np.bincount(classes[part], minlength=len(counts))
        assert (np.abs(found - np.array(counts) * len(part) / len(classes)) <= 1).all()


@given(st.lists(st.integers(1, 9), min_size=3, max_size=20), st.sampled_from([0.1, 0.333, 0.6]), seeds)
def test_whole_groups_come_near_the_share(sizes, share, seed):
    groups = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    assume(math.ceil(share * len(groups)) < len(groups))
    for split in make_design(
        f"repeated_holdout(repeats=3, test={share})", Rows(len(groups), None, groups), seed
    ).splits:
        assert len(split.train) and len(split.test)
        assert not set(groups[split.train]) & set(groups[split.test])
        assert abs(len(split.test) - math.ceil(share * len(groups))) < max(sizes)


def test_two_unequal_groups_give_one_each():
    groups = np.repeat([0, 1], [90, 10])
    found = {len(split.test) for split in make_design("repeated_holdout", Rows(100, None, groups), 0).splits}
    assert found == {10, 90}


def test_time_order_tests_the_last_rows():
    time = np.array([5, 3, 8, 1, 9, 2])
    (split,) = make_design("holdout(test=0.333, gap=1)", Rows(6, None, None, time), 0).splits
    assert time[split.test].tolist() == [8, 9] and sorted(time[split.train].tolist()) == [1, 2, 3]
    (split,) = make_design("three_way(validation=0.3, test=0.3)", Rows(6, None, None, time), 0).splits
    assert sorted(time[split.test].tolist()) == [8, 9]
    assert sorted(time[split.validation].tolist()) == [3, 5] and sorted(time[split.train].tolist()) == [1, 2]


def test_three_ways_in_time_with_ties_and_groups():
    rows = Rows(9, None, np.array([0, 1, 2, 0, 3, 4, 3, 5, 6]), np.array([0, 1, 2, 3, 3, 4, 5, 5, 6]))
    design = make_design("three_way(validation=0.333, test=0.333)", rows, 0)
    (split,) = design.splits
    assert split.test.tolist() == [6, 7, 8]
    assert split.validation.tolist() == [3, 5]  # row 4 has the group of row 6
    assert split.train.tolist() == [1, 2]  # row 0 has the group of row 3
    assert [note.code for note in design.notes] == ["left-out-in-time"] and design.notes[0].says.endswith("later: 2")


def test_ignoring_time_or_groups_must_be_said_and_is_noted():
    rows = Rows(30, None, np.arange(30) // 3, np.arange(30))
    design = make_design("holdout(grouped=False, ordered=False)", rows, 0)
    assert {note.code for note in design.notes} == {"group-on-both-sides", "out-of-time-order"}
    assert all("in 1 of 1 split a " in note.says for note in design.notes)
    assert design.name == "holdout(test=0.333, grouped=False, ordered=False)"


def test_hold_outs_are_independent():
    design = make_design("repeated_holdout(repeats=4000, test=0.25)", Rows(8), 0)
    tested = np.zeros((4000, 8), bool)
    for split in design.splits:
        tested[split.repeat, split.test] = True
    assert np.abs(tested.mean(axis=0) - 0.25).max() < 0.03
    both = (tested[:-1] & tested[1:]).mean()
    assert abs(both - 0.0625) < 0.01


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("holdout(test=0)", "test=0 of 10 rows is no row"),
        ("holdout(test=-0.5)", "test=-0.5 of 10 rows is no row"),
        ("holdout(test=1)", "test=1 of 10 rows leaves no row to train on"),
        ("holdout(test=0.95)", "leaves no row to train on"),
        ("holdout(test='many')", "test is a share of the rows such as 0.2, not 'many'"),
        ("holdout(test=True)", "test is a share of the rows"),
        ("repeated_holdout(repeats=0)", "repeats must be at least 1, not 0"),
        ("three_way(validation=0.5, test=0.5)", "test=0.5 and validation=0.5 of 10 rows leaves no row to train on"),
    ],
)
def test_refusals(asked, says):
    with pytest.raises((Refused, BadInput), match=says):
        make_design(asked, Rows(10), 0)


def test_repeated_hold_outs_in_time_are_refused():
    with pytest.raises(Refused, match="nothing to repeat: use holdout, or ordered=False"):
        make_design("repeated_holdout", Rows(30, None, None, np.arange(30)), 0)


@pytest.mark.parametrize("by", ["holdout(test=35)", "repeated_holdout(test=35)"])
def test_a_number_of_rows_in_place_of_a_share_is_refused_with_the_share_to_write(by):
    with pytest.raises(Refused, match="test is a share of the rows below 1, not 35: for 35 of 145 rows write") as why:
        make_design(by, Rows(145), 0)
    share = str(why.value).rpartition("=")[2]
    assert len(make_design(by.replace("35", share), Rows(145), 0).splits[0].test) == 35
