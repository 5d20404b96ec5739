"""Estimators of a learner's risk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Choice, Entry
from veracity.core.measurement import Bias
from veracity.core.notes import Note, Weight

OWN = "own"  # the interval that a fixed model has
SPLITS = "conservative_t"  # that of the scores of splits
SPELLED = {OWN: "that of a fixed model"}
KINDS = {"any": "any score", "mean": "means over rows", "counts": "scores of a confusion matrix that are no means"}


class DesignPart(NamedTuple):
    """Splits of a design inside an estimator's, under a name; with `every`, each model predicts all rows."""

    name: str
    design: str  # with the parameters of the estimator
    every: bool = False
    fixed: tuple[tuple[str, Any], ...] = ()  # parameters of the design beside them


RESUBSTITUTION = DesignPart("resubstitution", "resubstitution")  # the model of all rows, on these rows


class PointEstimate(NamedTuple):
    """What an estimator computes."""

    value: float
    notes: tuple[Note, ...] = ()
    facts: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Estimator(Entry):
    """A function of the scores and losses of some splits that gives one number.

    `parts` are the splits that it needs; without, it is that of the design of its name.
    `interval` names the default interval by kind of score, `says` why there is none.
    """

    kind: ClassVar[str] = "estimator"
    measured: ClassVar[str] = "bias"
    figures = (Bias, "veracity.risk")
    plain_types: ClassVar[bool] = True

    parts: tuple[DesignPart, ...] = ()
    answers: str = ""  # with a place for the share of the rows that trained
    interval: Mapping[str, str] = field(default_factory=dict)
    says: str = ""
    code: str = "no-interval"
    weight: Weight = "remark"

    def default_interval(self, score: Choice) -> str | None:
        """Return the interval of a score when none is asked for."""
        kinds = {"confusion matrix": "counts", "ordering": "ordering"}
        kind = "mean" if score.averages_rows else kinds.get(score.reads, "other")
        return self.interval.get(kind, self.interval.get("any"))

    def particulars(self) -> dict[str, tuple[str, ...]]:
        intervals = tuple(f"{KINDS[kind]}: {SPELLED.get(name, name)}" for kind, name in self.interval.items())
        return {
            "Answers": (self.answers.format(share="a share"),),
            "Interval unless asked otherwise": intervals or (f"none: {self.says}",),
        }

    def note(self) -> Note:
        return Note(self.code, self.weight, self.says)


risk_estimator = Estimator.decorator  # of `function(resampling, **parameters) -> PointEstimate`


estimators = Catalogue(__name__, Estimator)
