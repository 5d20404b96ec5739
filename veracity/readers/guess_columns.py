"""Which columns of a score table are what: by the names given, else guessed by names that everybody uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.readers.columns import Columns
from veracity.readers.missing_marks import as_number
from veracity.readers.source import no_column, quote_names
from veracity.scores import scores

USUAL = {
    "dataset": ("dataset", "data", "db", "task", "taskid", "problem", "keydataset"),
    "learner": ("learner", "learnerid", "algorithm", "alg", "classifier", "model", "method", "keyscheme"),
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


def guess_roles(columns: Columns, given: Mapping[str, Any]) -> Roles:
    """The roles given, checked, and those that the other columns' names tell."""
    for name in given.values():
        if isinstance(name, str) and name not in columns:
            raise no_column(columns.source, name, columns)
    taken = {name for name in given.values() if isinstance(name, str)}
    guesses = {
        role.name: next((name for name in columns if name not in taken and _letters(name) in USUAL[role.name]), None)
        for role in fields(Roles)
    }
    return Roles(**{**guesses, **{role: name for role, name in given.items() if name is not None}})


def _letters(name: Any) -> str:
    return "".join(sign for sign in str(name).lower() if sign.isalnum())


def guess_value_column(columns: Columns, roles: Roles, score: str | None) -> str:
    """The column with the scores of a long table."""
    others = [name for name in columns if name not in roles.columns]
    if score is not None and (name := score if score in columns else scores.find_name(score, others)) is not None:
        return name
    usual = [name for name in others if str(name).lower() in VALUES]
    if len(usual) == 1 or len(others) == 1:
        return (usual or others)[0]
    if score is not None:
        raise no_column(columns.source, score, others)
    way = "name the column with the scores, `score=`"
    raise BadInput(f"{columns.source.name}: {way}; there are {quote_names(others)}")


def guess_dataset_column(columns: Columns, roles: Roles) -> str | None:
    """The first column of texts, which are not mostly numbers with a slip among them."""
    for name in columns:
        cells = columns[name]
        if name in roles.columns or cells.dtype.kind not in "OUT":
            continue
        words = sum(as_number(cell) is None for cell in cells.tolist())
        if 2 * words > len(cells):
            return name
    return None


def guess_counters(columns: Columns, dataset: str | None) -> list[str]:
    """Columns before the names of the data sets that only count rows."""
    counters: list[str] = []
    for name in columns:
        if name == dataset:
            return counters
        cells = columns[name]
        if cells.dtype.kind in "iu" and any(np.array_equal(cells, np.arange(len(cells)) + start) for start in (0, 1)):
            counters.append(name)
    return []
