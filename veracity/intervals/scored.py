"""A score on its evidence, and the views of it that interval methods read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Evidence
from veracity.evidence.learner_losses import DrawnLosses, FoldLosses, NestedLosses
from veracity.evidence.linear import Linear
from veracity.evidence.losses import Apparent, Bounded, Losses
from veracity.evidence.ordering import Area, Ordering, Orderings
from veracity.evidence.predictions import Predictions
from veracity.evidence.proportion import Proportion
from veracity.evidence.split_scores import SplitScores, Subsamples
from veracity.intervals import jackknife, resampling, views
from veracity.kernels.block_influence import moments, powers
from veracity.records.arrays import Array
from veracity.scores.entry import numeric_influence
from veracity.scores.on_orderings import OrderingScore
from veracity.scores.values import evidence_for, is_mean, values_on

SMALL_CLASS = Note("small-class", "caution", "a class has fewer than 5 rows: the normal approximation may be poor")


@dataclass(frozen=True, eq=False)
class Scored:
    """One score, its evidence and its value."""

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
        return str(self.score.entry.why_undefined(self.evidence, **self.score.given))

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
        found = VIEWS[wanted](self) if wanted in VIEWS else None
        if found is None:
            lacks = LACKS.get(wanted, "is not of the kind this interval reads")
            says = NO_MEAN if wanted in OF_MEANS and not is_mean(self.score) else lacks
            raise Refused(f"{self.score.entry.name} {says}", OF_LEARNER if wanted in OF_LEARNERS else NO_VIEW)
        return found

    @cached_property
    def linear(self) -> Linear | None:
        """The score made linear by its influence values; None where it has none."""
        if not np.isfinite(self.value):
            return None
        found = self._of_plain_rows() if self.evidence.sampling is None else self._of_units()
        small = isinstance(self.evidence, Counts) and self.evidence.of_truth.min() < 5
        return replace(found, notes=(*found.notes, SMALL_CLASS)) if found is not None and small else found

    def _of_plain_rows(self) -> Linear | None:
        """From summed powers of the influence values; an ordering adds them up without writing them out."""
        entry = self.score.entry
        if isinstance(entry, OrderingScore) and isinstance(self.evidence, Ordering) and entry.influence is not None:
            sums = entry.moments_of(self.evidence, **self.score.given)
        else:
            influence = self.influence()
            sums = None if influence is None else self._powers(influence)
        return None if sums is None else Linear.of_moments(self.value, *sums)

    def _powers(self, influence: Array) -> Array:
        if isinstance(self.evidence, (Losses, Orderings)) and self.evidence.weight is None:
            return powers(influence)  # each row counts once
        return moments(np.asarray(self.evidence.cells), influence)

    def _of_units(self) -> Linear | None:
        """From the sums of weighted influence values over clusters, or over weighted rows."""
        sampling, influence = self.evidence.sampling, self.influence()
        if sampling is None or influence is None:
            return None
        unit = sampling.per_unit(influence) / sampling.row_weight.sum()
        unit = unit - unit.mean()
        clustered, weighted = sampling.group is not None, sampling.weight is not None
        notes = (Note("clustered-rows", "remark", f"rows come in {sampling.units} groups, which count as units"),)
        sums = (float((unit**2).sum()), float((unit**3).sum()))
        return Linear(self.value, sampling.units, *sums, clustered, weighted, notes if clustered else ())

    def influence(self) -> Array | None:
        """The influence of each cell: the score's own, or by differences where there are few cells."""
        found: Array | None = self.score.entry.influence_of(self.evidence, **self.score.given)
        if found is None and isinstance(self.evidence, Ordering) and self.evidence.cells.size <= jackknife.BATCH:
            cells = self.evidence.cells.astype(float)
            found = numeric_influence(lambda c: self.evaluate(self.evidence.reweighted(c)), cells)
        return found

    def replicates(self, draws: int, seed: int) -> Array:
        """The score on `draws` bootstrap samples."""
        return np.concatenate([self.evaluate(part) for part in resampling.replicates(self.evidence, draws, seed)])

    def acceleration(self) -> float:
        """BCa's skewness correction."""
        return jackknife.acceleration(self)


VIEWS: dict[type, Callable[[Scored], Any]] = {
    Proportion: views.proportion,
    Area: views.area,
    Bounded: views.bounded,
    Apparent: views.apparent,
    Linear: lambda m: m.linear,
}
_OF_LEARNER = "is of one fixed model here, and this interval is for a learner: evaluate one by='{}'"
NO_VIEW, OF_LEARNER = "wrong-evidence", "of-a-learner"
OF_MEANS = (FoldLosses, NestedLosses, DrawnLosses)
NO_MEAN = (
    "is no mean over rows, which this interval for a learner is about: use corrected_t"
    " by='repeated_kfold(k=10, repeats=10)'"
)
OF_LEARNERS = (SplitScores, Subsamples, *OF_MEANS)
LACKS: dict[type, str] = {
    Proportion: "is not a share of rows, so binomial intervals do not hold for it",
    **dict.fromkeys(
        (Bounded, Apparent), "is not a mean of losses in a known range, so this bound does not hold for it"
    ),
    Linear: "has no known influence values",
    Area: "is not of one ordering of rows here",
    Losses: "is not a score of per-row losses",
    SplitScores: _OF_LEARNER.format("repeated_kfold(k=10, repeats=10)"),
    FoldLosses: _OF_LEARNER.format("kfold(k=10)"),
    Subsamples: _OF_LEARNER.format("paired_subsampling(outer=10, inner=15)"),
    NestedLosses: _OF_LEARNER.format("nested_cv_bates(k=10, repeats=50)"),
    DrawnLosses: _OF_LEARNER.format("loo_bootstrap(draws=1000)"),
}
