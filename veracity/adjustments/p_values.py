"""Adjusted p-values, by their number and order, or for all pairs of some learners."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from veracity.adjustments import Family, adjustment
from veracity.core.distributions import root
from veracity.core.errors import BadInput
from veracity.core.notes import caution
from veracity.kernels.recursions import most_equal, rom_critical_values
from veracity.records.arrays import Array

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
    p, size = family.ascending, family.size
    largest = p
    for number in range(2, size + 1):
        simes = (number * p[size - number + 1 :] / np.arange(2, number + 1)).min()
        largest = np.maximum(largest, np.minimum(number * np.minimum(p, p[size - number]), simes))
    return family.step_down(largest)


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


MOST = 16  # learners whose sets of pairs can be gone through


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


@adjustment("Shaffer, dynamic", cite=("shaffer1986", "garcia2008"), assumes=("LOGIC",), pairs=True, learners=MOST)
def shaffer_dynamic(family: Family) -> Array:
    """Holm with the largest number of pairs that can be equal when those with smaller p-values are not.

    Takes 3^k steps for each p-value of k learners, so it ends at 16 learners.
    """
    shaffer_dynamic.check_learners(family)
    levels = np.unique(family.p)
    terms = np.array([level * through[0] for level, through in _by_level(family)])
    return np.maximum.accumulate(terms)[np.searchsorted(levels, family.p)]


@adjustment("Bergmann-Hommel", cite=("bergmann1988", "garcia2008"), assumes=("LOGIC",), pairs=True, learners=MOST)
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
    """How many pairs of learners can be equal, over all ways to sort them into groups of equals."""
    possible = [1]  # bit n of the entry at k says that n pairs of k learners can be equal
    for k in range(1, learners + 1):
        bits = 0
        for j in range(1, k + 1):
            bits |= possible[k - j] << j * (j - 1) // 2
        possible.append(bits)
    return frozenset(n for n in range(possible[learners].bit_length()) if possible[learners] >> n & 1)


def _by_level(family: Family) -> Iterator[tuple[float, Array]]:
    """For each p-value, the most pairs that are equal through each set when pairs with smaller ones are not."""
    first, second, k = family.ends
    tested = _masks(first, second, k)
    everybody = ((1 << k) - 1) ^ (1 << np.arange(k))
    for level in np.unique(family.p):
        apart = family.p < level
        sees = everybody & ~_masks(first[apart], second[apart], k)
        yield float(level), most_equal(sees, tested)


def _masks(first: Array, second: Array, k: int) -> Array:
    """For each learner, the learners it has a pair with, as bits."""
    partners = np.zeros(k, np.int64)
    np.bitwise_or.at(partners, first, 1 << second)
    np.bitwise_or.at(partners, second, 1 << first)
    return partners
