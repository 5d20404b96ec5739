"""Skillings-Mack: friedman without missing cells, printed answers with them, and its size."""

import numpy as np
import pytest

from veracity.comparisons import comparisons
from veracity.core.errors import Refused
from veracity.readers.scores_of_arrays import score_matrix

UNTIED = np.array(
    [
        (0.84, 0.79, 0.89, 0.43),
        (0.57, 0.78, 0.77, 0.93),
        (0.62, 0.87, 0.88, 0.71),
        (0.95, 0.55, 0.49, 0.72),
        (0.84, 0.67, 0.89, 0.90),
        (0.51, 0.63, 0.98, 0.55),
    ]
)


def asked(name, values):
    return comparisons.choose(name)(score_matrix(values))


def missing(*cells):
    values = UNTIED.copy()
    values[tuple(np.transpose(cells))] = np.nan
    return values


def test_printed_answers():
    assert asked("skillings_mack", UNTIED).statistic == pytest.approx(2.0)
    found = asked("skillings_mack", missing((1, 0), (3, 2)))
    assert (found.statistic, found.p_value) == pytest.approx((2.9676, 0.3966), abs=5e-5)
    assert found.df == 3


def test_friedman_without_missing_cells_and_ties():
    values = np.random.default_rng(0).random((9, 5))
    found, known = asked("skillings_mack", values), asked("friedman", values)
    assert (found.statistic, found.p_value, found.df) == pytest.approx((known.statistic, known.p_value, known.df))


def test_a_missing_score_as_the_worst():
    worst = missing((1, 0), (3, 2))
    found = asked("skillings_mack(missing='worst')", worst)
    assert found.statistic == pytest.approx(asked("friedman", np.where(np.isnan(worst), -9, worst)).statistic)


def test_a_data_set_with_one_score_is_left_out():
    lonely = np.vstack([UNTIED, [np.nan, 0.3, np.nan, np.nan]])
    assert asked("skillings_mack", lonely).statistic == pytest.approx(2.0)


def test_learners_that_share_no_data_set_are_refused():
    apart = [(1, 2, np.nan, np.nan), (np.nan, np.nan, 1, 2), (2, 1, np.nan, np.nan)]
    with pytest.raises(Refused, match="learner 1 and learner 3 share no data set"):
        asked("skillings_mack", apart)


def test_it_rejects_at_its_level():
    random = np.random.default_rng(5)
    rejected = []
    for _ in range(1500):
        values = random.random((20, 5))
        values[random.random((20, 5)) < 0.2] = np.nan
        rejected.append(asked("skillings_mack", values).p_value < 0.05)
    assert np.mean(rejected) == pytest.approx(0.05, abs=0.02)
