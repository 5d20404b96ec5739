"""Bootstrap designs: n rows drawn, the others test."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.errors import Refused
from veracity.designs.make_design import make_design
from veracity.records.design import Rows


@given(st.integers(2, 40), st.integers(0, 2**32))
def test_train_has_n_rows_and_test_the_rest(number, seed):
    for split in make_design("bootstrap(draws=5)", Rows(number), seed).splits:
        assert len(split.train) == number
        assert set(split.test.tolist()) == set(range(number)) - set(split.train.tolist()) != set()


@pytest.mark.parametrize("number", [5, 50, 1000])
def test_the_share_out_of_bag(number):
    design = make_design("bootstrap(draws=400)", Rows(number), 1)
    share = np.mean([len(split.test) for split in design.splits]) / number
    never_empty = 1 - np.prod(np.arange(1, number + 1) / number)  # draws that leave out nothing are drawn again
    assert share == pytest.approx((1 - 1 / number) ** number / never_empty, abs=0.025)
    assert number < 1000 or share == pytest.approx(0.368, abs=0.005)


def test_redrawn_draws_are_counted():
    (note,) = make_design("bootstrap(draws=200)", Rows(2), 0).notes
    assert note.code == "redrawn"
    assert 120 < int(note.says.split()[0]) < 290  # half of all draws of two rows leave out nothing: 200 on average
    assert not make_design("bootstrap(draws=50)", Rows(50), 0).notes


def test_whole_groups_are_drawn():
    groups = np.array([0, 0, 0, 1, 2, 2, 3])
    for split in make_design("bootstrap(draws=30)", Rows(7, None, groups), 0).splits:
        times = np.bincount(split.train, minlength=7)
        assert all(len(set(times[groups == group])) == 1 for group in range(4))
        assert sum(times[[0, 3, 4, 6]]) == 4
        assert split.test.tolist() == np.flatnonzero(times == 0).tolist()


def test_one_row_or_group_is_refused():
    for rows in (Rows(1), Rows(3, None, np.zeros(3))):
        with pytest.raises(Refused, match="at least 2 rows or groups"):
            make_design("bootstrap", rows, 0)
