"""Splits in which a model learns from rows that depend on its test rows: groups on both sides, later rows."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.records.arrays import Array
from veracity.records.design import Design, Split

WHOLE = "holdout, kfold, leave_one_out, bootstrap and their kin keep groups whole"


def time_order_notes(design: Design, time: Array) -> tuple[Note, ...]:
    """A caution where a model was trained on rows that are not strictly before its test rows."""
    ranks = np.unique(time, return_inverse=True)[1]
    late = sum(bool(ranks[split.train].max() >= ranks[split.test].min()) for split in design.splits)
    if not late:
        return ()
    where = f"in {late} of {plural(len(design), 'split')} a model learns from rows not before its test rows"
    says = f"rows are not independent: {where}; kfold, holdout and three_way keep time order"
    return (Note("out-of-time-order", "caution", says),)


def check_whole_groups(design: Design, groups: Array) -> None:
    """Refuse a design that trains and tests on rows of one group in some split."""
    codes = np.unique(groups, return_inverse=True)[1]
    for place, split in enumerate(design.splits):
        row = _row_of_torn_group(split, codes)
        if row is not None:
            where = f"in split {place} the group of row {row} both trains and tests; {WHOLE}"
            raise Refused(f"{design.name} puts a group on both sides: {where}", "group-on-both-sides")


def torn_group_notes(design: Design, groups: Array) -> tuple[Note, ...]:
    """A caution in place of the refusal, for a user who said that groups do not matter."""
    codes = np.unique(groups, return_inverse=True)[1]
    torn = sum(_row_of_torn_group(split, codes) is not None for split in design.splits)
    if not torn:
        return ()
    where = f"in {torn} of {plural(len(design), 'split')} a group is both in training and in test"
    says = f"rows are not independent: {where}; leave grouped=False out"
    return (Note("group-on-both-sides", "caution", says),)


def _row_of_torn_group(split: Split, codes: Array) -> int | None:
    """A row whose group also lies in another part of the split."""
    parts = [rows for rows in (split.train, split.validation, split.test) if rows is not None]
    for one, other in combinations(parts, 2):
        seen = np.zeros(codes.max() + 1, bool)
        seen[codes[one]] = True
        torn = other[seen[codes[other]]]
        if len(torn):
            return int(torn[0])
    return None
