"""Settings: their order, and what is wrong with a grid."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from veracity.core.errors import BadInput
from veracity.tuning.tuned import check_parameters, settings_of, with_setting


def test_the_parameter_named_last_changes_fastest():
    found = settings_of({"a": [1, 2], "b": ["x", "y"]})
    assert found == [{"a": 1, "b": "x"}, {"a": 1, "b": "y"}, {"a": 2, "b": "x"}, {"a": 2, "b": "y"}]


def test_settings_may_be_listed():
    assert settings_of([{"a": 1}, {"b": 2}]) == [{"a": 1}, {"b": 2}]


def test_order_sorts_from_the_simplest():
    assert [one["a"] for one in settings_of({"a": np.array([3, 1, 2])}, order="a")] == [1, 2, 3]
    assert [one["a"] for one in settings_of({"a": [3, 1, 2]}, order="-a")] == [3, 2, 1]
    found = settings_of({"a": [1, 2], "b": [1, 2]}, order=["-b", "a"])
    assert [(one["a"], one["b"]) for one in found] == [(1, 2), (2, 2), (1, 1), (2, 1)]


@pytest.mark.parametrize(
    ("grid", "order", "says"),
    [
        ({}, None, "the grid is empty"),
        ([], None, "the grid is empty"),
        ({"C": []}, None, "C has no value"),
        ({"C": 1}, None, r"a list, such as \[1\]"),
        ({"C": "l1"}, None, r"a list, such as \['l1'\]"),
        ("C", None, "grid is"),
        ([1, 2], None, "grid is"),
        ({"C": [1]}, "D", "order names 'D', which the grid does not set: it sets C"),
        ({"C": [1, None]}, "C", "C is None, which is no number"),
        ({"C": [1]}, [1], "order names parameters"),
    ],
)
def test_a_wrong_grid_is_one_sentence(grid, order, says):
    with pytest.raises(BadInput, match=says):
        settings_of(grid, order)


def test_an_unknown_parameter_lists_those_there_are():
    with pytest.raises(BadInput, match=r"LogisticRegression has no parameter 'gamma': it has C, class_weight"):
        check_parameters(LogisticRegression(), [{"gamma": 1}])
    with pytest.raises(BadInput, match=r"did you mean max_iter\?"):
        check_parameters(LogisticRegression(), [{"maxiter": 1}])
    with pytest.raises(BadInput, match=r"did you mean logisticregression__C"):
        check_parameters(make_pipeline(StandardScaler(), LogisticRegression()), [{"logisticregresion__C": 1}])
    with pytest.raises(BadInput, match="object has no set_params"):
        check_parameters(object(), [{"C": 1}])


def test_the_learner_itself_is_not_changed():
    learner = LogisticRegression()
    assert with_setting(learner, {"C": 7}).C == 7 and learner.C == 1.0
