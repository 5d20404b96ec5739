"""Which setting is taken, by hand."""

import math

import numpy as np
import pytest

from veracity.core.errors import Refused
from veracity.tuning.rule import best, one_standard_error
from veracity.tuning.trial import Trial

LOSSES = [[0.30, 0.34, 0.38], [0.20, 0.26, 0.32], [0.16, 0.24, 0.32], [0.19, 0.25, 0.31]]


def trials(values):
    return tuple(Trial({"a": place}, tuple(one)) for place, one in enumerate(values))


def test_the_best_mean_is_taken():
    assert best(trials(LOSSES), "lower").params == {"a": 2}
    assert best(trials(LOSSES), "higher").params == {"a": 0}


def test_one_standard_error_by_hand():
    """Means .34 .26 .24 .25; the best has sd .08, standard error .08/sqrt(3) = .0462: .26 is within .2862, .34 not."""
    assert trials(LOSSES)[2].standard_error == pytest.approx(0.08 / math.sqrt(3))
    assert one_standard_error(trials(LOSSES), "lower").params == {"a": 1}
    higher = trials(1 - np.array(LOSSES))
    assert one_standard_error(higher, "higher").params == {"a": 1}


def test_exactly_one_standard_error_away_still_counts():
    error = float(np.std([0.1, 0.2], ddof=1) / math.sqrt(2))
    assert one_standard_error(trials([[0.15 + error] * 2, [0.1, 0.2]]), "lower").params == {"a": 0}
    assert one_standard_error(trials([[0.15 + error + 1e-9] * 2, [0.1, 0.2]]), "lower").params == {"a": 1}


def test_ties_go_to_the_simplest_although_rounding_differs():
    tied = trials([[0.5, 0.5, 0.5], [0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    assert tied[1].mean != tied[2].mean
    assert best(tied, "lower").params == best(tuple(reversed(tied[:2])) + tied[2:], "lower").params == {"a": 1}
    assert best((tied[2], tied[1]), "lower").params == {"a": 2}


def test_a_setting_that_failed_is_never_taken():
    some = (Trial({"a": 0}, reason="fit raised ValueError"), *trials(LOSSES)[1:])
    assert best(some, "lower").params == {"a": 2}
    assert math.isnan(some[0].mean) and math.isnan(some[0].standard_error)


def test_one_split_has_no_standard_error():
    with pytest.raises(Refused, match="at least two inner splits"):
        one_standard_error(trials([[0.1], [0.2]]), "lower")
