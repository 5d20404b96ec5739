"""A score as the evidence that interval methods read: a share of rows, an area, losses in a known range."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Sampling
from veracity.evidence.losses import Apparent, Bounded, Losses
from veracity.evidence.ordering import Area, Ordering
from veracity.evidence.proportion import Proportion
from veracity.kernels.sweep import area_variance
from veracity.scores.on_counts import CountScore
from veracity.scores.on_rows import RowScore

if TYPE_CHECKING:
    from veracity.intervals.scored import Scored

GROUPED = Note(
    "not-iid", "refuse", "this bound holds for independent rows, but these come in groups: use delta, bca or mean_t"
)

FEW_GROUPS = Note(
    "few-groups",
    "caution",
    "fewer than 30 groups: how alike their rows are is poorly known, and the interval may be too narrow",
)


def proportion(m: Scored) -> Proportion | None:
    """Hits among rows, where the score is such a share."""
    if not isinstance(m.score.entry, CountScore) or not isinstance(m.evidence, Counts):
        return None
    share = m.score.entry.proportion(m.evidence, **m.score.given)
    if share is None:
        return None
    hits, rows = float(share[0]), float(share[1])
    if m.evidence.sampling is None or rows == 0:
        return Proportion(hits, rows)
    return _effective_proportion(m, m.evidence, m.evidence.sampling, hits / rows)


def _effective_proportion(m: Scored, counts: Counts, sampling: Sampling, share: float) -> Proportion:
    """Weighted and clustered rows as the number of plain rows with the same variance."""
    counted = m.score.entry.denominator_cells(counts, **m.score.given)[sampling.cell]
    weight = sampling.row_weight[counted]
    weight = weight / weight.max()  # squares of large weights would overflow
    rows = float(weight.sum() ** 2 / np.square(weight).sum())
    notes: tuple[Note, ...] = ()
    groups = len(np.unique(sampling.group[counted])) if sampling.group is not None else round(rows)
    if groups < 2 and sampling.group is not None:
        raise Refused("all rows are of one group: nothing tells how groups differ, more are needed", "one-group")
    effect = _design_effect(m, share, rows, groups)
    rows /= effect  # Kish's count is too high where weights go with being right or wrong: the larger variance decides
    if sampling.weight is not None:
        notes += (Note("weighted-rows", "caution", f"weights: the interval counts {rows:.1f} equally weighted rows"),)
    if sampling.group is not None:
        notes += (Note("clustered-rows", "remark", f"rows come in {groups} groups: design effect {effect:.2f}"),)
        notes += (FEW_GROUPS,) if groups < 30 else ()
    return Proportion(share * rows, rows, notes)


def _design_effect(m: Scored, share: float, rows: float, groups: int) -> float:
    """How many times the variance exceeds that of independent rows, at least 1."""
    by_chance = share * (1 - share) / rows
    if by_chance <= 0 or m.linear is None:
        # without any variation nothing tells how alike the rows of a group are: each group counts once
        return max(1.0, rows / groups)
    return max(1.0, m.linear.variance / by_chance)


def area(m: Scored) -> Area | None:
    """The area under one ROC curve with its variance, in one pass over the ordering."""
    o = m.evidence
    if not isinstance(o, Ordering):
        return None
    positives, negatives = float(o.all_positives), float(o.all_negatives)
    plain = o.sampling is None
    if min(positives, negatives) <= 1:
        return Area(m.value, positives, negatives, plain=plain)
    return Area(
        m.value, positives, negatives, area_variance(o.positives, o.negatives, positives, negatives, m.value), plain
    )


def bounded_losses(m: Scored) -> Bounded | None:
    """Losses scaled to 0..1, where the score is their mean and they have a known range."""
    sampling = m.evidence.sampling
    if sampling is not None and sampling.weight is not None:
        raise Refused("this bound holds for equally weighted rows: use delta, bca or mean_t", "not-iid")
    notes = (GROUPED,) if sampling is not None else ()
    if isinstance(m.evidence, Counts) and isinstance(m.score.entry, CountScore):
        share = m.score.entry.proportion(m.evidence, **m.score.given)
        if share is None:
            return None
        hits, rows = round(float(share[0])), round(float(share[1]))
        return Bounded(np.repeat([1.0, 0.0], [hits, rows - hits]), notes=notes)
    entry = m.score.entry
    if not isinstance(entry, RowScore) or not entry.is_mean or not isinstance(m.evidence, Losses):
        return None
    return _scaled_losses(m.evidence, *entry.range, notes) if np.isfinite(entry.range).all() else None


def apparent_losses(m: Scored) -> Apparent | None:
    """The same, whichever rows these are."""
    same = bounded_losses(m)
    return None if same is None else Apparent(same.losses, same.low, same.high, same.notes)


def _scaled_losses(x: Losses, low: float, high: float, notes: tuple[Note, ...]) -> Bounded:
    losses = (x.columns[:, 0] - low) / (high - low)
    return Bounded(losses if x.weight is None else np.repeat(losses, x.weight.astype(int)), low, high, notes)
