"""Adjustments that go through the sorted p-values, down from the smallest or up from the largest."""

from __future__ import annotations

import numpy as np

from veracity.adjustments.entry import adjustment
from veracity.adjustments.family import Family, step_down, step_up
from veracity.adjustments.single import chance_of_any
from veracity.records.arrays import Array

DISCOVERY = "false discovery rate"


@adjustment("Holm", cite=("holm1979",))
def holm(family: Family) -> Array:
    """Bonferroni on the hypotheses that are still open, from the smallest p-value on.

    Holds under any dependence.
    """
    return step_down(family, _open(family) * family.ascending)


@adjustment("Hochberg", cite=("hochberg1988",), assumes=("SIMES",))
def hochberg(family: Family) -> Array:
    """The terms of holm, from the largest p-value on."""
    return step_up(family, _open(family) * family.ascending)


@adjustment("Hommel", cite=("hommel1988", "wright1992"), assumes=("SIMES",))
def hommel(family: Family) -> Array:
    """Closed testing with Simes' test of every subset of the hypotheses.

    Among subsets of one size that hold a hypothesis, the one that keeps it longest is made of the largest p-values.
    """
    p, size = family.ascending, family.size
    found = p.copy()
    for number in range(2, size + 1):
        rest = number * p[size - number + 1 :] / np.arange(2, number + 1)
        own = number * np.minimum(p, p[size - number])
        np.maximum(found, np.minimum(own, rest.min()), out=found)
    return step_down(family, found)


@adjustment("Holland", cite=("holland1987",), assumes=("SIMES",))
def holland(family: Family) -> Array:
    """Sidak on the hypotheses that are still open, from the smallest p-value on."""
    return step_down(family, chance_of_any(family.ascending, _open(family)))


@adjustment("Finner", cite=("finner1993",), assumes=("SIMES",))
def finner(family: Family) -> Array:
    """Sidak with the number of hypotheses divided by the place of the p-value, from the smallest on."""
    return step_down(family, chance_of_any(family.ascending, family.size / _places(family)))


@adjustment("Benjamini-Hochberg", controls=DISCOVERY, cite=("benjamini1995",), assumes=("SIMES",))
def benjamini_hochberg(family: Family) -> Array:
    """Expected share of false ones among the hypotheses rejected, from the largest p-value on."""
    return step_up(family, family.size * family.ascending / _places(family))


@adjustment("Benjamini-Yekutieli", controls=DISCOVERY, cite=("benjamini2001",))
def benjamini_yekutieli(family: Family) -> Array:
    """The false discovery rate under any dependence: benjamini_hochberg times 1 + 1/2 + ... + 1/h."""
    places = _places(family)
    return step_up(family, family.size * family.ascending / places * (1 / places).sum())


def _places(family: Family) -> Array:
    return np.arange(1, family.size + 1)


def _open(family: Family) -> Array:
    """How many hypotheses are open when each sorted p-value is reached."""
    return np.arange(family.size, 0, -1)
