"""Adjustments that treat each p-value by itself."""

from __future__ import annotations

import numpy as np

from veracity.adjustments.entry import adjustment
from veracity.adjustments.family import Family
from veracity.core.notes import caution
from veracity.records.arrays import Array

HINGES = "the largest p-value is above .5, and every other one is judged by it: holm does not hinge on one p-value"


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
    """1 - (1 - p)^power, to full precision for tiny p."""
    with np.errstate(divide="ignore"):
        return -np.expm1(power * np.log1p(-p))
