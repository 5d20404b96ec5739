"""How much one row moves each ordering score: derived once, used for standard errors and accelerations.

Points read off a curve (equal error rate, lift, break-even) need the share of positives near the cut, which is
estimated in a window of rows that grows as n^(4/5).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.evidence.ordering import Ordering
from veracity.kernels import block_influence, sweep
from veracity.records.arrays import Array, ratio
from veracity.scores import ordering as scored

Pair = tuple[Array, Array]  # for a positive and for a negative row of each block


@dataclass(frozen=True, eq=False)
class Influence:
    """`sums[..., class, power]` adds up powers 0 to 3 of the values over rows; `values()` gives them by block."""

    sums: Array
    values: Callable[[], Pair]

    def shift_and_scale(self, for_positive: Array, for_negative: Array, scale: Array) -> Influence:
        """Each value times `scale` plus a shift for its class."""
        shift = np.stack(np.broadcast_arrays(for_positive, for_negative), -1)
        s0, s1, s2, s3 = np.moveaxis(self.sums, -1, 0)
        b = np.asarray(scale)[..., None]
        powers = (
            s0,
            shift * s0 + b * s1,
            shift**2 * s0 + 2 * shift * b * s1 + b**2 * s2,
            shift**3 * s0 + 3 * shift**2 * b * s1 + 3 * shift * b**2 * s2 + b**3 * s3,
        )

        def values() -> Pair:
            of_positive, of_negative = self.values()
            return of_positive * b + shift[..., :1], of_negative * b + shift[..., 1:]

        return Influence(np.stack(powers, -1), values)

    def cells(self) -> Array:
        """The values of every cell of the ordering, positives first."""
        return np.concatenate(self.values(), -1)

    def moments(self) -> Array:
        """Powers 0 to 3 summed over all rows."""
        return self.sums.sum(-2)


def _swept_influence(o: Ordering, kernel: Any, *arguments: Any) -> Influence:
    """A kernel's influence values: sums now, values on demand."""
    sums = o.sweep(kernel, o.all_positives, o.all_negatives, *arguments, False)[0]
    return Influence(sums, lambda: o.sweep(kernel, o.all_positives, o.all_negatives, *arguments, True)[1:])


@scored.auc.with_influence
def of_auc(o: Ordering) -> Influence:
    return _swept_influence(o, block_influence.rank_area)


@scored.gain_area.with_influence
def of_gain_area(o: Ordering) -> Influence:
    prevalence, gap = _prevalence(o), 0.5 - scored.auc.function(o)
    return of_auc(o).shift_and_scale((1 - prevalence) * gap, -prevalence * gap, 1 - prevalence)


@scored.partial_auc.with_influence
def of_partial_auc(o: Ordering, *, max_fpr: float = 0.1, standardised: bool = False) -> Influence:
    scale = 1 / (2 * (max_fpr - max_fpr**2 / 2)) if standardised else 1.0
    zero = np.zeros_like(o.all_positives)
    return _swept_influence(o, block_influence.area_until, float(max_fpr)).shift_and_scale(zero, zero, zero + scale)


@scored.average_precision.with_influence
def of_average_precision(o: Ordering) -> Influence:
    return _swept_influence(o, block_influence.precision_sum)


@dataclass(frozen=True, eq=False)
class Cut:
    """A cut of the list inside a block: rows above it, in the block, and how much of the block is taken."""

    o: Ordering
    block: Array
    share: Array
    hits: Array  # positives selected
    alarms: Array  # negatives selected

    def influence(self, of_positive: tuple[Array, Array], of_negative: tuple[Array, Array]) -> Influence:
        """From (value when not selected, what being selected adds) for each class; a cut block gets its share."""
        weights, values = [], []
        for inside, total, taken, (base, step) in zip(
            self.o.inside(self.block),
            (self.o.all_positives, self.o.all_negatives),
            (self.hits, self.alarms),
            (of_positive, of_negative),
            strict=True,
        ):
            above = taken - self.share * inside
            weights.append(np.stack([above, inside, total - above - inside], -1))
            values.append(np.stack(np.broadcast_arrays(base + step, base + step * self.share, base), -1))
        sums = [np.stack([(w * v**k).sum(-1) for k in range(4)], -1) for w, v in zip(weights, values, strict=True)]
        return Influence(np.stack(sums, -2), lambda: (self._spread(values[0]), self._spread(values[1])))

    def _spread(self, zones: Array) -> Array:
        number = np.arange(self.o.blocks)
        block = self.block[..., None]
        return np.where(number < block, zones[..., :1], np.where(number == block, zones[..., 1:2], zones[..., 2:]))

    def near(self) -> Array:
        """Positive and negative rows in a window around the cut."""
        rows = np.maximum(10.0, np.floor((self.o.all_positives + self.o.all_negatives) ** 0.8 / 2))
        found: Array = self.o.sweep(block_influence.window_counts, np.asarray(self.block), rows)
        return found


@scored.equal_error_rate.with_influence
def of_equal_error_rate(o: Ordering) -> Influence:
    """The crossing moves along the ROC curve, whose slope there says how a shift is shared between the two rates."""
    rate, block, share = np.moveaxis(o.sweep(sweep.crossing, o.all_positives, o.all_negatives), -1, 0)
    cut = Cut(o, block, share, (1 - rate) * o.all_positives, rate * o.all_negatives)
    near = cut.near()
    rise, run = ratio(near[..., 0], o.all_positives), ratio(near[..., 1], o.all_negatives)
    by_alarms = ratio(rise, rise + run)
    by_misses = (1 - by_alarms) / _prevalence(o)
    by_alarms = by_alarms / (1 - _prevalence(o))
    return cut.influence((by_misses * (1 - rate), -by_misses), (-by_alarms * rate, by_alarms))


@scored.lift_at.with_influence
def of_lift_at(o: Ordering, *, fraction: float = 0.1) -> Influence:
    cut, recall, local = _selecting(o, fraction * (o.all_positives + o.all_negatives))
    prevalence = _prevalence(o)
    shift = local / prevalence
    return cut.influence(
        ((shift * fraction - recall / prevalence) / fraction, (1 / prevalence - shift) / fraction),
        (shift, -shift / fraction),
    )


@scored.break_even.with_influence
def of_break_even(o: Ordering) -> Influence:
    cut, recall, local = _selecting(o, o.all_positives)
    prevalence = _prevalence(o)
    return cut.influence(
        ((local - recall) / prevalence, (1 - local) / prevalence), (np.zeros_like(local), -local / prevalence)
    )


@scored.max_fbeta.with_influence
def of_max_fbeta(o: Ordering, *, beta: float = 1.0) -> Influence:
    """At a maximum the threshold's own move does not count, so this is the influence at that threshold."""
    best, block, hits, selected = np.moveaxis(o.sweep(sweep.best_f, o.all_positives, float(beta**2)), -1, 0)
    below = (beta**2 * o.all_positives + selected) / (o.all_positives + o.all_negatives)
    cut = Cut(o, block, np.ones_like(best), hits, selected - hits)
    return cut.influence((-best * beta**2 / below, (1 + beta**2 - best) / below), (np.zeros_like(best), -best / below))


@scored.hull_auc.with_influence
def of_hull_auc(o: Ordering) -> Influence:
    """The hull pools blocks; while its vertices stay, its area is that of the pooled ordering."""
    last, pooled = o.hull
    influence_of_hull = of_auc(pooled)
    blocks = o.blocks

    def values() -> Pair:
        edge = np.array([np.searchsorted(ends, np.arange(blocks)) for ends in last.reshape(-1, last.shape[-1])])
        edge = edge.reshape((*last.shape[:-1], blocks))
        of_positive, of_negative = influence_of_hull.values()
        return np.take_along_axis(of_positive, edge, -1), np.take_along_axis(of_negative, edge, -1)

    return Influence(influence_of_hull.sums, values)


def _prevalence(o: Ordering) -> Array:
    return ratio(o.all_positives, o.all_positives + o.all_negatives)


def _selecting(o: Ordering, rows: Array) -> tuple[Cut, Array, Array]:
    """The cut after so many rows, its recall, and the share of positives near it."""
    hits, block, share = np.moveaxis(o.sweep(sweep.cut, rows), -1, 0)
    cut = Cut(o, block, share, hits, rows - hits)
    near = cut.near()
    return cut, ratio(hits, o.all_positives), ratio(near[..., 0], near.sum(-1))
