"""The .632 and .632+ bootstrap: scores on training rows, on rows left out and without information, weighted."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.designs.entry import Auto
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions
from veracity.evidence.take_rows import subset
from veracity.records.arrays import Array
from veracity.risk import RESUBSTITUTION, DesignPart, PointEstimate, risk_estimator
from veracity.risk.fold_scores import Resampling
from veracity.risk.resampling_estimators import FEW_DRAWS, WHOLE, draws_on_rows_left_out, left_out_estimate
from veracity.scores.entry import evidence_for, value_of, values_on
from veracity.scores.numeric import mae, mse, pinball, r2, rmse
from veracity.scores.relative import relative_squared_error, root_relative_squared_error

LEFT_OUT = 0.632  # 1 - 1/e, the share of rows in a draw as their number grows
REMEMBERED = 0.01
CHUNK = 2_000_000  # pairs of a truth and a prediction at once
MOST = 1_000_000_000  # pairs of all
SQUARED = (mse, rmse, r2, relative_squared_error, root_relative_squared_error)  # their first column is squared errors
BY_ANALOGY = Note(
    "by-analogy", "remark", "the weights were derived for losses that are means over rows; here they are an analogy"
)


def draws_and_resubstitution(draws: int, grouped: Auto) -> tuple[DesignPart, ...]:
    """Models of draws on the rows left out, and the model of all rows."""
    return (*draws_on_rows_left_out(draws, grouped), RESUBSTITUTION)


@risk_estimator(
    ".632 bootstrap",
    cite=("efron1983",),
    answers=WHOLE,
    parts=draws_and_resubstitution,
    limits=(FEW_DRAWS,),
    says="boot632 has no interval that is known to hold",
    aliases=".632, 0.632, 632, 632_estimator, efron_632",
    assumes=("IID",),
)
def boot632(r: Resampling, *, draws: int = 200, grouped: Auto = "auto") -> PointEstimate:
    """0.368 times the score of the model of all rows on these rows, plus 0.632 times the leave-one-out bootstrap.

    Nearly unbiased for learners that fit smoothly. Optimistic for learners that remember their rows, such as
    1-nearest-neighbour, whose score on training rows is perfect: there use `boot632plus`.
    """
    apparent, out = r.resubstitution, left_out_estimate(r)
    value = (1 - LEFT_OUT) * apparent + LEFT_OUT * out.value
    facts = (("resubstitution", apparent), ("loo_bootstrap", out.value))
    return PointEstimate(value, out.notes + _analogy_notes(r) + _memory_notes(r.score, apparent, out.value), facts)


@risk_estimator(
    ".632+ bootstrap",
    cite=("efron1997",),
    answers=WHOLE,
    parts=draws_and_resubstitution,
    limits=(FEW_DRAWS,),
    says="boot632plus has no interval that is known to hold",
    aliases=".632+, 0.632+, 632+, 632_plus, 632_plus_bootstrap",
    keywords=".632+ rule, no-information error rate, Efron and Tibshirani, relative overfitting rate",
    assumes=("IID",),
)
def boot632plus(r: Resampling, *, draws: int = 200, grouped: Auto = "auto") -> PointEstimate:
    """The .632 bootstrap with a weight that grows with overfitting, up to the leave-one-out bootstrap alone.

    Overfitting R is how far the leave-one-out bootstrap is on the way from the score on training rows (R = 0) to the
    score when predictions tell nothing about the truth (R = 1); the weight is .632 / (1 - .368 R). Preferred over
    `boot632`, and never worse than the score without information.
    """
    apparent, out = r.resubstitution, left_out_estimate(r)
    chance = no_information(r.score, r.of_all_rows)
    plus = weigh(apparent, out.value, chance, r.score.better)
    facts = (
        ("R", plus.overfitting),
        ("weight", plus.weight),
        ("no_information", chance),
        ("resubstitution", apparent),
        ("loo_bootstrap", out.value),
    )
    return PointEstimate(plus.value, out.notes + _analogy_notes(r), facts)


class Weighting(NamedTuple):
    """The .632+ estimate, the weight of the leave-one-out bootstrap and the overfitting that it follows from."""

    value: float
    weight: float
    overfitting: float


def weigh(apparent: float, out: float, chance: float, better: str = "lower") -> Weighting:
    """From the score on training rows, on rows left out, and without information."""
    sign = 1 if better == "lower" else -1
    low, high, top = sign * apparent, sign * out, sign * chance
    if math.isnan(low) or math.isnan(high) or math.isnan(top):
        return Weighting(math.nan, math.nan, math.nan)
    high = min(high, top)
    overfitting = (high - low) / (top - low) if low < high and math.isfinite(top) else 0.0
    weight = LEFT_OUT / (1 - (1 - LEFT_OUT) * overfitting)
    value = high if weight == 1 else (1 - weight) * low + weight * high
    return Weighting(sign * value, weight, overfitting)


def _analogy_notes(r: Resampling) -> tuple[Note, ...]:
    return () if r.is_mean else (BY_ANALOGY,)


def _memory_notes(score: Choice, apparent: float, out: float) -> tuple[Note, ...]:
    """A learner that is all but perfect on its training rows; without a known range, beside the rows left out."""
    low, high = score.range
    best = high if score.better == "higher" else low
    scale = high - low if math.isfinite(high - low) else abs(best - out)
    if not abs(best - apparent) < REMEMBERED * scale:
        return ()
    says = "the learner is all but perfect on the rows that trained it, which makes boot632 optimistic: use boot632plus"
    return (Note("remembers", "caution", says),)


def no_information(score: Choice, p: Predictions) -> float:
    """The score when every truth goes with every prediction, each pair counting alike."""
    if p.kind == "numbers":
        return _from_numbers(score, p)
    if score.reads == "confusion matrix":
        return _from_counts(score, p)
    if score.is_function_of_means:
        means = [share * _means_with_truth(score, p, of) for of, share in enumerate(_shares(p)) if share > 0]
        return float(score.link_means(np.sum(means, 0)))
    return value_of(score, _every_class(p))


def _weights(p: Predictions) -> Array:
    return np.ones(len(p)) if p.multiplicity is None else p.multiplicity


def _shares(p: Predictions) -> Array:
    """How frequent each class is in truth."""
    total = np.bincount(p.truth, _weights(p), len(p.classes))
    return total / total.sum()


def _from_counts(score: Choice, p: Predictions) -> float:
    """From the matrix in which truth and prediction are independent."""
    counts = evidence_for(score, p)
    matrix = np.outer(counts.of_truth, counts.of_prediction) / counts.total
    return float(values_on(score, Counts.of_arrays(matrix, p.classes, p.positive)))


def _means_with_truth(score: Choice, p: Predictions, of: int) -> Array:
    """The means of a score's columns if all rows were of one class."""
    means: Array = evidence_for(score, replace(p, truth=np.full_like(p.truth, of))).means
    return means


def _every_class(p: Predictions) -> Predictions:
    """Each row once for every class, as heavy as the class is frequent."""
    shares, rows = _shares(p), len(p)
    there = np.flatnonzero(shares)
    copies = subset(replace(p, groups=None), np.tile(np.arange(rows), len(there)))
    weight = np.repeat(shares[there], rows) * np.tile(_weights(p), len(there))
    return replace(copies, truth=np.repeat(there, rows).astype(p.truth.dtype), weights=weight, repeats=None)


def _from_numbers(score: Choice, p: Predictions) -> float:
    entry = score.entry
    if entry in SQUARED:
        means = np.array(evidence_for(score, p).means)
        means[0] = mean_squared_gap(p)
        return float(score.link_means(means))
    if entry is mae:
        return mean_absolute_gap(p)
    if entry is pinball:
        return (mean_absolute_gap(p) + (2 * score.given["q"] - 1) * _gap(p)) / 2
    return _from_pairs(score, p)


def _gap(p: Predictions) -> float:
    """Mean truth less mean prediction."""
    return float(np.average(p.truth, weights=_weights(p)) - np.average(np.asarray(p.number), weights=_weights(p)))


def mean_squared_gap(p: Predictions) -> float:
    """Mean squared difference over all pairs: both variances and the squared gap of the means."""
    weight = _weights(p)
    both = (p.truth, np.asarray(p.number))
    parts = [np.average((x - np.average(x, weights=weight)) ** 2, weights=weight) for x in both]
    return float(sum(parts)) + _gap(p) ** 2


def mean_absolute_gap(p: Predictions) -> float:
    """Mean absolute difference over all pairs, by sorting the truth: running sums say what lies below and above."""
    weight, centre = _weights(p), np.median(p.truth)  # from the centre, sums stay small
    order = np.argsort(p.truth)
    truth, number = p.truth[order] - centre, np.asarray(p.number) - centre
    weights = np.concatenate([[0.0], np.cumsum(weight[order])])
    sums = np.concatenate([[0.0], np.cumsum(weight[order] * truth)])
    below = np.searchsorted(truth, number)
    each = number * (2 * weights[below] - weights[-1]) - 2 * sums[below] + sums[-1]
    return float(each @ weight / weight.sum() ** 2)


def _from_pairs(score: Choice, p: Predictions) -> float:
    """Any other score of numbers: all pairs, in chunks where it is a mean over rows."""
    rows, mean = len(p), score.reads == "row losses" and score.is_mean
    if rows**2 > (MOST if mean else CHUNK):
        raise Refused(
            f"{score} without information needs all {rows}^2 pairs of a truth and a prediction: use loo_bootstrap or "
            "boot632, which do not need it, or fewer rows",
            "too-many-pairs",
        )
    step = max(1, CHUNK // rows)
    chunks = [np.arange(first, min(first + step, rows)) for first in range(0, rows, step)]
    weights = [_weights(p)[chunk].sum() for chunk in chunks]
    return float(np.average([value_of(score, _pairs(p, chunk)) for chunk in chunks], weights=weights))


def _pairs(p: Predictions, chunk: Array) -> Predictions:
    """Every truth beside each prediction of a chunk."""
    rows, weight = len(p), _weights(p)
    copies = subset(replace(p, groups=None), np.repeat(chunk, rows))
    pairs = np.repeat(weight[chunk], rows) * np.tile(weight, len(chunk))
    return replace(copies, truth=np.tile(p.truth, len(chunk)), weights=pairs, repeats=None)
