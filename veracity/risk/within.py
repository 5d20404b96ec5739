"""Estimates that a correction pushed out of the range of their score."""

from __future__ import annotations

import numpy as np

from veracity.core.entry import Choice
from veracity.core.notes import Note
from veracity.risk.entry import Found


def inside(score: Choice, found: Found) -> Found:
    """The estimate, moved to the nearest value that the score can have; a note says so."""
    low, high = score.entry.range
    value = float(np.clip(found.value, low, high))
    if value == found.value or np.isnan(value):
        return found
    says = f"the correction gave {found.value:.4g}, which {score} cannot be: it is set to {value:g}"
    return found._replace(value=value, notes=(*found.notes, Note("clipped", "caution", says)))
