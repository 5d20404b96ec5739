"""How the models that predicted some rows came about: evidence that is not of one fixed model says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.words import option, plural
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Split

Provenance = Literal["one model", "several models", "training rows"]
IN_NAME = re.compile(r"fold\W*(\d+)\W*rep(?:eat)?\W*(\d+)", re.IGNORECASE)  # as caret writes them, Fold03.Rep1
TAKEN = Note(
    "training-rows-taken", "remark", "each model is taken to have trained on all rows that its fold leaves out"
)


@dataclass(frozen=True, eq=False)
class Origin:
    """The splits that the models were trained and tested on."""

    design: Design
    truth: Array  # of all rows of the data, by row number
    data: str = ""
    ids: Array | None = None  # the user's name of each row number, ascending; None where rows go by their numbers

    def row_numbers(self, rows: Array) -> Array:
        """The number of each row in the data."""
        return rows if self.ids is None else np.searchsorted(self.ids, rows)


@dataclass(frozen=True, eq=False)
class SplitColumns:
    """What tells the splits of predictions apart: a fold or a repeat for each row, and which rows are the same."""

    fold: Array | None
    repeat: Array | None
    rows: Array | None
    place: str  # of the column, for sentences

    def origin(self, truth: Array) -> tuple[Origin, Array, Array]:
        """The origin, with the split and the row of each prediction."""
        splits, repeat, fold = self._splits()
        ids, row = self._row_numbers(len(truth), repeated=len(set(repeat)) > 1)
        tests = [np.flatnonzero(splits == number) for number in range(len(fold))]
        number_of_rows = int(row.max()) + 1
        made = tuple(
            _split(row[test], number_of_rows, repeat[number], fold[number]) for number, test in enumerate(tests)
        )
        if any(len(split.train) == 0 for split in made):
            raise Refused(
                f"{self.place}: a part tests every row, so these are several models on the same rows and not the folds "
                "of one data set: score or compare them as models, one by one",
                "not-folds",
            )
        of_row = np.empty(number_of_rows, truth.dtype)
        of_row[row] = truth
        design = Design(_design_name(made, number_of_rows), 0, number_of_rows, made, (TAKEN,))
        rows = self.rows if self.rows is not None else freeze(row)
        return Origin(design, freeze(of_row), ids=ids), freeze(splits.astype(np.int32)), rows

    def _splits(self) -> tuple[Array, list[int], list[int]]:
        """The number of each prediction's split, and the repeat and fold of each number."""
        fold, repeat = self.fold, self.repeat
        if fold is not None and repeat is None and all(IN_NAME.search(str(name)) for name in np.unique(fold)):
            repeat = np.array([IN_NAME.search(str(name))[2] for name in fold.tolist()])  # type: ignore[index]
        parts = [column for column in (repeat, fold) if column is not None]
        keys = np.stack([np.unique(column, return_inverse=True)[1] for column in parts])
        pairs, splits = np.unique(keys, axis=1, return_inverse=True)
        if pairs.shape[1] < 2:
            raise BadInput(f"{self.place} holds one value, so these are the predictions of one model: leave it out")
        number = splits.reshape(-1)
        of_repeat = pairs[0] if repeat is not None else np.zeros(pairs.shape[1], int)
        return number, of_repeat.tolist(), pairs[-1].tolist()

    def _row_numbers(self, size: int, repeated: bool) -> tuple[Array | None, Array]:
        if self.rows is not None:
            ids, row = np.unique(self.rows, return_inverse=True)
            return freeze(ids), row
        if repeated:
            raise BadInput(
                f"{self.place}: a row comes once in each repeat, so name the column that says which row it is: "
                f"{option('rows')}"
            )
        return None, np.arange(size)


def _split(test: Array, rows: int, repeat: int, fold: int) -> Split:
    left = np.ones(rows, bool)
    left[test] = False
    return Split(freeze(np.flatnonzero(left)), freeze(test), repeat, fold)


def _design_name(splits: tuple[Split, ...], rows: int) -> str:
    """As the design would be typed, where the splits are those of folds; else what they are."""
    repeats: dict[int, list[Split]] = {}
    for split in splits:
        repeats.setdefault(split.repeat, []).append(split)
    sizes = {len(of_repeat) for of_repeat in repeats.values()}
    tested_once = all(
        (np.bincount(np.concatenate([one.test for one in of_repeat]), minlength=rows) == 1).all()
        for of_repeat in repeats.values()
    )
    if not tested_once or len(sizes) > 1:
        return f"{plural(len(splits), 'split')} of a file"
    k = sizes.pop()
    return f"kfold(k={k})" if len(repeats) == 1 else f"repeated_kfold(k={k}, repeats={len(repeats)})"


def read_provenance(origin: Origin, rows: Array, splits: Array) -> Provenance:
    """Whether rows were tested by one model, by several, or by models that had learned from them."""
    numbers = np.unique(splits)
    first = numbers[0]
    if np.isin(origin.row_numbers(rows[splits == first]), origin.design.splits[first].train).any():
        return "training rows"
    return "one model" if len(numbers) == 1 else "several models"


def require_one_model(p: Any, what: str, way: str) -> None:
    """Refuse predictions of several models, or of training rows, where only one fixed model on new rows will do."""
    if p.provenance == "several models":
        raise Refused(
            f"{what} is about one fixed model, and these rows were predicted by several: {way}", "several-models"
        )
    if p.provenance == "training rows":
        raise Refused(
            f"{what} is about new rows, and these had trained the model: they tell how well it remembers, not how well "
            f"it predicts: {way}",
            "training-rows",
        )
