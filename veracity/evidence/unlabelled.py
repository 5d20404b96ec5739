"""Rows whose truth is not known: unlike the labelled positives, or set aside for what reads probabilities alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.evidence.labels import as_labels, distinct_labels, is_missing
from veracity.evidence.predictions import Predictions
from veracity.evidence.take_rows import subset
from veracity.records.arrays import Array, as_array, python_value

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
