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


def split_columns_origin(
    fold: Array | None, repeat: Array | None, ids: Array | None, place: str, truth: Array, groups: Array | None
) -> tuple[Origin, Array, Array]:
    """Return the origin of predictions with the split and the row of each, from columns of folds, repeats and row ids.

    `place` names the column of the folds, or of the repeats, in sentences.
    """
    split, repeats, folds = _read_splits(fold, repeat, place)
    row_ids, row = None, np.arange(len(truth))
    if ids is not None:
        try:
            row_ids, row = np.unique(ids, return_inverse=True)
        except TypeError:
            raise BadInput("`rows=`: row ids are of different types: make them alike") from None
    elif len(set(repeats)) > 1 or (fold is not None and DRAWN.match(str(fold[0]))):
        says = f"{place}: a row may come in several repeats, so name the column that says which row it is"
        raise BadInput(f"{says}: `rows=`")
    rows = int(row.max()) + 1
    if rows * len(folds) > MOST:
        says = f"{place} makes {len(folds)} parts of {rows} rows, too many for folds"
        raise BadInput(f"{says}: name the column with the folds")
    if _comes_twice(split * rows + row):
        says = f"{place}: a row comes twice in the same fold, and a model tests it once"
        raise BadInput(f"{says}: say which repeat each is of, `repeat=`, or leave out what is double")
    if np.bincount(split).max() == rows:
        raise Refused(
            f"{place}: a part tests every row, so these are several models on the same rows and not the folds "
            "of one data set: score or compare them as models, one by one",
            "not-folds",
        )
    if _comes_twice(np.array(repeats)[split] * rows + row):
        repeats = list(range(len(folds)))  # parts that share rows are no folds of one repeat
    of_row = np.empty(rows, truth.dtype)
    of_row[row] = truth
    if ids is not None and (of_row[row] != truth).any():
        name = ids[int((of_row[row] != truth).argmax())]
        raise BadInput(f"{place}: row {name} has several truths, so `rows=` does not tell rows apart")
    order = np.argsort(split, kind="stable")
    tests = np.split(row[order], np.searchsorted(split[order], np.arange(1, len(folds))))
    made = tuple(
        Split(freeze(np.delete(np.arange(rows, dtype=np.int32), test)), freeze(test), of_repeat, of_fold)
        for test, of_repeat, of_fold in zip(tests, repeats, folds, strict=True)
    )
    torn = groups is not None and _tears_groups(groups, split, np.array(repeats)[split])
    design = Design(_design_name(made, rows), 0, rows, made, (TORN, TAKEN) if torn else (TAKEN,))
    origin = Origin(design, freeze(of_row), ids=None if row_ids is None else freeze(row_ids))
    return origin, freeze(split.astype(np.int32)), freeze(row) if ids is None else ids


def _read_splits(fold: Array | None, repeat: Array | None, place: str) -> tuple[Array, list[int], list[int]]:
    """Return the number of each prediction's split, and the repeat and fold of each number."""
    (names, of_fold), (_, of_repeat) = _names_and_codes(fold, place), _names_and_codes(repeat, place)
    in_names = [IN_NAME.search(str(name)) for name in names]
    if repeat is None and all(in_names):
        of_repeat = np.unique([found[2] for found in in_names if found], return_inverse=True)[1][of_fold]
    places, split = np.unique(of_repeat * len(names) + of_fold, return_inverse=True)
    if len(places) < 2:
        raise BadInput(f"{place} holds one value, so these are the predictions of one model: leave it out")
    return split, (places // len(names)).tolist(), (places % len(names)).tolist()


def _names_and_codes(column: Array | None, place: str) -> tuple[tuple[Any, ...], Array]:
    """Return the different names of a column, and the number of each cell's."""
    if column is None:
        return ("",), np.zeros(1, np.int64)
    names = distinct_labels(column)
    if any(str(name).lower() in TRAINING for name in names):
        raise Refused(
            f"{place} tells rows that trained the model from others, and the former are no test of it: leave "
            "out their lines, and the column",
            "training-rows",
        )
    return names, codes(column, names, place).astype(np.int64)


def _comes_twice(numbers: Array) -> bool:
    return bool((np.diff(np.sort(numbers)) == 0).any())


def _tears_groups(groups: Array, split: Array, repeat: Array) -> bool:
    """Return whether rows of one group lie in several folds of one repeat."""
    splits = int(split.max()) + 1
    parts = np.sort((repeat * (int(groups.max()) + 1) + groups) * splits + split)
    return bool(((np.diff(parts) > 0) & (np.diff(parts // splits) == 0)).any())


def _design_name(splits: tuple[Split, ...], rows: int) -> str:
    """Return the design as it would be typed, where the splits are those of folds; else what they are."""
    tests: dict[int, list[Array]] = {}
    for split in splits:
        tests.setdefault(split.repeat, []).append(split.test)
    sizes = {len(of_repeat) for of_repeat in tests.values()}
    times_tested = [np.bincount(np.concatenate(of_repeat), minlength=rows) for of_repeat in tests.values()]
    if len(sizes) > 1 or not all((times == 1).all() for times in times_tested):
        return f"{plural(len(splits), 'split')} of a file"
    k = sizes.pop()
    return f"kfold(k={k})" if len(tests) == 1 else f"repeated_kfold(k={k}, repeats={len(tests)})"


def read_provenance(origin: Origin, rows: Array, splits: Array) -> Provenance:
    """Whether rows were tested by one model, by several, or by models that had learned from them."""
    first = splits.min()
    if np.isin(origin.row_numbers(rows[splits == first]), origin.design.splits[first].train).any():
        return "training rows"
    return "one model" if (splits == first).all() else "several models"


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
