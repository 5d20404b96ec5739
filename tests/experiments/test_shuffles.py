"""What trades places, and what stays."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import veracity as vc
from veracity.experiments.permutation_test import check_shuffle, shuffle_data
from veracity.readers.read_data import data_of

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(40, 3))
Y = np.repeat([0, 1], [25, 15])
GROUPS = np.arange(40) // 5


def rows_as_a_set(table):
    return {tuple(row) for row in np.asarray(table).tolist()}


def test_draw_0_is_the_data_itself():
    data = data_of(X, Y)
    assert shuffle_data(data, "labels", 0, 0) is data


def test_rows_of_features_trade_places_and_targets_stay():
    data = data_of(X, Y)
    found = shuffle_data(data, "labels", 0, 1)
    assert found.truth is data.truth
    assert rows_as_a_set(found.features) == rows_as_a_set(X)
    assert not np.array_equal(found.features, X)


def test_draws_depend_on_seed_and_number_alone():
    data = data_of(X, Y)
    first, again, other, seeded = (
        shuffle_data(data, "labels", *which).features for which in ((0, 5), (0, 5), (0, 6), (1, 5))
    )
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other) and not np.array_equal(first, seeded)


def test_whole_groups_trade_labels():
    data = data_of(X, (GROUPS % 2), groups=GROUPS)
    found = shuffle_data(data, "labels", 0, 1)
    assert found.features is data.features
    labels = found.truth.reshape(8, 5)
    assert (labels == labels[:, :1]).all() and labels[:, 0].sum() == 4
    assert not np.array_equal(found.truth, data.truth)


@pytest.mark.parametrize("make", [np.asarray, lambda x: pd.DataFrame(x, columns=["a", "b", "c"])])
def test_within_classes_each_feature_is_shuffled_by_itself(make):
    found = np.asarray(shuffle_data(data_of(make(X), Y), "within_class", 0, 1).features)
    for code in (0, 1):
        for column in range(3):
            assert sorted(found[code == Y, column]) == sorted(X[code == Y, column])
    assert not rows_as_a_set(found) & rows_as_a_set(X)


@pytest.mark.parametrize(
    ("data", "kind", "says"),
    [
        (data_of(X, Y), "rows", "kind is 'labels' or 'within_class', not 'rows'"),
        (data_of(X, Y, time=np.arange(40)), "labels", "time order"),
        (data_of(X, Y, weights=np.ones(40) * 2), "labels", "weights"),
        (data_of(X, Y, groups=np.arange(40) // 10), "labels", "row 25 has another label"),
        (data_of(X, Y, groups=GROUPS), "within_class", "different groups"),
        (data_of(X, X[:, 0]), "within_class", "the target is of numbers"),
        (data_of(X[:, :1], Y), "within_class", "one feature only"),
        (data_of(scipy.sparse.csr_array(X), Y), "within_class", "not sparse"),
        (data_of(X, np.append(Y[:-1], 2)), "within_class", "at least 2 rows of each class"),
    ],
)
def test_what_cannot_be_shuffled_is_refused(data, kind, says):
    with pytest.raises((vc.Refused, vc.BadInput)) as told:
        check_shuffle(data, kind)
    assert says in str(told.value)
