"""The answer to: which learners are better over many data sets?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note, refuses, unique
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.estimate import finite
from veracity.records.arrays import Array


@dataclass(frozen=True)
class Omnibus:
    """One test of all learners together; beside it a posterior, where one was asked for."""

    method: str
    statistic: float | None
    df: tuple[float, ...]
    p_value: float
    notes: tuple[Note, ...] = ()
    probabilities: tuple[float, ...] | None = None  # of each learner, in their order, to be the best
    facts: tuple[tuple[str, float], ...] = ()  # other numbers of the test

    def rejects(self, level: float) -> bool:
        """Whether it concludes that learners differ; a refused test that was run anyway never does."""
        return self.p_value < 1 - level and not self.refused

    @property
    def refused(self) -> bool:
        return refuses(self.notes)

    def to_json(self) -> dict[str, Any]:
        number = None if self.statistic is None else finite(self.statistic)
        said = {"method": self.method, "statistic": number, "df": list(self.df), "p_value": self.p_value}
        if self.probabilities is not None:
            said["probabilities"] = list(self.probabilities)
        return {**said, **{name: finite(fact) for name, fact in self.facts}}


@dataclass(frozen=True)
class RankedPair:
    """Two learners: their difference (a minus b) in what the pairs are judged by, and how sure it is."""

    a: str
    b: str
    difference: float
    statistic: float | None
    p_value: float
    adjusted_p_value: float
    rejected: bool
    low: float | None = None  # of the difference, one pair alone, where the test has an interval
    high: float | None = None

    def to_json(self) -> dict[str, Any]:
        said = {
            "a": self.a,
            "b": self.b,
            "difference": finite(self.difference),
            "statistic": None if self.statistic is None else finite(self.statistic),
            "p_value": self.p_value,
            "adjusted_p_value": self.adjusted_p_value,
            "rejected": self.rejected,
        }
        if self.low is not None and self.high is not None:
            said.update(low=finite(self.low), high=finite(self.high))
        return said


@dataclass(frozen=True, eq=False)
class Standing:
    """Mean ranks, the omnibus test, every pair with its adjusted p-value, and the groups that cannot be told apart."""

    matrix: ScoreMatrix
    average_ranks: dict[str, float]  # in the order of the learners
    omnibus: Omnibus
    pairs: tuple[RankedPair, ...]
    groups: tuple[tuple[str, ...], ...]  # maximal sets of learners of which no pair is rejected, best first
    judged_by: str  # how pairs were tested: "wilcoxon" or "mean_ranks" or the name of a post hoc test
    then: str  # the adjustment; the post hoc test again where that decides all pairs by itself
    level: float = 0.95
    control: str | None = None
    critical_difference: float | None = None  # in what the pairs are judged by, where the procedure has one
    notes: tuple[Note, ...] = ()
    about: str = ""  # what the differences of pairs are of, where these are not of scores

    @property
    def learners(self) -> tuple[str, ...]:
        return self.matrix.learners

    @property
    def best_first(self) -> tuple[str, ...]:
        return tuple(sorted(self.average_ranks, key=lambda name: self.average_ranks[name]))

    @property
    def all_notes(self) -> tuple[Note, ...]:
        return unique(self.omnibus.notes + self.notes)

    def p_values(self, adjusted: bool = True) -> Array:
        """The pairs as a symmetric matrix in the order of the learners, NaN where a pair was not tested."""
        import numpy as np

        found = np.full((len(self.learners), len(self.learners)), np.nan)
        places = {name: i for i, name in enumerate(self.learners)}
        for pair in self.pairs:
            i, j = places[pair.a], places[pair.b]
            found[i, j] = found[j, i] = pair.adjusted_p_value if adjusted else pair.p_value
        return found

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity rank --json`."""
        return {
            "datasets": len(self.matrix),
            "learners": list(self.learners),
            "better": self.matrix.better,
            "average_ranks": dict(self.average_ranks),
            "omnibus": self.omnibus.to_json(),
            "pairs": [pair.to_json() for pair in self.pairs],
            "critical_difference": self.critical_difference,
            "groups": [list(group) for group in self.groups],
            "notes": [note.to_json() for note in self.all_notes],
        }
