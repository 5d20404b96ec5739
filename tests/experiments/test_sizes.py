"""Nested subsets of training parts."""

import numpy as np
import pytest
from sklearn.datasets import load_iris, load_wine

import veracity as vc
from veracity.designs.make_design import make_design
from veracity.experiments.risk_curves import check_cuttable, shorten_training, training_sizes, with_training_tested
from veracity.readers.read_data import data_of
from veracity.records.design import Rows

X, Y = load_wine(return_X_y=True)
DATA = data_of(X, Y)


def design(by="kfold(k=5)", data=DATA, groups=None, time=None):
    return make_design(by, Rows(len(data), data.truth, groups, time), 3)


def test_subsets_are_nested_and_test_rows_stay():
    whole = design()
    small, large = shorten_training(whole, DATA, [20, 60], 3)
    for first, second, full in zip(small.splits, large.splits, whole.splits, strict=True):
        assert len(first.train) == 20 and len(second.train) == 60
        assert set(first.train) < set(second.train) < set(full.train)
        assert np.array_equal(first.test, full.test)


def test_the_largest_size_is_the_design_itself():
    whole = design("holdout(test=0.25)")
    (same,) = shorten_training(whole, DATA, [len(whole.splits[0].train)], 3)
    assert same.fingerprint == whole.fingerprint


@pytest.mark.parametrize("size", [10, 31, 77])
def test_classes_keep_their_shares(size):
    whole = design()
    (cut,) = shorten_training(whole, DATA, [size], 0)
    for split, full in zip(cut.splits, whole.splits, strict=True):
        expected = size * np.bincount(DATA.truth[full.train]) / len(full.train)
        assert np.abs(np.bincount(DATA.truth[split.train], minlength=3) - expected).max() <= 1


def test_groups_are_taken_whole():
    groups = np.arange(len(Y)) // 6
    data = data_of(X, Y, groups=groups)
    (cut,) = shorten_training(design(data=data, groups=groups), data, [60], 0)
    for split in cut.splits:
        taken = np.bincount(groups[split.train])
        assert (~np.isin(taken, (0, 6))).sum() <= 2  # only the last group may be cut, and one of the data is short


def test_in_time_the_latest_rows_are_taken():
    time = np.arange(len(Y))
    random = np.random.default_rng(0).permutation(len(Y))
    data = data_of(X[random], Y[random], time=time)
    (cut,) = shorten_training(design(data=data, time=time), data, [20], 0)
    for split in cut.splits:
        assert np.array_equal(split.train, np.arange(split.test.min() - 20, split.test.min()))


def test_sizes_are_rows_or_shares():
    assert training_sizes([50, 0.1, 1.0, 0.5], 100) == [10, 50, 100]
    assert training_sizes(7, 100) == [7]


@pytest.mark.parametrize(
    ("sizes", "says"),
    [
        ([], "names no size"),
        ([101], "more than the 100 training rows"),
        ([0], "in (0, 1]"),
        ([1.5], "in (0, 1]"),
        ([-3], "in (0, 1]"),
        ([True], "in (0, 1]"),
        ("all", "in (0, 1]"),
    ],
)
def test_sizes_that_cannot_be(sizes, says):
    with pytest.raises(vc.BadInput) as told:
        training_sizes(sizes, 100)
    assert says in str(told.value)


def test_a_size_that_misses_a_class_names_the_smallest_that_does_not():
    with pytest.raises(vc.Refused, match=r"size 2 is too small to show all 3 classes .* begin with (\d+) rows") as told:
        shorten_training(design(), DATA, [2, 50], 0)
    least = int(str(told.value).split()[-2])
    shorten_training(design(), DATA, [least], 0)
    with pytest.raises(vc.Refused):
        shorten_training(design(), DATA, [least - 1], 0)


def test_no_size_is_advised_that_the_smallest_training_part_has_not():
    time = np.arange(120)
    early = data_of(X[:120], (time < 10).astype(int), time=time)  # one class is seen in the first rows only
    with pytest.raises(vc.Refused, match="every split has only 20: use `by='holdout'`"):
        shorten_training(design(data=early, time=time), early, [2, 10], 0)
    alone = design("holdout", early, time=time)
    shorten_training(alone, early, [len(alone.splits[0].train)], 0)


@pytest.mark.parametrize("by", ["bootstrap(draws=5)", "resubstitution", "paired_subsampling(outer=2, inner=2)"])
def test_designs_that_cannot_be_cut(by):
    with pytest.raises(vc.Refused, match="use a design such as"):
        check_cuttable(design(by))


def test_training_rows_are_tested_once_each():
    drawn = with_training_tested(design("bootstrap(draws=3)"))
    for split in drawn.splits:
        assert np.array_equal(split.test, np.unique(split.train))


def test_subsets_depend_on_the_seed():
    iris = data_of(*load_iris(return_X_y=True))
    whole = design(data=iris)
    first, again, other = (shorten_training(whole, iris, [30], seed)[0].fingerprint for seed in (0, 0, 1))
    assert first == again != other
