"""Scores of predicted probabilities, and how far these are from the frequencies they promise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note, remark
from veracity.evidence.losses import Losses, SummedLosses
from veracity.evidence.predictions import Predictions
from veracity.evidence.row_sums import BINS, Gaps, RowSums
from veracity.records.arrays import Array, ratio
from veracity.scores.on_rows import row_score

UNBOUNDED = (0.0, np.inf)
ZERO = "a true class was given probability 0"
TWO_CLASSES = remark(
    "two-brier",
    "of two classes scikit-learn's brier_score_loss is half of this: brier_half",
    lambda losses: losses.classes == 2,
)
MORE_CLASSES = remark(
    "two-brier",
    "of three or more classes scikit-learn's brier_score_loss is not halved, and twice this: brier",
    lambda losses: losses.classes > 2,
)


def _square(p: Predictions) -> Array:
    """Half the squared distance between the probabilities and the truth."""
    chance = p.truth_probability
    missing = np.subtract(1, chance, dtype=np.float64)
    missing *= missing
    if p.binary or p.proba is None:
        return missing
    of_others = np.einsum("ij,ij->i", p.proba, p.proba, dtype=np.float64) - np.square(chance, dtype=np.float64)
    return (missing + np.maximum(of_others, 0)) / 2


def surprise(p: Predictions, unit: np.ufunc, floor: float | None = None) -> Array:
    """Minus the logarithm of the probability given to the truth; infinite where that is 0 and there is no floor."""
    chance = p.truth_probability if floor is None else np.maximum(p.truth_probability, floor)
    with np.errstate(divide="ignore"):
        found = unit(chance, dtype=np.float64)
    return np.negative(found, out=found)


@row_score("Brier score", better="lower", range=(0.0, 2.0), needs="proba", limits=(TWO_CLASSES,), cite=("brier1950",))
def brier(p: Predictions) -> Array:
    """Squared distance between the probabilities and the truth, summed over classes: from 0 to 2.

    scikit-learn's brier_score_loss is this number of three or more classes, and half of it, brier_half, of two.
    """
    distance = _square(p)
    distance *= 2
    return distance


@row_score(
    "Half Brier score", better="lower", range=(0.0, 1.0), needs="proba", limits=(MORE_CLASSES,), cite=("brier1950",)
)
def brier_half(p: Predictions) -> Array:
    """Half the Brier score: for two classes the squared difference between probability and outcome, from 0 to 1.

    Of two classes it is scikit-learn's brier_score_loss; of three or more that is not halved, and is brier.
    """
    return _square(p)


brier.with_sums(lambda sums, p: sums.squares.scaled(2.0))
brier_half.with_sums(lambda sums, p: sums.squares.scaled(1.0))


@row_score("Log loss", better="lower", range=UNBOUNDED, needs="proba", infinite=ZERO, cite=("good1952",))
def log_loss(p: Predictions, *, clip: float | None = None) -> Array:
    """Minus the natural logarithm of the probability given to the truth.

    A true class given probability 0 makes it infinite, unless `clip` names the smallest probability that counts.
    """
    if clip is not None and not 0 < clip < 0.5:
        raise BadInput(f"log_loss: clip must lie strictly between 0 and 0.5, not {clip!r}; try 1e-15")
    return surprise(p, np.log, clip)


log_loss.with_sums(lambda sums, p, clip=None: sums.logs.scaled(-1.0) if clip is None and sums.finite else None)


@row_score(
    "Informational loss", better="lower", range=UNBOUNDED, needs="proba", infinite=ZERO, cite=("witten2011", "good1952")
)
def informational_loss(p: Predictions) -> Array:
    """Bits needed to tell the truth to someone who believes the probabilities."""
    return surprise(p, np.log2)


informational_loss.with_sums(lambda sums, p: sums.logs.scaled(-1 / math.log(2)) if sums.finite else None)


FEW_BINS = 50


@dataclass(frozen=True, eq=False)
class Bins:
    """Per bin that holds rows: how much they weigh, what was said on average, how often it came true."""

    rows: Array
    confidence: Array
    frequency: Array
    low: Array  # the smallest and the largest confidence found in the bin
    high: Array

    @property
    def gaps(self) -> Array:
        """Said minus happened; positive is overconfident."""
        return self.confidence - self.frequency

    @property
    def error(self) -> float:
        """The calibration error: the mean absolute gap over rows."""
        return float((self.rows * np.abs(self.gaps)).sum() / self.rows.sum())


def confidence_and_hit(p: Predictions) -> tuple[Array, Array]:
    """Per row: the probability given, and whether it came true.

    The positive class and whether the row is of it; where none of several classes is named positive, the likeliest
    class and whether it is the truth.
    """
    if p.binary or p.positive is not None:
        return p.probability(p.named_positive), p.truth == p.named_positive
    if p.proba is None:
        raise BadInput("these predictions hold no probabilities: give `proba=`")
    return p.proba.max(1), p.proba.argmax(1) == p.truth


def bin_of(confidence: Array, bins: int, strategy: str = "width", weight: Array | None = None) -> Array:
    """The bin of each row, 0 to bins - 1: of equal width on 0..1, or of equal numbers of rows with ties together."""
    if isinstance(bins, bool) or int(bins) != bins or bins < 1:
        raise BadInput(f"bins is a whole number of at least 1, not {bins!r}")
    bins = int(bins)
    if strategy == "width":
        # edges in the data's own precision: a single-precision 0.7 belongs to the bin that starts at 0.7
        edges = (np.arange(1, bins) / bins).astype(confidence.dtype)
        if bins > FEW_BINS:
            return np.searchsorted(edges, confidence, side="right")
        number = np.zeros(len(confidence), np.int8)
        for edge in edges:  # counting the edges passed has no branch to guess wrong: several times faster than a search
            number += confidence >= edge
        return number
    if strategy != "count":
        raise BadInput(f"strategy is 'width' or 'count', not {strategy!r}")
    _, block, size = np.unique(confidence, return_inverse=True, return_counts=True)
    total = size.astype(float) if weight is None else np.bincount(block, weight)
    middle = np.cumsum(total) - total / 2  # a block of equal confidences goes where its middle row belongs
    place = middle * bins / total.sum()  # in this order, whole rows at a border stay exact
    return np.minimum(place.astype(np.int64), bins - 1)[block]


def bin_rows(confidence: Array, hit: Array, bin: Array, weight: Array | None = None) -> Bins:
    """Return the rows, mean confidence and frequency of each bin that holds rows."""
    number = int(bin.max()) + 1
    rows = np.bincount(bin, weight, number).astype(float)
    stated = np.bincount(bin, confidence if weight is None else confidence * weight, number)
    came_true = np.bincount(bin, hit if weight is None else hit * weight, number)
    low, high = np.full(number, np.inf), np.full(number, -np.inf)
    np.minimum.at(low, bin, confidence)
    np.maximum.at(high, bin, confidence)
    full = rows > 0
    return Bins(rows[full], ratio(stated, rows)[full], ratio(came_true, rows)[full], low[full], high[full])


MIN_ROWS_PER_BIN = 20  # rows per bin: below this most of the error is chance


def _gaps(evidence: Losses, bins: int) -> Array:
    """Sum of promised minus come true in each bin, as shares of all rows."""
    if isinstance(evidence, SummedLosses) and isinstance(evidence.summed, Gaps):
        return evidence.summed.sums / evidence.rows
    number, gap = evidence.columns[:, 0].astype(np.intp), evidence.columns[:, 1]
    if evidence.weight is None:
        return np.bincount(number, gap, bins) / len(gap)
    flat = evidence.weight.reshape(-1, len(gap))
    sums = np.array([np.bincount(number, weight * gap, bins) / weight.sum() for weight in flat])
    return sums.reshape((*evidence.weight.shape[:-1], bins))


def _calibration_error(evidence: Losses, bins: int = 10, strategy: str = "width") -> Array:
    return np.abs(_gaps(evidence, bins)).sum(-1)


def _few_rows_note(evidence: Losses, bins: int = 10, strategy: str = "width") -> tuple[Note, ...]:
    if evidence.rows / bins >= MIN_ROWS_PER_BIN:
        return ()
    says = f"fewer than {MIN_ROWS_PER_BIN} rows per bin: calibration_error is biased upwards, much of it is chance"
    return (Note("few-rows-per-bin", "caution", says),)


@row_score(
    "Calibration error",
    better="lower",
    needs="proba",
    reduce=_calibration_error,
    tells=_few_rows_note,
    cite=("naeini2015", "guo2017"),
)
def calibration_error(p: Predictions, *, bins: int = 10, strategy: str = "width") -> tuple[Array, Array]:
    """Mean over bins, weighed by their rows, of the gap between promised probability and frequency.

    The probability is that of the positive class; where none of several classes is named positive, that of the most
    probable class. Bins have equal `width`, or hold equal numbers of rows (`strategy="count"`, where equal
    probabilities stay together). Biased upwards.
    """
    confidence, hit = confidence_and_hit(p)
    return bin_of(confidence, bins, strategy, p.multiplicity), np.subtract(confidence, hit, dtype=np.float64)


@calibration_error.with_sums
def _calibration_sums(sums: RowSums, _: Predictions, *, bins: int = 10, strategy: str = "width") -> Gaps | None:
    return sums.gaps if (bins, strategy) == (BINS, "width") else None


@calibration_error.with_influence
def _calibration_influence(evidence: Losses, bins: int = 10, strategy: str = "width") -> Array:
    """While no bin's gap changes sign, a row adds its own gap or takes it away."""
    gaps = _gaps(evidence, bins)
    side = np.sign(gaps)[..., evidence.columns[:, 0].astype(np.intp)]
    side *= evidence.columns[:, 1]
    side -= np.abs(gaps).sum(-1)[..., None]
    return side
