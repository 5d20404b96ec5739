"""A score as the evidence that interval methods read: a share of rows, an area, losses in a known range."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.evidence.counts import Counts
from veracity.evidence.evidence import Sampling, effective_number
from veracity.evidence.linear import WHOLE
from veracity.evidence.losses import Apparent, Bounded, Losses
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.evidence.proportion import FewValues, Proportion
from veracity.evidence.ranked import Area, Pull, Ranked
from veracity.records.arrays import unroll
from veracity.scores.on_counts import CountScore
from veracity.scores.on_orderings import Member, OrderingScore, Several
from veracity.scores.on_rows import RowScore

if TYPE_CHECKING:
    from veracity.intervals.scored import Scored

GROUPED = Note(
    "not-iid", "refuse", "this bound holds for independent rows, but these come in groups: use delta, bca or mean_t"
)

FEW = 30  # units: from here on their spread is well enough known
HEAVY = 0.1  # share of the weight in one row


def proportion(m: Scored) -> Proportion | None:
    """Hits among rows, where the score is such a share."""
    if not isinstance(m.score.entry, CountScore) or not isinstance(m.evidence, Counts):
        return None
    share = m.score.proportion(m.evidence)
    if share is None:
        return None
    hits, rows = float(share[0]), float(share[1])
    if m.evidence.sampling is None or rows == 0:
        return Proportion(hits, rows)
    return _effective_proportion(m, m.evidence, m.evidence.sampling, hits / rows)


def _effective_proportion(m: Scored, counts: Counts, sampling: Sampling, share: float) -> Proportion:
    """Weighted and clustered rows as the number of plain rows with the same variance, and how well that is known."""
    hit, counted = m.score.share_cells(counts)
    held = sampling.shares(counted)
    if sampling.group is not None and held.max() > WHOLE:
        raise Refused("all rows are of one group: nothing tells how groups differ, more are needed", "one-group")
    number = effective_number(held)
    influence = m.influence()
    even = sampling.group is None and number == np.count_nonzero(held)
    if even or not 0 < share < 1 or influence is None or m.linear is None:
        # rows of equal weight are plain; without any variation nothing tells how alike the rows of a group are
        return Proportion(share * number, number, sampling_notes(sampling, number, float(held.max())))
    rarer = min(effective_number(sampling.shares(kind)) for kind in (counted & hit, counted & ~hit))
    # a few groups with hits tell little of how groups differ, however many have none; rows differ as hits and misses do
    known = min(number, rarer if sampling.group is not None else 2 * rarer)
    alone = np.square(sampling.row_weight / sampling.row_weight.sum() * influence[sampling.cell]).sum()
    rows, most = (share * (1 - share) / max(square, 1e-9 * alone) for square in (m.linear.squares, alone))
    notes = sampling_notes(sampling, number, float(held.max()))
    return Proportion(share * rows, rows, notes, max(known - 1, 1.0), most)


def sampling_notes(sampling: Sampling, number: float, heaviest: float) -> tuple[Note, ...]:
    """How many units of equal weight there are in effect, and whether these are few or one weighs too much."""
    of, notes = "rows", tuple[Note, ...]()
    if sampling.weight is not None:
        notes += (Note("weighted-rows", "remark", "rows are weighted"),)
    if sampling.group is not None:
        of = "groups"
        notes += (Note("clustered-rows", "remark", f"rows come in {sampling.units} groups, which count as units"),)
    worth = f"{sampling.units} {of} tell as much as {number:.1f} of equal weight"
    if number < sampling.units:
        notes += (Note("effective-units", "remark", worth),)
    if number < FEW:
        says = f"fewer than {FEW} {of} of equal weight in effect ({number:.1f}): how they differ is poorly known"
        notes += (Note(f"few-{of}", "caution", says),)
    if sampling.group is None and heaviest > HEAVY:
        says = f"one row holds {heaviest:.0%} of the weight: the interval rests on it"
        notes += (Note("heavy-row", "caution", says),)
    return notes


def notes_on_rows(p: Predictions) -> tuple[Note, ...]:
    """The same of all rows of predictions, for what draws its samples from them; of plain rows whether they are few."""
    cell = np.zeros(len(p), int)
    sampling = p.sampling(cell)
    if sampling is None:
        number = len(p) if p.repeats is None else float(p.repeats.sum())
        sampling = Sampling(np.zeros(int(min(number, FEW)), int))  # more than a few are as good as any number
    held = sampling.shares(np.ones(1))
    return sampling_notes(sampling, effective_number(held), float(held.max()))


def area(m: Scored) -> Area | None:
    """The area under one ROC curve with its variance, in one pass over the ordering."""
    o = m.evidence
    if not isinstance(o, Ordering):
        return None
    positives, negatives = float(o.all_positives), float(o.all_negatives)
    plain = o.sampling is None
    if min(positives, negatives) <= 1:
        return Area(m.value, positives, negatives, plain=plain)
    return Area(m.value, positives, negatives, o.area_variance(m.value), plain)


def ranked(m: Scored) -> Ranked | None:
    """The score of one or several orderings made linear, beside chance."""
    entry = m.score.entry
    if not isinstance(entry, OrderingScore) or entry.frame is None or m.linear is None:
        return None
    if not isinstance(m.evidence, Several):
        return None
    members = entry.members_of(m.evidence, **m.score.given)
    low, high = (sum(one.share * getattr(one.frame, end) for one in members) for end in ("low", "high"))
    return Ranked(m.linear, tuple(map(_pull, members)), low, high, max(one.values for one in members))


def _pull(one: Member) -> Pull:
    positives, negatives = one.class_sizes
    smaller = min(positives, negatives * one.frame.negatives)
    return Pull(one.share, one.frame.chance - one.value, positives, negatives, smaller)


def few_values(m: Scored) -> FewValues | None:
    """What each cell of a confusion matrix gives to a score that is the mean over rows, and its rows."""
    entry, counts = m.score.entry, m.evidence
    if not isinstance(entry, CountScore) or not isinstance(counts, Counts) or not entry.mean:
        return None
    if counts.sampling is not None:
        raise Refused("this interval counts plain rows, but these are weighted or grouped: use delta or bca", "not-iid")
    values, place = np.unique(entry.cell_values(counts.classes, counts.positive, **m.score.given), return_inverse=True)
    return FewValues(values, np.bincount(place.ravel(), np.ravel(counts.cells), len(values)))


def bounded_losses(m: Scored) -> Bounded | None:
    """Losses scaled to 0..1, where the score is their mean and they have a known range."""
    sampling = m.evidence.sampling
    if sampling is not None and sampling.weight is not None:
        raise Refused("this bound holds for equally weighted rows: use delta, bca or mean_t", "not-iid")
    notes = (GROUPED,) if sampling is not None else ()
    if isinstance(m.evidence, Counts) and isinstance(m.score.entry, CountScore):
        share = m.score.proportion(m.evidence)
        if share is None:
            return None
        if m.evidence.order is not None:
            hit, counted = m.score.share_cells(m.evidence)
            order = m.evidence.order()
            return Bounded(hit[order[counted[order]]].astype(float), notes=notes)
        hits, rows = round(float(share[0])), round(float(share[1]))
        return Bounded(unroll([1.0, 0.0], [hits, rows - hits]), notes=notes, ordered=False)
    entry = m.score.entry
    if not isinstance(entry, RowScore) or not entry.is_mean or not isinstance(m.evidence, Losses):
        return None
    return _scaled_losses(m.evidence, *entry.range, notes) if np.isfinite(entry.range).all() else None


def apparent_losses(m: Scored) -> Apparent | None:
    """The same, whichever rows these are."""
    same = bounded_losses(m)
    return None if same is None else Apparent(same.losses, same.low, same.high, same.notes, same.ordered)


def _scaled_losses(x: Losses, low: float, high: float, notes: tuple[Note, ...]) -> Bounded:
    losses = (x.columns[:, 0] - low) / (high - low)
    if x.weight is None or (x.weight == 1).all():
        return Bounded(losses, low, high, notes)
    return Bounded(unroll(losses, x.weight), low, high, notes, ordered=False)
