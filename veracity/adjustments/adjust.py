"""Several tests at once: p-values that still mean what they say, in the shape in which they were given."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from veracity.adjustments import Family, adjustments
from veracity.core.arguments import Numbers, verb
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput
from veracity.core.notes import Note, check
from veracity.core.words import plural
from veracity.records.arrays import Array, as_numbers
from veracity.tables.table import Column, Table

SYMMETRIC = 1e-5  # relative: printed matrices round their halves differently


@verb
def adjust(p: Numbers, using: MethodLike = "holm") -> Adjusted:
    """Adjusted p-values in the shape of `p`; compare them with the level that the whole family shall have.

    `shaffer`, `shaffer_dynamic` and `bergmann_hommel` take the pairs of k learners: a symmetric k x k matrix, or its
    upper triangle row by row. Missing (NaN) p-values leave the family and stay missing. The array has `.notes`.
    """
    choice = adjustments.choose(using)
    given = read_p_values(p, choice.pairs)
    family = given.family(choice.pairs)
    adjusted, notes = adjust_family(family, choice) if family.size else (family.p, ())
    missing = np.flatnonzero(np.isnan(given.flat))
    if len(missing):
        says = f"{len(missing)} of {len(given.flat)} p-values missing (the first is number {missing[0] + 1})"
        notes = (Note("missing-p", "remark", f"{says}; the others are the family"), *notes)
    result = given.restore(adjusted)
    result.notes, result.p_values = notes, given.array
    result.using, result.about = choice.spelling, f"{choice.title}: controls the {choice.controls}"
    return result


def adjust_family(family: Family, choice: Choice) -> tuple[Array, tuple[Note, ...]]:
    """The adjusted p-values of a family, and what must be said of them."""
    notes = check(choice.limits, family)
    return np.clip(choice(family), family.p, 1), notes  # rounding must not take a value below its own p


class Adjusted(np.ndarray):
    """Adjusted p-values: an array that carries its notes, and how it was made."""

    notes: tuple[Note, ...] = ()
    using: str = ""  # the adjustment as it would be typed
    about: str = ""  # what it is and controls
    p_values: Array | None = None  # that were adjusted; a part of the array has none
    learners: Sequence[str] = ()  # the names of those whose pairs a matrix holds, where they are known

    def __array_finalize__(self, made_from: Any) -> None:
        self.notes = getattr(made_from, "notes", ())
        self.using, self.about = getattr(made_from, "using", ""), getattr(made_from, "about", "")

    def table(self) -> Table:
        """One row for each p-value, or for each pair of a matrix: what it was, where that is known, and is adjusted."""
        pairs = self.ndim == 2 and self.shape[0] == self.shape[1] and bool(np.isnan(np.diagonal(self)).all())
        columns = [Column("a", "left"), Column("b", "left")] if pairs else [Column("number")]
        places = np.triu_indices(len(self), 1) if pairs else np.unravel_index(np.arange(self.size), self.shape)
        names = self.learners or [f"learner {number}" for number in range(1, len(self) + 1)]
        heads = ((names[i], names[j]) for i, j in zip(*places, strict=True)) if pairs else ((i,) for i in count(1))
        shown = {"p-value": self.p_values, "adjusted": np.asarray(self)}
        cells = {title: p[places].tolist() for title, p in shown.items() if p is not None}
        rows = tuple((*head, *numbers) for head, *numbers in zip(heads, *cells.values(), strict=False))
        return Table((*columns, *map(Column, cells)), rows, self.about, self.notes)


@dataclass(frozen=True, eq=False)
class PValues:
    """P-values in the user's shape; a matrix of pairs counts each pair once."""

    array: Array
    matrix: bool  # symmetric, one row and column for each learner

    @property
    def flat(self) -> Array:
        return self.array[np.triu_indices(len(self.array), 1)] if self.matrix else self.array.ravel()

    def family(self, pairs: bool) -> Family:
        """The p-values that are there; with their learners where those are asked for."""
        flat = self.flat
        there = ~np.isnan(flat)
        if not pairs:
            return Family(flat[there])
        first, second = np.triu_indices(learners_of(len(flat)), 1)
        return Family(flat[there], first[there], second[there])

    def restore(self, adjusted: Array) -> Adjusted:
        """The adjusted values where their p-values were; missing ones stay missing."""
        flat = self.flat.copy()
        flat[~np.isnan(flat)] = adjusted
        if not self.matrix:
            return flat.reshape(self.array.shape).view(Adjusted)
        found = np.full(self.array.shape, np.nan)
        upper = np.triu_indices(len(found), 1)
        found[upper] = found.T[upper] = flat
        return found.view(Adjusted)


def read_p_values(p: Any, pairs: bool) -> PValues:
    """Return checked p-values; `pairs` says that the method needs those of all pairs of some learners."""
    array = as_numbers(p, "p-values").astype(float)
    shape = f"shape {' x '.join(map(str, array.shape))}" if array.ndim else "a single number"
    if array.ndim not in (1, 2) or array.size == 0:
        raise BadInput(f"give p-values as a list or a matrix that holds at least one, not {shape}")
    square = array.ndim == 2 and array.shape[0] == array.shape[1] > 1
    if pairs and array.ndim == 2 and not square:
        raise BadInput(f"the p-values of pairs are a square matrix or its upper triangle, not {shape}")
    apart = ~np.isclose(array, array.T, rtol=SYMMETRIC, atol=0, equal_nan=True) if square else np.ones(1, bool)
    matrix = square and (pairs or not apart.any())
    if matrix and not pairs and not np.isnan(np.diagonal(array)).all():  # cannot be told from a family of all numbers
        raise BadInput("a symmetric matrix of p-values needs NaN on its diagonal: each pair then counts once")
    wrong = (array < 0) | (array > 1)
    if matrix:
        np.fill_diagonal(wrong, False)
    for place in np.argwhere(wrong)[:1]:
        where = f"number {place[0] + 1}" if array.ndim == 1 else f"row {place[0] + 1}, column {place[1] + 1}"
        raise BadInput(f"p-values lie between 0 and 1: {where} is {array[tuple(place)]:g}")
    for row, column in np.argwhere(apart)[:1] if matrix else ():
        raise BadInput(
            f"the matrix of p-values is not symmetric: row {row + 1}, column {column + 1} is "
            f"{array[row, column]:g}, but row {column + 1}, column {row + 1} is {array[column, row]:g}"
        )
    return PValues(array, matrix)


def learners_of(size: int) -> int:
    """How many learners have this many pairs."""
    k = (1 + math.isqrt(1 + 8 * size)) // 2
    if k * (k - 1) // 2 == size:
        return k
    raise BadInput(
        f"{size} p-values are not those of all pairs of some learners: {k} learners have "
        f"{plural(k * (k - 1) // 2, 'pair')}, {k + 1} have {k * (k + 1) // 2}; a pair that was not tested is NaN"
    )
