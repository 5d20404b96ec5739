"""Post hoc tests: which learners differ, by tests that look at all of them at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.core.measurement import ErrorRate
from veracity.core.notes import caution, refuse
from veracity.records.arrays import Array

HOLES = refuse(
    "missing-cells",
    "this test of pairs needs every score: `pairs='wilcoxon'` takes the data sets that both learners have",
    lambda m: m.missing > 0,
)
POOL = caution(
    "pool-dependent",
    "whether two learners differ here depends on which others are ranked with them: `pairs='wilcoxon'` does not",
    lambda m: True,
)


class PairTests(NamedTuple):
    """All pairs at once, an array each in the order of the pairs."""

    difference: Array  # a minus b in what the test is about
    statistic: Array
    p: Array  # of each pair alone
    adjusted: Array | None = None  # over all pairs, where the test decides these by itself
    critical_difference: float | None = None  # the smallest difference that the test calls real, where it has one


@dataclass(frozen=True, eq=False, repr=False)
class Posthoc(Entry):
    """`function(matrix, first, second, miss, **parameters) -> PairTests`; first and second are the columns of pairs."""

    kind: ClassVar[str] = "post hoc test"
    measured: ClassVar[str] = "errors of the family and power"
    figures = (ErrorRate, "veracity.adjustments")
    plain_types: ClassVar[bool] = True

    alone: bool = False  # decides the family of all pairs by itself: it is named in `then` and nothing is adjusted
    asks: Literal["any", "all", "control"] = "any"  # pairs it is for: any, all of them, or those of a control
    about: str = "mean ranks"  # what differences are of

    def cells(self) -> dict[str, str]:
        return {"about": self.about}


posthoc = Posthoc.decorator


posthocs = Catalogue(__name__, Posthoc)
