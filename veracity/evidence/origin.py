"""How the models that predicted some rows came about: evidence that is not of one fixed model says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.evidence.labels import codes, distinct_labels
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Split

Provenance = Literal["one model", "several models", "training rows"]
IN_NAME = re.compile(r"fold\W*(\d+)\W*rep(?:eat)?\W*(\d+)", re.IGNORECASE)  # as caret writes them, Fold03.Rep1
DRAWN = re.compile(r"(bootstrap|resample)\W*\d+", re.IGNORECASE)  # test parts that may share rows
TRAINING = ("train", "training")
MOST = 100_000_000  # training rows of all models together, to bound memory
TAKEN = Note(
    "training-rows-taken", "remark", "each model is taken to have trained on all rows that its fold leaves out"
)
TORN = Note(
    "group-on-both-sides",
    "caution",
    "rows of one group lie in several folds, so models were tested on groups that they had trained on: new groups are "
    "harder",
)


@dataclass(frozen=True, eq=False)
class Origin:
    """The splits that the models were trained and tested on."""

    design: Design
    truth: Array  # of all rows of the data, by row number
    data: str = ""
    ids: Array | None = None  # the user's name of each row number, ascending; None where rows go by their numbers
    runs: Any = None  # those of a store that predictions were taken from, which counts what is asked of them

    def __getstate__(self) -> dict[str, Any]:
        """Without the store, which no other process shares."""
        return {**vars(self), "runs": None}

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

    def origin(self, truth: Array, groups: Array | None = None) -> tuple[Origin, Array, Array]:
        """The origin, with the split and the row of each prediction."""
        split, repeats, folds = self._splits()
        ids, row = self._row_numbers(len(truth), repeated=len(set(repeats)) > 1)
        rows = int(row.max()) + 1
        self._check_folds(split, row, rows, len(folds))
        if _comes_twice(np.array(repeats)[split] * rows + row):
            repeats = list(range(len(folds)))  # parts that share rows are no folds of one repeat
        of_row = np.empty(rows, truth.dtype)
        of_row[row] = truth
        self._check_truth(of_row[row] == truth)
        order = np.argsort(split, kind="stable")
        tests = np.split(row[order], np.searchsorted(split[order], np.arange(1, len(folds))))
        made = tuple(_split(*of, rows) for of in zip(tests, repeats, folds, strict=True))
        torn = groups is not None and _tears_groups(groups, split, np.array(repeats)[split])
        design = Design(_design_name(made, rows), 0, rows, made, (TORN, TAKEN) if torn else (TAKEN,))
        own_rows = self.rows if self.rows is not None else freeze(row)
        return Origin(design, freeze(of_row), ids=ids), freeze(split.astype(np.int32)), own_rows

    def _splits(self) -> tuple[Array, list[int], list[int]]:
        """The number of each prediction's split, and the repeat and fold of each number."""
        (names, fold), (_, repeat) = self._codes(self.fold), self._codes(self.repeat)
        in_names = [IN_NAME.search(str(name)) for name in names]
        if self.repeat is None and all(in_names):
            repeat = np.unique([found[2] for found in in_names if found], return_inverse=True)[1][fold]
        places, split = np.unique(repeat * len(names) + fold, return_inverse=True)
        if len(places) < 2:
            raise BadInput(f"{self.place} holds one value, so these are the predictions of one model: leave it out")
        return split, (places // len(names)).tolist(), (places % len(names)).tolist()

    def _codes(self, column: Array | None) -> tuple[tuple[Any, ...], Array]:
        """The different names of a column, and the number of each cell's."""
        if column is None:
            return ("",), np.zeros(1, np.int64)
        names = distinct_labels(column)
        if any(str(name).lower() in TRAINING for name in names):
            raise Refused(
                f"{self.place} tells rows that trained the model from others, and the former are no test of it: leave "
                "out their lines, and the column",
                "training-rows",
            )
        return names, codes(column, names, self.place).astype(np.int64)

    def _row_numbers(self, size: int, repeated: bool) -> tuple[Array | None, Array]:
        if self.rows is not None:
            try:
                ids, row = np.unique(self.rows, return_inverse=True)
            except TypeError:
                raise BadInput("`rows=`: row ids are of different types: make them alike") from None
            return freeze(ids), row
        if repeated or (self.fold is not None and DRAWN.match(str(self.fold[0]))):
            raise BadInput(
                f"{self.place}: a row may come in several repeats, so name the column that says which row it is: "
                f"`rows=`"
            )
        return None, np.arange(size)

    def _check_folds(self, split: Array, row: Array, rows: int, number: int) -> None:
        """Refuse what cannot be the folds of one data set."""
        if rows * number > MOST:
            raise BadInput(
                f"{self.place} makes {number} parts of {rows} rows, too many for folds: name the column with the folds"
            )
        if _comes_twice(split * rows + row):
            raise BadInput(
                f"{self.place}: a row comes twice in the same fold, and a model tests it once: say which repeat "
                f"each is of, `repeat=`, or leave out what is double"
            )
        if np.bincount(split).max() == rows:
            raise Refused(
                f"{self.place}: a part tests every row, so these are several models on the same rows and not the folds "
                "of one data set: score or compare them as models, one by one",
                "not-folds",
            )

    def _check_truth(self, same: Array) -> None:
        if not same.all():
            name = np.asarray(self.rows)[int((~same).argmax())]
            raise BadInput(f"{self.place}: row {name} has several truths, so `rows=` does not tell rows apart")


def _comes_twice(numbers: Array) -> bool:
    return bool((np.diff(np.sort(numbers)) == 0).any())


def _split(test: Array, repeat: int, fold: int, rows: int) -> Split:
    left = np.ones(rows, bool)
    left[test] = False
    return Split(freeze(np.flatnonzero(left).astype(np.int32)), freeze(test), repeat, fold)


def _tears_groups(groups: Array, split: Array, repeat: Array) -> bool:
    """Whether rows of one group lie in several folds of one repeat."""
    splits = int(split.max()) + 1
    parts = np.sort((repeat * (int(groups.max()) + 1) + groups) * splits + split)
    return bool(((np.diff(parts) > 0) & (np.diff(parts // splits) == 0)).any())


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
