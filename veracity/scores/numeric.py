"""Scores of numeric predictions."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import always, caution
from veracity.evidence.losses import Losses
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.on_rows import row_score

UNBOUNDED = (0.0, np.inf)
FLAT = 1e-12  # a spread this small beside the numbers themselves is rounding


def predicted_numbers(p: Predictions) -> Array:
    """The predicted numbers."""
    if p.number is None:
        raise BadInput("these predictions hold no numbers: give `number=`")
    return p.number


def errors(p: Predictions) -> Array:
    """Prediction minus truth, row by row."""
    return np.subtract(predicted_numbers(p), p.truth, dtype=np.float64)


def average(values: Array, weight: Array | None) -> Array:
    """Mean over the last axis, weighted where there are weights."""
    if weight is None:
        return np.asarray(values.mean(-1))
    return np.asarray(np.einsum("...i,...i->...", values, weight) / weight.sum(-1))


def spread(mean: Array, square: Array) -> Array:
    """Variance from the means of numbers and of their squares, NaN where the numbers are all the same."""
    found = square - mean**2
    return np.where(found > FLAT * square, found, np.nan)


@row_score(
    "Mean squared error",
    better="lower",
    range=UNBOUNDED,
    needs="number",
    cite=("witten2011",),
    aliases="squared_error, squared_loss, mean_square_error, l2_loss",
    keywords="least squares, RSS, SSE, residual sum of squares, sum of squared errors",
)
def mse(p: Predictions) -> Array:
    """Mean of the squared differences between prediction and truth."""
    return np.square(errors(p))


@row_score(
    "Root mean squared error",
    better="lower",
    range=UNBOUNDED,
    needs="number",
    link=np.sqrt,
    cite=("witten2011",),
    aliases="root_mean_square_error, rms_error, rmsd, root_mse",
    keywords="residual standard error, standard error of the regression",
)
def rmse(p: Predictions) -> Array:
    """Root of the mean squared error, in the units of the target."""
    return np.square(errors(p))


@row_score(
    "Mean absolute error",
    better="lower",
    range=UNBOUNDED,
    needs="number",
    cite=("witten2011",),
    aliases="absolute_error, absolute_loss, l1_loss",
    keywords="mean absolute deviation",
)
def mae(p: Predictions) -> Array:
    """Mean size of the differences between prediction and truth."""
    return np.abs(errors(p))


@row_score(
    "Pinball loss",
    better="lower",
    range=UNBOUNDED,
    needs="number",
    cite=("koenker1978",),
    aliases="quantile_loss, mean_pinball_loss, check_loss, tilted_loss",
    keywords="quantile regression, quantile score, tick loss",
)
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
    aliases="r_squared, r2_score, r_square, nash_sutcliffe",
    keywords="explained variance, variance explained, goodness of fit, rsq, adjusted R squared",
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
    aliases="pearson, pearson_r, pearson_correlation, correlation_coefficient, corr",
)
def correlation(p: Predictions) -> tuple[Array, ...]:
    """Pearson's correlation between prediction and truth."""
    truth = p.truth - p.truth.mean(dtype=np.float64)
    number = predicted_numbers(p) - predicted_numbers(p).mean(dtype=np.float64)
    return truth, number, np.square(truth), np.square(number), truth * number


@correlation.with_influence
def _influence(evidence: Losses) -> Array:
    """In closed form, as differences would step over the edge where the correlation is close to 1."""
    means = evidence.means[..., None]
    truth, number = (
        (evidence.columns[:, k] - means[..., k, :]) / np.sqrt(spread(means[..., k, :], means[..., k + 2, :]))
        for k in (0, 1)
    )
    return truth * number - correlation.evaluate(evidence)[..., None] * (truth**2 + number**2) / 2
