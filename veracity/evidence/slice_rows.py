"""Which rows each slice holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.evidence.labels import as_labels, codes, distinct_labels
from veracity.records.arrays import Array

SIMULTANEOUS = "simultaneous-level"  # the code of the note that only answers about slices have


def slice_rows(labels: Any, name: str, rows: int) -> list[tuple[str, Array]]:
    """Each slice's name and places, from one sort of the rows by slice; `name` is the argument that labels them."""
    groups = as_labels(labels, name)
    if len(groups) != rows:
        raise BadInput(f"{name} has {len(groups)} rows, but the predictions have {rows}: they must match")
    distinct = distinct_labels(groups)
    number = codes(groups, distinct, name)
    order = np.argsort(number, kind="stable")
    bounds = np.searchsorted(number[order], np.arange(len(distinct) + 1))
    return [(str(label), order[bounds[k] : bounds[k + 1]]) for k, label in enumerate(distinct)]


def simultaneous_note(slices: int, each: float, level: float, of_one: str) -> Note:
    """At which level each interval is, so that all slices hold together."""
    one = f"{plural(slices, 'slice')}: each interval has level {each:.6g}"
    says = f"{one}, so that all of one {of_one} hold together with level {level:g} (Bonferroni)"
    return Note(SIMULTANEOUS, "remark", says)
