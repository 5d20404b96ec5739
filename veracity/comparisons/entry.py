"""What every comparison declares."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from veracity.comparisons.error_rates import rejections_of
from veracity.core.confidence import Confidence
from veracity.core.entry import Entry
from veracity.core.measurement import Measurement
from veracity.core.notes import Note
from veracity.findings.interval import Limits
from veracity.findings.posterior import Posterior
from veracity.intervals import intervals
from veracity.intervals.coverage import coverage_of

LEAST = sys.float_info.min  # no p-value is 0: one that is too small for a number is told as the smallest there is


class Verdict(NamedTuple):
    """What a test computes. A posterior has probabilities in place of a p-value."""

    statistic: float | None
    p_value: float | None
    df: float | tuple[float, ...] | None = None
    notes: tuple[Note, ...] = ()
    difference: float | None = None  # where the test has an effect of its own; else the difference of the scores
    standard_error: float | None = None  # of the difference, with df its Student law, without the normal one
    limits: Callable[[Confidence], Limits] | None = None  # of the difference, where it is not a standard error away
    probabilities: tuple[float, ...] | None = None  # left of the rope, inside, right of it
    facts: tuple[tuple[str, float], ...] = ()  # other numbers worth telling, such as wins, ties and losses
    sure: Callable[[Confidence], Confidence] | None = None  # level and side of its interval, where not as asked
    against: str = ""  # what the first is compared with, where that is no model or learner
    claims: str = ""  # what a small p-value is evidence for ("that ..."), where that is not a difference
    posterior: Posterior | None = None  # what a picture of it needs

    @property
    def with_least_p(self) -> Verdict:
        """With a p-value that is never 0."""
        return self if self.p_value is None else self._replace(p_value=max(self.p_value, LEAST))

    @property
    def degrees(self) -> tuple[float, ...]:
        """The degrees of freedom: none, one number, or those of the F law."""
        return self.df if isinstance(self.df, tuple) else () if self.df is None else (self.df,)


@dataclass(frozen=True, eq=False, repr=False)
class Test(Entry):
    """A function of one kind of evidence that gives a verdict."""

    kind: ClassVar[str] = "comparison"
    measured: ClassVar[str] = "error rate and power"
    plain_types: ClassVar[bool] = True
    __test__: ClassVar[bool] = False  # pytest must not collect it

    reads: type = object
    compares: int = 2  # models or learners; 0: any number of them together
    letter: str = ""  # what the field calls its statistic, such as t or F
    interval: str | None = None  # the interval of the difference that belongs to it, where it has none of its own
    only: tuple[str, ...] = ()  # the scores it is for; empty for all that give its evidence

    @property
    def is_posterior(self) -> bool:
        """Whether it gives probabilities in place of a p-value."""
        return "PRIOR" in self.assumes

    def _measurements(self) -> tuple[Measurement, ...]:
        own = () if self.name in intervals else coverage_of(self.name)  # of the interval that the test itself finds
        return (*rejections_of(self.name), *own)


def seed_note(draws: int, seed: int) -> Note:
    """Random numbers are never used in silence."""
    return Note("seed", "remark", f"{draws} draws with seed {seed}")


comparison = Test.decorator  # of `function(evidence, **parameters) -> Verdict`
