"""Scores of an ordering of rows by decision value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np

from veracity.core.entry import Parameter
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.ordering import ClassPairs, Ordering, Orderings
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.entry import Score

Several = Ordering | Orderings | ClassPairs
AVERAGES = ("macro_ovr", "prior_ovr")


class Frame(NamedTuple):
    """What a score is by chance, between which values it lies, and the share of negative rows that it rests on."""

    chance: float
    low: float = 0.0
    high: float = 1.0
    negatives: float = 1.0


class Member(NamedTuple):
    """One of the orderings that are averaged, or the only one: its share, its score, and what that rests on."""

    share: float
    value: float
    frame: Frame
    class_sizes: tuple[float, float]  # positive and negative rows
    values: int  # of its rows, that differ


@dataclass(frozen=True, eq=False, repr=False)
class OrderingScore(Score):
    """Maps blocks of `(..., blocks)` positive and negative rows to `(...)`."""

    reads = "ordering"

    needs: str = "value"
    pairwise: bool = False  # is the area, which may also be averaged over pairs of classes
    frame: Callable[..., Frame] | None = None  # of an ordering; None where a value by chance says nothing

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        return (*super().parameters, Parameter("average", "auto"))

    def gather(self, p: Predictions, average: str = "auto", **_: Any) -> Several:
        if p.kind != "classes":
            raise BadInput(f"{self.name} is for classes, but the target is numeric")
        if average == "auto" and (p.binary or p.positive is not None):
            return p.ordering
        average = self._averaging(average)
        if p.proba is None:
            raise BadInput(
                f"{self.name} over {len(p.classes)} classes needs a probability per class (`proba=`),"
                f" or the one class that is looked for (`positive=`)"
            )
        return p.each_against_each if average == "ovo" else p.each_against_rest

    def evaluate(self, evidence: Several, average: str = "auto", **arguments: Any) -> Array:
        if isinstance(evidence, Ordering):
            return np.asarray(self.function(evidence, **arguments), float)
        if isinstance(evidence, ClassPairs):
            return evidence.of_pairs.mean(-1)
        values = np.stack([self.function(member, **arguments) for member in evidence.members], -1)
        return (values * self._shares(evidence, average)).sum(-1)

    def influence_of(self, evidence: Several, average: str = "auto", **arguments: Any) -> Array | None:
        if self.influence is None:
            return None
        if isinstance(evidence, Ordering):
            return self.influence(evidence, **arguments).cells()
        if isinstance(evidence, ClassPairs):
            return evidence.influence if evidence.cells.ndim == 1 else None
        return self._influence_of_average(evidence, average, **arguments) if evidence.cells.ndim == 1 else None

    def moments_of(self, evidence: Several, average: str = "auto", **arguments: Any) -> Array | None:
        """Powers 0 to 3 of the influence values summed over rows, without writing the values out."""
        if self.influence is None or not isinstance(evidence, Ordering):
            return None
        return self.influence(evidence, **arguments).moments()

    def members_of(self, evidence: Several, average: str = "auto", **arguments: Any) -> list[Member]:
        """The orderings that are averaged, each with its share."""
        if isinstance(evidence, ClassPairs):
            sizes, values = list(permutations(evidence.class_sizes, 2)), 1 if evidence.flat else 2
            pairs = zip(evidence.of_pairs.tolist(), sizes, strict=True)
            return [Member(1 / len(sizes), area, Frame(0.5), size, values) for area, size in pairs]
        if isinstance(evidence, Ordering):
            each = [(1.0, evidence)]
        else:
            each = list(zip(self._shares(evidence, average).tolist(), evidence.sampled_members, strict=True))
        assert self.frame is not None
        return [
            Member(share, float(self.function(o, **arguments)), self.frame(o, **arguments), o.class_sizes, o.blocks)
            for share, o in each
        ]

    def _influence_of_average(self, evidence: Orderings, average: str, **arguments: Any) -> Array:
        """Return by row the influences of its cells on all orderings."""
        assert self.influence is not None
        by_row = np.zeros(len(evidence.truth))
        shares = self._shares(evidence, average)
        for member, cell, share in zip(evidence.members, evidence.cells_of_rows, shares, strict=True):
            by_row += share * self.influence(member, **arguments).cells()[cell]
        if self._averaging(average) == "prior_ovr":  # the shares are estimated too
            values = np.array([float(self.function(member, **arguments)) for member in evidence.members])
            by_row += values[evidence.truth] - np.average(values[evidence.truth], weights=evidence.cells)
        return by_row

    def _averaging(self, average: str) -> str:
        allowed = (*AVERAGES, "ovo") if self.pairwise else AVERAGES
        if average == "auto":
            return "macro_ovr"
        if average not in allowed:
            raise BadInput(f"{self.name}: average is one of {', '.join(allowed)}, not {average!r}")
        return average

    def _shares(self, evidence: Orderings, average: str) -> Array:
        if self._averaging(average) == "prior_ovr":
            return evidence.prior()[..., : len(evidence.members)]
        return np.full(len(evidence.members), 1 / len(evidence.members))

    def remarks(self, evidence: Several, average: str = "auto", **arguments: Any) -> tuple[Note, ...]:
        notes = super().remarks(evidence)
        if isinstance(evidence, Orderings) and average == "auto":
            says = f"with more than two classes, {self.name} is the macro average of each class against the rest"
            notes += (Note("macro-average", "remark", says),)
        return notes


ordering_score = OrderingScore.decorator
