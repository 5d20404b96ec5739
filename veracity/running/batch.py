"""What a worker does: a batch of fits, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veracity.records.fit import Fit, Outcome
from veracity.running.one import fit_one
from veracity.running.parcels import opened


def run_batch(data: Any, learners: Any, fits: Sequence[Fit], timeout: float | None = None) -> list[list[Outcome]]:
    """The outcomes of each fit, one for every answer; a fit that fails is an outcome like any other."""
    table, makers = opened(data), opened(learners)
    return [fit_one(makers[fit.learner], table, fit, timeout=timeout) for fit in fits]


def ready() -> bool:
    """Whether a worker is there, with everything imported that a fit needs."""
    return True
