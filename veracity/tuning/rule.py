"""Which of the tried settings is taken."""

from __future__ import annotations

import math
from collections.abc import Sequence

from veracity.core.errors import Refused
from veracity.tuning.trial import Trial

SAME = 1e-12  # of the largest score that a mean is made of: means that differ by rounding only are equal


def best(trials: Sequence[Trial], better: str) -> Trial:
    """The best mean; of equal ones the simplest, which is the first."""
    return _within(trials, better, 0.0)


def one_standard_error(trials: Sequence[Trial], better: str) -> Trial:
    """The simplest setting that is no more than one standard error of the best worse than the best.

    A heuristic, since inner folds are dependent; it needs at least two of them (Breiman et al. 1984).
    """
    first = best(trials, better)
    if math.isinf(first.mean):  # nothing finite is near it
        return first
    error = first.standard_error
    if math.isnan(error):
        says = "one_standard_error needs at least two inner splits: use kfold(k=5), or rule='best', or se='rows'"
        raise Refused(says, "one-inner-split")
    return _within(trials, better, error)


def _within(trials: Sequence[Trial], better: str, distance: float) -> Trial:
    """The first setting at most so far from the best; those that failed are out."""
    sign = 1 if better == "lower" else -1
    sound = [trial for trial in trials if not trial.reason]
    first = min(sound, key=lambda trial: sign * trial.mean)
    room = distance + SAME * max(map(abs, first.values))
    most = sign * first.mean + (room if math.isfinite(room) else 0.0)
    return next(trial for trial in sound if sign * trial.mean <= most)


RULES = {"best": best, "one_standard_error": one_standard_error}
