"""A matrix of scores: differences that mean something, parts, and what is missing."""

import numpy as np
import pytest

from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.records.arrays import freeze


def matrix(values, better="higher"):
    values = np.array(values, float)
    names = tuple("abcdef"[: values.shape[1]])
    return ScoreMatrix(freeze(values), names, tuple(map(str, range(len(values)))), better)


def test_what_rounding_keeps_from_zero_is_zero():
    m = matrix([[0.1 + 0.2, 0.3], [1e-17, 0.0], [0.5, 0.4], [np.inf, np.inf], [np.inf, 1.0]])
    assert m.difference.tolist() == [0, 0, pytest.approx(0.1), 0, np.inf]


def test_a_small_scale_is_not_lost_beside_a_large_one():
    m = matrix([[1e6, 2e6], [2e-5, 1e-5]])
    assert m.difference.tolist() == [-1e6, 1e-5]


def test_wins_follow_what_is_better():
    values = [[1, 2], [3, 2], [4, 2], [2, 2]]
    assert matrix(values).wins == (2, 1, 1)
    assert matrix(values, "lower").wins == (1, 1, 2)


def test_parts():
    m = matrix([[1, 2, 3], [4, np.nan, 6]])
    assert m.missing == 1 and len(m.complete()) == 1
    assert m.only("c", "a").values.tolist() == [[3, 1], [6, 4]]
    with pytest.raises(BadInput, match="no learner called 'z'"):
        m.only("z", "a")
