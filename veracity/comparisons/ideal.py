"""Two learners on fresh rows for every fit, as only a simulation can draw them."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.normal import two_sided
from veracity.core.notes import caution, refuse
from veracity.evidence.split_scores import SplitTable
from veracity.records.arrays import Array

SHARED = refuse(
    "shared-rows",
    "the splits share rows unless it is said that they do not: use corrected_t, or draw fresh rows for every fit and"
    " say split_scores(..., independent=True)",
    lambda table: not table.independent,
)
ONE_SPLIT = refuse("one-split", "one fit says nothing about how fits differ", lambda table: len(_values(table)[0]) < 2)
UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined or infinite in some splits, and none is dropped",
    lambda table: not np.isfinite(_values(table)).all(),
)
CONSTANT = refuse(
    "no-spread",
    "neither learner's score varies, so their spread says nothing",
    lambda table: not np.ptp(_values(table), axis=1).any() and bool(np.ptp(_values(table))),
)
FEW = caution("few-splits", "fewer than 30 fits: the normal law is rough", lambda table: len(_values(table)[0]) < 30)


@comparison(
    "Ideal z",
    reads=SplitTable,
    cite=("dietterich1998",),
    assumes=("IID", "NORM"),
    limits=(SHARED, UNDEFINED, ONE_SPLIT, CONSTANT, FEW),
)
def ideal_z(table: SplitTable) -> Verdict:
    """The difference of two mean scores over independent training sets, each tested on fresh rows.

    This is what every other test on one data set stands in for. It needs a population that can be sampled again and
    again.
    """
    first, second = _values(table)
    difference = float(first.mean() - second.mean())
    error = math.sqrt((first.var(ddof=1) + second.var(ddof=1)) / len(first))
    if error == 0:
        return Verdict(0.0, 1.0, difference=difference)
    z = difference / error
    return Verdict(z, two_sided(z), difference=difference, standard_error=error)


def _values(table: SplitTable) -> Array:
    return np.stack([scores.values for scores in table.learners.values()])
