"""How much one row moves each ordering score: derived once, used for standard errors and accelerations.

Points read off a curve (equal error rate, lift, break-even) need the share of positives near the cut, which is
estimated in a window of rows that grows as n^(4/5).
"""

from __future__ import annotations

import numpy as np

from veracity.kernels import influence, sweep
from veracity.records.arrays import Array, ratio
from veracity.records.ordering import Ordering
from veracity.scores import ordering as scored

Pair = tuple[Array, Array]


@scored.auc.influenced
def of_auc(o: Ordering) -> Pair:
    pair: Pair = o.swept(influence.rank_area, o.all_positives, o.all_negatives)
    return pair


@scored.gain_area.influenced
def of_gain_area(o: Ordering) -> Pair:
    prevalence = ratio(o.all_positives, o.all_positives + o.all_negatives)[..., None]
    area = scored.auc.function(o)[..., None]
    for_positive, for_negative = of_auc(o)
    return (
        (1 - prevalence) * (0.5 - area + for_positive),
        -prevalence * (0.5 - area) + (1 - prevalence) * for_negative,
    )


@scored.partial_auc.influenced
def of_partial_auc(o: Ordering, *, max_fpr: float = 0.1, standardised: bool = False) -> Pair:
    pair: Pair = o.swept(influence.area_until, o.all_positives, o.all_negatives, float(max_fpr))
    scale = 1 / (2 * (max_fpr - max_fpr**2 / 2)) if standardised else 1.0
    return scale * pair[0], scale * pair[1]


@scored.average_precision.influenced
def of_average_precision(o: Ordering) -> Pair:
    pair: Pair = o.swept(influence.precision_sum, o.all_positives, o.all_negatives)
    return pair


@scored.equal_error_rate.influenced
def of_equal_error_rate(o: Ordering) -> Pair:
    """The crossing moves along the ROC curve, whose slope there says how a shift is shared between the two rates."""
    found = o.swept(sweep.crossing, o.all_positives, o.all_negatives)
    rate = found[..., :1]
    selected = _selected(o, found[..., 1], found[..., 2])
    near = _near(o, found[..., 1])
    rise, run = ratio(near[..., 0], o.all_positives), ratio(near[..., 1], o.all_negatives)
    of_false_positives = ratio(rise, rise + run)[..., None]
    prevalence = ratio(o.all_positives, o.all_positives + o.all_negatives)[..., None]
    return (
        (1 - of_false_positives) * (1 - selected - rate) / prevalence,
        of_false_positives * (selected - rate) / (1 - prevalence),
    )


@scored.lift_at.influenced
def of_lift_at(o: Ordering, *, fraction: float = 0.1) -> Pair:
    found = o.swept(sweep.cut, fraction * (o.all_positives + o.all_negatives))
    selected, recall, prevalence, local = _at_cut(o, found)
    shift = local / prevalence * (selected - fraction)
    return ((selected - recall) / prevalence - shift) / fraction, -shift / fraction


@scored.break_even.influenced
def of_break_even(o: Ordering) -> Pair:
    selected, recall, prevalence, local = _at_cut(o, o.swept(sweep.cut, o.all_positives))
    return (selected - recall) / prevalence + local / prevalence * (1 - selected), -local / prevalence * selected


@scored.max_fbeta.influenced
def of_max_fbeta(o: Ordering, *, beta: float = 1.0) -> Pair:
    """At a maximum the threshold's own move does not count, so this is the influence at that threshold."""
    found = o.swept(sweep.best_f, o.all_positives, float(beta**2))
    best, selected = found[..., :1], _selected(o, found[..., 1], np.ones_like(found[..., 1]))
    total = (o.all_positives + o.all_negatives)[..., None]
    chosen = (selected * (o.positives + o.negatives)).sum(-1)[..., None]
    below = (beta**2 * o.all_positives[..., None] + chosen) / total
    for_negative = -best * selected / below
    return ((1 + beta**2) * selected - best * beta**2) / below + for_negative, for_negative


@scored.hull_auc.influenced
def of_hull_auc(o: Ordering) -> Pair:
    """The hull pools blocks; while its vertices stay, its area is that of the pooled ordering."""
    last = o.swept(sweep.hull_blocks)
    positives, negatives = (_pooled(part, last) for part in (o.positives, o.negatives))
    for_positive, for_negative = of_auc(Ordering(positives, negatives))
    return np.take_along_axis(for_positive, last, -1), np.take_along_axis(for_negative, last, -1)


def _pooled(part: Array, last: Array) -> Array:
    """Everything on an edge of the hull moved into the edge's last block."""
    flat, to = part.reshape(-1, part.shape[-1]), last.reshape(-1, part.shape[-1])
    rows = [np.bincount(place, weight, part.shape[-1]) for place, weight in zip(to, flat, strict=True)]
    return np.array(rows).reshape(part.shape)


def _selected(o: Ordering, block: Array, share: Array) -> Array:
    """1 for the blocks above the cut, the share taken of the block that is cut, 0 below."""
    number = np.arange(o.positives.shape[-1])
    return np.where(number < block[..., None], 1.0, np.where(number == block[..., None], share[..., None], 0.0))


def _near(o: Ordering, block: Array) -> Array:
    """Positive and negative rows in a window around the cut."""
    rows = np.maximum(10.0, np.floor((o.all_positives + o.all_negatives) ** 0.8 / 2))
    near: Array = o.swept(influence.local_positives, np.asarray(block), rows)
    return near


def _at_cut(o: Ordering, found: Array) -> tuple[Array, Array, Array, Array]:
    """What a cut of the list fixes: selection by block, recall, prevalence, share of positives near the cut."""
    near = _near(o, found[..., 1])
    recall = ratio(found[..., 0], o.all_positives)[..., None]
    prevalence = ratio(o.all_positives, o.all_positives + o.all_negatives)[..., None]
    local = ratio(near[..., 0], near.sum(-1))[..., None]
    return _selected(o, found[..., 1], found[..., 2]), recall, prevalence, local
