"""A score on the splits of a design, as interval methods read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from veracity.core.counting import many
from veracity.intervals.measured import Measured
from veracity.risk.larger_parts import larger_parts
from veracity.risk.resampling import Resampling
from veracity.risk.views import view


@dataclass(frozen=True, eq=False)
class Resampled(Measured):
    """The evidence is all tested rows together; an interval says itself which value it surrounds."""

    resampling: Resampling
    point: float

    @cached_property
    def value(self) -> float:
        return self.point

    @property
    def undefined(self) -> str:
        scores = self.resampling.split_scores()
        if np.isinf(scores.values).any():
            return f"it is infinite in some splits: {self.score.entry.infinite}"
        if scores.undefined:
            return f"in {scores.undefined} of {many(len(scores), 'split')} {self.score.entry.undefined}"
        return super().undefined

    @property
    def way_out(self) -> str:
        return larger_parts(self.resampling) if self.resampling.split_scores().undefined else ""

    def view(self, wanted: type) -> Any:
        return view(self.resampling, wanted)
