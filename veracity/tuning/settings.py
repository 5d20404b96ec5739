"""The settings to be tried, from the simplest to the most complex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod
from numbers import Real
from typing import Any

import numpy as np

from veracity.core.bounds import SETTINGS, check_bound
from veracity.core.errors import BadInput
from veracity.core.suggest import suggest
from veracity.learners.seeding import unfitted_copy

Setting = dict[str, Any]


def settings_of(grid: Any, order: Any = None) -> list[Setting]:
    """Every setting of a grid, or the listed ones; in their own order or in the one asked for, simplest first.

    In a grid the parameter named last changes fastest.
    """
    if isinstance(grid, Mapping):
        values = [_values(name, tried) for name, tried in grid.items()]
        number, way = prod(map(len, values)), "list the settings to try, in place of a grid, if that is meant"
        check_bound(number, SETTINGS, f"the grid has {number:,} settings", way)
        settings = [dict(zip(grid, one, strict=True)) for one in product(*values)] if grid else []
    elif isinstance(grid, Sequence) and all(isinstance(one, Mapping) for one in grid):
        settings = [dict(one) for one in grid]
    else:
        raise BadInput(f"grid is {{'C': [0.1, 1, 10]}} or a list of settings such as {{'C': 1}}, not {grid!r}")
    if not settings:
        raise BadInput("the grid is empty: give at least one value for one parameter, such as {'C': [0.1, 1, 10]}")
    return sorted(settings, key=lambda one: _complexity(one, order)) if order is not None else settings


def _values(name: str, tried: Any) -> list[Any]:
    if isinstance(tried, str) or not isinstance(tried, (Sequence, np.ndarray)):
        raise BadInput(f"grid: the values of {name} are a list, such as [{tried!r}], not {tried!r} alone")
    if not len(tried):
        raise BadInput(f"grid: {name} has no value to try: give at least one")
    return list(tried)


def _complexity(setting: Setting, order: Any) -> tuple[float, ...]:
    """What settings are sorted by: `"C"` grows with complexity, `"-C"` falls with it."""
    names = [order] if isinstance(order, str) else order
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise BadInput(
            "order names parameters, 'C' where smaller is simpler and '-C' where larger is, or a list of such, not "
            f"{order!r}; for any other order list the settings in the grid, the simplest first"
        )
    return tuple(_signed_value(setting, name) for name in names)


def _signed_value(setting: Setting, text: str) -> float:
    name = text.removeprefix("-")
    if name not in setting:
        raise BadInput(f"order names {name!r}, which the grid does not set: it sets {', '.join(setting)}")
    value = setting[name]
    if isinstance(value, bool) or not isinstance(value, Real):
        raise BadInput(f"order: {name} is {value!r}, which is no number; leave order out and put the simplest first")
    return -float(value) if text.startswith("-") else float(value)


def check_parameters(learner: Any, settings: Sequence[Setting]) -> None:
    """Refuse a parameter that the learner does not have."""
    if not hasattr(learner, "set_params"):
        kind = type(learner).__name__
        raise BadInput(f"{kind} has no set_params, by which its parameters are set: give it get_params and set_params")
    for setting in settings:
        try:
            with_setting(learner, setting)
        except ValueError:
            raise BadInput(_unknown_parameter(learner, setting)) from None


def with_setting(learner: Any, setting: Setting) -> Any:
    """An unfitted copy with a setting."""
    return unfitted_copy(learner).set_params(**setting)


def _unknown_parameter(learner: Any, setting: Setting) -> str:
    every, own = learner.get_params(deep=True), learner.get_params(deep=False)
    name = next((one for one in setting if one not in every), next(iter(setting)))
    offer = suggest(name, every, f"it has {', '.join(own)}")
    return f"grid: {type(learner).__name__} has no parameter {name!r}: {offer}"
