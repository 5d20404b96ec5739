"""Scores of several learners on the same splits of one data set, wherever they come from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from veracity.evidence.split_scores import SplitScores


@dataclass(frozen=True, eq=False, repr=False)
class SplitTable:
    """The split scores of each learner."""

    learners: Mapping[str, SplitScores]
    better: str = "higher"
    score: str = "score"
    independent: bool = False  # every split trained and tested on rows of its own, drawn afresh from the population

    def only(self, *learners: str) -> SplitTable:
        """Some of the learners, in this order."""
        return replace(self, learners={name: self.learners[name] for name in learners})

    def __repr__(self) -> str:
        splits = len(next(iter(self.learners.values())))
        return f"SplitTable({', '.join(self.learners)}: {splits} splits of {self.score})"
