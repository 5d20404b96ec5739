"""Confidence intervals: for a score of a fixed model, for a learner over resampling splits, and for differences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.core.measurement import Coverage
from veracity.core.notes import Limit, caution, refuse

SKEWED_LOSSES = (  # of a model or of a learner
    "losses are very skewed: a few large ones make the score, and its interval may be too narrow on the side where the "
    "{} is worse"
)


@dataclass(frozen=True, eq=False, repr=False)
class IntervalMethod(Entry):
    """A function of one kind of evidence and a confidence that gives limits.

    Limits with a note of weight "refuse" count as a refusal, for what only shows once the method has run.
    """

    kind: ClassVar[str] = "interval"
    measured: ClassVar[str] = "coverage"
    figures = (Coverage, "veracity.intervals")
    plain_types: ClassVar[bool] = True

    reads: Any = object  # the class of evidence
    answers: str = "model"
    only: tuple[str, ...] = ()  # the scores it is for; empty for all that give its evidence

    def cells(self) -> dict[str, str]:
        return {"reads": self.reads.label, "for": ", ".join(self.only) or "any"}

    def particulars(self) -> dict[str, tuple[str, ...]]:
        return {"Only for": (", ".join(self.only),)} if self.only else {}


interval = IntervalMethod.decorator  # of `function(evidence, at, **parameters) -> Limits`


def only_plain_rows(is_sampled: Callable[[Any], bool], says: str = "") -> Limit:
    """Return the condition of methods that count rows, which weighted and grouped ones do not allow."""
    says = says or "this interval counts plain rows, but these are weighted or grouped: use delta or bca"
    return refuse("not-iid", says, is_sampled)


def fewer_than(minimum: int, what: str, consequence: str, count: Callable[[Any], float]) -> Limit:
    """Return the condition that cautions where `count(evidence)` is below a minimum, and with what consequence."""
    message = f"fewer than {minimum} {what}: {consequence}"
    return caution(f"few-{what}", message, lambda evidence: count(evidence) < minimum)


def without_variance(equal: str, when: Callable[[Any], bool]) -> Limit:
    """Return the condition that refuses where all rows or splits have the same value, so that its variance is 0."""
    return refuse("no-spread", f"all {equal}, so their spread says nothing", when)


intervals = Catalogue(__name__, IntervalMethod)
