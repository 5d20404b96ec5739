"""The check that no group lies on both sides of a split."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.records.arrays import Array
from veracity.records.design import Design, Split

WHOLE = "holdout, kfold, leave_one_out, bootstrap and their kin keep groups whole"


def no_group_on_both_sides(design: Design, groups: Array) -> None:
    """Refuse a design that trains and tests on rows of one group in some split."""
    codes = np.unique(groups, return_inverse=True)[1]
    for place, split in enumerate(design.splits):
        row = _shared(split, codes)
        if row is not None:
            raise Refused(
                f"{design.name} puts a group on both sides: in split {place} the group of row {row} both trains and "
                f"tests; {WHOLE}",
                "group-on-both-sides",
            )


def groups_on_both_sides(design: Design, groups: Array) -> tuple[Note, ...]:
    """A caution in place of the refusal, for a user who said that groups do not matter."""
    codes = np.unique(groups, return_inverse=True)[1]
    torn = sum(_shared(split, codes) is not None for split in design.splits)
    if not torn:
        return ()
    where = f"in {torn} of {plural(len(design), 'split')} a group is both in training and in test"
    says = f"rows are not independent: {where}; leave grouped=False out"
    return (Note("group-on-both-sides", "caution", says),)


def _shared(split: Split, codes: Array) -> int | None:
    """A row whose group also lies in another part of the split."""
    parts = [rows for rows in (split.train, split.validation, split.test) if rows is not None]
    for one, other in combinations(parts, 2):
        seen = np.zeros(codes.max() + 1, bool)
        seen[codes[one]] = True
        torn = other[seen[codes[other]]]
        if len(torn):
            return int(torn[0])
    return None
