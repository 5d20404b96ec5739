"""Tests against a stated number: one model against a value, a difference against a margin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, isfinite
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from veracity.comparisons.entry import TestResult, comparison
from veracity.core.confidence import Confidence, PValues, student_p_values
from veracity.core.distributions import above
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check, refuse, seed_note
from veracity.evidence.counts import Counts
from veracity.evidence.interval_evidence import Linear
from veracity.findings.interval import Limits
from veracity.intervals.auc import delong, delta_logit, logit_statistic
from veracity.intervals.bootstrap import check_draws, finite_replicates, quantiles
from veracity.intervals.compute import default_name
from veracity.intervals.means import hall_statistic, hall_t, jackknife_law, mean_t
from veracity.intervals.proportions import clopper_pearson
from veracity.intervals.scored import Scored, proportion

MAJORITY = Note(
    "majority",
    "remark",
    "the majority baseline is counted on these rows and taken as known: a paired test such as mcnemar_midp, against"
    " predictions that always name that class, needs not assume that",
)


@comparison(
    "One model against a value",
    reads=Scored,
    compares=1,
    cite=("clopper1934", "student1908", "hall1992", "delong1988"),
    assumes=("IID", "FIX"),
    limits=(refuse("undefined", "the score is undefined or infinite on these rows", lambda m: not isfinite(m.value)),),
    letter="t",
)
def one_sample(m: Scored, *, value: float | str, draws: int = 9_999, seed: int = 0) -> TestResult:
    """Whether a model's score is better than a stated value, or than always naming the majority class.

    Unless another alternative is named, the p-value is one-sided, and the interval a bound on the side where the model
    would be worse, which leaves out 0 exactly where the p-value is small. Of a score of which neither high nor low is
    better, both are two-sided. A two-sided p-value is twice the smaller one-sided one. Shares of rows are tested by the
    binomial law; mean losses, functions of means and scores of an ordering by the laws of hall_t, jackknife_t and
    delta_logit, as `estimate` bounds them; others by `draws` of the bootstrap.
    `value="majority"` is for scores of labels.
    """
    notes: tuple[Note, ...] = ()
    if value == "majority":
        stated, notes = _majority(m), (MAJORITY,)
        reference = f"the majority baseline {stated:.4g}"
    else:
        low, high = m.score.range
        if isinstance(value, str) or not low <= value <= high:
            raise BadInput(f"one_sample: value is 'majority' or a number from {low:g} to {high:g}, not {value!r}")
        stated, reference = float(value), f"{value:g}"
    alternative = {"lower": "less", "higher": "greater", "": "two-sided"}[m.score.direction]
    of_score = _test_against(m, stated, draws, seed)

    def limits(at: Confidence) -> Limits:
        assert of_score.limits is not None
        found = of_score.limits(at)
        return found._replace(low=found.low - stated, high=found.high - stated)

    result = replace(of_score, estimate=m.value - stated, notes=notes + of_score.notes)
    return replace(result, limits=limits, reference=reference).for_alternative(alternative)


def _majority(m: Scored) -> float:
    """The score of a model that always names the most frequent class."""
    if not isinstance(m.evidence, Counts):
        raise Refused(f"the majority baseline names a class, which says nothing of {m.score}: give a value", "baseline")
    of_truth = m.evidence.of_truth
    matrix = np.zeros_like(m.evidence.matrix)
    matrix[:, int(of_truth.argmax())] = of_truth
    score = float(m.evaluate(m.evidence.reweigh(matrix.ravel())))
    if not isfinite(score):
        raise Refused(f"{m.score} of always naming the majority class is undefined: give a value", "baseline")
    return score


def _test_against(m: Scored, stated: float, draws: int, seed: int) -> TestResult:
    """Test by the law of the default interval, or the bootstrap where that has no p-value; limits are of the score."""
    plain, usual = m.evidence.sampling is None, default_name(m)
    if plain and proportion(m) is not None:
        return _binomial(m, stated)
    if usual == "concordant_pairs":
        check(delong.limits, m.view(delong.reads))  # refuses what is separated perfectly
    if usual in ("delta_logit", "concordant_pairs"):
        order = m.view(delta_logit.reads)
        notes = check(delta_logit.limits, order) + order.notes
        t = logit_statistic(order, stated)
        return _student(t, order.degrees, lambda at: delta_logit.function(order, at), notes)
    if usual == "jackknife_t":
        law = jackknife_law(m)
        return _student(law.statistic(m.value, stated), law.degrees, law.limits, ())
    linear = m.linear
    if linear is not None and usual == "hall_t":
        df, notes = linear.degrees, check(hall_t.limits, linear) + linear.notes
        below, above = (hall_statistic(linear, stated, side) for side in (True, False))
        p = PValues(student_p_values(below, df).less, student_p_values(above, df).greater)
        t = below if m.score.better == "lower" else above
        return TestResult.from_p_values(t, p, df, notes=notes, limits=lambda at: hall_t.function(linear, at))
    if linear is not None and (m.score.reads == "row losses" or not plain):
        notes = check(mean_t.limits, linear) + linear.notes + _skewness_notes(linear)
        t = (m.value - stated) / linear.sample_error
        return _student(t, linear.degrees, lambda at: mean_t.function(linear, at), notes)
    replicates, notes = finite_replicates(m.replicates(check_draws(draws), seed), draws)
    larger, smaller = int(np.count_nonzero(replicates >= stated)), int(np.count_nonzero(replicates <= stated))
    p = PValues((1 + larger) / (len(replicates) + 1), (1 + smaller) / (len(replicates) + 1))

    def limits(at: Confidence) -> Limits:
        return Limits(*quantiles(replicates, at.tail, 1 - at.tail))

    return TestResult.from_p_values(None, p, notes=(*notes, seed_note(draws, seed)), limits=limits)


def _binomial(m: Scored, stated: float) -> TestResult:
    from scipy.special import bdtr, bdtrc

    share: Any = proportion(m)
    notes = check(clopper_pearson.limits, share)
    hits, rows = int(share.hits), int(share.rows)
    above = float(bdtrc(hits - 1, rows, stated)) if hits > 0 else 1.0
    p = PValues(float(bdtr(hits, rows, stated)), above)
    return TestResult.from_p_values(None, p, notes=notes, limits=lambda at: clopper_pearson.function(share, at))


def _student(t: float, df: float, limits: Callable[[Confidence], Limits], notes: tuple[Note, ...]) -> TestResult:
    return TestResult.from_p_values(t, student_p_values(t, df), df, notes=notes, limits=limits)


def _skewness_notes(linear: Linear) -> tuple[Note, ...]:
    """How far skewed losses take a one-sided test off its level, by the first term of Edgeworth's expansion."""
    z = 1.645
    off = abs(linear.acceleration) * (2 * z**2 + 1) * NormalDist().pdf(z)
    if off < 0.01:
        return ()
    says = f"losses are skewed: one side of Student's law rejects about {off:.2g} too often or too seldom at .05"
    return (Note("skewed-losses", "caution", says),)


DECLARED = Note("margin", "remark", "the margin must have been chosen before looking at the difference")
BETTER = "that the first is better than the second"


@dataclass(frozen=True)
class Effect:
    """A difference (first minus second) and how it scatters: Student's law with df, the normal one without."""

    label: ClassVar[str] = "a difference and how it scatters"

    difference: float
    standard_error: float
    df: float | None = None
    better: str = "lower"  # the direction of the score; empty where neither is better

    def above(self, value: float) -> float:
        """The p-value of the claim that the true difference is above a value."""
        from scipy.special import stdtr

        distance = (self.difference - value) / self.standard_error
        return above(distance) if self.df is None else float(stdtr(self.df, -distance))

    def below(self, value: float) -> float:
        """The p-value of the claim that it is below a value."""
        return Effect(-self.difference, self.standard_error, self.df).above(-value)


@comparison("Two one-sided tests of equivalence", reads=Effect, cite=("schuirmann1987",), own_claim=True)
def tost(effect: Effect, *, margin: float, of: str) -> TestResult:
    """Whether the difference is shown to be smaller than a margin on both sides.

    `of` is the test that gives the difference and its standard error, such as corrected_t, delong_test or
    paired_loss_t. At level 0.95 two models are equivalent just when the 90 % interval, which is shown, lies inside the
    margin. That a difference is not significant does not show equivalence.
    """
    if margin == 0:
        raise Refused("two models are never shown to be equal, so the margin must be above 0", "margin")
    p = max(effect.above(-_check_margin(margin)), effect.below(margin))
    claims = f"that they are equivalent within {margin:g}"
    return _claim_result(effect, p, lambda level: Confidence(1 - 2 * (1 - level)), claims)


@comparison("Non-inferiority", reads=Effect, cite=("schuirmann1987",), own_claim=True)
def non_inferiority(effect: Effect, *, margin: float, of: str) -> TestResult:
    """Whether the first is shown to be no worse than the second by a margin; it may also be better.

    With a margin of 0 it is the test of superiority: whether the first is shown to be better. `of` is the test that
    gives the difference and its standard error, as for tost. The bound of the difference on the side where it is worse
    is shown.
    """
    if not effect.better:
        raise Refused(
            "neither high nor low is better of this score, so nothing is worse: name a test of a difference and"
            " `alternative='less'` or `alternative='greater'`",
            "no-direction",
        )
    higher = effect.better == "higher"
    p = effect.above(-_check_margin(margin)) if higher else effect.below(_check_margin(margin))
    claims = f"that the first is not worse than the second by {margin:g} or more" if margin else BETTER
    return _claim_result(effect, p, lambda level: Confidence(level, "lower" if higher else "upper"), claims)


def _check_margin(margin: float) -> float:
    if not 0 <= margin < inf:
        says = f"the margin must not be below 0, but is {margin}: say how large a difference does not matter"
        raise Refused(says, "margin")
    return margin


def _claim_result(effect: Effect, p: float, confidence: Callable[[float], Confidence], claims: str) -> TestResult:
    notes = () if claims == BETTER else (DECLARED,)
    return TestResult(
        p_value=p,
        df=effect.df,
        estimate=effect.difference,
        standard_error=effect.standard_error,
        notes=notes,
        claims=claims,
        own_confidence=confidence,
    )
