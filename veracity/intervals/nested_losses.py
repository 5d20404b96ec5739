"""The interval for a learner from nested cross-validation, which measures its own error."""

from __future__ import annotations

import math

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import caution, refuse
from veracity.evidence.learner_losses import NestedLosses
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval

EXPONENTS = (1, 1.5)
ONE_ROW_FOLDS = refuse(
    "one-row-folds",
    "a fold of one row has no variance inside: use fewer folds, such as by='nested_cv_bates(k=10)'",
    lambda x: x.smallest_fold < 2,
)
NO_SPREAD = refuse("no-spread", "all rows have the same loss, so their spread says nothing", lambda x: x.spread == 0)
FEW_REPEATS = caution(
    "few-repeats",
    "fewer than 10 repeats: the error of cross-validation is poorly known, 50 are advised",
    lambda x: x.repeats < 10,
)


@interval(
    "Nested cross-validation",
    reads=NestedLosses,
    answers="learner trained on all rows",
    cite=("bates2024",),
    assumes=("IID", "NORM"),
    limits=(ONE_ROW_FOLDS, NO_SPREAD, FEW_REPEATS),
)
def nested_cv(x: NestedLosses, at: Confidence, *, exponent: float = 1) -> Limits:
    """Normal interval whose width is the measured error of cross-validation on folds that it left out as a whole.

    The value is corrected for training on fewer rows, so that it is about the learner trained on all rows. The standard
    error is kept between that of independent losses and sqrt(k) times as much. `exponent=1.5` corrects the bias as the
    authors' program does, 1 as their article. It reads the splits of nested_cv_bates, and means over rows only.
    """
    if exponent not in EXPONENTS:
        raise BadInput(f"nested_cv: exponent is {' or '.join(map(str, EXPONENTS))}, not {exponent!r}")
    value = x.mean - bias(x, exponent)
    half = at.z * standard_error(x)
    return Limits(value - half, value + half, about=value)


def bias(x: NestedLosses, exponent: float) -> float:
    """How much higher the risk is for training without two folds than with all rows."""
    return (1 + ((x.k - 2) / x.k) ** exponent) * (x.mean - float(x.outer.mean()))


def standard_error(x: NestedLosses) -> float:
    """Measured on k - 1 folds, so made smaller for k, and clipped to what is possible."""
    independent = x.spread / math.sqrt(x.rows)
    measured = math.sqrt(max(0.0, x.squared_error) * (x.k - 1) / x.k)
    return min(max(measured, independent), math.sqrt(x.k) * independent)
