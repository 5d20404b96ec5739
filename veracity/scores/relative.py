"""Errors of numeric predictions relative to those of always naming the mean."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.losses import Losses
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.numeric import FLAT, UNBOUNDED, average, errors, spread
from veracity.scores.on_rows import row_score

CONSTANT = "the target is always the mean it is compared with"
UNKNOWN = "the mean of the training rows is unknown: give `train_mean=` to predictions, or ask for baseline='test'"


def _distance(p: Predictions, baseline: str) -> Array:
    """The target less the training mean, NaN where that is unknown, or less the mean of the test rows."""
    if baseline not in ("train", "test"):
        raise BadInput(f"baseline is 'train' or 'test', not {baseline!r}")
    if baseline == "test":
        return p.truth - p.truth.mean(dtype=np.float64)
    return np.full(len(p), np.nan) if p.train_mean is None else p.truth - np.asarray(p.train_mean, np.float64)


def _why(evidence: Losses, baseline: str = "train") -> str | None:
    return UNKNOWN if baseline == "train" and np.isnan(evidence.columns[:, 1]).all() else None


def _tells(evidence: Losses, baseline: str = "train") -> tuple[Note, ...]:
    of = "training" if baseline == "train" else "test"
    return (Note("baseline", "remark", f"measured against the mean of the {of} rows"),)


def _relative(square: Array, mean: Array, square_of_truth: Array, baseline: str = "train") -> Array:
    if baseline == "test":
        return square / spread(mean, square_of_truth)
    return square / np.where(square_of_truth > 0, square_of_truth, np.nan)


def _root(square: Array, mean: Array, square_of_truth: Array, baseline: str = "train") -> Array:
    return np.sqrt(_relative(square, mean, square_of_truth, baseline))


@row_score(
    "Relative squared error",
    better="lower",
    range=UNBOUNDED,
    needs="number",
    link=_relative,
    undefined=CONSTANT,
    why=_why,
    tells=_tells,
    cite=("witten2011",),
    aliases="rse",
)
def relative_squared_error(p: Predictions, *, baseline: str = "train") -> tuple[Array, ...]:
    """Squared error as a share of that of always naming the mean of the training (or test) rows."""
    distance = _distance(p, baseline)
    return np.square(errors(p)), distance, np.square(distance)


@row_score(
    "Root relative squared error",
    better="lower",
    range=UNBOUNDED,
    needs="number",
    link=_root,
    undefined=CONSTANT,
    why=_why,
    tells=_tells,
    cite=("witten2011",),
    aliases="rrse",
    keywords="Theil's U",
)
def root_relative_squared_error(p: Predictions, *, baseline: str = "train") -> tuple[Array, ...]:
    """Root of the relative squared error."""
    distance = _distance(p, baseline)
    return np.square(errors(p)), distance, np.square(distance)


def _parts(evidence: Losses, baseline: str) -> tuple[Array, Array, Array]:
    """Mean absolute error, distances from the mean compared with, and the mean size of those."""
    means = evidence.means
    distance = evidence.columns[:, 1] - (means[..., 1:] if baseline == "test" else 0)
    size = average(np.abs(distance), evidence.weight)
    scale = np.abs(evidence.columns[:, 1]).max()
    return means[..., 0], distance, np.where(size > FLAT * scale, size, np.nan)


def _ratio_of_sizes(evidence: Losses, baseline: str = "train") -> Array:
    error, _, size = _parts(evidence, baseline)
    return error / size


@row_score(
    "Relative absolute error",
    better="lower",
    range=UNBOUNDED,
    needs="number",
    reduce=_ratio_of_sizes,
    undefined=CONSTANT,
    why=_why,
    tells=_tells,
    default_interval="hall_t",
    cite=("witten2011",),
    aliases="rae",
    keywords="mean prior absolute error, MASE, mean absolute scaled error",
)
def relative_absolute_error(p: Predictions, *, baseline: str = "train") -> tuple[Array, ...]:
    """Absolute error as a share of that of always naming the mean of the training (or test) rows."""
    return np.abs(errors(p)), _distance(p, baseline)


@relative_absolute_error.with_influence
def _influence(evidence: Losses, baseline: str = "train") -> Array:
    """A row moves the error, the size of the distances and, where it is estimated, the mean they are taken from."""
    error, distance, size = _parts(evidence, baseline)
    value = (error / size)[..., None]
    by_row = np.abs(distance)
    if baseline == "test":
        by_row = by_row - average(np.sign(distance), evidence.weight)[..., None] * distance
    return (evidence.columns[:, 0] - value * by_row) / size[..., None]
