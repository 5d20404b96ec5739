"""Arrays: read from what a user gives without a value changed on the way, and not changed by anybody afterwards."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veracity.core.bounds import UNROLLED, check_bound, check_room
from veracity.core.errors import BadInput
from veracity.core.words import brief

Array = NDArray[Any]


class RowNames:
    """What sentences call rows that do not stand where they stood in a file: a place plus this is the row's name."""

    def __init__(self, name: Callable[[int], object]) -> None:
        self._name = name

    def __radd__(self, place: Any) -> object:
        return self._name(int(place))


FirstRow = int | RowNames  # a place plus this is what a row is called: numbers run on from the first one
LONG_TEXT = 200  # characters
ZERO_BYTES = ("\0", b"\0")
TIE = 1e-9  # numbers made by subtraction tie when they are closer than this share of the largest
NO_NUMBERS = {"c": "complex ones", "M": "dates", "m": "lengths of time", "V": "records"}  # by the kind of an array


def as_array(column: Any, place: str = "the column") -> Array:
    """A column, or a table, as an array; what has no rows, can be read only once, or is too long is refused.

    numpy by itself makes texts of what stands beside them, pads all to the longest, and drops masks.
    """
    check_room(_announced(column), place)
    if isinstance(column, (list, tuple)):
        return _array_of_list(column, place)
    if np.ma.isMaskedArray(column):  # None or NaN where a cell is masked
        array, gaps = np.ma.getdata(column), np.ma.getmaskarray(column)
        if gaps.any():
            array = array.astype(float if array.dtype.kind == "f" else object)
            array[gaps] = np.nan if array.dtype.kind == "f" else None
        return array
    if hasattr(column, "tocsr"):
        raise BadInput(f"{place} is a sparse array: give {type(column).__name__}.toarray()")
    array = _asarray(column, place)
    if array.ndim:
        return array
    if isinstance(column, Iterator):
        raise BadInput(f"{place} is a {type(column).__name__}, which can be read only once: give it as list(...)")
    if isinstance(column, Collection) and not isinstance(column, (str, bytes, Mapping, Set, np.ndarray)):
        return _array_of_list(list(column), place)
    raise BadInput(f"{place}: one value per row is needed, in a list or an array, not {brief(repr(column))}")


def _announced(column: Any) -> int:
    """How many rows a column says it has, before any of them is made an array; none if it does not say."""
    try:
        return len(column)
    except Exception:  # one item without an axis, what can be read only once, or an object that fails in its own way
        return 0


def _array_of_list(column: list[Any] | tuple[Any, ...], place: str) -> Array:
    """Mixed items stay what they are; numpy pads all texts to the longest, and drops zero bytes at their end."""
    kinds = set(map(type, column))
    texts = {kind for kind in kinds if issubclass(kind, (str, bytes))}
    if texts and (len(kinds) > 1 or any(len(item) > LONG_TEXT or item[-1:] in ZERO_BYTES for item in column)):
        return np.fromiter(column, object, len(column))
    array = _asarray(column, place)
    if kinds == {int} and array.dtype.kind == "f":  # whole numbers beyond 64 bits with a sign
        return np.array(column, object)
    return array


def _asarray(column: Any, place: str) -> Array:
    try:
        return np.asarray(column)
    except Exception as why:  # an object of any library turns itself into an array, and fails in its own way
        if isinstance(why, ValueError) and "inhomogeneous" in str(why):
            raise BadInput(f"{place}: its rows are not all of the same length") from None
        raise BadInput(f"{place}: a {type(column).__name__} gives no array: {brief(str(why), 160)}") from None


def as_numbers(column: Any, place: str, first: FirstRow = 0) -> Array:
    """A column, or a table, of numbers in floating point; what is none is named by its row, counted from `first`."""
    array = as_array(column, place)
    native = array.dtype.newbyteorder("=")  # of another machine's order, single precision stays what it is
    if native in (np.float64, np.float32):
        return array.astype(native, copy=False)
    if array.dtype.kind in NO_NUMBERS:
        raise BadInput(f"{place}: plain numbers are needed, not {NO_NUMBERS[array.dtype.kind]}")
    try:
        with np.errstate(over="ignore"):
            return array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    for row, item in enumerate(array):  # the first item that is no number
        try:
            float(item) if isinstance(item, (str, bytes)) else np.array(item).astype(np.float64)
        except (TypeError, ValueError):
            what = f"{brief(repr(python_value(item)))}, which is not a number"
            raise BadInput(f"{place}: row {row + first} holds {what}") from None
        except OverflowError:
            raise BadInput(f"{place}: row {row + first} holds a number too large to compute with") from None
    raise BadInput(f"{place} does not hold numbers")


def python_value(label: Any) -> Any:
    """A label as an ordinary Python value."""
    return label.item() if isinstance(label, np.generic) else label


def freeze(array: Any, dtype: Any = None) -> Array:
    """The array as a read-only view; the caller's own array stays writeable."""
    view = np.asarray(array, dtype).view()
    view.flags.writeable = False
    return view


def unroll(values: Any, times: Any) -> Array:
    """Each value as often as it counts; more than memory holds is refused."""
    rows = float(np.sum(times))
    way = "name one that reads counts, such as wilson or delta"
    check_bound(rows, UNROLLED, f"this method looks at each of {rows:,.0f} rows by itself", way)
    return np.repeat(values, np.asarray(times).astype(np.int64))


def ratio(above: Any, below: Any) -> Array:
    """above / below, NaN where that is 0/0 and infinite where only below is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.true_divide(above, below)


def mid_ranks(values: Array) -> Array:
    """Return the ranks within each row, 1 the lowest; ties share their mean rank, NaN has none."""
    ranks = np.empty(values.shape)
    for row, one in enumerate(values):
        ordered = np.sort(one)
        ranks[row] = (np.searchsorted(ordered, one) + np.searchsorted(ordered, one, "right") + 1) / 2
    ranks[np.isnan(values)] = np.nan
    return ranks


def power_sums(values: Array, weight: Array | None = None) -> Array:
    """Return the sums of the powers 0 to 3 of some values, each of which counts as often as its weight says."""
    product = np.ones(len(values)) if weight is None else weight.astype(float)
    sums = [product.sum()]
    for _ in range(3):
        product *= values
        sums.append(product.sum())
    return np.array(sums)


def shift_powers(number: Any, sums: Array, shift: Any, scale: Any = 1.0) -> Array:
    """Sums of the powers 0 to 3 of numbers, from those of 1 to 3, after each is shifted and then scaled."""
    s1, s2, s3 = sums
    second = s2 + shift * (2 * s1 + shift * number)
    third = s3 + shift * (3 * s2 + shift * (3 * s1 + shift * number))
    return np.array([number, (s1 + shift * number) * scale, second * scale**2, third * scale**3])
