"""Reporting by one design, choosing by another inside each of its training parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.designs.entry import Makes, design
from veracity.records.design import Rows


@design("Nested resampling", cite=("stone1974", "varma2006"))
def nested(rows: Rows, random: np.random.Generator, *, outer: Any, inner: Any) -> Makes:
    """The outer design reports; tuning happens inside each outer training part by the inner design.

    The splits are those of the outer design, so an untuned learner on that design is compared on the same rows.
    """
    yield from outer(rows, random)
