"""Scores of several learners on the same splits of one data set, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from veracity.records.split_scores import SplitScores


@dataclass(frozen=True, eq=False, repr=False)
class SplitTable:
    """The split scores of each learner."""

    learners: Mapping[str, SplitScores]
    better: str = "higher"
    score: str = "score"

    def __repr__(self) -> str:
        splits = len(next(iter(self.learners.values())))
        return f"SplitTable({', '.join(self.learners)}: {splits} splits of {self.score})"
