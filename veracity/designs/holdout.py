"""Designs that hold part of the rows back: once, several times, for two purposes, or inside pairs of halves."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.designs.deal_rows import (
    ascending_rows,
    check_every_class,
    check_no_repeats,
    deal_rows,
    earlier_rows,
    left_out_note,
    rows_where,
    stream,
    time_order,
    windows,
)
from veracity.designs.entry import SplitsAndNotes, design
from veracity.designs.parameters import VARIANTS, Variant, even_sizes, part_sizes, whole_number
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows, Split, SplitPart

FULL, HALF = "full", "half"  # of the rows
HALVES = 2  # each with a test part and a training part


@design("Hold-out", variants=VARIANTS, cite=("witten2011",))
def holdout(rows: Rows, random: np.random.Generator, how: Variant, *, test: float = 0.333) -> SplitsAndNotes:
    """A share of the rows, drawn at random, tests one model trained on all others.

    With time known, the last rows test and those strictly before them train, `gap` rows apart.
    """
    return _holdouts(rows, random, 1, test, how)


@design(
    "Repeated hold-out", variants=VARIANTS, count=lambda rows, repeats, **_: repeats, cite=("picard1984", "nadeau2003")
)
def repeated_holdout(
    rows: Rows, random: np.random.Generator, how: Variant, *, repeats: int = 25, test: float = 0.1
) -> SplitsAndNotes:
    """Several hold-outs drawn independently of each other, also called Monte Carlo cross-validation."""
    return _holdouts(rows, random, whole_number("repeats", repeats), test, how)


def _holdouts(rows: Rows, random: np.random.Generator, repeats: int, test: float, how: Variant) -> SplitsAndNotes:
    sizes = part_sizes(len(rows), test=test)
    if how.ordered:
        check_no_repeats(repeats, "holdout")
        yield from windows(rows, [(sizes[1], len(rows))], how)
        return
    for repeat in range(repeats):
        tests = deal_rows(rows, sizes, how, stream(random, repeat)) == 0
        yield Split(rows_where(~tests), rows_where(tests), repeat=repeat)


@design("Three-way split", variants=VARIANTS, cite=("witten2011",))
def three_way(
    rows: Rows, random: np.random.Generator, how: Variant, *, validation: float = 0.2, test: float = 0.2
) -> SplitsAndNotes:
    """Training rows fit, validation rows choose, test rows only report; each row has one of the three uses.

    With time known, training lies before validation and validation before test.
    """
    sizes = part_sizes(len(rows), test=test, validation=validation)
    if not how.ordered:
        part = deal_rows(rows, sizes, how, stream(random, 0))
        yield Split(rows_where(part == 2), rows_where(part == 0), validation=rows_where(part == 1))
        return
    order, first, second = time_order(rows), sizes[2], sizes[2] + sizes[1]
    last, middle, start = order[second:], order[first : max(first, second - how.gap)], order[: max(0, first - how.gap)]
    validate = earlier_rows(rows, middle, last, how)
    train = earlier_rows(rows, start, np.concatenate([validate, last]), how)
    yield Split(ascending_rows(train), ascending_rows(last), validation=ascending_rows(validate))
    yield from left_out_note(len(middle) + len(start) - len(validate) - len(train))


@design("Test file", cite=("witten2011",))
def test_file(rows: Rows, random: np.random.Generator) -> SplitsAndNotes:
    """The rows of a data set's test file test one model trained on those of its file.

    The test file is named beside the file, `test = "test.csv"` under `[data]` of a study file, and has its columns.
    """
    if rows.test is None:
        says = f"{rows.name or 'the data set'} names no test file"
        raise Refused(f"{says}: write test = \"test.csv\" beside its file, or use `by='holdout'`", "no-test-file")
    if rows.test.all() or not rows.test.any():
        says = f"{rows.name or 'the data set'} has no row in its {'file' if rows.test.any() else 'test file'}"
        raise Refused(f"{says}: both need some", "empty-part")
    yield Split(rows_where(~rows.test), rows_where(rows.test))


@design(
    "Paired subsampling",
    variants=("stratified",),
    count=lambda rows, outer, inner, **_: (2 * outer + 1) * inner,
    cite=("nadeau2003",),
    several_kinds=True,
)
def paired_subsampling(
    rows: Rows, random: np.random.Generator, how: Variant, *, outer: int = 10, inner: int = 15, test: float = 0.1
) -> SplitsAndNotes:
    """Hold-outs on all rows, and `outer` times two disjoint halves with as many hold-outs of that test size in each.

    Two halves share no row, so how far their means lie apart measures the variance that overlapping splits hide.
    Parts are called "full", "half 0 a", "half 0 b", "half 1 a" and so on; `repeat` counts the hold-outs of a part.
    """
    sizes, pairs, number = part_sizes(len(rows), test=test), whole_number("outer", outer), whole_number("inner", inner)
    if sizes[0] >= len(rows) // 2:
        says = f"{sizes[0]} test rows leave no training row in halves of {len(rows)} rows"
        raise Refused(f"{says}: use a smaller test share", "empty-part")
    if how.stratified:
        check_every_class(rows, HALVES * 2)
    every = np.arange(len(rows), dtype=np.int32)
    for repeat in range(number):
        yield _holdout(rows, every, sizes[0], how, stream(random, repeat), repeat, SplitPart(FULL))
    for pair in range(pairs):
        half = deal_rows(rows, even_sizes(len(rows), HALVES), how, stream(random, pair, 0))
        for side, name in enumerate("ab"):
            members = rows_where(half == side)
            for repeat in range(number):
                place = stream(random, pair, 1 + side, repeat)
                yield _holdout(rows, members, sizes[0], how, place, repeat, SplitPart(HALF, (pair,), name))


def _holdout(
    rows: Rows, members: Array, test: int, how: Variant, random: np.random.Generator, repeat: int, part: SplitPart
) -> Split:
    inside = Rows(len(members), None if rows.classes is None else rows.classes[members])
    tests = deal_rows(inside, (test, len(members) - test), how, random) == 0
    return Split(freeze(members[~tests]), freeze(members[tests]), repeat, part=part)
