"""One fixed model against a stated value, or against always naming the majority class."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check, refuse, seed_note
from veracity.evidence.counts import Counts
from veracity.evidence.linear import Linear
from veracity.findings.interval import Limits
from veracity.intervals.auc import delong
from veracity.intervals.bootstrap_intervals import check_draws, finite_replicates, quantiles
from veracity.intervals.defaults import default_name
from veracity.intervals.evidence_from_score import proportion
from veracity.intervals.exact import clopper_pearson
from veracity.intervals.mean import mean_t
from veracity.intervals.orderings import delta_logit, logit_statistic
from veracity.intervals.scored import Scored
from veracity.intervals.skewed import hall_statistic, hall_t, jackknife_law
from veracity.scores.on_rows import RowScore

MAJORITY = Note(
    "majority",
    "remark",
    "the majority baseline is counted on these rows and taken as known: a paired test such as mcnemar_midp, against"
    " predictions that always name that class, needs not assume that",
)


class Law(NamedTuple):
    """How sure a score is: the p-value that it is better than a stated value, and limits."""

    p_value: float
    limits: Callable[[Confidence], Limits]
    statistic: float | None = None
    df: float | None = None
    notes: tuple[Note, ...] = ()


@comparison(
    "One model against a value",
    reads=Scored,
    compares=1,
    cite=("clopper1934", "student1908", "hall1992", "delong1988"),
    assumes=("IID", "FIX"),
    limits=(refuse("undefined", "the score is undefined or infinite on these rows", lambda m: not isfinite(m.value)),),
    aliases="one_sample_test, single_model",
    keywords="better than chance, better than a value, binomial test",
    letter="t",
)
def one_sample(m: Scored, *, value: float | str, draws: int = 9_999, seed: int = 0) -> Verdict:
    """Whether a model's score is better than a stated value, or than always naming the majority class.

    The p-value is one-sided, and the interval a bound on the side where the model would be worse, which leaves out 0
    exactly where the p-value is small. Shares of rows are tested by the binomial law; mean losses, functions of means
    and scores of an ordering by the laws of hall_t, jackknife_t and delta_logit, as `estimate` bounds them; others by
    `draws` of the bootstrap. `value="majority"` is for scores of labels.
    """
    stated, against, notes = _stated_value(m, value)
    lower = m.score.entry.better == "lower"
    law = _law(m, stated, lower, draws, seed)
    return Verdict(
        law.statistic,
        law.p_value,
        law.df,
        notes + law.notes,
        difference=m.value - stated,
        limits=lambda at: _shift(law.limits(at), stated),
        sure=lambda at: Confidence(at.level, "upper" if lower else "lower"),
        against=against,
        claims=f"that it is better than {against}",
    )


def _shift(limits: Limits, stated: float) -> Limits:
    return limits._replace(low=limits.low - stated, high=limits.high - stated)


def _stated_value(m: Scored, value: float | str) -> tuple[float, str, tuple[Note, ...]]:
    """The value to be better than, how to call it, and what to say of it."""
    if value == "majority":
        stated = _majority(m)
        return stated, f"the majority baseline {stated:.4g}", (MAJORITY,)
    low, high = m.score.entry.range
    if isinstance(value, str) or not low <= value <= high:
        raise BadInput(f"one_sample: value is 'majority' or a number from {low:g} to {high:g}, not {value!r}")
    return float(value), f"{value:g}", ()


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


def _law(m: Scored, stated: float, lower: bool, draws: int, seed: int) -> Law:
    """By what bounds the score by default, where that has a law whose p-value is known."""
    plain, usual = m.evidence.sampling is None, default_name(m)
    if plain and proportion(m) is not None:
        return _binomial(m, stated, lower)
    if usual == "concordant_pairs":
        check(delong.limits, m.view(delong.reads))  # refuses what is separated perfectly
    if usual in ("delta_logit", "concordant_pairs"):
        order = m.view(delta_logit.reads)
        notes = check(delta_logit.limits, order) + order.notes
        found = logit_statistic(order, stated)
        return _student(found, order.degrees, lower, lambda at: delta_logit.function(order, at), notes)
    if usual == "jackknife_t":
        law = jackknife_law(m)
        return _student(law.statistic(m.value, stated), law.degrees, lower, law.limits, ())
    linear = m.linear
    if linear is not None and usual == "hall_t":
        notes = check(hall_t.limits, linear) + linear.notes
        found = hall_statistic(linear, stated, lower)
        return _student(found, linear.degrees, lower, lambda at: hall_t.function(linear, at), notes)
    if linear is not None and (isinstance(m.score.entry, RowScore) or not plain):
        notes = check(mean_t.limits, linear) + linear.notes + _skewness_notes(linear)
        found = (m.value - stated) / linear.sample_error
        return _student(found, linear.degrees, lower, lambda at: mean_t.function(linear, at), notes)
    return _bootstrap(m, stated, lower, draws, seed)


def _binomial(m: Scored, stated: float, lower: bool) -> Law:
    from scipy.special import bdtr, bdtrc

    share: Any = proportion(m)
    notes = check(clopper_pearson.limits, share)
    hits, rows = int(share.hits), int(share.rows)
    above = float(bdtrc(hits - 1, rows, stated)) if hits > 0 else 1.0
    p_value = float(bdtr(hits, rows, stated)) if lower else above
    return Law(p_value, lambda at: clopper_pearson.function(share, at), notes=notes)


def _student(t: float, df: float, lower: bool, limits: Callable[[Confidence], Limits], notes: tuple[Note, ...]) -> Law:
    from scipy.special import stdtr

    return Law(float(stdtr(df, t if lower else -t)), limits, t, df, notes)


def _skewness_notes(linear: Linear) -> tuple[Note, ...]:
    """How far skewed losses take a one-sided test off its level, by the first term of Edgeworth's expansion."""
    z = 1.645
    off = abs(linear.acceleration) * (2 * z**2 + 1) * NormalDist().pdf(z)
    if off < 0.01:
        return ()
    says = f"losses are skewed: one side of Student's law rejects about {off:.2g} too often or too seldom at .05"
    return (Note("skewed-losses", "caution", says),)


def _bootstrap(m: Scored, stated: float, lower: bool, draws: int, seed: int) -> Law:
    replicates, notes = finite_replicates(m.replicates(check_draws(draws), seed), draws)
    against = replicates >= stated if lower else replicates <= stated
    p_value = (1 + np.count_nonzero(against)) / (len(replicates) + 1)
    notes += (seed_note(draws, seed),)
    return Law(p_value, lambda at: Limits(*quantiles(replicates, at.tail, 1 - at.tail)), notes=notes)
