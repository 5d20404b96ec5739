"""Scores of paired subsampling, gathered from its three kinds of splits."""

from __future__ import annotations

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.evidence.run import Run
from veracity.evidence.subsamples import Subsamples
from veracity.records.arrays import frozen
from veracity.risk.batches import value
from veracity.risk.splits import every_split
from veracity.risk.suited import COMPLETE

NEEDS = "paired_subsampling(outer=10, inner=15)"


def subsamples(choice: Choice, run: Run) -> Subsamples:
    """Refuses the splits of another design, and splits that are not all there."""
    labels = [split.part for split in run.design.splits]
    if "full" not in labels:
        raise Refused(
            f"conservative_z reads pairs of disjoint halves, which {run.design.name} has not: use by={NEEDS!r}",
            "wrong-design",
        )
    parts = every_split(run)
    if len(parts) < len(run.design):
        raise Refused(f"some splits failed or are missing, and conservative_z needs all: {COMPLETE}", "incomplete")
    scores: dict[str, list[float]] = {}
    for number, part in parts.items():
        scores.setdefault(labels[number], []).append(value(choice, part))
    full = scores.pop("full")
    pairs: dict[str, dict[str, float]] = {}
    for label, found in scores.items():
        _, which, side = label.split()
        pairs.setdefault(which, {})[side] = float(np.mean(found))
    halves = np.array([[pair["a"], pair["b"]] for pair in pairs.values()])
    return Subsamples(frozen(np.array(full)), frozen(halves))
