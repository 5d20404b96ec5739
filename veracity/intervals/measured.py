"""A score on its evidence, and the views of it that interval methods read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.intervals import resampling
from veracity.kernels.influence import moments
from veracity.records.arrays import Array
from veracity.records.bounded import Bounded
from veracity.records.counts import Counts
from veracity.records.evidence import Evidence
from veracity.records.linear import Linear
from veracity.records.losses import Losses
from veracity.records.ordering import Ordering
from veracity.records.proportion import Proportion
from veracity.scores.entry import numeric_influence
from veracity.scores.on_counts import CountScore
from veracity.scores.on_orderings import OrderingScore
from veracity.scores.on_rows import RowScore

BATCH = 2_000  # cells: up to here every cell is left out in turn, in one batch


@dataclass(frozen=True, eq=False)
class Measured:
    """One score, its evidence and its value."""

    score: Choice
    evidence: Evidence

    @cached_property
    def value(self) -> float:
        return float(self.evaluate(self.evidence))

    def evaluate(self, evidence: Evidence) -> Array:
        """The score on other evidence of the same kind, such as bootstrap replicates."""
        found: Array = self.score.entry.evaluate(evidence, **self.score.given)
        return found

    def view(self, wanted: type) -> Any:
        """The evidence in the form an interval method reads; refuses where the score has none."""
        if wanted is Measured:
            return self
        if isinstance(self.evidence, wanted):
            return self.evidence
        found = VIEWS[wanted](self) if wanted in VIEWS else None
        if found is None:
            raise Refused(
                f"{self.score.entry.name} {LACKS.get(wanted, 'is not of the kind this interval reads')}",
                "wrong-evidence",
            )
        return found

    @cached_property
    def linear(self) -> Linear | None:
        """The score made linear by its influence values; None where it has none."""
        if not np.isfinite(self.value):
            return None
        sampling = self.evidence.sampling
        if sampling is None:
            sums = self._moments()
            return None if sums is None else Linear.of_moments(self.value, *sums)
        influence = self.influence()
        if influence is None:
            return None
        unit = sampling.per_unit(influence) / sampling.row_weight.sum()
        unit = unit - unit.mean()
        clustered, weighted = sampling.group is not None, sampling.weight is not None
        return Linear(self.value, sampling.units, (unit**2).sum(), (unit**3).sum(), clustered, weighted)

    def _moments(self) -> Array | None:
        """Summed powers of the influence values of plain rows; an ordering adds them up without writing them out."""
        entry = self.score.entry
        if isinstance(entry, OrderingScore) and isinstance(self.evidence, Ordering) and entry.influence is not None:
            return entry.moments_of(self.evidence, **self.score.given)
        influence = self.influence()
        return None if influence is None else moments(np.asarray(self.evidence.cells), influence)

    def influence(self) -> Array | None:
        """The influence of each cell: the score's own, or by differences where there are few cells."""
        found: Array | None = self.score.entry.influence_of(self.evidence, **self.score.given)
        if found is None and isinstance(self.evidence, Ordering) and self.evidence.cells.size <= BATCH:
            found = numeric_influence(
                lambda c: self.evaluate(self.evidence.reweighted(c)), self.evidence.cells.astype(float)
            )
        return found

    def replicates(self, draws: int, seed: int) -> Array:
        """The score on `draws` bootstrap samples."""
        return np.concatenate([self.evaluate(part) for part in resampling.replicates(self.evidence, draws, seed)])

    def acceleration(self) -> float:
        """BCa's skewness correction: by leaving rows out where cells are few, else by influence values."""
        cells = self.evidence.cells
        if self.evidence.sampling is None and cells.size <= BATCH and isinstance(self.evidence, (Counts, Ordering)):
            return self._jackknife(cells)
        if self.linear is None:
            raise Refused(
                f"{self.score.entry.name} has no influence values for bca here: ask for percentile", "no-acceleration"
            )
        return self.linear.acceleration

    def _jackknife(self, cells: Array) -> float:
        occupied = np.flatnonzero(cells)
        without = cells - np.eye(cells.size)[occupied]
        left_out = self.evaluate(self.evidence.reweighted(without))
        times = cells[occupied]
        known = np.isfinite(left_out)
        left_out, times = left_out[known], times[known]
        gap = np.average(left_out, weights=times) - left_out
        spread = (times * gap**2).sum()
        return float((times * gap**3).sum() / (6 * spread**1.5)) if spread > 0 else 0.0


def _proportion(m: Measured) -> Proportion | None:
    if not isinstance(m.score.entry, CountScore) or not isinstance(m.evidence, Counts):
        return None
    found = m.score.entry.proportion(m.evidence, **m.score.given)
    if found is None:
        return None
    hits, rows = float(found[0]), float(found[1])
    if m.evidence.sampling is None or rows == 0:
        return Proportion(hits, rows)
    return _effective(m, hits / rows)


def _effective(m: Measured, share: float) -> Proportion:
    """Weighted and clustered rows as the number of plain rows with the same variance."""
    assert isinstance(m.evidence, Counts) and m.evidence.sampling is not None and m.linear is not None
    sampling = m.evidence.sampling
    basis = m.evidence.reweighted(np.eye(m.evidence.cells.size))
    counted = np.asarray(m.score.entry.proportion(basis, **m.score.given)[1])[sampling.cell] > 0
    weight = sampling.row_weight[counted]
    rows = float(weight.sum() ** 2 / np.square(weight).sum())
    notes: tuple[Note, ...] = ()
    if sampling.weight is not None:
        notes += (Note("weighted-rows", "caution", f"weights: the interval counts {rows:.1f} equally weighted rows"),)
    if sampling.group is not None:
        by_chance = share * (1 - share) / rows
        groups = len(np.unique(sampling.group[counted]))
        # without any variation nothing tells how alike the rows of a group are: each group counts once
        effect = max(1.0, m.linear.variance / by_chance) if by_chance > 0 else max(1.0, rows / groups)
        rows /= effect
        notes += (Note("clustered-rows", "remark", f"rows come in {groups} groups: design effect {effect:.2f}"),)
    return Proportion(share * rows, rows, notes)


def _bounded(m: Measured) -> Bounded | None:
    if m.evidence.sampling is not None:
        raise Refused(
            "this bound holds for independent, equally weighted rows only: use delta, bca or mean_t", "not-iid"
        )
    share = _proportion(m)
    if share is not None:
        return Bounded(np.repeat([1.0, 0.0], [int(share.hits), int(share.misses)]))
    entry = m.score.entry
    if (
        not isinstance(entry, RowScore)
        or not entry.is_mean
        or not isinstance(m.evidence, Losses)
        or not np.isfinite(entry.range).all()
    ):
        return None
    low, high = entry.range
    losses = (m.evidence.columns[:, 0] - low) / (high - low)
    return Bounded(losses if m.evidence.weight is None else np.repeat(losses, m.evidence.weight.astype(int)), low, high)


VIEWS: dict[type, Callable[[Measured], Any]] = {
    Proportion: _proportion,
    Bounded: _bounded,
    Linear: lambda m: m.linear,
}
LACKS: dict[type, str] = {
    Proportion: "is not a share of rows, so binomial intervals do not hold for it: use bca or delta",
    Bounded: "is not a mean of losses in a known range, so this bound does not hold for it: use mean_t, delta or bca",
    Linear: "has no known influence values: use bca or percentile",
    Counts: "is not a score of a confusion matrix",
    Ordering: "is not a score of one ordering of rows",
}
