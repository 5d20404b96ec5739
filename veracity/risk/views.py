"""The splits of a design in the forms that intervals for a learner read, refused where the design does not fit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from veracity.records.split_scores import SplitScores
from veracity.records.subsamples import Subsamples
from veracity.risk.resampling import Resampling
from veracity.risk.subsamples import subsamples

VIEWS: dict[type, Callable[[Resampling], Any]] = {
    SplitScores: lambda r: r.split_scores(),
    Subsamples: lambda r: subsamples(r.score, r.run),
}
