"""Whether the ROC curve of one model lies above that of another everywhere."""

from __future__ import annotations

from veracity.curves.dominance import Dominance, verdict
from veracity.curves.operating import operating
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Line


def dominance(p1: Predictions, p2: Predictions) -> Dominance:
    """Which of two models dominates in ROC space, or at which false positive rates their curves cross."""
    names = (p1.name, p2.name) if p1.name != p2.name else ("the first", "the second")
    a, b = (operating(name, p, "dominance") for name, p in zip(names, (p1, p2), strict=True))
    return verdict(Line(a.name, a.fpr, a.tpr), Line(b.name, b.fpr, b.tpr))
