"""Which columns of a score table are what: by the names given, else by names that everybody uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers.columns import Columns
from veracity.readers.source import no_column
from veracity.records.arrays import Array

USUAL = {
    "dataset": ("dataset", "data", "db", "task", "problem", "keydataset"),
    "learner": ("learner", "algorithm", "alg", "classifier", "model", "method", "keyscheme"),
    "repeat": ("repeat", "rep", "repetition", "run", "keyrun"),
    "fold": ("fold", "split", "keyfold"),
    "train": ("train", "ntrain", "trainsize", "trainrows", "trainingrows", "numberoftraininginstances"),
    "test": ("test", "ntest", "testsize", "testrows", "numberoftestinginstances"),
}
VALUES = ("score", "value", "result")


@dataclass(frozen=True)
class Roles:
    """The columns of a score table by their role; a size may be one number for all splits."""

    dataset: str | None = None
    learner: str | None = None
    repeat: str | None = None
    fold: str | None = None
    train: Any = None
    test: Any = None

    @property
    def columns(self) -> set[str]:
        return {name for name in vars(self).values() if isinstance(name, str)}

    @property
    def splits(self) -> bool:
        return self.repeat is not None or self.fold is not None


def roles_of(columns: Columns, given: Mapping[str, Any]) -> Roles:
    """The roles given, checked, and those that the other columns' names tell."""
    for name in given.values():
        if isinstance(name, str) and name not in columns:
            raise no_column(columns.source, name, columns)
    taken = {name for name in given.values() if isinstance(name, str)}
    found = {
        role.name: next((name for name in columns if name not in taken and _bare(name) in USUAL[role.name]), None)
        for role in fields(Roles)
    }
    return Roles(**{**found, **{role: name for role, name in given.items() if name is not None}})


def _bare(name: Any) -> str:
    return "".join(sign for sign in str(name).lower() if sign.isalnum())


def numbers(columns: Columns, name: str) -> Array:
    """A column of numbers, NaN where a cell is empty; a cell that is none is named."""
    cells = columns[name]
    if cells.dtype.kind in "iuf":
        return cells.astype(float)
    return np.array([_number(columns, name, row, cell) for row, cell in enumerate(cells.tolist())])


def _number(columns: Columns, name: str, row: int, cell: Any) -> float:
    number = None if isinstance(cell, bool) else as_number(cell)
    if number is None:
        first = 0 if columns.source.format == "frame" else 1
        place = f"{columns.source.column(name)}: row {row + first}"
        raise BadInput(f"{place} is '{brief(str(cell), 40)}', not a number; leave missing scores empty")
    return number


def as_number(cell: Any) -> float | None:
    """What a cell says as a number: NaN where it is missing, None where it says something else."""
    if cell is None or (isinstance(cell, str) and cell.strip().lower() in ("", "?", "na", "nan")):
        return float("nan")
    try:
        return float(cell)
    except (TypeError, ValueError):
        return None


def names_of(columns: Columns, name: str) -> list[str]:
    """A column of names, none of them missing."""
    if name in columns.missing:
        first = 0 if columns.source.format == "frame" else 1
        raise BadInput(f"{columns.source.column(name)}: row {columns.missing[name] + first} is empty; fill it in")
    return [str(cell) for cell in columns[name].tolist()]


def whole_or_text(cells: Iterable[Any]) -> list[Any]:
    """Split keys: numbers as whole ones where they are, so that 1 and 1.0 are the same fold."""
    return [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in cells]
