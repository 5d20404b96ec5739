"""Names that columns and rows carry: columns of probabilities go to the classes they name, rows must agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.evidence.labels import Places
from veracity.records.arrays import Array, as_array, python_value


@dataclass(frozen=True, eq=False)
class NamedColumns:
    """A table of numbers and the names of its columns."""

    names: tuple[Any, ...]
    array: Array

    def __len__(self) -> int:
        return len(self.array)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.asarray(self.array, dtype)

    def in_order_of(self, classes: Sequence[Any], positive: int | None, place: str) -> Array:
        """Return the columns in the order of the classes they name; raise BadInput where they name others."""
        found = [_class_of(name, classes) for name in self.names]
        if len(found) == 1:
            if found[0] is not None and positive is not None and found[0] != positive:
                says = f"{place}: the column is called {self.names[0]!r}, but the positive class is"
                raise BadInput(f"{says} {classes[positive]!r}: give its column, or name the other class as positive")
            return self.array
        known = [position for position in found if position is not None]
        if len(known) == len(found) and sorted(known) == list(range(len(classes))):
            if _are_positions(self.names) and known != sorted(known):
                says = (
                    f"{place}: its columns are called {brief(str(list(self.names)))}, which may be classes or numbers"
                )
                way = f"of columns: give .to_numpy() with the columns in the order {brief(str(list(classes)))}"
                raise BadInput(f"{says} {way}")
            return self.array[:, np.argsort(np.array(known))]
        stands = all(one in (None, column) for column, one in enumerate(found))
        if stands and _are_positions(self.names):  # 0 and 1 may stand for -1 and 1, but not for 1 and 2
            return self.array
        says = f"{place}: its columns are called {brief(str(list(self.names)))}, but the classes are"
        way = "name each column as its class, or give an array (.to_numpy()) with the columns in this order"
        raise BadInput(f"{says} {brief(str(list(classes)))}: {way}")


def named_columns(table: Any, place: str) -> Any:
    """Return a frame, a mapping of columns or a named column with its names; anything else as it is."""
    names = _names(table)
    if names is None:
        return table
    if isinstance(table, (Mapping, np.ndarray)):
        return NamedColumns(names, _stack([table[name] for name in names], names, place))
    return NamedColumns(names, as_array(table, place))


def check_same_index(columns: Mapping[str, Any], at: Places) -> None:
    """Raise BadInput where two columns of pandas name their rows differently, as they would be matched by position."""
    indexed = [(at[role], index) for role, column in columns.items() for index in _indexes(column)]
    for place, index in indexed[1:]:
        first, one = indexed[0]
        if len(index) == len(one) and not index.equals(one):
            raise BadInput(
                f"{first} and {place} have different pandas indexes: align them (such as by .loc), or give"
                " .to_numpy() of each to match their rows by position"
            )


def _names(table: Any) -> tuple[Any, ...] | None:
    """The names that columns carry; None where they carry none."""
    if isinstance(table, Mapping):
        names: Any = list(table)
    elif isinstance(table, np.ndarray):
        names = table.dtype.names
    else:
        names = getattr(table, "column_names", None)  # of Arrow, whose `columns` are the columns themselves
        names = getattr(table, "columns", None) if names is None else names
        if names is None and hasattr(table, "dtype") and getattr(table, "name", None):  # one column of a frame
            names = [table.name]
    return tuple(map(python_value, names)) if names is not None and len(names) else None


def _stack(columns: list[Any], names: tuple[Any, ...], place: str) -> Array:
    arrays = [as_array(column, f"{place} {name!r}") for name, column in zip(names, columns, strict=True)]
    if any(array.ndim != 1 or len(array) != len(arrays[0]) for array in arrays):
        raise BadInput(f"{place}: its columns {brief(str(list(names)))} are not all of the same length")
    return np.column_stack(arrays)


def _class_of(name: Any, classes: Sequence[Any]) -> int | None:
    """Return the position of the class that a column names.

    That very label comes first, then one that is written alike, as frames may only have texts.
    """
    alike = [index for index, label in enumerate(classes) if label == name and type(label) is type(name)]
    alike = alike or [index for index, label in enumerate(classes) if label == name or str(label) == str(name)]
    return alike[0] if len(alike) == 1 else None


def _are_positions(names: tuple[Any, ...]) -> bool:
    """Whether these are what pandas and polars call columns that were given no names."""
    numbers = range(len(names))
    return names in (tuple(numbers), tuple(f"column_{number}" for number in numbers))


def _indexes(column: Any) -> list[Any]:
    parts = column.values() if isinstance(column, Mapping) else [column]
    indexes = [getattr(part, "index", None) for part in parts]
    return [index for index in indexes if callable(getattr(index, "equals", None))]
