"""Intervals from bootstrap replicates of any score."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.intervals import resampling
from veracity.intervals.entry import interval
from veracity.intervals.measured import Measured
from veracity.records.arrays import Array
from veracity.records.evidence import Evidence
from veracity.records.interval import Limits

ADVISED = 1_999
NORMAL = NormalDist()
NO_INFORMATION = "the bootstrap tells nothing here (all replicates are equal): use an exact method such as clopper_pearson or f1_exact"


def _replicates(m: Measured, draws: int, seed: int) -> tuple[Array, tuple[Note, ...]]:
    """Finite replicates, and what to say about the others."""
    if draws < 2:
        raise BadInput(f"draws must be at least 2, not {draws!r}; {ADVISED} or more are advised")
    found = m.replicates(draws, seed)
    known = found[np.isfinite(found)]
    notes: tuple[Note, ...] = ()
    if draws < ADVISED:
        notes += (Note("few-draws", "caution", f"only {draws} bootstrap draws: at least {ADVISED} are advised"),)
    lost = 1 - len(known) / len(found)
    if lost > 0.05:
        raise Refused(
            f"{m.score} is undefined or infinite in {lost:.0%} of the bootstrap samples: more rows are needed",
            "undefined-replicates",
        )
    if lost > 0:
        notes += (
            Note(
                "undefined-replicates",
                "caution",
                f"{lost:.2%} of the bootstrap samples had no finite value and were left out",
            ),
        )
    if known.min() == known.max():
        raise Refused(NO_INFORMATION, "no-information")
    return known, notes


@interval("Bootstrap percentile", reads=Measured, cite=("efron1993",), assumes=("IID", "FIX", "BIG"))
def percentile(m: Measured, at: Confidence, *, draws: int = 9_999, seed: int = 0) -> Limits:
    """Quantiles of the bootstrap replicates."""
    found, notes = _replicates(m, draws, seed)
    low, high = np.quantile(found, [at.tail, 1 - at.tail])
    return Limits(low, high, notes)


@interval("Basic bootstrap", reads=Measured, cite=("efron1993",), assumes=("IID", "FIX", "BIG"))
def basic(m: Measured, at: Confidence, *, draws: int = 9_999, seed: int = 0) -> Limits:
    """The bootstrap quantiles mirrored at the value."""
    found, notes = _replicates(m, draws, seed)
    low, high = np.quantile(found, [at.tail, 1 - at.tail])
    return Limits(2 * m.value - high, 2 * m.value - low, notes)


@interval(
    "Bias-corrected and accelerated bootstrap", reads=Measured, cite=("efron1987",), assumes=("IID", "FIX", "BIG")
)
def bca(m: Measured, at: Confidence, *, draws: int = 9_999, seed: int = 0) -> Limits:
    """Bootstrap quantiles at levels corrected for bias and skewness."""
    found, notes = _replicates(m, draws, seed)
    below = (np.count_nonzero(found < m.value) + np.count_nonzero(found == m.value) / 2) / len(found)
    if not 0 < below < 1:
        raise Refused(NO_INFORMATION, "no-information")
    levels = [corrected_level(z, NORMAL.inv_cdf(below), m.acceleration()) for z in (-at.z, at.z)]
    low, high = np.quantile(found, levels)
    return Limits(low, high, notes)


def corrected_level(z: float, bias: float, acceleration: float) -> float:
    """The quantile level that BCa reads in place of Phi(z)."""
    moved = bias + z
    return NORMAL.cdf(bias + moved / (1 - acceleration * moved))


@interval("Studentised bootstrap", reads=Measured, cite=("efron1993",), assumes=("IID", "FIX", "BIG"))
def studentised(m: Measured, at: Confidence, *, draws: int = 9_999, seed: int = 0) -> Limits:
    """Quantiles of the replicates' distance from the value in units of their own standard errors."""
    if m.linear is None or m.linear.squares <= 0:
        raise Refused(f"{m.score} has no standard error in each replicate: use bca", "no-standard-error")
    _, notes = _replicates(m, draws, seed)
    distance = np.concatenate([_distances(m, part) for part in resampling.replicates(m.evidence, draws, seed)])
    distance = distance[np.isfinite(distance)]
    if len(distance) < 0.95 * draws:
        raise Refused("too many replicates have no spread of their own: use bca or an exact method", "no-information")
    low, high = np.quantile(distance, [at.tail, 1 - at.tail])
    error = m.linear.standard_error
    return Limits(m.value - high * error, m.value - low * error, notes)


def _distances(m: Measured, part: Evidence) -> Array:
    influence = m.score.entry.influence_of(part, **m.score.given)
    if influence is None or m.evidence.sampling is not None:
        raise Refused(f"{m.score} has no standard error in each replicate: use bca", "no-standard-error")
    weight = part.cells
    total = weight.sum(-1)
    mean = (weight * influence).sum(-1) / total
    variance = ((weight * influence**2).sum(-1) / total - mean**2) / total
    with np.errstate(divide="ignore", invalid="ignore"):
        return (m.evaluate(part) - m.value) / np.sqrt(np.maximum(variance, 0))
