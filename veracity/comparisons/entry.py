"""What every hypothesis test declares, what it returns, and how often it errs."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, ClassVar

from veracity.core.confidence import ALTERNATIVES, BOUNDED_SIDE, Confidence, PValues, normal_p_values, student_p_values
from veracity.core.entry import Entry
from veracity.core.errors import BadInput
from veracity.core.measurement import Coverage, ErrorRate, Measurement, measurements_of, read_measurements
from veracity.core.notes import Note
from veracity.findings.interval import Limits
from veracity.findings.significance import Posterior
from veracity.intervals import intervals

PACKAGE = "veracity.comparisons"  # beside which the measured error rates stand


def all_rejections() -> tuple[ErrorRate, ...]:
    """Return every measurement there is, of size and of power."""
    return read_measurements(ErrorRate, PACKAGE)


@cache
def all_error_rates() -> tuple[ErrorRate, ...]:
    """Return the measurements in worlds where nothing differs."""
    return tuple(row for row in all_rejections() if row.noun == "error rate")


@cache
def rejections_of(name: str) -> tuple[ErrorRate, ...]:
    """Return what was measured of one test by itself; empty where nothing was."""
    return tuple(row for row in all_rejections() if row.method.split("(")[0] == name)


def error_rates_of(name: str) -> tuple[ErrorRate, ...]:
    """Return how often one test rejects where nothing differs."""
    return tuple(row for row in rejections_of(name) if row.noun == "error rate")


def worst_error_rate(name: str) -> ErrorRate | None:
    """Return the measurement of the world in which a test errs most often."""
    return max(error_rates_of(name), key=lambda row: row.rejected, default=None)


MIN_P_VALUE = sys.float_info.min  # no p-value is 0: one that is too small for a number is the smallest number


@dataclass(frozen=True)
class TestResult:
    """What a hypothesis test found. A posterior has probabilities in place of a p-value."""

    __test__: ClassVar[bool] = False  # pytest must not collect it

    statistic: float | None = None
    p_value: float | None = None
    df: float | tuple[float, ...] | None = None
    estimate: float | None = None  # of the difference; without one the difference is that of the scores
    standard_error: float | None = None  # of the estimate, with df its Student law, without the normal one
    notes: tuple[Note, ...] = ()
    facts: tuple[tuple[str, float], ...] = ()  # other numbers worth telling, such as wins, ties and losses
    one_sided: PValues | None = None  # of a statistic with a direction; none where it found nothing, and p is 1
    alternative: str = "two-sided"  # that its p-value is of
    reference: str = ""  # what the first is compared with, where that is no model or learner
    claims: str = ""  # what a small p-value is evidence for ("that ..."), where that is not a difference
    probabilities: tuple[float, ...] | None = None  # left of the rope, inside, right of it
    posterior: Posterior | None = None  # what a picture of it needs
    limits: Callable[[Confidence], Limits] | None = None  # of the estimate, where it is not a standard error away
    own_confidence: Callable[[float], Confidence] | None = None  # of its interval, where the alternative does not tell

    def __post_init__(self) -> None:
        if self.p_value is not None:
            object.__setattr__(self, "p_value", max(self.p_value, MIN_P_VALUE))

    @classmethod
    def from_p_values(
        cls, statistic: float | None, p: PValues, df: float | None = None, estimate: float | None = None, **fields: Any
    ) -> TestResult:
        """Return the two-sided result of a statistic with a direction."""
        return cls(statistic, p.two_sided, df, estimate, one_sided=p, **fields)

    @classmethod
    def from_standard_error(
        cls, estimate: float, standard_error: float, df: float | None = None, **fields: Any
    ) -> TestResult:
        """Return the test that the estimate is 0: by Student's law with `df`, by the normal one without.

        An estimate that does not vary at all has nothing to be held against, and p is 1.
        """
        if standard_error == 0:
            return cls(0.0, 1.0, df, estimate, **fields)
        ratio = estimate / standard_error
        p = normal_p_values(ratio) if df is None else student_p_values(ratio, df)
        return cls.from_p_values(ratio, p, df, estimate, standard_error=standard_error, **fields)

    def for_alternative(self, alternative: str, sign: int = 1) -> TestResult:
        """Return the result for another alternative; with `sign=-1` it is about the difference the other way round."""
        one_sided, limits, p_value = self.one_sided, self.limits, self.p_value
        if sign < 0:
            one_sided = None if one_sided is None else one_sided.swapped
            limits = None if limits is None else mirrored(limits)
        if one_sided is not None and alternative != self.alternative:
            p_value = one_sided.of(alternative)
        return replace(self, p_value=p_value, one_sided=one_sided, limits=limits, alternative=alternative)

    def confidence(self, level: float) -> Confidence:
        """Return the level and the side of the interval that belongs to this result."""
        own = self.own_confidence
        return Confidence(level, BOUNDED_SIDE[self.alternative]) if own is None else own(level)

    def confidence_interval(self, level: float = 0.95) -> Limits | None:
        """Return the limits of the estimate that belong to the test; None where it has none of its own."""
        at = self.confidence(level)
        if self.limits is not None:
            return self.limits(at)
        if not self.standard_error or self.estimate is None:
            return None
        half = self.standard_error * (at.t(self.df) if isinstance(self.df, (int, float)) else at.z)
        return Limits(self.estimate - half, self.estimate + half)

    @property
    def degrees(self) -> tuple[float, ...]:
        """The degrees of freedom: none, one number, or those of the F law."""
        return self.df if isinstance(self.df, tuple) else () if self.df is None else (self.df,)


def mirrored(limits: Callable[[Confidence], Limits]) -> Callable[[Confidence], Limits]:
    """Return the limits of the number with the other sign."""

    def of_other_sign(at: Confidence) -> Limits:
        found = limits(at.mirrored)
        return found._replace(low=-found.high, high=-found.low)

    return of_other_sign


@dataclass(frozen=True, eq=False, repr=False)
class Test(Entry):
    """A function of one kind of evidence that gives a test result."""

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

    def check_alternative(self, alternative: str | None) -> None:
        """Raise BadInput where it cannot be asked about this alternative; None is always its own."""
        if alternative is None or alternative in self.alternatives:
            return
        if self.own_claim:
            why = "makes a claim of its own, whose side the score decides"
        elif self.is_posterior:
            why = "gives the probabilities of both sides"
        else:
            why = "tests whether there is any difference and not on which side"
        raise BadInput(f"{self.name} {why}: leave out `alternative={alternative!r}`, or name another test")

    def _measurements(self) -> tuple[Measurement, ...]:
        # an interval that the test itself finds is measured under its name, unless an interval method has that name
        coverages = () if self.name in intervals else measurements_of(self.name, Coverage, "veracity.intervals")
        return (*rejections_of(self.name), *coverages)


comparison = Test.decorator  # of `function(evidence, **parameters) -> TestResult`
