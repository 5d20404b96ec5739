"""Rows with missing cells left out and counted; rows whose truth is not known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.evidence.columns import NamedColumns
from veracity.evidence.labels import Places, as_labels, distinct_labels, is_missing
from veracity.evidence.predictions import Predictions, subset
from veracity.records.arrays import Array, RowNames, as_array, python_value

MAX_WHOLE = 2.0**53  # beyond, floating point holds no whole numbers one by one
LABELLED = ("all", "positives", "some")
AT_RANDOM = Note(
    "labelled-at-random",
    "caution",
    "the labelled positives must be a random sample of all positives, as recall and the false negative rate are of"
    " positives like these; what needs true negatives, such as precision and error, cannot be known",
)


def check_labelled(labelled: str, positive: Any) -> None:
    """Which rows have a label, by its word; where not all have one, the class that is looked for must be named."""
    if labelled not in LABELLED:
        raise BadInput(f"`labelled=` is one of {', '.join(LABELLED)}, not {labelled!r}")
    if labelled != "all" and positive is None:
        raise BadInput(f"`labelled={labelled!r}` needs the class that is looked for: `positive=`")


def unlabelled_rows(y: Array) -> Array:
    """Where there is no label."""
    if y.dtype.kind == "f":
        return np.isnan(y)
    if y.dtype.kind not in "OU":
        return np.zeros(len(y), bool)
    return np.fromiter((is_missing(cell) or cell == "" for cell in y), bool, len(y))


def known_labels(y: Array) -> Array:
    """The labels that there are, of whole numbers also where a gap had made others of them."""
    return without_gap_type(y[~unlabelled_rows(y)])


def without_gap_type(known: Array) -> Array:
    """Return values without gaps in the type that they have by themselves: a gap made 1.0 of 1, objects of texts."""
    if known.dtype.kind == "f" and (known == np.floor(known)).all() and (np.abs(known) <= MAX_WHOLE).all():
        return known.astype(np.int64)
    return as_array(known.tolist()) if known.dtype.kind == "O" and len(known) else known


def fill_gaps(
    y: Array, gaps: Array, positive: Any, predicted: Array | None, classes: Any, labelled: str
) -> tuple[Array, Any]:
    """The labels with one in each gap, and the classes, where rows of one of two may be missing.

    Beside labelled positives a gap is not positive as far as anyone knows; of rows to be set aside it does not matter.
    """
    label = python_value(positive)
    if classes is None:
        known = known_labels(y) if gaps.any() else y
        seen = dict.fromkeys((*distinct_labels(known), *(() if predicted is None else distinct_labels(predicted))))
        others = [one for one in seen if one != label]
        if len(others) < 2 and (label in seen or labelled == "some" or not seen):
            classes = _in_order(others[0], label) if others else (f"not {label}", label)
    else:
        others = [one for one in map(python_value, as_labels(classes, "classes")) if one != label]
    if not gaps.any():
        return y, classes
    filled = np.empty(len(y), object)
    filled[~gaps] = known_labels(y).tolist()
    filled[gaps] = (others or [f"not {label}"])[0] if labelled == "positives" else label
    return filled, classes


def _in_order(*classes: Any) -> tuple[Any, ...]:
    """Sorted as classes are, where they are alike."""
    try:
        return tuple(sorted(classes))
    except TypeError:
        return classes


def set_aside(p: Predictions, gaps: Array) -> Predictions:
    """The labelled rows, which alone are scored, with the others beside them."""
    number = int(gaps.sum())
    if not number:
        return replace(p, labelled="all")
    have = "has" if number == 1 else "have"
    says = f"{number} of {plural(len(gaps), 'row')} {have} no label: what needs the truth is of the others"
    note = Note("unlabelled-rows", "remark", says)
    return replace(subset(p, ~gaps), labelled="some", unlabelled=subset(p, gaps), notes=(*p.notes, note))


def check_missing(missing: str) -> None:
    """What becomes of rows with missing cells, by its word."""
    if missing not in ("refuse", "drop"):
        raise BadInput(f"`missing=` is refuse or drop, not {missing!r}")


def drop_rows(given: Mapping[str, Any], at: Places, labelled: str) -> tuple[dict[str, Any], Places, tuple[Note, ...]]:
    """The columns without the rows that miss a cell in one of them; rows keep their numbers in sentences.

    A truth that nobody knows is no gap where that was said. Columns that do not match are left to who checks them.
    Where no ids are given the rows' numbers are, so that models which lack different rows are not taken for a pair.
    """
    arrays = {role: as_array(column, at[role]) for role, column in given.items() if column is not None}
    if len({len(array) for array in arrays.values()}) != 1:
        return dict(given), at, ()
    gaps = {at[role]: _gaps(array) for role, array in arrays.items() if role != "truth" or labelled == "all"}
    dropped = np.logical_or.reduce(list(gaps.values()))
    number, numbers = int(dropped.sum()), {place: int(found.sum()) for place, found in gaps.items()}
    if not number:
        return dict(given), at, ()
    if number == len(dropped):
        raise BadInput(f"every row has a missing cell in what was given ({gaps_in_words(numbers)})")
    kept, first = np.flatnonzero(~dropped), at.first
    columns = {**given, **{role: _take(array, kept, gaps.get(at[role])) for role, array in arrays.items()}}
    if isinstance(given.get("proba"), NamedColumns):
        columns["proba"] = replace(given["proba"], array=columns["proba"])
    if all(role in given and given[role] is None for role in ("rows", "fold", "repeat")):
        columns["rows"] = kept
    note = left_out_note("", len(dropped), number, numbers)
    return columns, replace(at, first=RowNames(lambda place: int(kept[place]) + first)), (note,)


def _gaps(array: Array) -> Array:
    """Where a row lacks a cell; of several columns, any."""
    if array.dtype.kind == "f":
        gaps = np.isnan(array)
    elif array.dtype.kind in "Mm":
        gaps = np.isnat(array)
    elif array.dtype.kind == "O":
        gaps = np.fromiter(map(is_missing, array.ravel()), bool, array.size).reshape(array.shape)
    else:
        gaps = np.zeros(array.shape, bool)
    found: Array = np.asarray(gaps.any(axis=tuple(range(1, gaps.ndim))))
    return found


def _take(array: Array, kept: Array, gaps: Array | None) -> Array:
    """The rows that stay; whole numbers again where only a gap had made others of them."""
    part = array[kept]
    return without_gap_type(part) if gaps is not None and gaps.any() and part.ndim == 1 else part


def left_out_note(place: str, rows: int, number: int, gaps: Mapping[str, int]) -> Note:
    """That rows with a gap were left out, how many of them, and how many gaps each column has."""
    says = f"{number} of {plural(rows, 'row')} {'has a' if number == 1 else 'have'} missing"
    cells = (
        f"{'cell' if number == 1 else 'cells'} ({gaps_in_words(gaps)}) and {'was' if number == 1 else 'were'} left out"
    )
    return Note("rows-left-out", "caution", f"{place}: {says} {cells}" if place else f"{says} {cells}")


def gaps_in_words(gaps: Mapping[str, int]) -> str:
    """How many gaps each column has that has any."""
    return ", ".join(f"{brief(str(name), 30)} {number}" for name, number in gaps.items() if number)
