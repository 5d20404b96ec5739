"""Calls with literal arguments, and nothing else."""

from __future__ import annotations

import pytest

from veracity.core.spelling import read_call


def test_names_and_literals_of_every_type():
    assert read_call(" SVC ") == ("SVC", [], {})
    text = "make(1, a=[1, 2], b=(3, 4), c={'x': None}, d=-0.5)"
    assert read_call(text) == ("make", [1], {"a": [1, 2], "b": (3, 4), "c": {"x": None}, "d": -0.5})


@pytest.mark.parametrize(
    "text", ["", "a.b()", "f(g())", "f(*[1])", "f(**{'a': 1})", "f(x)", "f(", "1", "f()()", "(" * 9999]
)
def test_anything_else_is_none(text):
    assert read_call(text) is None
