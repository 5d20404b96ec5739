"""Scores per split: differences of two learners, and spreads that rounding does not make."""

import math

import numpy as np
import pytest

from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import SplitScores


def test_differences_that_only_rounding_keeps_from_zero_are_zero():
    first, second = SplitScores.of([0.1 + 0.2, 0.5], 8, 2), SplitScores.of([0.3, 0.25], 8, 2)
    assert (first - second).values.tolist() == [0, 0.25]


def test_a_spread_that_only_rounding_makes_is_none():
    first = np.array([0.3, 0.7, 0.9])
    assert (SplitScores.of(first + 0.1, 8, 2) - SplitScores.of(first, 8, 2)).spread == 0
    assert SplitScores.of([0.25, -0.25, 1e-17], 8, 2).mean == 0


def test_infinite_scores():
    bad = SplitScores.of([np.inf, np.inf, 0.1], 8, 2) - SplitScores.of([np.inf, 0.2, 0.1], 8, 2)
    assert math.isnan(bad.values[0]) and bad.values[1] == np.inf and bad.values[2] == 0
    assert math.isnan(bad.spread) and bad.undefined == 1


def test_other_splits_are_no_pair():
    with pytest.raises(BadInput, match="same splits"):
        SplitScores.of([0.1, 0.2], 8, 2) - SplitScores.of([0.1, 0.2], 7, 3)
    with pytest.raises(BadInput, match="2 splits but 3 sizes"):
        SplitScores.of([0.1, 0.2], [8, 8, 8], 2)


def test_an_infinite_mean_is_not_zero():
    assert SplitScores.of([np.inf, 0.1], 8, 2).mean == np.inf
