"""The score that predictions would have if they told nothing about the truth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions
from veracity.evidence.subset import subset
from veracity.records.arrays import Array
from veracity.risk.batches import value
from veracity.scores.numeric import mae, mse, pinball, r2, rmse
from veracity.scores.on_counts import CountScore
from veracity.scores.on_rows import RowScore
from veracity.scores.relative import relative_squared_error, root_relative_squared_error

CHUNK = 2_000_000  # pairs of a truth and a prediction at once
MOST = 1_000_000_000  # pairs of all
SQUARED = (mse, rmse, r2, relative_squared_error, root_relative_squared_error)  # their first column is squared errors


def no_information(score: Choice, p: Predictions) -> float:
    """The score when every truth goes with every prediction, each pair counting alike."""
    if p.kind == "numbers":
        return _of_numbers(score, p)
    if isinstance(score.entry, CountScore):
        return _of_counts(score, p)
    if isinstance(score.entry, RowScore) and score.entry.reduce is None:
        means = [share * _with_truth(score, p, of) for of, share in enumerate(_shares(p)) if share > 0]
        return float(score.entry.linked(np.sum(means, 0), **score.given))
    return value(score, _every_class(p))


def _weights(p: Predictions) -> Array:
    return np.ones(len(p)) if p.multiplicity is None else p.multiplicity


def _shares(p: Predictions) -> Array:
    """How frequent each class is in truth."""
    total = np.bincount(p.truth, _weights(p), len(p.classes))
    return total / total.sum()


def _of_counts(score: Choice, p: Predictions) -> float:
    """From the matrix in which truth and prediction are independent."""
    counts = p.confusion()
    matrix = np.outer(counts.of_truth, counts.of_prediction) / counts.total
    return float(score.entry.evaluate(Counts(matrix, p.classes, p.positive), **score.given))


def _with_truth(score: Choice, p: Predictions, of: int) -> Array:
    """The means of a score's columns if all rows were of one class."""
    found: Array = score.entry.gather(replace(p, truth=np.full_like(p.truth, of)), **score.given).means
    return found


def _every_class(p: Predictions) -> Predictions:
    """Each row once for every class, as heavy as the class is frequent."""
    shares, rows = _shares(p), len(p)
    there = np.flatnonzero(shares)
    copies = subset(replace(p, groups=None), np.tile(np.arange(rows), len(there)))
    weight = np.repeat(shares[there], rows) * np.tile(_weights(p), len(there))
    return replace(copies, truth=np.repeat(there, rows).astype(p.truth.dtype), weights=weight, repeats=None)


def _of_numbers(score: Choice, p: Predictions) -> float:
    entry = score.entry
    if entry in SQUARED:
        means = np.array(entry.gather(p, **score.given).means)
        means[0] = squared(p)
        return float(entry.linked(means, **score.given))
    if entry is mae:
        return absolute(p)
    if entry is pinball:
        return (absolute(p) + (2 * score.given["q"] - 1) * _gap(p)) / 2
    return _of_pairs(score, p)


def _gap(p: Predictions) -> float:
    """Mean truth less mean prediction."""
    return float(np.average(p.truth, weights=_weights(p)) - np.average(np.asarray(p.number), weights=_weights(p)))


def squared(p: Predictions) -> float:
    """Mean squared difference over all pairs: both variances and the squared gap of the means."""
    weight = _weights(p)
    both = (p.truth, np.asarray(p.number))
    parts = [np.average((x - np.average(x, weights=weight)) ** 2, weights=weight) for x in both]
    return float(sum(parts)) + _gap(p) ** 2


def absolute(p: Predictions) -> float:
    """Mean absolute difference over all pairs, by sorting the truth: running sums say what lies below and above."""
    weight, centre = _weights(p), np.median(p.truth)  # from the centre, sums stay small
    order = np.argsort(p.truth)
    truth, number = p.truth[order] - centre, np.asarray(p.number) - centre
    weights = np.concatenate([[0.0], np.cumsum(weight[order])])
    sums = np.concatenate([[0.0], np.cumsum(weight[order] * truth)])
    below = np.searchsorted(truth, number)
    each = number * (2 * weights[below] - weights[-1]) - 2 * sums[below] + sums[-1]
    return float(each @ weight / weight.sum() ** 2)


def _of_pairs(score: Choice, p: Predictions) -> float:
    """Any other score of numbers: all pairs, in chunks where it is a mean over rows."""
    rows, mean = len(p), isinstance(score.entry, RowScore) and score.entry.is_mean
    if rows**2 > (MOST if mean else CHUNK):
        raise Refused(
            f"{score} without information needs all {rows}^2 pairs of a truth and a prediction: use loo_bootstrap or "
            "boot632, which do not need it, or fewer rows",
            "too-many-pairs",
        )
    step = max(1, CHUNK // rows)
    chunks = [np.arange(first, min(first + step, rows)) for first in range(0, rows, step)]
    weights = [_weights(p)[chunk].sum() for chunk in chunks]
    return float(np.average([value(score, _pairs(p, chunk)) for chunk in chunks], weights=weights))


def _pairs(p: Predictions, chunk: Array) -> Predictions:
    """Every truth beside each prediction of a chunk."""
    rows, weight = len(p), _weights(p)
    copies = subset(replace(p, groups=None), np.repeat(chunk, rows))
    pairs = np.repeat(weight[chunk], rows) * np.tile(weight, len(chunk))
    return replace(copies, truth=np.tile(p.truth, len(chunk)), weights=pairs, repeats=None)
