"""Designs that test every row exactly once in each repeat."""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import caution
from veracity.designs.entry import Makes, Said, design
from veracity.designs.in_time import gap_of, windows
from veracity.designs.parts import chosen, dealt, enough_groups, every_class_in, most_parts
from veracity.designs.sizes import even, whole
from veracity.designs.streams import stream
from veracity.designs.variants import Variant, no_repeats_in_time, variant
from veracity.records.arrays import Array
from veracity.records.design import Rows, Split


@design("K-fold cross-validation", cite=("stone1974",))
def kfold(
    rows: Rows,
    random: np.random.Generator,
    *,
    k: int = 10,
    stratified: Said = "auto",
    grouped: Said = "auto",
    ordered: Said = "auto",
    gap: int = 0,
) -> Makes:
    """The rows fall into k folds at random; each fold tests the model trained on the others.

    With time known, the rows are cut into k + 1 stretches, and each but the first tests the model trained on what
    lies strictly before it, `gap` rows apart.
    """
    return _repeated(rows, random, k, 1, variant(rows, stratified, grouped, ordered), gap)


@design("Repeated k-fold cross-validation", cite=("stone1974", "nadeau2003"))
def repeated_kfold(
    rows: Rows,
    random: np.random.Generator,
    *,
    k: int = 10,
    repeats: int = 10,
    stratified: Said = "auto",
    grouped: Said = "auto",
    ordered: Said = "auto",
    gap: int = 0,
) -> Makes:
    """K-fold cross-validation done several times, each time with other folds; the first repeat is that of kfold."""
    how = variant(rows, stratified, grouped, ordered)
    return _repeated(rows, random, k, whole("repeats", repeats), how, gap)


@design(
    "Five times two-fold",
    cite=("dietterich1998",),
    limits=(
        caution(
            "few-rows",
            "fewer than 20 rows give halves too small to learn from or to test on",
            lambda rows: len(rows) < 20,
        ),
    ),
)
def five_by_two(rows: Rows, random: np.random.Generator, *, stratified: Said = "auto", grouped: Said = "auto") -> Makes:
    """Five times the rows fall into halves at random, and each half trains once and tests once."""
    return _repeated(rows, random, 2, 5, variant(rows, stratified, grouped), 0)


@design("Leave-one-out", cite=("lachenbruch1968", "stone1974"))
def leave_one_out(rows: Rows, random: np.random.Generator, *, grouped: Said = "auto") -> Makes:
    """Each row tests the model trained on all others; with groups known, each group does."""
    groups = rows.groups if variant(rows, grouped=grouped).grouped else None
    places = np.arange(len(rows), dtype=np.int32) if groups is None else groups
    number = int(places.max(initial=-1)) + 1
    if number < 2:
        raise Refused(f"leave_one_out needs at least 2 rows or groups, not {number}", "too-few-parts")
    yield from each_fold(places, number, 0)


def fold_of_each_row(rows: Rows, k: int, how: Variant, random: np.random.Generator) -> Array:
    """Folds of sizes that differ by at most one, dealt at random; whole groups make sizes approximate."""
    _check_folds(rows, whole("k", k), how)
    return dealt(rows, even(len(rows), k), how, random)


def _check_folds(rows: Rows, k: int, how: Variant) -> None:
    """Refuse what leaves a fold empty, or without a class or a group, and name the number that does not."""
    if len(rows) < 2:
        raise Refused(f"folds need at least 2 rows, and there is {len(rows) or 'none'}", "too-few-parts")
    most = most_parts(rows, how)
    if most > 1 and not 2 <= k <= len(rows):
        of = " that hold every class" * how.stratified + " of whole groups" * how.grouped
        span = "2 folds" if most == 2 else f"2 to {most} folds"
        raise Refused(f"{len(rows)} rows can fall into {span}{of}, not {k}", "too-few-parts")
    if how.stratified:
        every_class_in(rows, max(k, 2), f"use at most {most} folds, " * (most > 1))
    if how.grouped:
        enough_groups(rows, max(k, 2))


def each_fold(folds: Array, number: int, repeat: int, part: str = "") -> Makes:
    """One split for each fold, which tests."""
    for fold in range(number):
        tests = folds == fold
        yield Split(chosen(~tests), chosen(tests), repeat, fold, part)


def _repeated(rows: Rows, random: np.random.Generator, k: int, repeats: int, how: Variant, gap: int) -> Makes:
    apart = gap_of(gap, how)
    if how.ordered:
        no_repeats_in_time(repeats, f"kfold(k={k})")
        yield from windows(rows, _stretches(len(rows), whole("k", k, least=2)), how, apart)
        return
    for repeat in range(repeats):
        yield from each_fold(fold_of_each_row(rows, k, how, stream(random, repeat)), k, repeat)


def _stretches(rows: int, k: int) -> list[tuple[int, int]]:
    """All but the first of k + 1 stretches, as positions in the time order."""
    if rows < k + 1:
        raise Refused(f"{rows} rows in time order cannot be cut into {k + 1} stretches: use a smaller k", "empty-part")
    return list(pairwise(accumulate(even(rows, k + 1))))
