"""Scores of an ordering: areas, precision over the list, points read off the curve; and how much one row moves each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import always, caution
from veracity.evidence.ordering import Ordering
from veracity.kernels import block_influence, sweep
from veracity.records.arrays import Array, ratio, shift_powers
from veracity.scores.on_orderings import Frame, ordering_score

ONE_CLASS = "only one of the two classes has rows"
NO_POSITIVE = "there are no positive rows"
OPTIMISTIC = caution(
    "same-rows", "the threshold was read off the same rows: optimistic; choose it on validation rows", always
)


def _half(_: Ordering) -> Frame:
    return Frame(0.5)


def _prevalence(o: Ordering) -> Array:
    return ratio(o.all_positives, o.all_positives + o.all_negatives)


def _as_many_as_positive(o: Ordering) -> Frame:
    return Frame(float(_prevalence(o)))


@ordering_score(
    "Area under the ROC curve",
    undefined=ONE_CLASS,
    pairwise=True,
    cite=("hanley1982", "fawcett2006", "hand2001"),
    frame=_half,
)
def auc(o: Ordering) -> Array:
    """Chance that a positive row has a higher value than a negative one, ties counting half."""
    return ratio(o.sweep(sweep.rank_area), o.all_positives * o.all_negatives)


def _of_range(_: Ordering, *, max_fpr: float = 0.1, standardised: bool = False) -> Frame:
    chance, near = max_fpr**2 / 2, min(2 * max_fpr, 1.0)
    if not standardised:
        return Frame(chance, 0.0, max_fpr, near)
    return Frame(0.5, (1 - chance / (max_fpr - chance)) / 2, 1.0, near)


@ordering_score("Partial area under the ROC curve", undefined=ONE_CLASS, cite=("mcclish1989",), frame=_of_range)
def partial_auc(o: Ordering, *, max_fpr: float = 0.1, standardised: bool = False) -> Array:
    """Area under the ROC curve for false positive rates up to `max_fpr`.

    With `standardised` it is mapped so that 0.5 is chance and 1 is perfect.
    """
    if not 0 < max_fpr <= 1:
        raise BadInput(f"partial_auc: max_fpr must lie in (0, 1], not {max_fpr!r}")
    area = ratio(o.sweep(sweep.area_until, max_fpr * o.all_negatives), o.all_positives * o.all_negatives)
    if not standardised:
        return area
    chance = max_fpr**2 / 2
    return (1 + (area - chance) / (max_fpr - chance)) / 2


@ordering_score("Average precision", undefined=NO_POSITIVE, cite=("davis2006",), frame=_as_many_as_positive)
def average_precision(o: Ordering) -> Array:
    """Mean over positive rows of the precision when the list is cut after their block; by chance, the prevalence."""
    return ratio(o.sweep(sweep.precision_sum), o.all_positives)


@ordering_score("Equal error rate", better="lower", undefined=ONE_CLASS, cite=("martin1997",), frame=_half)
def equal_error_rate(o: Ordering) -> Array:
    """The rate at which false positives and false negatives are equally frequent, on the ROC polyline."""
    found = o.sweep(sweep.crossing, np.maximum(o.all_positives, 1e-300), np.maximum(o.all_negatives, 1e-300))[..., 0]
    return np.where((o.all_positives > 0) & (o.all_negatives > 0), found, np.nan)


def _splits_a_block(o: Ordering) -> bool:
    return bool(np.any(o.sweep(sweep.cut, o.all_positives)[..., 2] < 1 - 1e-12)) if isinstance(o, Ordering) else False


@ordering_score(
    "Break-even point",
    undefined=NO_POSITIVE,
    cite=("joachims2005",),
    frame=_as_many_as_positive,
    limits=(
        caution(
            "interpolated",
            "as many rows as are positive cannot be selected without splitting tied rows: interpolated",
            _splits_a_block,
        ),
        OPTIMISTIC,
    ),
)
def break_even(o: Ordering) -> Array:
    """Precision, which equals recall, when as many rows are selected as are positive."""
    return ratio(o.sweep(sweep.cut, o.all_positives)[..., 0], o.all_positives)


@ordering_score("Best F-beta over thresholds", undefined=NO_POSITIVE, limits=(OPTIMISTIC,), cite=("rijsbergen1979",))
def max_fbeta(o: Ordering, *, beta: float = 1.0) -> Array:
    """The largest F-beta that any threshold reaches on these rows."""
    if not beta > 0:
        raise BadInput(f"max_fbeta: beta must be greater than 0, not {beta!r}")
    best = o.sweep(sweep.best_f, o.all_positives, float(beta**2))[..., 0]
    return np.where(o.all_positives > 0, best, np.nan)


@ordering_score("Area under the ROC convex hull", undefined=ONE_CLASS, limits=(OPTIMISTIC,), cite=("provost2001",))
def hull_auc(o: Ordering) -> Array:
    """Area under the upper convex hull of the ROC curve."""
    return auc.function(o.hull[1])


def _of_fraction(_: Ordering, *, fraction: float = 0.1) -> Frame:
    return Frame(1.0, 0.0, 1 / fraction)


@ordering_score(
    "Lift at a fraction", range=(0.0, np.inf), undefined=NO_POSITIVE, cite=("witten2011",), frame=_of_fraction
)
def lift_at(o: Ordering, *, fraction: float = 0.1) -> Array:
    """How many times more frequent positive rows are in the top fraction than among all."""
    if not 0 < fraction <= 1:
        raise BadInput(f"lift_at: fraction must lie in (0, 1], not {fraction!r}")
    selected = fraction * (o.all_positives + o.all_negatives)
    return ratio(o.sweep(sweep.cut, selected)[..., 0] / fraction, o.all_positives)


@ordering_score("Area under the gain curve", undefined=ONE_CLASS, cite=("witten2011",), frame=_half)
def gain_area(o: Ordering) -> Array:
    """Area under the share of positive rows found against the share of rows selected."""
    prevalence = _prevalence(o)
    return prevalence / 2 + (1 - prevalence) * auc.function(o)


Pair = tuple[Array, Array]  # for a positive and for a negative row of each block


@dataclass(frozen=True, eq=False)
class Influence:
    """`sums[..., class, power]` adds up powers 0 to 3 of the values over rows; `values()` gives them by block."""

    sums: Array
    values: Callable[[], Pair]

    def shift_and_scale(self, for_positive: Array, for_negative: Array, scale: Array) -> Influence:
        """Return each value plus a shift for its class, times `scale`."""
        shift, by = np.stack(np.broadcast_arrays(for_positive, for_negative), -1), np.asarray(scale)[..., None]
        sums = shift_powers(self.sums[..., 0], np.moveaxis(self.sums[..., 1:], -1, 0), shift, by)

        def values() -> Pair:
            of_positive, of_negative = self.values()
            return (of_positive + shift[..., :1]) * by, (of_negative + shift[..., 1:]) * by

        return Influence(np.moveaxis(sums, 0, -1), values)

    def cells(self) -> Array:
        """Return the values of every cell of the ordering, positives first."""
        return np.concatenate(self.values(), -1)

    def moments(self) -> Array:
        """Return powers 0 to 3 summed over all rows."""
        return self.sums.sum(-2)


def _swept_influence(o: Ordering, kernel: Any, *arguments: Any) -> Influence:
    """A kernel's influence values: sums now, values on demand."""
    sums = o.sweep(kernel, o.all_positives, o.all_negatives, *arguments, False)[0]
    return Influence(sums, lambda: o.sweep(kernel, o.all_positives, o.all_negatives, *arguments, True)[1:])


@auc.with_influence
def of_auc(o: Ordering) -> Influence:
    return _swept_influence(o, block_influence.rank_area)


@gain_area.with_influence
def of_gain_area(o: Ordering) -> Influence:
    prevalence, gap = _prevalence(o), 0.5 - auc.function(o)
    return of_auc(o).shift_and_scale(gap, -gap * ratio(prevalence, 1 - prevalence), 1 - prevalence)


@partial_auc.with_influence
def of_partial_auc(o: Ordering, *, max_fpr: float = 0.1, standardised: bool = False) -> Influence:
    scale = 1 / (2 * (max_fpr - max_fpr**2 / 2)) if standardised else 1.0
    zero = np.zeros_like(o.all_positives)
    return _swept_influence(o, block_influence.area_until, float(max_fpr)).shift_and_scale(zero, zero, zero + scale)


@average_precision.with_influence
def of_average_precision(o: Ordering) -> Influence:
    return _swept_influence(o, block_influence.precision_sum)


def _influence_of_cut(
    o: Ordering, block: Array, share: Array, selected: Pair, of_positive: Pair, of_negative: Pair
) -> Influence:
    """Return the influence values of a cut of the list inside a block, of which a share is taken.

    `selected` are the positive and the negative rows selected; of each class the value of a row that is not selected
    is given, and what being selected adds.
    """
    sums, zones = [], []
    of_class = zip(
        o.inside(block), (o.all_positives, o.all_negatives), selected, (of_positive, of_negative), strict=True
    )
    for inside, total, taken, (base, step) in of_class:
        above = taken - share * inside
        rows = np.stack([above, inside, total - above - inside], -1)
        value = np.stack(np.broadcast_arrays(base + step, base + step * share, base), -1)
        sums.append(np.stack([(rows * value**k).sum(-1) for k in range(4)], -1))
        zones.append(value)

    def values() -> Pair:
        zone = np.sign(np.arange(o.blocks) - block[..., None]).astype(np.intp) + 1
        of_positive, of_negative = (np.take_along_axis(value, zone, -1) for value in zones)
        return of_positive, of_negative

    return Influence(np.stack(sums, -2), values)


def _rows_near(o: Ordering, block: Array) -> Array:
    """Return the positive and negative rows in a window around a block."""
    rows = np.maximum(10.0, np.floor((o.all_positives + o.all_negatives) ** 0.8 / 2))
    found: Array = o.sweep(block_influence.window_counts, np.asarray(block), rows)
    return found


@equal_error_rate.with_influence
def of_equal_error_rate(o: Ordering) -> Influence:
    """The crossing moves along the ROC curve, whose slope there says how a shift is shared between the two rates."""
    rate, block, share = np.moveaxis(o.sweep(sweep.crossing, o.all_positives, o.all_negatives), -1, 0)
    near = _rows_near(o, block)
    rise, run = ratio(near[..., 0], o.all_positives), ratio(near[..., 1], o.all_negatives)
    by_alarms = ratio(rise, rise + run)
    by_misses = (1 - by_alarms) / _prevalence(o)
    by_alarms = by_alarms / (1 - _prevalence(o))
    selected = (1 - rate) * o.all_positives, rate * o.all_negatives
    return _influence_of_cut(
        o, block, share, selected, (by_misses * (1 - rate), -by_misses), (-by_alarms * rate, by_alarms)
    )


@lift_at.with_influence
def of_lift_at(o: Ordering, *, fraction: float = 0.1) -> Influence:
    cut, recall, local = _selecting(o, fraction * (o.all_positives + o.all_negatives))
    prevalence = _prevalence(o)
    shift = local / prevalence
    of_positive = (shift * fraction - recall / prevalence) / fraction, (1 / prevalence - shift) / fraction
    return _influence_of_cut(o, *cut, of_positive, (shift, -shift / fraction))


@break_even.with_influence
def of_break_even(o: Ordering) -> Influence:
    cut, recall, local = _selecting(o, o.all_positives)
    prevalence = _prevalence(o)
    of_positive = (local - recall) / prevalence, (1 - local) / prevalence
    return _influence_of_cut(o, *cut, of_positive, (np.zeros_like(local), -local / prevalence))


@max_fbeta.with_influence
def of_max_fbeta(o: Ordering, *, beta: float = 1.0) -> Influence:
    """At a maximum the threshold's own move does not count, so this is the influence at that threshold."""
    best, block, hits, selected = np.moveaxis(o.sweep(sweep.best_f, o.all_positives, float(beta**2)), -1, 0)
    below = (beta**2 * o.all_positives + selected) / (o.all_positives + o.all_negatives)
    of_positive = -best * beta**2 / below, (1 + beta**2 - best) / below
    of_negative = np.zeros_like(best), -best / below
    return _influence_of_cut(o, block, np.ones_like(best), (hits, selected - hits), of_positive, of_negative)


@hull_auc.with_influence
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


def _selecting(o: Ordering, rows: Array) -> tuple[tuple[Array, Array, Pair], Array, Array]:
    """Return the cut after so many rows (block, share, rows selected), its recall and the positive share near it."""
    hits, block, share = np.moveaxis(o.sweep(sweep.cut, rows), -1, 0)
    near = _rows_near(o, block)
    return (block, share, (hits, rows - hits)), ratio(hits, o.all_positives), ratio(near[..., 0], near.sum(-1))
