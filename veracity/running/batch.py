"""What a worker does: a batch of fits, one after the other."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

from veracity.records.fit import Fit, Outcome
from veracity.running.fit_learner import failed, fit_one
from veracity.running.shared_files import opened


def run_batch(data: Any, learners: Any, fits: Sequence[Fit], timeout: float | None = None) -> list[list[Outcome]]:
    """The outcomes of each fit, one for every answer; a fit that fails is an outcome like any other."""
    with redirect_stdout(sys.stderr):  # a learner that talks must not talk into what `--json` prints
        table, makers = opened(data), opened(learners)
        return [_fitted(makers[fit.learner], table, fit, timeout) for fit in fits]


def _fitted(learner: Any, table: Any, fit: Fit, timeout: float | None) -> list[Outcome]:
    """A worker hears no Ctrl-C, so an interrupt here is the learner's own and must not stop the study."""
    try:
        return fit_one(learner, table, fit, timeout=timeout)
    except KeyboardInterrupt:
        return failed(fit, "fit or predict raised KeyboardInterrupt")


def ready() -> bool:
    """Whether a worker is there, with everything imported that a fit needs."""
    return True
