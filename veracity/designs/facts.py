"""What a design implies, read from its splits and never from its name: sizes, overlaps, torn groups, time order."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Split, SplitPart

WHOLE = "holdout, kfold, leave_one_out, bootstrap and their kin keep groups whole"


@dataclass(frozen=True, eq=False)
class DesignFacts:
    """Facts that later methods need; shares are means over all pairs of splits, 0 where there is one split only."""

    splits: int
    repeats: int
    train_sizes: Array  # rows of each split, repeated ones as often as drawn
    test_sizes: Array
    times_tested: Array  # of each row, over all splits
    test_overlap: float  # share of its test rows that a split shares with another split
    train_overlap: float  # share of its different training rows that a split shares with another split
    tested_once_per_repeat: bool  # whether every row is tested exactly once in each repeat
    replacement: bool  # whether some split trains on a row more than once
    tests_training: bool  # whether some split tests a row that it trained on

    @property
    def test_over_train(self) -> float:
        """Test rows over training rows, summed over splits."""
        return float(self.test_sizes.sum() / self.train_sizes.sum())

    @property
    def disjoint_tests(self) -> bool:
        """Whether no row is tested twice."""
        return bool((self.times_tested <= 1).all())


def design_facts(design: Design, part: SplitPart | None = None) -> DesignFacts:
    """The facts of a design, or of those of its splits that belong to one part."""
    splits = [split for split in design.splits if part is None or split.part == part]
    if not splits:
        there = ", ".join(repr(str(one)) for one in design_parts(design))
        raise BadInput(f"{design.name} has no part {str(part)!r}: it has {there}")
    tested, trained, replaced, shared = _times(splits, design.rows)
    return DesignFacts(
        splits=len(splits),
        repeats=len({split.repeat for split in splits}),
        train_sizes=freeze([len(split.train) for split in splits]),
        test_sizes=freeze([len(split.test) for split in splits]),
        times_tested=freeze(tested),
        test_overlap=_overlap(tested, len(splits)),
        train_overlap=_overlap(trained, len(splits)),
        tested_once_per_repeat=_once_per_repeat(splits, design.rows),
        replacement=replaced,
        tests_training=shared,
    )


def design_parts(design: Design) -> tuple[SplitPart, ...]:
    """The parts that a design has, in order."""
    return tuple(dict.fromkeys(split.part for split in design.splits))


def _times(splits: list[Split], rows: int) -> tuple[Array, Array, bool, bool]:
    """How many splits test and how many train on each row, and whether any trains twice or tests what it trained on."""
    tested, trained = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    replaced = shared = False
    for split in splits:
        times = np.bincount(split.train, minlength=rows)
        replaced |= bool((times > 1).any())
        shared |= bool(times[split.test].any())
        tested[split.test] += 1
        trained += times > 0
    return tested, trained, replaced, shared


def _overlap(times: Array, splits: int) -> float:
    """Two splits share, summed over all pairs, times * (times - 1) / 2 for each row: no pair needs to be looked at."""
    if splits < 2:
        return 0.0
    return float((times * (times - 1)).sum() / ((splits - 1) * times.sum()))


def _once_per_repeat(splits: list[Split], rows: int) -> bool:
    tested: dict[int, Array] = {}
    for split in splits:
        np.add.at(tested.setdefault(split.repeat, np.zeros(rows, np.int32)), split.test, 1)
    return all(bool((times == 1).all()) for times in tested.values())


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
