"""Arrays that nobody changes after they were made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


LONG_TEXT = 200  # characters
TIE = 1e-9  # numbers made by subtraction tie when they are closer than this share of the largest


def as_array(column: Any) -> Array:
    """A column as an array; one long text among many must not make numpy pad them all to its length."""
    if isinstance(column, (list, tuple)) and any(isinstance(item, str) and len(item) > LONG_TEXT for item in column):
        return np.fromiter(column, object, len(column))
    return np.asarray(column)


def freeze(array: Any, dtype: Any = None) -> Array:
    """The array as a read-only view; the caller's own array stays writeable."""
    view = np.asarray(array, dtype).view()
    view.flags.writeable = False
    return view


def ratio(above: Any, below: Any) -> Array:
    """above / below, NaN where that is 0/0 and infinite where only below is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(above, below)
