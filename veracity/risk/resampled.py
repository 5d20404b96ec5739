"""A score on the splits of a design, as interval methods read it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veracity.intervals.measured import Measured
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

    def view(self, wanted: type) -> Any:
        return view(self.resampling, wanted)
