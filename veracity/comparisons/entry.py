"""What every comparison declares, what it returns, and how often it errs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, NamedTuple

from veracity.core.confidence import ALTERNATIVES, Confidence, PValues, normal_p_values, student_p_values
from veracity.core.entry import Entry
from veracity.core.errors import BadInput
from veracity.core.measurement import Coverage, ErrorRate, Measurement, measurements_of, read_measurements
from veracity.core.notes import Note
from veracity.findings.interval import Limits
from veracity.findings.significance import Posterior
from veracity.intervals import intervals


@cache
def all_rejections() -> tuple[ErrorRate, ...]:
    """Every measurement there is, of size and of power."""
    return read_measurements(ErrorRate, "veracity.comparisons")


@cache
def all_error_rates() -> tuple[ErrorRate, ...]:
    """Those of worlds in which nothing differs."""
    return tuple(row for row in all_rejections() if row.noun == "error rate")


@cache
def rejections_of(name: str) -> tuple[ErrorRate, ...]:
    """What was measured of one test; empty where nothing was."""
    return tuple(row for row in all_rejections() if row.method.split("(")[0] == name)


def error_rates_of(name: str) -> tuple[ErrorRate, ...]:
    """How often one test rejects where nothing differs."""
    return tuple(row for row in rejections_of(name) if row.noun == "error rate")


@cache
def worst_error_rate(name: str) -> ErrorRate | None:
    """The world in which a test errs most often."""
    return max(error_rates_of(name), key=lambda row: row.rejected, default=None)


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
    one_sided: PValues | None = None  # of a statistic with a direction; none where it found nothing, and p is 1
    alternative: str = "two-sided"  # that its p-value is of

    @classmethod
    def of(cls, statistic: float | None, p: PValues, *rest: Any, **more: Any) -> Verdict:
        """Return the two-sided verdict of a statistic with a direction; `rest` are the fields behind its p-value."""
        return cls(statistic, p.two_sided, *rest, **more)._replace(one_sided=p)

    @classmethod
    def of_error(
        cls,
        difference: float,
        standard_error: float,
        df: float | None = None,
        notes: tuple[Note, ...] = (),
        facts: tuple[tuple[str, float], ...] = (),
    ) -> Verdict:
        """Return the test of a difference by its standard error: Student's law with `df`, the normal one without."""
        ratio = difference / standard_error
        p = normal_p_values(ratio) if df is None else student_p_values(ratio, df)
        return cls.of(ratio, p, df, notes, difference, standard_error, facts=facts)

    def towards(self, alternative: str, sign: int = 1) -> Verdict:
        """Return the verdict on an alternative about `sign` times the difference that the test has read."""
        if self.one_sided is None:
            return self._replace(alternative=alternative)
        one_sided = self.one_sided if sign > 0 else self.one_sided.swapped
        p = self.p_value if alternative == self.alternative else one_sided.of(alternative)
        return self._replace(p_value=p, one_sided=one_sided, alternative=alternative)

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
    directed: bool = True  # whether its statistic tells on which side of 0 the difference lies
    own_claim: bool = False  # whether it tests something else than that a difference is 0, such as equivalence

    @property
    def is_posterior(self) -> bool:
        """Whether it gives probabilities in place of a p-value."""
        return "PRIOR" in self.assumes

    @property
    def alternatives(self) -> tuple[str, ...]:
        """The alternatives that it can test; none of a posterior, nor of a test whose claim is another one."""
        if self.is_posterior or self.own_claim:
            return ()
        return ALTERNATIVES if self.directed and self.compares else ALTERNATIVES[:1]

    def check_alternative(self, asked: str | None) -> None:
        """Raise BadInput where it cannot be asked about this alternative; None is always its own."""
        if asked is None or asked in self.alternatives:
            return
        if self.own_claim:
            says = "makes a claim of its own, whose side the score decides"
        elif self.is_posterior:
            says = "gives the probabilities of both sides"
        else:
            says = "tests whether there is any difference and not on which side"
        raise BadInput(f"{self.name} {says}: leave out `alternative={asked!r}`, or name another test")

    def _measurements(self) -> tuple[Measurement, ...]:
        own = (
            () if self.name in intervals else measurements_of(self.name, Coverage, "veracity.intervals")
        )  # of the interval that the test itself finds
        return (*rejections_of(self.name), *own)


comparison = Test.decorator  # of `function(evidence, **parameters) -> Verdict`
