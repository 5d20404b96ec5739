"""Designs of folds: every row is tested exactly once in each repeat, and by Bates also by models that left out two."""

from __future__ import annotations

from itertools import accumulate, combinations, pairwise

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import caution
from veracity.designs.deal_rows import (
    check_every_class,
    check_groups,
    check_no_repeats,
    deal_rows,
    most_parts,
    rows_where,
    stream,
    windows,
)
from veracity.designs.entry import SplitsAndNotes, design
from veracity.designs.parameters import VARIANTS, Variant, even_sizes, whole_number
from veracity.records.arrays import Array
from veracity.records.design import Rows, Split, SplitPart

ONE, TWO = "one out", "two out"  # folds


@design("K-fold cross-validation", variants=VARIANTS, count=lambda rows, k, **_: k, cite=("stone1974",))
def kfold(rows: Rows, random: np.random.Generator, how: Variant, *, k: int = 10) -> SplitsAndNotes:
    """The rows fall into k folds at random; each fold tests the model trained on the others.

    With time known, the rows are cut into k + 1 stretches, and each but the first tests the model trained on what
    lies strictly before it, `gap` rows apart.
    """
    return _repeat_folds(rows, random, k, 1, how)


@design(
    "Repeated k-fold cross-validation",
    variants=VARIANTS,
    count=lambda rows, k, repeats, **_: k * repeats,
    cite=("stone1974", "nadeau2003"),
)
def repeated_kfold(
    rows: Rows, random: np.random.Generator, how: Variant, *, k: int = 10, repeats: int = 10
) -> SplitsAndNotes:
    """K-fold cross-validation done several times, each time with other folds; the first repeat is that of kfold."""
    return _repeat_folds(rows, random, k, whole_number("repeats", repeats), how)


FEW_ROWS = caution(
    "few-rows", "fewer than 20 rows give halves too small to learn from or to test on", lambda rows: len(rows) < 20
)


@design(
    "Five times two-fold",
    variants=("stratified", "grouped"),
    count=lambda rows, **_: 10,
    cite=("dietterich1998",),
    limits=(FEW_ROWS,),
)
def five_by_two(rows: Rows, random: np.random.Generator, how: Variant) -> SplitsAndNotes:
    """Five times the rows fall into halves at random, and each half trains once and tests once."""
    return _repeat_folds(rows, random, 2, 5, how)


@design(
    "Leave-one-out",
    variants=("grouped",),
    cite=("lachenbruch1968", "stone1974"),
    count=lambda rows, grouped, **_: len(rows) if rows.groups is None or not grouped else len(np.unique(rows.groups)),
)
def leave_one_out(rows: Rows, random: np.random.Generator, how: Variant) -> SplitsAndNotes:
    """Each row tests the model trained on all others; with groups known, each group does."""
    groups = rows.groups if how.grouped else None
    places = np.arange(len(rows), dtype=np.int32) if groups is None else groups
    number = int(places.max(initial=-1)) + 1
    if number < 2:
        raise Refused(f"leave_one_out needs at least 2 rows or groups, not {number}", "too-few-parts")
    yield from each_fold(places, number, 0)


def fold_of_each_row(rows: Rows, k: int, how: Variant, random: np.random.Generator) -> Array:
    """Folds of sizes that differ by at most one, dealt at random; whole groups make sizes approximate.

    What leaves a fold empty, or without a class or a group, is refused with the number that does not.
    """
    whole_number("k", k)
    if len(rows) < 2:
        raise Refused(f"folds need at least 2 rows, and there is {len(rows) or 'none'}", "too-few-parts")
    most = most_parts(rows, how)
    if most > 1 and not 2 <= k <= len(rows):
        of = " that hold every class" * how.stratified + " of whole groups" * how.grouped
        span = "2 folds" if most == 2 else f"2 to {most} folds"
        raise Refused(f"{len(rows)} rows can fall into {span}{of}, not {k}", "too-few-parts")
    if how.stratified:
        check_every_class(rows, max(k, 2), f"use at most {most} folds, " * (most > 1))
    if how.grouped:
        check_groups(rows, max(k, 2))
    return deal_rows(rows, even_sizes(len(rows), k), how, random)


def each_fold(folds: Array, number: int, repeat: int, kind: str = "") -> SplitsAndNotes:
    """One split for each fold, which tests."""
    for fold in range(number):
        tests = folds == fold
        yield Split(rows_where(~tests), rows_where(tests), repeat, fold, SplitPart(kind))


def _repeat_folds(rows: Rows, random: np.random.Generator, k: int, repeats: int, how: Variant) -> SplitsAndNotes:
    if not how.ordered:
        for repeat in range(repeats):
            yield from each_fold(fold_of_each_row(rows, k, how, stream(random, repeat)), k, repeat)
        return
    check_no_repeats(repeats, f"kfold(k={k})")
    number = whole_number("k", k, least=2)
    if len(rows) < number + 1:
        says = f"{len(rows)} rows in time order cannot be cut into {number + 1} stretches: use a smaller k"
        raise Refused(says, "empty-part")
    yield from windows(rows, list(pairwise(accumulate(even_sizes(len(rows), number + 1)))), how)


@design(
    "Nested scheme of Bates, Hastie and Tibshirani",
    variants=("stratified", "grouped"),
    count=lambda rows, k, repeats, **_: repeats * (k + k * (k - 1) // 2),
    cite=("bates2024",),
    several_kinds=True,
)
def nested_cv_bates(
    rows: Rows, random: np.random.Generator, how: Variant, *, k: int = 10, repeats: int = 50
) -> SplitsAndNotes:
    """In each repeat k folds, all k models that leave one fold out and all k(k-1)/2 models that leave two folds out.

    A model tests all rows that it left out. Parts are called "one out" and "two out i j" with the folds left out.
    """
    if whole_number("k", k) < 3:
        raise Refused(f"leaving two folds out needs at least 3 folds, not {k}", "too-few-parts")
    for repeat in range(whole_number("repeats", repeats)):
        folds = fold_of_each_row(rows, k, how, stream(random, repeat))
        yield from each_fold(folds, k, repeat, ONE)
        for first, second in combinations(range(k), 2):
            tests = (folds == first) | (folds == second)
            part = SplitPart(TWO, (first, second))
            yield Split(rows_where(~tests), rows_where(tests), repeat, first, part)


def folds_left_out(split: Split) -> tuple[int, ...]:
    """The one or two folds of its repeat that a split of this design left out."""
    return split.part.numbers or (split.fold,)
