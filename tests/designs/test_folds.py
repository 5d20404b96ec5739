"""K-fold designs: every row tested once per repeat, sizes, strata, groups and order kept."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.errors import BadInput, Refused
from veracity.designs.make_design import make_design
from veracity.records.design import Rows

seeds = st.integers(0, 2**32)


def assert_once_each(design, repeats):
    for repeat in range(repeats):
        tests = [split.test for split in design.splits if split.repeat == repeat]
        assert sorted(np.concatenate(tests).tolist()) == list(range(design.rows))


@given(st.integers(2, 60), st.data(), seeds)
def test_plain_folds(number, data, seed):
    k, repeats = data.draw(st.integers(2, number)), data.draw(st.integers(1, 3))
    design = make_design(f"repeated_kfold(k={k}, repeats={repeats})", Rows(number), seed)
    assert [(split.repeat, split.fold) for split in design.splits] == [(r, f) for r in range(repeats) for f in range(k)]
    assert_once_each(design, repeats)
    for split in design.splits:
        assert len(split.test) in (number // k, -(-number // k))
        assert sorted([*split.train.tolist(), *split.test.tolist()]) == list(range(number))


@given(st.lists(st.integers(4, 30), min_size=1, max_size=5), st.integers(2, 4), seeds)
def test_strata_are_kept(counts, k, seed):
    classes = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(counts)), counts))
    design = make_design(f"kfold(k={k})", Rows(len(classes), classes), seed)
    assert_once_each(design, 1)
    for split in design.splits:
        share = len(split.test) / len(classes)
        found = np.bincount(classes[split.test], minlength=len(counts))
        assert (np.abs(found - np.array(counts) * share) <= 1).all()
        assert (np.abs(found - np.array(counts) / k) <= 1).all()
        assert len(split.test) in (len(classes) // k, -(-len(classes) // k))


@given(st.lists(st.integers(1, 9), min_size=3, max_size=20), st.integers(2, 3), seeds)
def test_groups_stay_whole_and_folds_near_even(sizes, k, seed):
    groups = np.random.default_rng(seed).permutation(np.repeat(np.arange(len(sizes)), sizes))
    design = make_design(f"repeated_kfold(k={k}, repeats=2)", Rows(len(groups), None, groups * 10 - 5), seed)
    assert_once_each(design, 2)
    for split in design.splits:
        assert not set(groups[split.train]) & set(groups[split.test])
        assert abs(len(split.test) - len(groups) / k) <= max(sizes) + 1


def test_groups_of_one_row_each_are_plain_folds():
    design = make_design("kfold(k=4)", Rows(11, None, np.arange(11)), 5)
    assert sorted(len(split.test) for split in design.splits) == [2, 3, 3, 3]


def test_groups_of_different_sizes_still_vary_between_repeats():
    groups = np.repeat(np.arange(12), np.arange(1, 13))
    design = make_design("repeated_kfold(k=3, repeats=5)", Rows(len(groups), None, groups), 1)
    assert len({split.test.tobytes() for split in design.splits}) > 12


@given(st.lists(st.integers(0, 25), min_size=12, max_size=60), st.integers(2, 4), st.integers(0, 2), seeds)
def test_time_order(times, k, gap, seed):
    time, number = np.array(times), len(times)
    asked, rows, first = f"kfold(k={k}, gap={gap})", Rows(number, None, None, time), -(-number // (k + 1))
    if np.sort(time)[0] == np.sort(time)[first] or gap >= first:  # the first stretch has nothing to train on
        with pytest.raises(Refused, match="no row is left before"):
            make_design(asked, rows, seed)
        return
    design = make_design(asked, rows, seed)
    assert len(design) == k
    tests = np.concatenate([split.test for split in design.splits])
    assert len(set(tests.tolist())) == len(tests) == number - first
    for split in design.splits:
        assert time[split.train].max() < time[split.test].min()
        assert (time < time[split.test].min()).sum() - len(split.train) <= gap
        assert len(split.test) in (number // (k + 1), -(-number // (k + 1)))


def test_time_order_without_ties_trains_on_all_before_the_gap():
    order = np.random.default_rng(0).permutation(20)  # row -> time
    design = make_design("kfold(k=3, gap=2)", Rows(20, None, None, order), 0)
    assert [sorted(order[split.test].tolist()) for split in design.splits] == [
        [*range(5, 10)],
        [*range(10, 15)],
        [*range(15, 20)],
    ]
    assert [sorted(order[split.train].tolist()) for split in design.splits] == [[*range(3)], [*range(8)], [*range(13)]]
    assert not design.notes


def test_rows_of_one_time_are_left_out_and_counted():
    design = make_design("kfold(k=2)", Rows(6, None, None, np.array([0, 1, 1, 1, 2, 3])), 0)
    assert [split.train.tolist() for split in design.splits] == [[0], [0, 1, 2, 3]]
    assert [note.says.split(": ")[-1] for note in design.notes] == ["1"]


def test_dates_are_times():
    days = np.array(["2024-01-03", "2024-01-01", "2024-01-02"], "datetime64[D]")
    (split,) = make_design("holdout", Rows(3, None, None, days), 0).splits
    assert (split.train.tolist(), split.test.tolist()) == ([1, 2], [0])
    with pytest.raises(BadInput, match="time is missing for some rows"):
        make_design("holdout", Rows(3, None, None, np.array(["NaT", "2024-01-01", "2024-01-02"], "datetime64[D]")), 0)


def test_designs_share_their_repeats():
    rows = Rows(50, np.arange(50) % 3)
    prefix = {
        "repeated_kfold(k=5, repeats=4)": [
            "kfold(k=5)",
            "repeated_kfold(k=5, repeats=3)",
            "nested(kfold(k=5), kfold())",
        ],
        "repeated_holdout(repeats=6, test=0.2)": ["holdout(test=0.2)", "repeated_holdout(repeats=2, test=0.2)"],
        "repeated_kfold(k=2, repeats=5)": ["five_by_two", "kfold(k=2)"],
        "bootstrap(draws=9)": ["bootstrap(draws=4)"],
        "paired_subsampling(outer=3, inner=6, test=0.2)": ["repeated_holdout(repeats=6, test=0.2)"],
    }
    for longer, shorter in prefix.items():
        whole = make_design(longer, rows, 3).splits
        for name in shorter:
            for one, other in zip(make_design(name, rows, 3).splits, whole, strict=False):
                assert (one.repeat, one.fold) == (other.repeat, other.fold)
                np.testing.assert_array_equal(one.train, other.train)
                np.testing.assert_array_equal(one.test, other.test)


def test_repeats_differ():
    design = make_design("repeated_kfold(k=5, repeats=10)", Rows(50), 3)
    assert len({split.test.tobytes() for split in design.splits}) == 50


def test_every_row_is_as_likely_in_every_fold():
    rows = Rows(20, np.array([0] * 13 + [1] * 7))
    design = make_design("repeated_kfold(k=4, repeats=2000)", rows, 0)
    times = np.zeros((4, 20))
    for split in design.splits:
        times[split.fold, split.test] += 1
    expected = np.array([[4, 3, 3, 3], [1, 2, 2, 2]])  # some order of these in the four folds
    for of_class in (slice(0, 13), slice(13, 20)):
        share = times[:, of_class] / 2000
        counts = np.round(share.sum(axis=1))
        assert sorted(counts) == sorted(expected[0 if of_class.start == 0 else 1])
        assert np.abs(share - counts[:, None] / share.shape[1]).max() < 0.05


def test_leave_one_out_is_kfold_with_as_many_folds_as_rows():
    left = {split.train.tobytes(): split.test.tolist() for split in make_design("leave_one_out", Rows(9), 0).splits}
    folds = {split.train.tobytes(): split.test.tolist() for split in make_design("kfold(k=9)", Rows(9), 0).splits}
    assert left == folds and len(left) == 9


def test_leave_one_group_out():
    design = make_design("leave_one_out", Rows(6, None, np.array([3, 3, 7, 1, 1, 1])), 0)
    assert [split.test.tolist() for split in design.splits] == [[3, 4, 5], [0, 1], [2]]


@pytest.mark.parametrize(
    ("asked", "rows", "says"),
    [
        ("kfold(k=1)", Rows(9), "9 rows can fall into 2 to 9 folds, not 1"),
        ("kfold(k=10)", Rows(9), "9 rows can fall into 2 to 9 folds, not 10"),
        ("kfold(k=4)", Rows(9, np.array([0] * 6 + [1] * 3)), "rarest class has 3 rows, too few for 4 parts"),
        ("five_by_two", Rows(9, np.array([0] * 8 + [1])), "rarest class has 1 row, too few for 2 parts"),
        ("kfold(k=4)", Rows(9, None, np.arange(9) // 3), "3 groups cannot fill 4 parts: use at most 3"),
        ("kfold(k=4)", Rows(9, None, np.zeros(9)), "1 group cannot fill 4 parts: more groups are needed"),
        ("kfold(k=1)", Rows(9, None, np.zeros(9)), "1 group cannot fill 2 parts: more groups are needed"),
        ("kfold(k=2)", Rows(1), "folds need at least 2 rows, and there is 1"),
        ("kfold(k=10)", Rows(8, np.tile([0, 1], 4)), "8 rows can fall into 2 to 4 folds that hold every class, not 10"),
        ("kfold(k=10)", Rows(8, None, np.tile([0, 1], 4)), "8 rows can fall into 2 folds of whole groups, not 10"),
        ("kfold(k=1)", Rows(9, np.array([0] * 8 + [1])), "rarest class has 1 row, too few for 2 parts: collect"),
        ("kfold(k=9)", Rows(9, None, None, np.arange(9)), "9 rows in time order cannot be cut into 10 stretches"),
        ("kfold(k=2)", Rows(9, None, None, np.zeros(9)), "no row is left before the first test rows"),
        ("kfold(k=2, gap=5)", Rows(9, None, None, np.arange(9)), "no row is left before the first test rows"),
        ("kfold(k=2, gap=1)", Rows(9), "a gap lies between earlier and later rows: it needs time order"),
        ("repeated_kfold", Rows(30, None, None, np.arange(30)), r"nothing to repeat: use kfold\(k=10\)"),
        ("kfold(k=3, stratified=True)", Rows(9), "stratified=True needs a target of classes"),
        ("kfold(k=3, grouped=True)", Rows(9), "grouped=True needs groups"),
        ("kfold(k=3, ordered=True)", Rows(9), "ordered=True needs a time"),
        (
            "kfold(k=3, stratified=True)",
            Rows(9, np.zeros(9), np.arange(9)),
            "cannot be spread evenly while keeping groups whole: .*StratifiedGroupKFold",
        ),
        ("kfold(k=3, stratified='yes')", Rows(9), "stratified must be True, False or 'auto', not 'yes'"),
        ("kfold(k=3)", Rows(9, np.zeros(8, int)), "there are 9 rows but classes has the shape"),
        ("leave_one_out", Rows(3, None, np.zeros(3)), "at least 2 rows or groups, not 1"),
    ],
)
def test_refusals(asked, rows, says):
    with pytest.raises((Refused, BadInput), match=says):
        make_design(asked, rows, 0)


def test_few_rows_for_five_by_two_are_cautioned():
    assert [note.code for note in make_design("five_by_two", Rows(19), 0).notes] == ["few-rows"]
    assert not make_design("five_by_two", Rows(20), 0).notes
    inside = make_design("nested(outer=five_by_two(), inner=kfold(k=2))", Rows(19), 0)
    assert [note.code for note in inside.notes] == ["few-rows"]
