"""A word on normality, where a method leans on it: a check that can find it wanting and never prove it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from veracity.core.notes import Limit, caution
from veracity.records.arrays import Array

FEWEST = 8  # numbers: of fewer, hardly any departure shows
MOST = 5_000  # numbers: of more, any does, and means of them are close to normal whatever they are
SIGN = 0.01  # p-value below which a departure is told
NORMAL_SCALE = 1.4826  # times the median distance from the median is the standard deviation of a normal law


def normality_limit(residuals: Callable[[Any], Array], what: str, instead: str) -> Limit:
    """A caution where `residuals` of the evidence, which are `what`, look far from normal, with another way to go."""
    says = f"{what} look far from normal, which this method leans on: {instead} does not"
    return caution("not-normal", says, lambda evidence: departs(residuals(evidence)), lambda e: departure(residuals(e)))


def departs(values: Array) -> bool:
    """Whether Shapiro and Wilk's test finds a departure; too few, too many or equal numbers show none."""
    return shapiro_p(values) < SIGN


def departure(values: Array) -> str:
    """What was found, and how far out the most outlying number lies."""
    centre = float(np.median(values))
    spread = NORMAL_SCALE * float(np.median(np.abs(values - centre)))
    far = f", the furthest lies {np.abs(values - centre).max() / spread:.3g} robust deviations out" if spread else ""
    return f" (Shapiro-Wilk p = {shapiro_p(values):.2g}{far})"


def shapiro_p(values: Array) -> float:
    """The p-value of Shapiro and Wilk's test, 1 where it has nothing to go by."""
    if not FEWEST <= len(values) <= MOST or not np.isfinite(values).all() or np.ptp(values) == 0:
        return 1.0
    from scipy.stats import shapiro

    scaled = (values - values.mean()) / np.abs(values - values.mean()).max()  # tiny numbers lose digits otherwise
    return float(shapiro(scaled).pvalue)
