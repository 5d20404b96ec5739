"""Which setting is taken, by hand."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import Ridge
from sklearn.neighbors import KNeighborsRegressor

import veracity as vc
from veracity.core.errors import Refused
from veracity.records.design import Split
from veracity.tuning.tuned import RULES, Trial, best, between_splits, one_standard_error

LOSSES = [[0.30, 0.34, 0.38], [0.20, 0.26, 0.32], [0.16, 0.24, 0.32], [0.19, 0.25, 0.31]]


def trials(values):
    folds = [Split(np.arange(2), np.arange(2, 3), fold=fold) for fold in range(len(values[0]))]
    errors = [between_splits(one, folds) for one in values]
    return tuple(Trial({"a": place}, tuple(one), "", errors[place]) for place, one in enumerate(values))


def test_the_best_mean_is_taken():
    assert best(trials(LOSSES), "lower").params == {"a": 2}
    assert best(trials(LOSSES), "higher").params == {"a": 0}


def test_one_standard_error_by_hand():
    """Means .34 .26 .24 .25; the best has sd .08, standard error .08/sqrt(3) = .0462: .26 is within .2862, .34 not."""
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


ROWS = np.random.default_rng(0).normal(size=(60, 3))
TARGET = ROWS[:, 0] + 0.5 * np.random.default_rng(1).normal(size=60)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("unit", [1e-9, 1e-7, 1e-3, 1e3, 1e9])
@pytest.mark.parametrize(
    ("learner", "grid"),
    [(KNeighborsRegressor(), {"n_neighbors": [40, 1, 5, 10]}), (Ridge(), {"alpha": [1e4, 1e2, 1.0, 0.01]})],
)
def test_the_unit_of_the_target_does_not_decide(rule, unit, learner, grid):
    asked = vc.tuned(learner, grid, by="kfold(k=3)", score="mse", rule=rule)
    taken = asked.fit(ROWS, TARGET).best_params_
    assert taken != {name: values[0] for name, values in grid.items()}
    assert asked.fit(ROWS, TARGET * unit).best_params_ == taken


LOSS = st.integers(0, 50).map(lambda number: number / 64)


@given(st.sampled_from(list(RULES)), st.lists(st.lists(LOSS, min_size=3, max_size=3), min_size=1), st.integers(-60, 60))
def test_the_choice_does_not_depend_on_the_unit_of_the_score(rule, values, power):
    """Powers of two, so that all is exact."""
    for better in ("lower", "higher"):
        taken = RULES[rule](trials(values), better).params
        assert RULES[rule](trials(np.array(values) * 2.0**power), better).params == taken


def test_an_infinite_score_can_be_the_best():
    for rule in RULES.values():
        assert rule(trials([[1.0, 2.0], [math.inf, math.inf]]), "higher").params == {"a": 1}
    assert best(trials([[math.inf, math.inf], [2.0, 3.0]]), "lower").params == {"a": 1}
