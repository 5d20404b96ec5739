"""The difference of two areas under the ROC curve on the same rows."""

from __future__ import annotations

from math import nan, sqrt
from typing import NamedTuple

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.notes import refuse
from veracity.evidence.ordering import Ordering
from veracity.evidence.same_rows import SameRows
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval
from veracity.records.arrays import Array


class Areas(NamedTuple):
    """The difference of two areas and its standard error."""

    difference: float
    standard_error: float


def areas(pair: SameRows) -> Areas:
    """From the placements of each row among the rows of the other class, by both models; O(n log n)."""
    if smaller_class(pair) < 2:
        return Areas(pair.difference, nan)
    influence, variance = _influence(pair), 0.0
    for of_class in (influence[pair.first.truth == c] for c in (0, 1)):
        rows = len(of_class)
        variance += float(np.square(of_class).sum()) * rows / ((rows - 1) * len(pair) ** 2)
    rounding = 1e-12  # of placements: the same ordering may be added up in another way
    return Areas(pair.difference, sqrt(variance) if variance > rounding**2 else 0.0)


def _influence(pair: SameRows) -> Array:
    """What each row does to the difference: the influence values of both models, which are scaled placements."""
    of_model = []
    for tracked in pair.tracked:
        if not isinstance(tracked.evidence, Ordering):
            raise Refused("DeLong's difference is of two classes and one ordering: use paired_bootstrap", "two-classes")
        found = pair.score.entry.influence_of(tracked.evidence, **pair.score.given)
        of_model.append(found[tracked.cell])
    return np.subtract(*of_model)


def smaller_class(pair: SameRows) -> int:
    return int(np.bincount(pair.first.truth, minlength=2).min())


ONE_ROW = refuse(
    "one-row", "a class has fewer than two rows, so the area has no variance", lambda pair: smaller_class(pair) < 2
)
SAME_ORDERING = refuse(
    "same-ordering",
    "the areas of both models are equal, as they order the rows alike: there is nothing to test",
    lambda pair: pair.difference == 0 and areas(pair).standard_error == 0,
)
SEPARATED = refuse(
    "perfect-separation",
    "both models separate the classes perfectly, one of them the wrong way round, so the variance is 0 and says "
    "nothing: use paired_permutation",
    lambda pair: pair.difference != 0 and areas(pair).standard_error == 0,
)
DELONG = {
    "reads": SameRows,
    "only": ("auc",),
    "cite": ("delong1988", "sun2014"),
    "assumes": ("IID", "FIX", "PAIR", "NORM"),
    "limits": (ONE_ROW, SAME_ORDERING, SEPARATED),
}


@interval("DeLong's difference of areas", answers="difference", **DELONG)
def delong_difference(pair: SameRows, at: Confidence) -> Limits:
    """Difference of two areas plus or minus a normal quantile times its standard error, which knows that rows agree."""
    found = areas(pair)
    half = at.z * found.standard_error
    return Limits(found.difference - half, found.difference + half)
