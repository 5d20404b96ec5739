"""A learner held against chance: its estimate beside those of shuffled data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.confidence import rejects
from veracity.core.notes import Note
from veracity.findings.curve import Curve, Line
from veracity.findings.estimate import finite
from veracity.records.arrays import Array
from veracity.tables.cells import align_decimals
from veracity.tables.result import SentenceResult
from veracity.tables.table import Column, Table

MOST_BARS = 50
SLACK = 1e-9  # relative: estimates closer than this are tied
CLAIMS = {
    "labels": ("features tell something of the target", "that features tell anything of the target"),
    "within_class": ("the learner uses how features go together", "that the learner uses how features go together"),
}


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTest(SentenceResult):
    """The estimate of the data as it is, and `null`, those of the draws; a draw that failed is NaN.

    A draw that failed counts as at least as good as the data, so that failures never make a learner look better.
    """

    learner: str
    score: str
    by: str
    kind: str
    value: float
    null: Array
    better: str = "lower"
    seed: int = 0
    level: float = 0.95
    notes: tuple[Note, ...] = ()

    @property
    def draws(self) -> int:
        return len(self.null)

    @property
    def as_good(self) -> int:
        """How many draws are at least as good as the data as it is."""
        known = np.append(self.null, self.value)
        slack = SLACK * np.abs(known[np.isfinite(known)]).max(initial=0)
        worse = self.null > self.value + slack if self.better == "lower" else self.null < self.value - slack
        return int((~worse).sum())

    @property
    def p_value(self) -> float:
        """The data as it is counts as one of the draws: the p-value is never 0."""
        return (1 + self.as_good) / (1 + self.draws)

    @property
    def error(self) -> float:
        """How far the p-value of endlessly many draws may be: its standard error."""
        return math.sqrt(self.p_value * (1 - self.p_value) / self.draws)

    @property
    def expected(self) -> float:
        """The mean over the draws: what chance gives."""
        known = self.null[~np.isnan(self.null)]
        return float(known.mean()) if len(known) else math.nan

    @property
    def difference(self) -> float:
        """The estimate minus what chance gives."""
        return self.value - self.expected

    @property
    def rejected(self) -> bool:
        return bool(rejects(self.p_value, self.level))

    def sentence(self) -> str:
        claim, lacking = CLAIMS[self.kind]
        verdict = claim if self.rejected else f"not enough to conclude {lacking}"
        shuffled = "labels" if self.kind == "labels" else "features inside classes"
        return (
            f"The {self.score} of {self.learner} is {self.value:.4g}, and {self.expected:.4g} on average over"
            f" {self.draws:,} draws with shuffled {shuffled}; p = {self.p_value:.3g} (+- {self.error:.2g}): {verdict}."
        )

    __repr__ = SentenceResult.__str__

    def curve(self) -> Curve:
        """The chart as data: how the estimates of shuffled data lie, and where that of the data as it is does."""
        known = self.null[np.isfinite(self.null)]
        every = np.append(known, self.value)
        edges = np.histogram_bin_edges(every[np.isfinite(every)], bins="auto")
        if len(edges) - 1 > MOST_BARS:
            edges = np.linspace(edges[0], edges[-1], MOST_BARS + 1)
        counts = np.histogram(known, edges)[0].astype(float)
        bars = Line("shuffled data", (edges[:-1] + edges[1:]) / 2, counts, style="bars")
        top = np.array([0.0, counts.max(initial=1.0)])
        here = Line("the data as it is", np.full(2, self.value), top, says=f"{self.score} {self.value:.4g}")
        wide = edges[1] - edges[0]
        return Curve(
            "permutation_test",
            f"Permutation test: p = {self.p_value:.3g}",
            self.score,
            f"of {self.draws:,} draws",
            (bars, here) if math.isfinite(self.value) else (bars,),
            facts={"edges": tuple(edges.tolist()), "value": self.value, "p_value": self.p_value},
            x_range=(float(edges[0] - wide / 2), float(edges[-1] + wide / 2)),
            notes=self.notes,
        )

    def table(self) -> Table:
        """The numbers in the sentence, and the difference from chance."""
        alike, own = ("value", "expected", "difference"), ("p_value", "error", "draws")
        cells = (*align_decimals(*(getattr(self, name) for name in alike)), *(getattr(self, name) for name in own))
        return Table(tuple(map(Column, (*alike, *own))), (cells,))

    def to_json(self) -> dict[str, Any]:
        """Everything in plain numbers; draws that failed are null."""
        return {
            "score": self.score,
            "learner": self.learner,
            "by": self.by,
            "kind": self.kind,
            "value": finite(self.value),
            "expected": finite(self.expected),
            "difference": finite(self.difference),
            "better": self.better,
            "p_value": self.p_value,
            "error": self.error,
            "draws": self.draws,
            "seed": self.seed,
            "null": [finite(value) for value in self.null.tolist()],
            "notes": [note.to_json() for note in self.notes],
        }
