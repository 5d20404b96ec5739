"""A score on its evidence, and the views of it that interval methods read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.core.words import option
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.linear import WHOLE, Linear, widest_gap
from veracity.evidence.losses import Apparent, Bounded, Losses
from veracity.evidence.ordering import OrderedRows, Ordering
from veracity.evidence.predictions import Predictions
from veracity.evidence.proportion import FewValues, Proportion
from veracity.evidence.ranked import Area, Ranked
from veracity.intervals import evidence_from_score, replicates
from veracity.kernels.block_influence import moments, powers
from veracity.records.arrays import Array
from veracity.scores.entry import evidence_for, numeric_influence, values_on

ROUNDING = 1e-9  # an influence this small beside the largest is none
SOMEWHAT_SKEWED = 0.1  # a mean whose skewness is less is that of many rows
NO_VIEW = "wrong-evidence"
OF_LEARNER = f"is of one fixed model here, and this interval is for a learner: evaluate one {option('by', '{0}')}"
NO_MEAN = (
    "is no mean over rows, which this interval for a learner is about: use conservative_t"
    f" {option('by', 'repeated_kfold(k=10, repeats=10)')}"
)
RARE = 7  # rows; chosen by simulation, so that a caution is sure where the intervals of losses fail
RARE_CLASS = Note(
    "small-class",
    "caution",
    f"fewer than {RARE} rows are not of the most frequent class: their losses make the score, and the interval may be"
    " too narrow on the side where the model is worse",
)
SMALL_CLASS = Note("small-class", "caution", "a class has fewer than 5 rows: the normal approximation may be poor")


@dataclass(frozen=True, eq=False)
class Scored:
    """One score, its evidence and its value."""

    label: ClassVar[str] = "any score"
    between: ClassVar[str] = "one model's score"

    score: Choice
    evidence: Evidence

    @classmethod
    def of_predictions(cls, score: Choice, p: Predictions, *more: Any) -> Self:
        """The score of predictions; `more` is what else the class holds."""
        return cls(score, evidence_for(score, p), *more)

    @cached_property
    def value(self) -> float:
        return float(self.evaluate(self.evidence))

    @property
    def undefined(self) -> str:
        """Why the score has no value here."""
        return str(self.score.why_undefined(self.evidence))

    @property
    def way_out(self) -> str:
        """What would give it one, where that is known."""
        return ""

    def evaluate(self, evidence: Evidence) -> Array:
        """The score on other evidence of the same kind, such as bootstrap replicates."""
        return values_on(self.score, evidence)

    def view(self, wanted: type) -> Any:
        """The evidence in the form an interval method reads; refuses where the score has none."""
        if wanted is Scored:
            return self
        if isinstance(self.evidence, wanted):
            return self.evidence
        evidence = VIEWS[wanted](self) if wanted in VIEWS else None
        if evidence is None:
            raise self._refusal(wanted)
        return evidence

    def _refusal(self, wanted: type) -> Refused:
        """Why the score of a fixed model cannot be seen in this form."""
        name, design = self.score.entry.name, getattr(wanted, "design", None)
        if design is None:
            return Refused(f"{name} {getattr(wanted, 'lacks', 'is not of the kind this interval reads')}", NO_VIEW)
        no_mean = getattr(wanted, "of_means", False) and not self.score.entry.averages_rows
        return Refused(f"{name} {NO_MEAN if no_mean else OF_LEARNER.format(design)}", "of-a-learner")

    @cached_property
    def linear(self) -> Linear | None:
        """The score made linear by its influence values; None where it has none."""
        if not np.isfinite(self.value):
            return None
        linear = self._linear_from_rows() if self.evidence.sampling is None else self._linear_from_units()
        return None if linear is None else replace(linear, notes=linear.notes + self._class_notes())

    def _class_notes(self) -> tuple[Note, ...]:
        """What is to be said where rows of a class are few: of losses those of all but the most frequent one count."""
        evidence = self.evidence
        if isinstance(evidence, Losses) and evidence.rarer < RARE:
            return (RARE_CLASS,)
        if not isinstance(evidence, Counts) or isinstance(evidence, Errors):
            return ()
        read = self.score.part_read(evidence)
        return (SMALL_CLASS,) if read.of_truth.min() < 5 else ()

    def _linear_from_rows(self) -> Linear | None:
        """From summed powers of the influence values, which are not written out where that is not needed."""
        sums = self.score.moments_of(self.evidence)
        if sums is not None:
            return Linear.of_moments(self.value, *sums)
        influence = self.influence()
        if influence is None:
            return None
        found = Linear.of_moments(self.value, *self._powers(influence))
        return replace(found, gap=self._gap(found.skewness, influence))

    def _gap(self, skewness: float, influence: Array) -> float:
        """Among the largest losses of numbers, on the side to which they are skewed, if they are so at all."""
        evidence = self.evidence
        if not isinstance(evidence, Losses) or evidence.classes or not abs(skewness) > SOMEWHAT_SKEWED:
            return 0.0
        rows = influence if evidence.weight is None else np.repeat(influence, evidence.weight.astype(np.intp))
        return widest_gap(rows if skewness > 0 else -rows)

    def _powers(self, influence: Array) -> Array:
        if isinstance(self.evidence, (Losses, OrderedRows)) and self.evidence.weight is None:
            return powers(influence)  # each row counts once
        return moments(np.asarray(self.evidence.cells), influence)

    def _linear_from_units(self) -> Linear | None:
        """From the sums of weighted influence values over clusters, or over weighted rows."""
        sampling, influence = self.evidence.sampling, self.influence()
        if sampling is None or influence is None:
            return None
        parts = self._parts(influence, sampling)
        moved = np.array([sampling.per_unit(influence if part.all() else influence * part) for part in parts])
        held = np.array([sampling.shares(part) for part in parts])
        clustered, weighted = sampling.group is not None, sampling.weight is not None
        found = Linear.of_units(self.value, moved / sampling.row_weight.sum(), held, clustered, weighted)
        return replace(found, notes=evidence_from_score.sampling_notes(sampling, found.effective, float(held.max())))

    def _parts(self, influence: Array, sampling: Sampling) -> list[Array]:
        """The cells of each class where it is averaged by itself; else all whose rows count for the score."""
        every, of_cell, cells = np.ones(influence.shape, bool), self.evidence.parts, np.asarray(self.evidence.cells)
        if isinstance(self.evidence, Losses) or sampling.shares(every).max() > WHOLE:
            return [every]
        size = np.abs(influence) * (cells > 0)
        if of_cell is None:
            return [size >= ROUNDING * size.max()]
        filled = of_cell[cells > 0]
        return [of_cell == one for one in np.flatnonzero(np.bincount(filled))]

    def influence(self) -> Array | None:
        """The influence of each cell: the score's own, or by differences where there are few cells."""
        influence: Array | None = self.score.influence_of(self.evidence)
        if influence is None and isinstance(self.evidence, Ordering) and self.evidence.cells.size <= replicates.BATCH:
            cells = self.evidence.cells.astype(float)
            influence = numeric_influence(lambda c: self.evaluate(self.evidence.reweigh(c)), cells)
        return influence

    def replicates(self, draws: int, seed: int) -> Array:
        """The score on `draws` bootstrap samples."""
        return np.concatenate(
            [self.evaluate(part) for part in replicates.bootstrap_replicates(self.evidence, draws, seed)]
        )

    def acceleration(self) -> float:
        """BCa's skewness correction."""
        return replicates.acceleration(self)


VIEWS: dict[type, Callable[[Scored], Any]] = {
    Proportion: evidence_from_score.proportion,
    Area: evidence_from_score.area,
    Ranked: evidence_from_score.ranked,
    FewValues: evidence_from_score.few_values,
    Bounded: evidence_from_score.bounded_losses,
    Apparent: evidence_from_score.apparent_losses,
    Linear: lambda m: m.linear,
}
