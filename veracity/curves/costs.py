"""Expected costs in ROC space: dominance, the convex hull over all models, and cost curves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from veracity.core.arguments import verb
from veracity.core.notes import Note
from veracity.curves import CRISP_TOO, Models, curve
from veracity.curves.operating_points import (
    INVERTED,
    UNIT,
    Conditions,
    RocPoints,
    all_operating_points,
    diagonal,
    operating_points,
)
from veracity.evidence.origin import require_one_model
from veracity.evidence.predictions import Predictions, check_predictions
from veracity.findings.curve import Curve, Line, Mark
from veracity.kernels.sweep import upper_chain
from veracity.records.arrays import Array
from veracity.tables.result import SentenceResult
from veracity.tables.table import Column, Table

ROUNDING = 1e-12  # rates closer than this are equal: interpolation rounds

Relation = Literal["dominates", "is dominated", "cross", "equal"]


@dataclass(frozen=True)
class Dominance(SentenceResult):
    """What two ROC curves say of each other; prints as one sentence."""

    a: str
    b: str
    relation: Relation
    crossings: tuple[float, ...] = ()  # false positive rates where the other curve takes the lead

    def sentence(self) -> str:
        if self.relation == "equal":
            return f"{self.a} and {self.b} have the same ROC curve."
        if self.relation == "cross":
            rates = ", ".join(f"{rate:.4g}" for rate in self.crossings[:5])
            more = f" and {len(self.crossings) - 5} more" if len(self.crossings) > 5 else ""
            return (
                f"The ROC curves of {self.a} and {self.b} cross at false positive rate {rates}{more}: "
                "which is better depends on costs and prior, and AUC alone may not name a winner."
            )
        above, below = (self.a, self.b) if self.relation == "dominates" else (self.b, self.a)
        return f"{above} dominates {below}: at every false positive rate its true positive rate is at least as high."

    def table(self) -> Table:
        """The sentence in columns, with every crossing."""
        rates = ", ".join(f"{rate:.4g}" for rate in self.crossings)
        titles = ("a", "relation", "b", "crossings at false positive rate")
        return Table(tuple(Column(title, "left") for title in titles), ((self.a, self.relation, self.b, rates),))

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity dominance --json`."""
        return {"a": self.a, "b": self.b, "relation": self.relation, "crossings": list(self.crossings), "notes": []}


def verdict(a: Line, b: Line) -> Dominance:
    """Which curve dominates, or at which false positive rates they cross."""
    at, gap = gaps(a, b)
    above, below = bool((gap > ROUNDING).any()), bool((gap < -ROUNDING).any())
    if above and below:
        return Dominance(a.name, b.name, "cross", crossings(at, gap))
    return Dominance(a.name, b.name, "dominates" if above else "is dominated" if below else "equal")


def gaps(a: Line, b: Line) -> tuple[Array, Array]:
    """a minus b at every false positive rate of either, just before it and just after.

    A curve may rise straight up at a rate, so it has two heights there. Between two rates both curves are straight,
    hence the gaps at these places decide the order everywhere.
    """
    at = np.union1d(a.x, b.x)
    gap = np.stack(_heights(a, at), 1) - np.stack(_heights(b, at), 1)
    return np.repeat(at, 2), gap.ravel()


def _heights(line: Line, at: Array) -> tuple[Array, Array]:
    """Return the height of a curve just before and just after each rate; they differ where it rises vertically."""
    after = np.interp(at, line.x, line.y)  # of several points at one rate np.interp takes the last
    before = np.interp(-at, -line.x[::-1], line.y[::-1])  # so from the right it takes the first
    return before, after


def crossings(at: Array, gap: Array) -> tuple[float, ...]:
    """The rates where the lead changes; where curves run together first, the end of that stretch."""
    led = np.flatnonzero(np.abs(gap) > ROUNDING)
    change = np.flatnonzero(np.sign(gap[led[:-1]]) != np.sign(gap[led[1:]]))
    before, after = led[change], led[change + 1]
    share = gap[before] / (gap[before] - gap[after])
    straight = at[before] + share * (at[after] - at[before])
    rates = np.where(after - before > 1, at[after - 1], straight)
    return tuple(rates.tolist())


@verb
def dominance(p1: Predictions, p2: Predictions) -> Dominance:
    """Which of two models dominates in ROC space, or at which false positive rates their curves cross.

    Parameters
    ----------
    p1
        Predictions of the first model.
    p2
        Predictions of the second, on the same rows.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> vc.dominance(p, p)
    Dominance(a='the first', b='the second', relation='equal', crossings=())
    """
    for p in (p1, p2):
        require_one_model(
            check_predictions(p, "dominance"), "dominance", "give the predictions of a hold-out, or of one fold"
        )
    names = (p1.name, p2.name) if p1.name != p2.name else ("the first", "the second")
    a, b = (operating_points(name, p, "dominance") for name, p in zip(names, (p1, p2), strict=True))
    return verdict(Line(a.name, a.fpr, a.tpr), Line(b.name, b.fpr, b.tpr))


NOBODY, EVERYBODY = "predict nobody", "predict everybody"
COST_ROUNDING = 1e-12  # relative: expected costs closer than this are the same


@dataclass(frozen=True)
class BestFor:
    """A vertex of the hull: the model and threshold that cost least while the slope lies in a range."""

    model: str
    threshold: float | None
    fpr: float
    tpr: float
    slope_low: float
    slope_high: float
    prior_low: float
    prior_high: float

    @property
    def rule(self) -> str:
        """The model and, where it has one, its threshold."""
        bare = self.threshold is None or np.isinf(self.threshold)
        return self.model if bare else f"{self.model} at threshold {self.threshold:.4g}"

    def __str__(self) -> str:
        return (
            f"{self.rule} (FPR {self.fpr:.4g}, TPR {self.tpr:.4g}) is best for slopes "
            f"{self.slope_low:.4g} to {self.slope_high:.4g}, priors {self.prior_low:.4g} to {self.prior_high:.4g}"
        )


@dataclass(frozen=True, eq=False)
class Hull:
    """Vertices from (0, 0) to (1, 1), each with the index of its model and of its point there."""

    fpr: Array
    tpr: Array
    model: Array
    point: Array

    @property
    def slopes(self) -> Array:
        """Slope of each edge, falling; the first may be infinite."""
        with np.errstate(divide="ignore"):
            return np.diff(self.tpr) / np.diff(self.fpr)


def hull_of_all(models: tuple[RocPoints, ...]) -> Hull:
    """The hull of all points of all models; where models share a point, the first is named."""
    model = np.repeat(np.arange(len(models)), [len(m.hull) for m in models])
    point = np.concatenate([m.hull for m in models])
    fpr, tpr = (np.concatenate([getattr(m, rate)[m.hull] for m in models]) for rate in ("fpr", "tpr"))
    x, y = fpr, tpr
    if len({(m.positives, m.negatives) for m in models}) == 1:  # counts of the same rows compare exactly, rates do not
        x, y = (np.concatenate([getattr(m.ordering, count)[m.hull] for m in models]) for count in ("fp", "tp"))
    order = np.lexsort((model, y, x))
    fresh = np.concatenate([[True], (np.diff(x[order]) != 0) | (np.diff(y[order]) != 0)])
    order = order[fresh]
    vertex = order[upper_chain(x[order], y[order])]
    return Hull(fpr[vertex], tpr[vertex], model[vertex], point[vertex])


def hull_over_lines(each: tuple[RocPoints, ...]) -> tuple[Line, tuple[BestFor, ...]]:
    """Return the hull over several lines of one chart, and what its vertices are best for at equal costs."""
    hull = hull_of_all(each)
    return Line("hull", hull.fpr, hull.tpr), best_for(each, hull, Conditions.for_models(each, None, 1.0, 1.0))


def best_for(models: tuple[RocPoints, ...], hull: Hull, under: Conditions) -> tuple[BestFor, ...]:
    """The hull's vertices with the range of slopes, and of priors at these costs, where each is best.

    A corner from which the hull rises straight up, or to which it runs level, is best nowhere and left out.
    """
    slopes = np.concatenate([[np.inf], hull.slopes, [0.0]])
    rows = []
    for i, (m, k) in enumerate(zip(hull.model, hull.point, strict=True)):
        name, threshold = models[m].name, models[m].threshold_at(int(k))
        if i in (0, len(hull.point) - 1):  # the two rules that need no model
            name, threshold = (EVERYBODY, -np.inf) if i else (NOBODY, np.inf)
        high, low = float(slopes[i]), float(slopes[i + 1])
        if not high > low:
            continue
        priors = under.prior_at(high), under.prior_at(low)
        rows.append(BestFor(name, threshold, float(hull.fpr[i]), float(hull.tpr[i]), low, high, *priors))
    return tuple(rows)


def optimal_vertices(rows: tuple[BestFor, ...], under: Conditions) -> tuple[tuple[BestFor, ...], float]:
    """The vertices of least expected cost (two when a whole edge ties) and that cost."""
    costs = under.cost(np.array([row.fpr for row in rows]), np.array([row.tpr for row in rows]))
    least = float(costs.min())
    scale = max(under.prior * under.cost_fn, (1 - under.prior) * under.cost_fp)
    return tuple(rows[i] for i in np.flatnonzero(costs <= least + COST_ROUNDING * scale)), least


@curve("ROC convex hull", needs=CRISP_TOO, cite=("provost2001", "fawcett2006"))
def roc_hull(models: Models, *, prior: float | None = None, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Curve:
    """One upper hull over all models in ROC space, the cost-optimal point on it and the line of equal cost through it.

    The vertices of the hull say which model at which threshold is best for which costs and prior. `prior` is the share
    of positive rows to expect, by default that of the rows given. A model that is worse than chance is shown inverted
    too, predicting the positive class up to a threshold in place of from there on, and the hull goes over that.
    """
    each = all_operating_points(models, "roc_hull")
    under = Conditions.for_models(each, prior, cost_fp, cost_fn)
    inverted = {m.name: m.inverted for m in each if np.trapezoid(m.tpr, m.fpr) < 0.5}  # worse than chance
    tried = (*each, *inverted.values())
    hull = hull_of_all(tried)
    rows = best_for(tried, hull, under)
    best, cost = optimal_vertices(rows, under)
    facts: dict[str, Any] = {"best_for": rows, "optimal": best, "expected_cost": cost, "slope": under.slope}
    facts |= {"prior": under.prior, "hull_area": float(np.trapezoid(hull.tpr, hull.fpr))}
    if len(each) == 2:
        facts["dominance"] = verdict(*(Line(m.name, m.fpr, m.tpr) for m in each))
    says = f"{' or '.join(row.rule for row in best)}: expected cost {cost:.4g} per row"
    best_mark = Mark("least cost", best[0].fpr, best[0].tpr, best[0].threshold, says)
    left = max(0.0, best[0].fpr - best[0].tpr / under.slope)  # of the part inside the unit square
    ends = np.array([left, min(1.0, best[0].fpr + (1 - best[0].tpr) / under.slope)])
    equal_cost = Line("equal cost", ends, np.clip(best[0].tpr + under.slope * (ends - best[0].fpr), 0, 1))
    turned = tuple(Line(m.name, m.fpr, m.tpr, of=of) for of, m in inverted.items())
    return Curve(
        "roc_hull",
        "ROC convex hull",
        "False positive rate",
        "True positive rate",
        lines=tuple(Line(m.name, m.fpr, m.tpr, m.thresholds) for m in each if not m.crisp),
        guides=(diagonal(), Line("hull", hull.fpr, hull.tpr), *turned, equal_cost),
        marks=(*_hull_marks(tried, rows), best_mark),
        facts=facts,
        x_range=UNIT,
        y_range=UNIT,
        notes=_notes(best, under, prior, tuple(inverted)),
    )


def _hull_marks(tried: tuple[RocPoints, ...], rows: tuple[BestFor, ...]) -> Iterator[Mark]:
    """The point of each model of labels, and the middle corner that the hull has of each other: what it is best for."""
    if len(tried) == 1 and not tried[0].crisp:
        return  # all of the hull is its own
    for m in tried:
        own = [row for row in rows if row.model == m.name]
        ranges: list[tuple[float, float]] = []  # of priors, those that meet as one
        for row in own:
            low = ranges.pop()[0] if ranges and ranges[-1][1] == row.prior_low else row.prior_low
            ranges.append((low, row.prior_high))
        text = ", ".join(f"{low:.3g} to {high:.3g}" for low, high in ranges)
        says = f"best for priors {text}" if own else ""
        of = m.name.removesuffix(INVERTED)
        if m.crisp:
            yield Mark(m.name, float(m.fpr[1]), float(m.tpr[1]), says="; ".join(filter(None, ("labels only", says))))
        elif own:
            middle = own[len(own) // 2]
            yield Mark(m.name, middle.fpr, middle.tpr, middle.threshold, says, of=of)


def _notes(
    best: tuple[BestFor, ...], under: Conditions, prior: float | None, inverted: tuple[str, ...]
) -> tuple[Note, ...]:
    says = "hull and best point are read off the same rows: on new rows they will do a little worse"
    notes = [Note("same-rows", "caution", says)]
    if prior is None:
        says = f"the prior is the share of positive rows here, {under.prior:.4g}: give `prior=` if it will differ"
        notes.append(Note("prior-from-rows", "remark", says))
    if len(best) > 1:
        ends = " to ".join(f"({row.fpr:.4g}, {row.tpr:.4g})" for row in (best[0], best[-1]))
        says = f"the whole edge of the hull from {ends} costs the same at slope {under.slope:.4g}"
        notes.append(Note("tied-edge", "remark", says))
    for name in inverted:
        says = f"{name} is worse than chance here: {name}{INVERTED} predicts the positive class where it does not"
        notes.append(Note("inverted", "caution", says))
    return tuple(notes)


SAME_ROWS = Note(
    "same-rows",
    "caution",
    "the threshold is chosen at each point on the same rows: on new rows costs will be a little higher",
)


@dataclass(frozen=True)
class Stretch:
    """A straight part of the envelope: the threshold that costs least there."""

    x_low: float
    x_high: float
    threshold: float | None
    fpr: float
    tpr: float


@dataclass(frozen=True, eq=False)
class Envelope:
    """The lower envelope of one model's thresholds: where it bends, and the point in ROC space behind each part."""

    bends: Array
    fpr: Array
    tpr: Array

    def part(self, x: Array | float) -> Array:
        """Which straight part covers x; at a bend the one to its right."""
        return np.searchsorted(self.bends, x, side="right")

    def height(self, x: Array | float) -> Array:
        part = self.part(x)
        return normalised_cost(self.fpr[part], self.tpr[part], x)


def normalised_cost(fpr: Array, tpr: Array, x: Array | float) -> Array:
    """Expected cost as a share of the largest possible one, at the probability-cost x of the positive class."""
    return (1 - tpr) * x + fpr * (1 - np.asarray(x))


def envelope(model: RocPoints) -> Envelope:
    """A threshold is on the lower envelope exactly when its point is a vertex of the ROC hull."""
    fpr, tpr = model.fpr[model.hull], model.tpr[model.hull]
    wide, tall = np.diff(fpr), np.diff(tpr)
    return Envelope(wide / (wide + tall), fpr, tpr)


@curve("Cost curve", needs=CRISP_TOO, cite=("drummond2006",))
def cost_curve(models: Models, *, prior: float | None = None, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Curve:
    """Least expected cost over all thresholds against how much missing a positive row matters.

    The horizontal axis joins prior and costs in one number, `prior * cost_fn / (prior * cost_fn + (1 - prior) *
    cost_fp)`; the marks show the conditions asked for, by default those of the rows with equal costs.
    """
    each = all_operating_points(models, "cost_curve")
    under = Conditions.for_models(each, prior, cost_fp, cost_fn)
    x = 1 / (1 + under.slope)
    envelopes = {m.name: envelope(m) for m in each}
    heights = {name: float(edge.height(x)) for name, edge in envelopes.items()}
    facts = {
        "x": x,
        "cost": heights,
        "best": min(heights, key=lambda name: heights[name]),
        "stretches": {m.name: _stretches(m, envelopes[m.name]) for m in each},
    }
    lines = []
    for m, edge in zip(each, envelopes.values(), strict=True):  # the bends and both ends
        bends = np.concatenate([[0.0], edge.bends, [1.0]])
        part = np.concatenate([np.arange(len(edge.fpr)), [len(edge.fpr) - 1]])  # in use to the right of each point
        heights_there = normalised_cost(edge.fpr[part], edge.tpr[part], bends)
        thresholds = None if m.thresholds is None else m.thresholds[m.hull][part]
        lines.append(Line(m.name, bends, heights_there, thresholds))
    ends = np.array(UNIT)
    return Curve(
        "cost_curve",
        "Cost curve",
        "Probability-cost of the positive class",
        "Normalised expected cost",
        lines=tuple(lines),
        guides=(diagonal("predict nobody"), Line("predict everybody", ends, 1 - ends)),
        marks=tuple(
            Mark(m.name, x, cost, m.threshold_at(int(m.hull[envelopes[m.name].part(x)])), f"cost {cost:.4g}")
            for m, cost in zip(each, heights.values(), strict=True)
        ),
        facts=facts,
        x_range=UNIT,
        y_range=(0.0, 0.5),
        notes=(SAME_ROWS,),
    )


def _stretches(model: RocPoints, edge: Envelope) -> tuple[Stretch, ...]:
    ends = pairwise([0.0, *edge.bends.tolist(), 1.0])
    points = zip(ends, model.hull, edge.fpr.tolist(), edge.tpr.tolist(), strict=True)
    return tuple(Stretch(low, high, model.threshold_at(int(at)), fpr, tpr) for (low, high), at, fpr, tpr in points)
