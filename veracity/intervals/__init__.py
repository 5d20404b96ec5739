"""Confidence intervals: for a score of a fixed model, for a learner over resampling splits, and for differences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.core.measurement import Coverage, Measurement, measurements_of


@dataclass(frozen=True, eq=False, repr=False)
class IntervalMethod(Entry):
    """A function of one kind of evidence and a confidence that gives limits.

    Limits with a note of weight "refuse" count as a refusal, for what only shows once the method has run.
    """

    kind: ClassVar[str] = "interval"
    measured: ClassVar[str] = "coverage"
    plain_types: ClassVar[bool] = True

    reads: Any = object  # the class of evidence
    answers: str = "model"
    only: tuple[str, ...] = ()  # the scores it is for; empty for all that give its evidence

    def cells(self) -> dict[str, str]:
        return {"reads": self.reads.label, "for": ", ".join(self.only) or "any"}

    def particulars(self) -> dict[str, tuple[str, ...]]:
        return {"Only for": (", ".join(self.only),)} if self.only else {}

    def _measurements(self) -> tuple[Measurement, ...]:
        return measurements_of(self.name, Coverage, "veracity.intervals")


interval = IntervalMethod.decorator  # of `function(evidence, at, **parameters) -> Limits`


intervals = Catalogue(__name__, IntervalMethod)
