"""Confidence intervals from bootstrap replicates of any score."""

from __future__ import annotations

from collections.abc import Callable
from math import nan
from statistics import NormalDist

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.evidence.evidence import Evidence
from veracity.findings.interval import Limits
from veracity.intervals import interval, replicates
from veracity.intervals.scored import Scored
from veracity.records.arrays import Array

ADVISED = 1_999
NORMAL = NormalDist()
BOOTSTRAP = {"reads": Scored, "cite": ("efron1993",), "assumes": ("IID", "FIX", "BIG")}
NO_INFORMATION = Note(
    "no-information",
    "refuse",
    "the bootstrap tells nothing here, as replicates do not vary around the value: use an exact method "
    "such as clopper_pearson, f1_exact or betting",
)
NO_ERROR = "has no standard error in each replicate: use bca"


@interval("Bootstrap percentile", **BOOTSTRAP)
def percentile(m: Scored, at: Confidence, *, draws: int = 9_999, seed: int = 0) -> Limits:
    """Quantiles of the bootstrap replicates."""
    values, notes = finite_replicates(m.replicates(check_draws(draws), seed), draws)
    return Limits(*quantiles(values, at.tail, 1 - at.tail), notes)


@interval("Basic bootstrap", **BOOTSTRAP)
def basic(m: Scored, at: Confidence, *, draws: int = 9_999, seed: int = 0) -> Limits:
    """The bootstrap quantiles mirrored at the value."""
    values, notes = finite_replicates(m.replicates(check_draws(draws), seed), draws)
    low, high = quantiles(values, at.tail, 1 - at.tail)
    return Limits(2 * m.value - high, 2 * m.value - low, notes)


@interval("Bias-corrected and accelerated bootstrap", **{**BOOTSTRAP, "cite": ("efron1987",)})
def bca(m: Scored, at: Confidence, *, draws: int = 9_999, seed: int = 0) -> Limits:
    """Bootstrap quantiles at levels corrected for bias and skewness."""
    values, notes = finite_replicates(m.replicates(check_draws(draws), seed), draws)
    limits = corrected_limits(values, m.value, lambda: replicates.acceleration(m), at)
    return limits._replace(notes=notes + limits.notes)


def corrected_limits(values: Array, value: float, acceleration: Callable[[], float], at: Confidence) -> Limits:
    """Return BCa's limits from finite replicates; the acceleration is only computed if it can be used."""
    below = share_below(values, value)
    if not 0 < below < 1:
        return Limits(nan, nan, (NO_INFORMATION,))
    bias, bend = NORMAL.inv_cdf(below), acceleration()
    return Limits(*quantiles(values, *(corrected_level(z, bias, bend) for z in (-at.z, at.z))))


def share_below(values: Array, value: float) -> float:
    """Return the share of replicates below the value, equal ones counting half."""
    near = 1e-12 * abs(value)  # the same counts may be added up in another order
    equal = np.abs(values - value) <= near
    return float((np.count_nonzero(values < value - near) + np.count_nonzero(equal) / 2) / max(len(values), 1))


def corrected_level(z: float, bias: float, acceleration: float) -> float:
    """Return the quantile level that BCa reads in place of Phi(z)."""
    moved = bias + z
    return NORMAL.cdf(bias + moved / (1 - acceleration * moved))


@interval("Studentised bootstrap", **BOOTSTRAP)
def studentised(m: Scored, at: Confidence, *, draws: int = 9_999, seed: int = 0) -> Limits:
    """Quantiles of the replicates' distance from the value in units of their own standard errors."""
    if m.linear is None or m.evidence.sampling is not None:
        raise Refused(f"{m.score} {NO_ERROR}", "no-standard-error")
    distances = []
    for part in replicates.bootstrap_replicates(m.evidence, check_draws(draws), seed):
        with np.errstate(divide="ignore", invalid="ignore"):
            distances.append((m.evaluate(part) - m.value) / _standard_errors(m, part))
    distance, notes = finite_replicates(np.concatenate(distances), draws)
    low, high = quantiles(distance, at.tail, 1 - at.tail)
    error = m.linear.standard_error
    return Limits(m.value - high * error, m.value - low * error, notes)


def _standard_errors(m: Scored, part: Evidence) -> Array:
    """Return the standard error of each replicate; 0 where its rows all say the same."""
    influence = m.score.influence_of(part)
    if influence is None:
        raise Refused(f"{m.score} {NO_ERROR}", "no-standard-error")
    weight = np.asarray(part.cells)
    total = weight.sum(-1)
    influence = np.where(weight > 0, influence, 0.0)  # a cell without rows may have none
    mean = (weight * influence).sum(-1) / total
    variance = (weight * influence**2).sum(-1) / total - mean**2
    return np.sqrt(np.where(variance > 1e-18, variance, 0.0) / total)


def check_draws(draws: int) -> int:
    """Return the number of draws; refuse fewer than two."""
    if draws < 2:
        raise BadInput(f"draws must be at least 2, not {draws!r}; {ADVISED} or more are advised")
    return draws


def finite_replicates(values: Array, draws: int) -> tuple[Array, tuple[Note, ...]]:
    """Return the finite replicates, and notes about the others."""
    finite = values[np.isfinite(values)]
    notes: tuple[Note, ...] = ()
    if draws < ADVISED:
        notes += (Note("few-draws", "caution", f"only {draws} bootstrap draws: at least {ADVISED} are advised"),)
    lost = 1 - len(finite) / len(values)
    if lost > 0:
        says = f"{lost:.2%} of the bootstrap samples gave no finite value and were left out"
        says = says if lost <= 0.05 else f"{says}: more than 5 % is too many, more rows are needed"
        notes += (Note("undefined-replicates", "caution" if lost <= 0.05 else "refuse", says),)
    if len(finite) == 0 or np.ptp(finite) <= 1e-12 * np.abs(finite).max():
        notes += (NO_INFORMATION,)
    return finite, notes


def quantiles(values: Array, low: float, high: float) -> tuple[float, float]:
    """Return two quantiles of the replicates, NaN where there are none."""
    below, above = np.quantile(values, [low, high]).tolist() if len(values) else (nan, nan)
    return below, above
