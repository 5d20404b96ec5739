"""The points of each model in ROC space, one per threshold, and what stands beside them in a chart."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.curves import Models
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Line, Mark
from veracity.records.arrays import Array
from veracity.scores import scores
from veracity.scores.entry import UNLABELLED

STEPS = 200  # pieces from a rate of 0 to a rate of 1: finer than the eye
UNIT = (0.0, 1.0)
MARKED = 3  # lines whose points can be told apart
Point = tuple[float, float, float | None]  # its place, and its threshold where it has one
Polyline = tuple[tuple[float, ...], tuple[float, ...]]


INVERTED = " inverted"  # behind the name of a model whose answers are swapped


@dataclass(frozen=True, eq=False)
class RocPoints:
    """One line of a chart: true and false positives at each threshold, from selecting nobody to selecting everybody.

    A crisp one comes from labels, so its only cut has no threshold.
    """

    name: str
    ordering: Ordering
    thresholds: Array | None  # infinity, where nothing is selected, then the distinct values downwards
    crisp: bool = False

    @classmethod
    def of(cls, name: str, o: Ordering) -> RocPoints:
        """Return the points of values, whose thresholds are None where they were not kept for lack of memory."""
        return cls(name, o, None if o.values is None else np.concatenate([[np.inf], o.values]))

    @property
    def positives(self) -> float:
        return float(self.ordering.tp[-1])  # as cumulated, so that the last rates are exactly 1

    @property
    def negatives(self) -> float:
        return float(self.ordering.fp[-1])

    @property
    def prevalence(self) -> float:
        return self.positives / (self.positives + self.negatives)

    @cached_property
    def fpr(self) -> Array:
        return self.ordering.fp / self.negatives

    @cached_property
    def tpr(self) -> Array:
        return self.ordering.tp / self.positives

    @property
    def selected(self) -> Array:
        """The number of rows selected at each threshold."""
        return self.ordering.tp + self.ordering.fp

    @cached_property
    def inverted(self) -> RocPoints:
        """The same model with its answers swapped: it selects from the lowest value up."""
        o = self.ordering
        turned = Ordering(o.positives[::-1], o.negatives[::-1], None if o.values is None else o.values[::-1])
        thresholds = None if self.thresholds is None else np.concatenate([[-np.inf], self.thresholds[:0:-1]])
        return RocPoints(f"{self.name}{INVERTED}", turned, thresholds, self.crisp)

    @cached_property
    def hull(self) -> Array:
        """Which points are vertices of the model's own upper hull, from (0, 0) to (1, 1)."""
        return np.concatenate([[0], self.ordering.hull[0] + 1])

    def threshold_at(self, point: int) -> float | None:
        """Return the threshold of one point; None where labels have none."""
        if point == 0:
            return np.inf
        if self.thresholds is not None:
            return float(self.thresholds[point])
        return None if point == 1 else -np.inf


def roc_points(models: Models) -> tuple[RocPoints, ...]:
    """Return the points of all models. More than two classes and none named positive: each class against the rest."""
    return tuple(one for name, p in models.items() for one in _points_of_model(name, p, len(models) > 1))


def _points_of_model(name: str, p: Predictions, among_others: bool) -> list[RocPoints]:
    if p.binary or p.positive is not None:
        if "value" in p.offers:
            return [RocPoints.of(name, p.ordering)]
        return [RocPoints(name, _crisp_ordering(p, p.named_positive), None, True)]
    if p.value is not None and p.proba is None:
        raise BadInput(
            f"with {len(p.classes)} classes, decision values need the class they speak for: give `positive=`"
        )
    names = [f"{name}: {label}" if among_others else str(label) for label in p.classes]
    if p.proba is None:
        return [RocPoints(each, _crisp_ordering(p, of), None, True) for of, each in enumerate(names)]
    return [RocPoints.of(each, _class_ordering(p, of)) for of, each in enumerate(names)]


def _class_ordering(p: Predictions, of: int) -> Ordering:
    """Return one class against the rest by its own probability, with the sampling of the rows it came from."""
    if p.multiplicity is None and p.groups is None:
        return Ordering.of(p.probability(of), p.truth == of)
    tracked = Ordering.of_tracked_rows(p.probability(of), p.truth == of, p.multiplicity, p.groups)
    assert tracked.sampling is not None  # tracked orderings know their rows
    return Ordering(tracked.positives, tracked.negatives, tracked.values, p.sampling(tracked.sampling.cell))


def _crisp_ordering(p: Predictions, of: int) -> Ordering:
    """Labels as an ordering of two blocks: predicted to be of the class, and not."""
    counts = p.confusion()
    others = [index for index in range(len(counts.classes)) if index != of]
    hit, alarm = (counts.matrix[truth, of].sum() for truth in (of, others))
    missed, rest = counts.of_truth[of] - hit, counts.of_truth[others].sum() - alarm
    cell = np.where(p.truth == of, 0, 2) + (p.labels() != of)
    return Ordering(np.array([hit, missed]), np.array([alarm, rest]), None, p.sampling(cell))


def title(text: str, models: Models) -> str:
    """The title of a chart, which says so when its lines are classes."""
    each = any(not p.binary and p.positive is None for p in models.values())
    return f"{text}, each class against the rest" if each else text


def score_of_each(name: str, every: tuple[RocPoints, ...]) -> dict[str, float]:
    """One score of every series, by name."""
    return {one.name: float(scores[name].evaluate(one.ordering)) for one in every}


def defined_points(
    models: Models, kind: str, negatives: bool = False
) -> tuple[tuple[RocPoints, ...], tuple[Note, ...]]:
    """Return the points whose rates exist, and a note on each line that lacks rows of one class; refuse to have none.

    Rows that are not positive are needed only where `negatives` says so.
    """
    every, lacking = roc_points(models), {}
    for one in every:
        if not one.ordering.all_positives:
            lacking[one.name] = "there are no positive rows"
        elif negatives and not one.ordering.all_negatives:
            lacking[one.name] = "there are no negative rows"
    defined = tuple(one for one in every if one.name not in lacking)
    if not defined:
        raise BadInput(f"{kind} has nothing to show: {next(iter(lacking.values()))}")
    notes = tuple(Note("undefined-line", "caution", f"{name} is left out: {why}") for name, why in lacking.items())
    return defined, notes


def way_between(one: RocPoints, first: int = 0) -> tuple[Array, Array] | None:
    """True and false positives on the way, from the point of this number on.

    None where blocks are so small that straight lines show the same.
    """
    true, false = one.ordering.tp[first:], one.ordering.fp[first:]
    rise = np.maximum(*(np.diff(side) / (side[-1] or 1.0) for side in (true, false)))
    pieces = np.maximum(np.ceil(rise * STEPS), 1).astype(np.int64)
    if not (pieces > 1).any():
        return None
    start = np.cumsum(pieces) - pieces
    block = np.repeat(np.arange(len(pieces)), pieces)
    share = (np.arange(len(block)) - start[block]) / pieces[block]
    between_true, between_false = (side[block] + share * (side[block + 1] - side[block]) for side in (true, false))
    return np.append(between_true, true[-1]), np.append(between_false, false[-1])


def diagonal(name: str = "chance") -> Line:
    """From (0, 0) to (1, 1)."""
    return Line(name, np.array(UNIT), np.array(UNIT))


def guide_lines(every: tuple[RocPoints, ...], shape: Callable[[RocPoints], Polyline], name: str) -> tuple[Line, ...]:
    """A guide that depends on the numbers of rows: one for all lines where they agree, else one for each."""
    shapes = {one.name: shape(one) for one in every}
    if len(set(shapes.values())) == 1:
        shapes = {"": shapes[every[0].name]}
    return tuple(Line(name, np.array(x, float), np.array(y, float), of=of) for of, (x, y) in shapes.items())


def shared_guides(shapes: Mapping[str, tuple[Array, Array]], name: str) -> tuple[Line, ...]:
    """Return one guide where the models have the same one, else each different one named for its first model."""
    different: dict[bytes, Line] = {}
    for model, (x, y) in shapes.items():
        different.setdefault(x.tobytes() + y.tobytes(), Line(f"{model}: {name}", x, y))
    alone = len(different) == 1
    return tuple(replace(line, name=name) if alone else line for line in different.values())


def crisp_marks(every: tuple[RocPoints, ...], lines: tuple[Line, ...], point: int = 1) -> tuple[Mark, ...]:
    """The one place where a crisp model stands, where it can be shown."""
    crisp = [line for one, line in zip(every, lines, strict=True) if one.crisp]
    marks = [Mark(line.name, float(line.x[point]), float(line.y[point]), of=line.name) for line in crisp]
    return tuple(mark for mark in marks if np.isfinite([mark.x, mark.y]).all())


def score_marks(
    label: str, every: tuple[RocPoints, ...], values: Mapping[str, float], place: Callable[[RocPoints], Point]
) -> tuple[Mark, ...]:
    """Where each line has a score: named beside the point on a chart of one line, in the legend of a few.

    Labels alone have one point, which is marked already.
    """
    shown = [one for one in every if not one.crisp and np.isfinite(values[one.name])]
    if len(shown) > MARKED:
        return ()
    alone, told = len(every) == 1, {one.name: f"{values[one.name]:.3f}" for one in shown}
    return tuple(
        Mark(label, *place(one), told[one.name], of=one.name)
        if alone
        else Mark(one.name, *place(one), f"{label} {told[one.name]}", of=one.name)
        for one in shown
    )


def mirror_below_diagonal(marks: tuple[Mark, ...]) -> tuple[tuple[Line, ...], tuple[Mark, ...]]:
    """Of each crisp point below the diagonal of a ROC chart, what swapping its labels would give."""
    below = [mark for mark in marks if mark.y < mark.x]
    mirrored = tuple(Mark(f"{mark.name} inverted", 1 - mark.x, 1 - mark.y, of=mark.of) for mark in below)
    lines = tuple(Line(m.name, np.array([0.0, m.x, 1.0]), np.array([0.0, m.y, 1.0]), of=m.of) for m in mirrored)
    return lines, mirrored


def operating_points(name: str, p: Predictions, kind: str) -> RocPoints:
    """The operating points of one model for its positive class; both classes must have rows."""
    if p.kind != "classes":
        raise BadInput(f"{kind} is for classes, but the target of {name} is numeric")
    p.permits(kind, UNLABELLED)
    points, *others = roc_points({name: p})
    if others:
        raise BadInput(f"{kind} speaks of one class against the rest: `positive=` one of {list(p.classes)}")
    for what, rows in (("positive", points.positives), ("negative", points.negatives)):
        if not rows:
            raise BadInput(f"{kind}: {name} has no {what} rows, so its rates are undefined: both classes need rows")
    return points


def all_operating_points(models: Models, kind: str) -> tuple[RocPoints, ...]:
    """The operating points of every model, in order."""
    if not models:
        raise BadInput(f"{kind} needs at least one model")
    return tuple(operating_points(name, p, kind) for name, p in models.items())


@dataclass(frozen=True)
class Conditions:
    """How frequent positive rows will be and what each kind of mistake costs."""

    prior: float
    cost_fp: float
    cost_fn: float

    @classmethod
    def for_models(
        cls, models: tuple[RocPoints, ...], prior: float | None, cost_fp: float, cost_fn: float
    ) -> Conditions:
        """Checked; without a prior, the share of positive rows among all rows given."""
        for name, cost in (("cost_fp", cost_fp), ("cost_fn", cost_fn)):
            if not (np.isfinite(cost) and cost > 0):
                raise BadInput(f"{name} must be a finite number greater than 0, not {cost!r}")
        positives, negatives = sum(m.positives for m in models), sum(m.negatives for m in models)
        share = positives / (positives + negatives) if prior is None else float(prior)
        if not 0 < share < 1:
            raise BadInput(f"prior must lie strictly between 0 and 1, not {prior!r}")
        return cls(share, float(cost_fp), float(cost_fn))

    @property
    def slope(self) -> float:
        """The slope of lines of equal expected cost in ROC space."""
        return self.cost_fp * (1 - self.prior) / (self.cost_fn * self.prior)

    def prior_at(self, slope: float) -> float:
        """The prior at which lines of equal cost have this slope, at these costs."""
        return self.cost_fp / (self.cost_fp + self.cost_fn * slope)

    def cost(self, fpr: Array, tpr: Array) -> Array:
        """Expected cost per row."""
        return self.prior * self.cost_fn * (1 - tpr) + (1 - self.prior) * self.cost_fp * fpr
