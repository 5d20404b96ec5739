"""Training sets as splits of one design."""

import numpy as np
import pytest

import veracity as vc
from veracity.experiments.bias_variance import fresh_training_sets, resampled_training_sets
from veracity.readers.read_data import data_of

DATA = data_of(np.arange(30.0)[:, None], np.arange(30.0))
TEST = np.arange(0, 30, 3)


class Line:
    def draw(self, rows, seed):
        x = np.random.default_rng(seed).random((rows, 1))
        return x, x[:, 0]


@pytest.mark.parametrize(("by", "rows", "different"), [("bootstrap", 20, False), ("subsample", 10, True)])
def test_test_rows_never_train(by, rows, different):
    design = resampled_training_sets(DATA, TEST, 50, by, 0)
    assert len(design) == 50
    for split in design.splits:
        assert len(split.train) == rows and not np.isin(split.train, TEST).any()
        assert np.array_equal(split.test, TEST)
    assert all(len(np.unique(split.train)) == rows for split in design.splits) is different
    assert len({split.train.tobytes() for split in design.splits}) == 50


def test_more_draws_begin_with_the_same_ones():
    few, many = (resampled_training_sets(DATA, TEST, draws, "bootstrap", 0) for draws in (3, 9))
    assert all(np.array_equal(a.train, b.train) for a, b in zip(few.splits, many.splits, strict=False))


def test_fresh_training_sets_are_disjoint_and_tested_on_the_same_rows():
    x, y, design = fresh_training_sets(Line(), 5, 7, 4, 0)
    assert len(x) == len(y) == 4 * 5 + 7 and len(np.unique(y)) == len(y)
    assert np.array_equal(np.concatenate([split.train for split in design.splits]), np.arange(20))
    assert all(np.array_equal(split.test, np.arange(20, 27)) for split in design.splits)


def test_what_cannot_be_drawn():
    with pytest.raises(vc.BadInput, match="by is 'bootstrap' or 'subsample', not 'kfold'"):
        resampled_training_sets(DATA, TEST, 5, "kfold", 0)
    grouped = data_of(np.zeros((30, 1)), np.arange(30.0), groups=np.arange(30) // 3)
    with pytest.raises(vc.Refused, match="not independent"):
        resampled_training_sets(grouped, TEST, 5, "bootstrap", 0)
