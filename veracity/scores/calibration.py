"""How far probabilities are from the frequencies they promise."""

from __future__ import annotations

import numpy as np

from veracity.core.notes import Note
from veracity.evidence.bins import bin_of, confidence_and_hit
from veracity.evidence.losses import Losses, SummedLosses
from veracity.evidence.predictions import Predictions
from veracity.evidence.row_sums import BINS, Gaps, RowSums
from veracity.records.arrays import Array
from veracity.scores.on_rows import row_score

FEW = 20  # rows per bin: below this most of the error is chance


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


def _error(evidence: Losses, bins: int = 10, strategy: str = "width") -> Array:
    return np.abs(_gaps(evidence, bins)).sum(-1)


def _tells(evidence: Losses, bins: int = 10, strategy: str = "width") -> tuple[Note, ...]:
    if evidence.rows / bins >= FEW:
        return ()
    says = f"fewer than {FEW} rows per bin: calibration_error is biased upwards, much of it is chance"
    return (Note("few-rows-per-bin", "caution", says),)


@row_score(
    "Calibration error",
    better="lower",
    needs="proba",
    reduce=_error,
    tells=_tells,
    cite=("naeini2015", "guo2017"),
    aliases="ece, expected_calibration_error",
    keywords="reliability, miscalibration, Hosmer-Lemeshow, calibration slope, MCE, ACE, sharpness,"
    " overconfidence, underconfidence",
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
def _sums(sums: RowSums, _: Predictions, *, bins: int = 10, strategy: str = "width") -> Gaps | None:
    return sums.gaps if (bins, strategy) == (BINS, "width") else None


@calibration_error.with_influence
def _influence(evidence: Losses, bins: int = 10, strategy: str = "width") -> Array:
    """While no bin's gap changes sign, a row adds its own gap or takes it away."""
    gaps = _gaps(evidence, bins)
    side = np.sign(gaps)[..., evidence.columns[:, 0].astype(np.intp)]
    side *= evidence.columns[:, 1]
    side -= np.abs(gaps).sum(-1)[..., None]
    return side
