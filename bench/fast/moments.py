"""Learners that know their training rows by counts, sums and products: of all splits by one product of matrices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from bench.fast.split_rows import SplitRows
from veracity.records.arrays import Array

SMOOTHING = 1e-9  # share of the largest variance that GaussianNB adds to all
LEVEL = 1e-6  # columns that vary less than this share of their largest value are as good as constant
FLAT = 1e-4  # directions in which rows vary less than this, in units of their features, tell LDA nothing


class Classes(NamedTuple):
    """Of the negative and the positive training rows of each split of each sample."""

    number: Array  # (2, samples, splits)
    mean: Array  # (2, samples, splits, features)


def centred(rows: SplitRows) -> tuple[Array, Array]:
    """Training rows and tried rows around the middle of each sample, so that sums of squares keep their digits."""
    middle = rows.features.mean(1, keepdims=True)
    features = rows.features - middle
    return features, features if rows.tried is None else rows.tried - middle


def class_means(rows: SplitRows, features: Array) -> Classes:
    """Sums over positive rows, and over the others by subtraction."""
    every = rows.weights @ features
    ones = rows.weights @ (features * rows.target[..., None])
    number = np.stack([rows.trained - rows.positives, rows.positives])
    return Classes(number, np.stack([every - ones, ones]) / number[..., None])


def products(features: Array) -> Array:
    """Each row's products of two features, (samples, rows, features squared)."""
    found = features[..., :, None] * features[..., None, :]
    return found.reshape(*features.shape[:-1], -1)


def square(sums: Array, features: int) -> Array:
    return sums.reshape(*sums.shape[:-1], features, features)


def outer(vector: Array) -> Array:
    return vector[..., :, None] * vector[..., None, :]


def linear(slope: Array, level: Array, queries: Array) -> Array:
    """Values of all queries by a plane of each split, (samples, splits, queries)."""
    return slope @ queries.swapaxes(-1, -2) + level[..., None]


@dataclass(frozen=True)
class NearestCentre:
    """The class whose mean is nearer."""

    def predict_splits(self, rows: SplitRows) -> Array | None:
        if not rows.both_classes:
            return None
        features, queries = centred(rows)
        below, above = class_means(rows, features).mean
        slope = above - below
        return (linear(slope, -(slope * (above + below)).sum(-1) / 2, queries) > 0).astype(np.int64)


@dataclass(frozen=True)
class Discriminant:
    """Linear discriminant analysis: one covariance for both classes, and their shares."""

    unbiased: bool = False  # the covariance is over degrees of freedom, not over rows

    def predict_splits(self, rows: SplitRows) -> Array | None:
        if not rows.both_classes:
            return None
        features, queries = centred(rows)
        number, mean = class_means(rows, features)
        total = square(rows.weights @ products(features), features.shape[-1])
        within = total - (number[..., None, None] * outer(mean)).sum(0)
        freedom = rows.trained - 2 * self.unbiased
        slope = _solve_within(within / freedom[:, None, None], mean[1] - mean[0])
        level = np.log(number[1] / number[0]) - (slope * (mean[1] + mean[0])).sum(-1) / 2
        return (linear(slope, level, queries) > 0).astype(np.int64)


def _solve_within(covariance: Array, gap: Array) -> Array:
    """The inverse covariance times the gap of the means; flat directions, of units of the features, are left out."""
    width = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1).clip(0))
    width = np.where(width > 0, width, 1.0)
    scaled = covariance / outer(width)
    inverse = _inverse_of(scaled)
    if inverse is not None:
        return np.asarray((inverse @ (gap / width)[..., None])[..., 0] / width)
    values, vectors = np.linalg.eigh(scaled)
    turned = (vectors.swapaxes(-1, -2) @ (gap / width)[..., None])[..., 0]
    kept = np.where(values > FLAT**2, turned / np.where(values > FLAT**2, values, 1.0), 0.0)
    return np.asarray((vectors @ kept[..., None])[..., 0] / width)


def _solve_upright(within: Array, joint: Array, least: Array) -> Array | None:
    """The slopes of least squares; None where a column may be constant, or a mixture of the others."""
    width = np.sqrt(np.diagonal(within, axis1=-2, axis2=-1).clip(0))
    if not (width > least).all():
        return None
    inverse = _inverse_of(within / outer(width))
    return None if inverse is None else np.asarray((inverse @ (joint / width)[..., None])[..., 0] / width)


def _inverse_of(scaled: Array) -> Array | None:
    """None where a direction may be flat: no eigenvalue is smaller than one over the length of the inverse."""
    try:
        inverse = np.linalg.inv(scaled)
    except np.linalg.LinAlgError:
        return None
    return inverse if np.sqrt((inverse**2).sum((-1, -2)).max()) < 1 / FLAT**2 else None


@dataclass(frozen=True)
class Quadratic:
    """Quadratic discriminant analysis: a covariance for each class."""

    unbiased: bool = False  # covariances are over degrees of freedom, not over rows

    def predict_splits(self, rows: SplitRows) -> Array | None:
        width = rows.features.shape[-1]
        fewest = np.minimum(rows.positives, rows.trained - rows.positives).min()
        if fewest <= width:
            return None
        features, queries = centred(rows)
        number, mean = class_means(rows, features)
        squares = products(features)
        every, ones = rows.weights @ squares, rows.weights @ (squares * rows.target[..., None])
        sums = square(np.stack([every - ones, ones]), width) / number[..., None, None]
        covariance = (sums - outer(mean)) * (number / (number - self.unbiased))[..., None, None]
        if np.linalg.eigvalsh(covariance).min() <= FLAT:  # which scikit-learn refuses
            return None
        inverse = np.linalg.inv(covariance)
        slope = (inverse @ mean[..., None])[..., 0]
        level = np.log(number) - np.linalg.slogdet(covariance)[1] / 2 - (slope * mean).sum(-1) / 2
        bend = inverse.reshape(*inverse.shape[:-2], -1)
        of_queries = squares if rows.tried is None else products(queries)
        log_odds = linear(slope[1] - slope[0], level[1] - level[0], queries)
        log_odds -= (bend[1] - bend[0]) @ of_queries.swapaxes(-1, -2) / 2
        return (log_odds > 0).astype(np.int64)


@dataclass(frozen=True)
class NaiveBayes:
    """Normal features that are independent inside each class."""

    def predict_splits(self, rows: SplitRows) -> Array | None:
        if not rows.both_classes:
            return None
        features, queries = centred(rows)
        number, mean = class_means(rows, features)
        every = rows.weights @ features**2
        ones = rows.weights @ (features**2 * rows.target[..., None])
        together = every / rows.trained[:, None] - ((rows.weights @ features) / rows.trained[:, None]) ** 2
        variance = np.stack([every - ones, ones]) / number[..., None] - mean**2
        variance = variance.clip(0) + SMOOTHING * together.max(-1, keepdims=True)
        slope, bend = mean / variance, 1 / variance
        level = np.log(number) - (np.log(variance) + mean**2 * bend).sum(-1) / 2
        log_odds = linear(slope[1] - slope[0], level[1] - level[0], queries)
        log_odds -= (bend[1] - bend[0]) @ (queries**2).swapaxes(-1, -2) / 2
        return (log_odds > 0).astype(np.int64)


@dataclass(frozen=True)
class LeastSquares:
    """A plane by least squares, its slopes shrunk by `penalty`; of the `powers` of the first feature where asked."""

    penalty: float = 0.0
    powers: int = 0

    def predict_splits(self, rows: SplitRows) -> Array | None:
        features, queries = (self._columns(side) for side in (rows.features, rows.queries))
        width = features.shape[-1]
        if self.penalty <= 0 and (rows.times > 0).sum(1).min() <= width + 1:
            return None
        middle, largest = features.mean(1, keepdims=True), np.abs(features).max(1, keepdims=True)
        features, queries = features - middle, queries - middle
        centre, number = rows.target.mean(1)[:, None], rows.trained[:, None]
        target = rows.target - centre
        sums, mean_target = rows.weights @ features / number, target @ rows.weights.T / rows.trained
        total = square(rows.weights @ products(features), width)
        joint = rows.weights @ (features * target[..., None])
        within = total - number[..., None] * outer(sums) + self.penalty * np.eye(width)
        least = LEVEL * largest * np.sqrt(number)
        slope = _solve_upright(within, joint - number * sums * mean_target[..., None], least)
        if slope is None:
            return None
        return linear(slope, mean_target - (slope * sums).sum(-1) + centre, queries)

    def _columns(self, features: Array) -> Array:
        if not self.powers:
            return features
        return features[..., :1] ** np.arange(1, self.powers + 1)
