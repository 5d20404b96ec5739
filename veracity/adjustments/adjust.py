"""Adjusted p-values: by their number and order, or for all pairs of some learners, in the shape in which they came."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import count
from typing import Any

import numpy as np

from veracity.adjustments import Family, adjustment, adjustments
from veracity.core.arguments import Numbers, verb
from veracity.core.distributions import root
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput
from veracity.core.notes import Note, caution, check
from veracity.core.words import plural
from veracity.kernels.recursions import most_equal, rom_critical_values
from veracity.records.arrays import Array, as_numbers
from veracity.tables.table import Column, Table

SYMMETRIC = 1e-5  # relative: printed matrices round their halves differently


@verb
def adjust(p: Numbers, using: MethodLike = "holm") -> Adjusted:
    """Adjusted p-values in the shape of `p`; compare them with the level that the whole family shall have.

    `shaffer`, `shaffer_dynamic` and `bergmann_hommel` take the pairs of k learners: a symmetric k x k matrix, or its
    upper triangle row by row. Missing (NaN) p-values leave the family and stay missing. The array has `.notes`.

    Parameters
    ----------
    p
        P-values in any shape; for methods of all pairs a symmetric matrix, or its upper triangle row by row.
    using
        The adjustment, such as 'holm', 'hommel', 'benjamini_hochberg' or 'bergmann_hommel'.

    Examples
    --------
    >>> vc.adjust([0.01, 0.04, 0.03], "holm")
    Adjusted([0.03, 0.06, 0.06])
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
    """Return the adjusted p-values of a family, and notes on them."""
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
        """Return the p-values that are there; with their learners where those are asked for."""
        flat = self.flat
        there = ~np.isnan(flat)
        if not pairs:
            return Family(flat[there])
        k = (1 + math.isqrt(1 + 8 * len(flat))) // 2
        if k * (k - 1) // 2 != len(flat):
            raise BadInput(
                f"{len(flat)} p-values are not those of all pairs of some learners: {k} learners have"
                f" {plural(k * (k - 1) // 2, 'pair')}, {k + 1} have {k * (k + 1) // 2};"
                " a pair that was not tested is NaN"
            )
        first, second = np.triu_indices(k, 1)
        return Family(flat[there], first[there], second[there])

    def restore(self, adjusted: Array) -> Adjusted:
        """Return the adjusted values where their p-values were; missing ones stay missing."""
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


DISCOVERY = "false discovery rate"
HINGES = "the largest p-value is above .5, and every other one is judged by it: holm does not hinge on one p-value"
COMPILED_FROM = 60  # p-values: below this, compiling would take longer than the loop itself


@adjustment("Holm", cite=("holm1979",))
def holm(family: Family) -> Array:
    """Bonferroni on the hypotheses that are still open, from the smallest p-value on.

    Holds under any dependence.
    """
    return family.step_down(family.still_open * family.ascending)


@adjustment("Hochberg", cite=("hochberg1988",), assumes=("SIMES",))
def hochberg(family: Family) -> Array:
    """The terms of holm, from the largest p-value on."""
    return family.step_up(family.still_open * family.ascending)


@adjustment("Hommel", cite=("hommel1988", "wright1992"), assumes=("SIMES",))
def hommel(family: Family) -> Array:
    """Closed testing with Simes' test of every subset of the hypotheses.

    Of the subsets of one size that hold a hypothesis, the one that keeps it longest has the largest p-values beside it.
    """
    p, sizes, last = family.ascending, family.places, family.size - 1
    # where the p-value over its place among the largest is least: the last one, as tiny quotients are rounded alike
    largest = (p[start:] / sizes[: family.size - start] for start in range(last, -1, -1))
    place = np.array([last - np.argmin(quotients[::-1]) for quotients in largest])
    simes = sizes * p[place] / (place + sizes - last)  # Simes' p-value of the largest ones, so many of them
    # beside the others of such a subset a p-value gives its size times itself, at most their Simes; as Simes' share of
    # the size falls with it, the largest subset whose share is not below the p-value decides, or a larger one's Simes
    share = np.minimum.accumulate(simes / sizes)
    below = family.size - np.searchsorted(share[::-1], p)
    larger = np.append(np.maximum.accumulate(simes[::-1])[::-1], 0.0)[below]
    own = np.minimum(below * p, simes[below - 1])  # the smallest numbers that there are round a share up
    return family.step_down(np.maximum(own, larger))


@adjustment("Holland", cite=("holland1987",), assumes=("SIMES",))
def holland(family: Family) -> Array:
    """Sidak on the hypotheses that are still open, from the smallest p-value on."""
    return family.step_down(chance_of_any(family.ascending, family.still_open))


@adjustment("Finner", cite=("finner1993",), assumes=("SIMES",))
def finner(family: Family) -> Array:
    """Sidak with the number of hypotheses divided by the place of the p-value, from the smallest on."""
    return family.step_down(chance_of_any(family.ascending, family.size / family.places))


@adjustment("Benjamini-Hochberg", controls=DISCOVERY, cite=("benjamini1995",), assumes=("SIMES",))
def benjamini_hochberg(family: Family) -> Array:
    """Expected share of false ones among the hypotheses rejected, from the largest p-value on."""
    return family.step_up(family.size * family.ascending / family.places)


@adjustment("Benjamini-Yekutieli", controls=DISCOVERY, cite=("benjamini2001",))
def benjamini_yekutieli(family: Family) -> Array:
    """The false discovery rate under any dependence: benjamini_hochberg times 1 + 1/2 + ... + 1/h."""
    return family.step_up(family.size * family.ascending / family.places * (1 / family.places).sum())


@adjustment("Bonferroni", cite=("dunn1961",))
def bonferroni(family: Family) -> Array:
    """Each p-value times the number of them.

    Holds under any dependence; holm does too and is never weaker.
    """
    return family.size * family.p


@adjustment("Sidak", cite=("sidak1967",), assumes=("SIMES",))
def sidak(family: Family) -> Array:
    """Chance that the smallest of as many independent p-values is at most this one."""
    return chance_of_any(family.p, family.size)


@adjustment(
    "Li",
    cite=("li2008",),
    limits=(caution("large-last-p", HINGES, lambda family: family.size > 1 and bool(family.p.max() > 0.5)),),
)
def li(family: Family) -> Array:
    """Two steps: each p-value relative to itself and how far the largest one is from 1.

    A family of one keeps its p-value.
    """
    p, last = family.p, family.p.max()
    below = p + 1 - last
    return np.where(p == last, last, p / np.where(below > 0, below, 1))


def chance_of_any(p: Array, power: Array | int) -> Array:
    """Return 1 - (1 - p)^power, to full precision for tiny p."""
    with np.errstate(divide="ignore"):
        return -np.expm1(power * np.log1p(-p))


@adjustment("Rom", cite=("rom1990",), assumes=("SIMES",), quadratic=True)
def rom(family: Family, *, alpha: float | None = None) -> Array:
    """Step-up with critical values that use the whole level when p-values are independent.

    The adjusted value is the smallest level at which the hypothesis is rejected. With `alpha`, the critical values of
    that one level are used, and a p-value is multiplied by alpha over its critical value.
    """
    p = family.ascending
    if alpha is not None:
        return family.step_up(p * alpha / critical_values(family.size, alpha))
    level = float(p[-1])
    levels, values = np.full(len(p), level), _from_largest(len(p), level)
    for place in range(2, len(p) + 1):  # from the largest
        own = float(p[-place])
        if own < values[place - 1] or own == 0:
            level = _solve_level(own, place, level)
            values = _from_largest(len(p), level)
        levels[-place] = level
    return family.step_up(levels)


def critical_values(size: int, alpha: float) -> Array:
    """Return the critical value of each sorted p-value, the smallest first."""
    if not 0 < alpha < 1:
        raise BadInput(f"rom: alpha is a level between 0 and 1, such as 0.05, not {alpha!r}")
    return _from_largest(size, alpha)[::-1]


def _from_largest(size: int, alpha: float) -> Array:
    run = rom_critical_values.function if size < COMPILED_FROM else rom_critical_values.compiled
    values: Array = run(float(alpha), np.empty(size))
    return values


def _solve_level(p: float, place: int, above: float) -> float:
    """Return the level whose critical value at this place from the largest is p: between sidak's and hochberg's."""

    def excess(level: float) -> float:
        return float(_from_largest(place, level)[-1]) - p

    low, high = float(chance_of_any(np.asarray(p), place)), min(place * p, above)
    if p == 0 or excess(low) >= 0:
        return low
    return high if excess(high) <= 0 else root(excess, low, high, xtol=1e-300, rtol=1e-14)


MAX_LEARNERS = 16  # learners whose sets of pairs can be gone through


@adjustment("Shaffer", cite=("shaffer1986", "garcia2008"), assumes=("LOGIC",), pairs=True)
def shaffer(family: Family) -> Array:
    """Holm with the largest number of pairs that can be equal when so many are not.

    A pair that was not tested may be equal or not; the larger number counts.
    """
    k, still_open = family.learners, family.still_open
    possible = np.array(sorted(possible_numbers(k)))
    untested = k * (k - 1) // 2 - family.size
    true = possible[np.searchsorted(possible, still_open + untested, side="right") - 1]
    return family.step_down(np.minimum(true, still_open) * family.ascending)


@adjustment(
    "Shaffer, dynamic", cite=("shaffer1986", "garcia2008"), assumes=("LOGIC",), pairs=True, learners=MAX_LEARNERS
)
def shaffer_dynamic(family: Family) -> Array:
    """Holm with the largest number of pairs that can be equal when those with smaller p-values are not.

    Takes 3^k steps for each p-value of k learners, so it ends at 16 learners.
    """
    shaffer_dynamic.check_learners(family)
    levels = np.unique(family.p)
    terms = np.array([level * through[0] for level, through in _by_level(family)])
    return np.maximum.accumulate(terms)[np.searchsorted(levels, family.p)]


@adjustment(
    "Bergmann-Hommel", cite=("bergmann1988", "garcia2008"), assumes=("LOGIC",), pairs=True, learners=MAX_LEARNERS
)
def bergmann_hommel(family: Family, *, cumulative: bool = False) -> Array:
    """The strongest here: over all sets of pairs that can be equal together and hold this one, size times smallest p.

    A pair with a larger p-value may get a smaller adjusted one; `cumulative=True` takes the running maximum. Equal
    p-values need not get equal values, since the place among the learners matters. Takes 3^k steps for each p-value of
    k learners, so it ends at 16 learners.
    """
    bergmann_hommel.check_learners(family)
    first, second, _ = family.ends
    both = (1 << first) | (1 << second)
    adjusted = np.zeros(family.size)
    for level, through in _by_level(family):
        np.maximum(adjusted, level * through[both], out=adjusted, where=family.p >= level)
    if not cumulative:
        return adjusted
    levels, place = np.unique(family.p, return_inverse=True)  # equal p-values share the largest
    largest = np.zeros(len(levels))
    np.maximum.at(largest, place, adjusted)
    return np.maximum.accumulate(largest)[place]


@cache
def possible_numbers(learners: int) -> frozenset[int]:
    """Return how many pairs of learners can be equal, over all ways to sort them into groups of equals."""
    possible = [1]  # bit n of the entry at k says that n pairs of k learners can be equal
    for k in range(1, learners + 1):
        bits = 0
        for j in range(1, k + 1):
            bits |= possible[k - j] << j * (j - 1) // 2
        possible.append(bits)
    return frozenset(n for n in range(possible[learners].bit_length()) if possible[learners] >> n & 1)


def _by_level(family: Family) -> Iterator[tuple[float, Array]]:
    """Yield for each p-value the most pairs that are equal through each set when pairs with smaller ones are not."""
    first, second, k = family.ends
    tested = _masks(first, second, k)
    everybody = ((1 << k) - 1) ^ (1 << np.arange(k))
    for level in np.unique(family.p):
        apart = family.p < level
        sees = everybody & ~_masks(first[apart], second[apart], k)
        yield float(level), most_equal(sees, tested)


def _masks(first: Array, second: Array, k: int) -> Array:
    """Return for each learner the learners it has a pair with, as bits."""
    partners = np.zeros(k, np.int64)
    np.bitwise_or.at(partners, first, 1 << second)
    np.bitwise_or.at(partners, second, 1 << first)
    return partners
