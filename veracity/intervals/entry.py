"""What every interval method declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.entry import Entry
from veracity.core.measurement import Measurement
from veracity.intervals.coverage import coverage_of

READS = {  # in words, by the name of the evidence: an entry does not import all there is
    "Proportion": "a share of rows",
    "Bounded": "a mean of bounded losses",
    "Apparent": "a mean of bounded losses, also of training rows",
    "Linear": "influence values",
    "Scored": "any score",
    "Counts": "a confusion matrix",
    "Area": "an ordering",
    "Pairs": "which of two models was right on the same rows",
    "SameRows": "two models' predictions of the same rows",
    "Shares": "shares of rows of two models on different rows",
    "Losses": "losses of rows",
    "SplitScores": "scores of splits",
    "Subsamples": "scores of pairs of halves",
    "FoldLosses": "losses of folds",
    "NestedLosses": "losses of pairs of folds",
    "DrawnLosses": "losses of bootstrap draws",
}


@dataclass(frozen=True, eq=False, repr=False)
class Method(Entry):
    """A function of one kind of evidence and a confidence that gives limits.

    Limits with a note of weight "refuse" count as a refusal, for what only shows once the method has run.
    """

    kind: ClassVar[str] = "interval"
    measured: ClassVar[str] = "coverage"
    plain_types: ClassVar[bool] = True

    reads: type = object
    answers: str = "model"
    only: tuple[str, ...] = ()  # the scores it is for; empty for all that give its evidence

    def cells(self) -> dict[str, str]:
        return {"reads": READS.get(self.reads.__name__, self.reads.__name__), "for": ", ".join(self.only) or "any"}

    def particulars(self) -> dict[str, tuple[str, ...]]:
        return {"Only for": (", ".join(self.only),)} if self.only else {}

    def measurements(self) -> tuple[Measurement, ...]:
        return coverage_of(self.name)


def interval(title: str, **fields: Any) -> Callable[[Callable[..., Any]], Method]:
    """Make `function(evidence, at, **parameters) -> Limits` an interval method."""
    return lambda function: Method(function, title, **fields)
