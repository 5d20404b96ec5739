"""Scores of numeric predictions: their errors, the median error, and errors relative to always naming the mean."""

from __future__ import annotations

from functools import partial

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note, always, caution
from veracity.evidence.losses import Losses
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.on_rows import row_score

FLAT = 1e-12  # a spread this small beside the numbers themselves is rounding


def predicted_numbers(p: Predictions) -> Array:
    """Return the predicted numbers."""
    if p.number is None:
        raise BadInput("these predictions hold no numbers: give `number=`")
    return p.number


def errors(p: Predictions) -> Array:
    """Return prediction minus truth, row by row."""
    return np.subtract(predicted_numbers(p), p.truth, dtype=np.float64)


def average(values: Array, weight: Array | None) -> Array:
    """Return the mean over the last axis, weighted where there are weights."""
    if weight is None:
        return np.asarray(values.mean(-1))
    return np.asarray(np.einsum("...i,...i->...", values, weight) / weight.sum(-1))


def spread(mean: Array, square: Array) -> Array:
    """Return the variance from the means of numbers and of their squares, NaN where the numbers are all the same."""
    variance = square - mean**2
    return np.where(variance > FLAT * square, variance, np.nan)


error_score = partial(row_score, better="lower", range=(0.0, np.inf), needs="number")


@error_score("Mean squared error", cite=("witten2011",))
def mse(p: Predictions) -> Array:
    """Mean of the squared differences between prediction and truth."""
    return np.square(errors(p))


@error_score("Root mean squared error", link=np.sqrt, cite=("witten2011",))
def rmse(p: Predictions) -> Array:
    """Root of the mean squared error, in the units of the target."""
    return np.square(errors(p))


@error_score("Mean absolute error", cite=("witten2011",))
def mae(p: Predictions) -> Array:
    """Mean size of the differences between prediction and truth."""
    return np.abs(errors(p))


@error_score("Pinball loss", cite=("koenker1978",))
def pinball(p: Predictions, *, q: float) -> Array:
    """Loss whose best constant prediction is the quantile `q` of the target."""
    if not 0 < q < 1:
        raise BadInput(f"pinball: q must lie strictly between 0 and 1, not {q!r}")
    below = -errors(p)
    return np.maximum(q * below, (q - 1) * below)


def _explained_share(square: Array, mean: Array, square_of_truth: Array) -> Array:
    return 1 - square / spread(mean, square_of_truth)


@row_score(
    "Coefficient of determination",
    range=(-np.inf, 1.0),
    needs="number",
    link=_explained_share,
    undefined="the target is constant, or there is one row only",
    cite=("wright1921",),
)
def r2(p: Predictions) -> tuple[Array, ...]:
    """Share of the target's variance that the predictions explain; negative when the mean would do better."""
    centred = p.truth - p.truth.mean(dtype=np.float64)
    return np.square(errors(p)), centred, np.square(centred)


def _correlation(truth: Array, said: Array, truth_square: Array, said_square: Array, product: Array) -> Array:
    scale = np.sqrt(spread(truth, truth_square) * spread(said, said_square))
    return np.clip((product - truth * said) / scale, -1, 1)


@row_score(
    "Correlation",
    range=(-1.0, 1.0),
    needs="number",
    link=_correlation,
    undefined="the target or the prediction is constant",
    limits=(caution("blind-to-scale", "correlation ignores bias and scale of the predictions", always),),
    cite=("pearson1895",),
)
def correlation(p: Predictions) -> tuple[Array, ...]:
    """Pearson's correlation between prediction and truth."""
    truth = p.truth - p.truth.mean(dtype=np.float64)
    number = predicted_numbers(p) - predicted_numbers(p).mean(dtype=np.float64)
    return truth, number, np.square(truth), np.square(number), truth * number


@correlation.with_influence
def _correlation_influence(evidence: Losses) -> Array:
    """In closed form, as differences would step over the edge where the correlation is close to 1."""
    means = evidence.means[..., None]
    truth, number = (
        (evidence.columns[:, k] - means[..., k, :]) / np.sqrt(spread(means[..., k, :], means[..., k + 2, :]))
        for k in (0, 1)
    )
    return truth * number - correlation.evaluate(evidence)[..., None] * (truth**2 + number**2) / 2


ROUNDING = 1e-12


def quantiles(values: Array, weight: Array | None, levels: tuple[float, ...]) -> Array:
    """Return weighted quantiles, levels on the last axis; half way between values where the weight splits evenly."""
    order = np.argsort(values)
    ordered, last, level = values[order], len(values) - 1, np.array(levels)
    counted = np.ones((1, len(values))) if weight is None else weight.reshape(-1, len(values))[:, order]
    result = []
    for reached in np.cumsum(counted, -1, dtype=float):
        target, slack = level * reached[-1], ROUNDING * reached[-1]
        low = np.searchsorted(reached, target - slack)  # the first row that reaches the target
        high = np.searchsorted(reached, target + slack, side="right")  # the first that passes it
        result.append((ordered[np.minimum(low, last)] + ordered[np.minimum(high, last)]) / 2)
    lead = () if weight is None else weight.shape[:-1]
    return np.reshape(result, (*lead, len(levels)))


def _median(evidence: Losses) -> Array:
    values = evidence.columns[:, 0]
    return np.median(values) if evidence.weight is None else quantiles(values, evidence.weight, (0.5,))[..., 0]


@error_score("Median absolute error", reduce=_median, cite=("hampel1974",))
def median_absolute_error(p: Predictions) -> Array:
    """The size that half of the differences between prediction and truth do not exceed."""
    return np.abs(errors(p))


@median_absolute_error.with_influence
def _median_influence(evidence: Losses) -> Array:
    """Half over the density at the median, on either side of it; the density from a window that shrinks as n^(-1/5)."""
    values = evidence.columns[:, 0]
    half = min(0.25, len(values) ** -0.2 / 2)
    low, middle, high = np.moveaxis(quantiles(values, evidence.weight, (0.5 - half, 0.5, 0.5 + half)), -1, 0)
    per_density = (high - low) / (2 * half)
    side = np.sign(values - middle[..., None]) / 2
    return per_density[..., None] * (side - average(side, evidence.weight)[..., None])


CONSTANT = "the target is always the mean it is compared with"
UNKNOWN = "the mean of the training rows is unknown: give `train_mean=` to predictions, or ask for baseline='test'"


def _distance(p: Predictions, baseline: str) -> Array:
    """The target less the training mean, NaN where that is unknown, or less the mean of the test rows."""
    if baseline not in ("train", "test"):
        raise BadInput(f"baseline is 'train' or 'test', not {baseline!r}")
    if baseline == "test":
        return p.truth - p.truth.mean(dtype=np.float64)
    return np.full(len(p), np.nan) if p.train_mean is None else p.truth - np.asarray(p.train_mean, np.float64)


def _unknown_mean(evidence: Losses, baseline: str = "train") -> str | None:
    return UNKNOWN if baseline == "train" and np.isnan(evidence.columns[:, 1]).all() else None


def _baseline_note(evidence: Losses, baseline: str = "train") -> tuple[Note, ...]:
    of = "training" if baseline == "train" else "test"
    return (Note("baseline", "remark", f"measured against the mean of the {of} rows"),)


def _relative(square: Array, mean: Array, square_of_truth: Array, baseline: str = "train") -> Array:
    if baseline == "test":
        return square / spread(mean, square_of_truth)
    return square / np.where(square_of_truth > 0, square_of_truth, np.nan)


relative_score = partial(error_score, undefined=CONSTANT, why=_unknown_mean, tells=_baseline_note, cite=("witten2011",))


def _relative_root(square: Array, mean: Array, square_of_truth: Array, baseline: str = "train") -> Array:
    return np.sqrt(_relative(square, mean, square_of_truth, baseline))


@relative_score("Relative squared error", link=_relative)
def relative_squared_error(p: Predictions, *, baseline: str = "train") -> tuple[Array, ...]:
    """Squared error as a share of that of always naming the mean of the training (or test) rows."""
    distance = _distance(p, baseline)
    return np.square(errors(p)), distance, np.square(distance)


@relative_score("Root relative squared error", link=_relative_root)
def root_relative_squared_error(p: Predictions, *, baseline: str = "train") -> tuple[Array, ...]:
    """Root of the relative squared error."""
    columns: tuple[Array, ...] = relative_squared_error.function(p, baseline=baseline)
    return columns


def _relative_parts(evidence: Losses, baseline: str) -> tuple[Array, Array, Array]:
    """Mean absolute error, distances from the mean compared with, and the mean size of those."""
    means = evidence.means
    distance = evidence.columns[:, 1] - (means[..., 1:] if baseline == "test" else 0)
    size = average(np.abs(distance), evidence.weight)
    scale = np.abs(evidence.columns[:, 1]).max()
    return means[..., 0], distance, np.where(size > FLAT * scale, size, np.nan)


def _ratio_of_sizes(evidence: Losses, baseline: str = "train") -> Array:
    error, _, size = _relative_parts(evidence, baseline)
    return error / size


@relative_score("Relative absolute error", reduce=_ratio_of_sizes, default_interval="hall_t")
def relative_absolute_error(p: Predictions, *, baseline: str = "train") -> tuple[Array, ...]:
    """Absolute error as a share of that of always naming the mean of the training (or test) rows."""
    return np.abs(errors(p)), _distance(p, baseline)


@relative_absolute_error.with_influence
def _relative_influence(evidence: Losses, baseline: str = "train") -> Array:
    """A row moves the error, the size of the distances and, where it is estimated, the mean they are taken from."""
    error, distance, size = _relative_parts(evidence, baseline)
    value = (error / size)[..., None]
    by_row = np.abs(distance)
    if baseline == "test":
        by_row = by_row - average(np.sign(distance), evidence.weight)[..., None] * distance
    return (evidence.columns[:, 0] - value * by_row) / size[..., None]
