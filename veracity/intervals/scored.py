"""A score on its evidence, and the evidence that interval methods read from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.missing import Undefined
from veracity.core.notes import Note
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.evidence import Evidence, Sampling, effective_number
from veracity.evidence.interval_evidence import WHOLE, Area, FewValues, Linear, Proportion, Pull, Ranked, widest_gap
from veracity.evidence.losses import Apparent, Bounded, Losses
from veracity.evidence.ordering import OrderedRows, Ordering
from veracity.evidence.predictions import Predictions
from veracity.intervals import replicates
from veracity.records.arrays import Array, power_sums, unroll
from veracity.scores.entry import evidence_for, numeric_influence, values_on
from veracity.scores.on_orderings import Several

GROUPED = Note(
    "not-iid", "refuse", "this bound holds for independent rows, but these come in groups: use delta, bca or mean_t"
)

FEW = 30  # units: from here on their spread is well enough known
HEAVY = 0.1  # share of the weight in one row


def proportion(m: Scored) -> Proportion | None:
    """Return hits among rows, where the score is such a share.

    Weighted and clustered rows count as the plain rows with the same variance, and how well that is known.
    """
    counts = m.evidence
    if m.score.reads != "confusion matrix" or not isinstance(counts, Counts):
        return None
    hits_and_rows, sampling = m.score.proportion(counts), counts.sampling
    if hits_and_rows is None:
        return None
    hits, of = float(hits_and_rows[0]), float(hits_and_rows[1])
    if sampling is None or of == 0:
        return Proportion(hits, of)
    share = hits / of
    hit, counted = m.score.share_cells(counts)
    held = sampling.shares(counted)
    if sampling.group is not None and held.max() > WHOLE:
        raise Refused("all rows are of one group: nothing tells how groups differ, more are needed", "one-group")
    number, influence = effective_number(held), m.influence()
    notes = sampling_notes(sampling, number, float(held.max()))
    even = sampling.group is None and number == np.count_nonzero(held)
    if even or not 0 < share < 1 or influence is None or m.linear is None:
        # rows of equal weight are plain; without any variation nothing tells how alike the rows of a group are
        return Proportion(share * number, number, notes)
    rarer = min(effective_number(sampling.shares(kind)) for kind in (counted & hit, counted & ~hit))
    # a few groups with hits tell little of how groups differ, however many have none; rows differ as hits and misses do
    known = min(number, rarer if sampling.group is not None else 2 * rarer)
    alone = np.square(sampling.row_weight / sampling.row_weight.sum() * influence[sampling.cell]).sum()
    rows, most = (share * (1 - share) / max(square, 1e-9 * alone) for square in (m.linear.squares, alone))
    return Proportion(share * rows, rows, notes, max(known - 1, 1.0), most)


def sampling_notes(sampling: Sampling, number: float, heaviest: float) -> tuple[Note, ...]:
    """Return notes on how many units of equal weight there are in effect, whether few or one too heavy."""
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
    """Return the same of all rows of predictions, for what draws samples from them; of plain rows if they are few."""
    sampling = p.sampling(np.zeros(len(p), int))
    if sampling is None:
        number = len(p) if p.repeats is None else float(p.repeats.sum())
        sampling = Sampling(np.zeros(int(min(number, FEW)), int))  # more than a few are as good as any number
    held = sampling.shares(np.ones(1))
    return sampling_notes(sampling, effective_number(held), float(held.max()))


def area(m: Scored) -> Area | None:
    """Return the area under one ROC curve with its variance, in one pass over the ordering."""
    o = m.evidence
    if not isinstance(o, Ordering):
        return None
    positives, negatives = float(o.all_positives), float(o.all_negatives)
    variance = o.area_variance(m.value) if min(positives, negatives) > 1 else np.nan
    return Area(m.value, positives, negatives, variance, o.sampling is None)


def ranked(m: Scored) -> Ranked | None:
    """Return the score of one or several orderings made linear, beside chance."""
    of_ordering = m.score.reads == "ordering" and m.score.frame is not None and isinstance(m.evidence, Several)
    if not of_ordering or m.linear is None:
        return None
    members = m.score.members_of(m.evidence)
    low, high = (sum(one.share * getattr(one.frame, end) for one in members) for end in ("low", "high"))
    pulls = []
    for one in members:
        positives, negatives = one.class_sizes
        smaller = min(positives, negatives * one.frame.negatives)
        pulls.append(Pull(one.share, one.frame.chance - one.value, positives, negatives, smaller))
    return Ranked(m.linear, tuple(pulls), low, high, max(one.values for one in members))


def few_values(m: Scored) -> FewValues | None:
    """Return what each cell of a confusion matrix gives to a score that is a mean over rows, and its rows."""
    score, counts = m.score, m.evidence
    if score.reads != "confusion matrix" or not isinstance(counts, Counts) or not score.mean:
        return None
    if counts.sampling is not None:
        raise Refused("this interval counts plain rows, but these are weighted or grouped: use delta or bca", "not-iid")
    values, place = np.unique(score.cell_values(counts.classes, counts.positive), return_inverse=True)
    return FewValues(values, np.bincount(place.ravel(), np.ravel(counts.cells), len(values)))


def bounded_losses(m: Scored) -> Bounded | None:
    """Return losses scaled to 0..1, where the score is their mean and they have a known range."""
    sampling = m.evidence.sampling
    if sampling is not None and sampling.weight is not None:
        raise Refused("this bound holds for equally weighted rows: use delta, bca or mean_t", "not-iid")
    notes = (GROUPED,) if sampling is not None else ()
    if isinstance(m.evidence, Counts) and m.score.reads == "confusion matrix":
        share = m.score.proportion(m.evidence)
        if share is None:
            return None
        if m.evidence.order is not None:
            (hit, counted), order = m.score.share_cells(m.evidence), m.evidence.order()
            return Bounded(hit[order[counted[order]]].astype(float), notes=notes)
        hits, rows = round(float(share[0])), round(float(share[1]))
        return Bounded(unroll([1.0, 0.0], [hits, rows - hits]), notes=notes, ordered=False)
    if m.score.reads != "row losses" or not m.score.is_mean or not isinstance(m.evidence, Losses):
        return None
    low, high = m.score.range
    if not np.isfinite([low, high]).all():
        return None
    losses, weight = (m.evidence.columns[:, 0] - low) / (high - low), m.evidence.weight
    if weight is None or (weight == 1).all():
        return Bounded(losses, low, high, notes)
    return Bounded(unroll(losses, weight), low, high, notes, ordered=False)


ROUNDING = 1e-9  # an influence this small beside the largest is none
SOMEWHAT_SKEWED = 0.1  # a mean whose skewness is less is that of many rows
NO_VIEW = "wrong-evidence"
OF_LEARNER = f"is of one fixed model here, and this interval is for a learner: evaluate one `by={'{0}'!r}`"
NO_MEAN = (
    "is no mean over rows, which this interval for a learner is about: use conservative_t"
    " `by='repeated_kfold(k=10, repeats=10)'`"
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
    def averaging(self) -> str:
        """How a score of one class is averaged over classes; empty for a score of the whole matrix, or of none."""
        if self.score.reads != "confusion matrix" or not self.score.one_class or not isinstance(self.evidence, Counts):
            return ""
        return str(self.score.averaging(self.evidence, self.score.value("average")))

    @property
    def undefined(self) -> str:
        """Why the score has no value here."""
        return str(self.score.why_undefined(self.evidence))

    @property
    def way_out(self) -> str:
        """What would give it one, where that is known."""
        return ""

    @property
    def value_or_reason(self) -> float:
        """The value; where there is none, `Undefined` with the reason."""
        if not np.isnan(self.value):
            return self.value
        return Undefined(f"{self.undefined}: {self.way_out}" if self.way_out else self.undefined)

    def evaluate(self, evidence: Evidence) -> Array:
        """Return the score on other evidence of the same kind, such as bootstrap replicates."""
        return values_on(self.score, evidence)

    def view(self, wanted: type) -> Any:
        """Return the evidence in the form an interval method reads; refuse where the score has none."""
        if wanted is Scored:
            return self
        if isinstance(self.evidence, wanted):
            return self.evidence
        evidence = VIEWS[wanted](self) if wanted in VIEWS else None
        if evidence is not None:
            return evidence
        name, design = self.score.name, getattr(wanted, "design", None)
        if design is None:
            raise Refused(f"{name} {getattr(wanted, 'lacks', 'is not of the kind this interval reads')}", NO_VIEW)
        no_mean = getattr(wanted, "of_means", False) and not self.score.averages_rows
        raise Refused(f"{name} {NO_MEAN if no_mean else OF_LEARNER.format(design)}", "of-a-learner")

    @cached_property
    def linear(self) -> Linear | None:
        """The score made linear by its influence values; None where it has none."""
        if not np.isfinite(self.value):
            return None
        evidence = self.evidence
        linear = self._linear_from_rows() if evidence.sampling is None else self._linear_from_units()
        if linear is None:
            return None
        if isinstance(evidence, Losses) and evidence.rarer < RARE:  # rows of all but the most frequent class
            return replace(linear, notes=(*linear.notes, RARE_CLASS))
        if not isinstance(evidence, Counts) or isinstance(evidence, Errors):
            return linear
        small = self.score.part_read(evidence).of_truth.min() < 5
        return replace(linear, notes=(*linear.notes, SMALL_CLASS)) if small else linear

    def _linear_from_rows(self) -> Linear | None:
        """Return that from summed powers of the influence values, not written out where that is not needed."""
        sums = self.score.moments_of(self.evidence)
        if sums is not None:
            return Linear.of_moments(self.value, *sums)
        influence, evidence = self.influence(), self.evidence
        if influence is None:
            return None
        each_row_once = isinstance(evidence, (Losses, OrderedRows)) and evidence.weight is None
        sums = power_sums(influence, None if each_row_once else np.asarray(evidence.cells))
        linear = Linear.of_moments(self.value, *sums)
        if not isinstance(evidence, Losses) or evidence.classes or not abs(linear.skewness) > SOMEWHAT_SKEWED:
            return linear
        rows = influence if evidence.weight is None else np.repeat(influence, evidence.weight.astype(np.intp))
        # among the largest losses of numbers, on the side to which they are skewed
        return replace(linear, gap=widest_gap(rows if linear.skewness > 0 else -rows))

    def _linear_from_units(self) -> Linear | None:
        """Return that from the sums of weighted influence values over clusters, or over weighted rows."""
        sampling, influence = self.evidence.sampling, self.influence()
        if sampling is None or influence is None:
            return None
        parts, cells = self.evidence.parts, np.asarray(self.evidence.cells)
        every = np.ones(influence.shape, bool)
        size = np.abs(influence) * (cells > 0)
        if isinstance(self.evidence, Losses) or sampling.shares(every).max() > WHOLE:
            chosen = [every]
        elif parts is None:  # all cells whose rows count for the score
            chosen = [size >= ROUNDING * size.max()]
        else:  # each class is averaged by itself
            chosen = [parts == one for one in np.flatnonzero(np.bincount(parts[cells > 0]))]
        moved = np.array([sampling.per_unit(influence if part.all() else influence * part) for part in chosen])
        held = np.array([sampling.shares(part) for part in chosen])
        kinds = sampling.group is not None, sampling.weight is not None
        linear = Linear.of_units(self.value, moved / sampling.row_weight.sum(), held, *kinds)
        return replace(linear, notes=sampling_notes(sampling, linear.effective, float(held.max())))

    def influence(self) -> Array | None:
        """Return the influence of each cell: the score's own, or by differences where there are few cells."""
        evidence = self.evidence
        influence: Array | None = self.score.influence_of(evidence)
        if influence is None and isinstance(evidence, Ordering) and evidence.cells.size <= replicates.BATCH:
            cells = evidence.cells.astype(float)
            influence = numeric_influence(lambda weights: self.evaluate(evidence.reweigh(weights)), cells)
        return influence

    def replicates(self, draws: int, seed: int) -> Array:
        """Return the score on `draws` bootstrap samples."""
        parts = replicates.bootstrap_replicates(self.evidence, draws, seed)
        return np.concatenate([self.evaluate(part) for part in parts])


VIEWS: dict[type, Callable[[Scored], Any]] = {
    Proportion: proportion,
    Area: area,
    Ranked: ranked,
    FewValues: few_values,
    Bounded: bounded_losses,
    Apparent: lambda m: None if (same := bounded_losses(m)) is None else Apparent(**vars(same)),
    Linear: lambda m: m.linear,
}
