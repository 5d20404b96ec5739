"""One upper hull over all models in ROC space: which model and threshold is best under which costs and prior."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.core.words import option
from veracity.curves.dominance import verdict
from veracity.curves.entry import CRISP_TOO, Models, curve
from veracity.curves.operating_points import INVERTED, Conditions, OperatingPoints, all_operating_points
from veracity.curves.series import UNIT, Series, diagonal
from veracity.findings.curve import Curve, Line, Mark
from veracity.kernels.sweep import upper_chain
from veracity.records.arrays import Array

NOBODY, EVERYBODY = "predict nobody", "predict everybody"
ROUNDING = 1e-12  # relative: expected costs closer than this are the same


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

    @property
    def area(self) -> float:
        return float(np.trapezoid(self.tpr, self.fpr))


def hull_of_all(models: tuple[OperatingPoints, ...]) -> Hull:
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


def hull_over_lines(every: Sequence[Series]) -> tuple[Line, tuple[BestFor, ...]]:
    """The hull over several lines of one chart, and what its vertices are best for at equal costs."""
    each = tuple(OperatingPoints(one.name, one.ordering, one.thresholds) for one in every)
    hull = hull_of_all(each)
    return Line("hull", hull.fpr, hull.tpr), best_for(each, hull, Conditions.for_models(each, None, 1.0, 1.0))


def best_for(models: tuple[OperatingPoints, ...], hull: Hull, under: Conditions) -> tuple[BestFor, ...]:
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
    return tuple(rows[i] for i in np.flatnonzero(costs <= least + ROUNDING * scale)), least


@curve(
    "ROC convex hull",
    needs=CRISP_TOO,
    cite=("provost2001", "fawcett2006"),
    aliases="rocch, convex_hull, upper_hull, roc_hull_curve",
    keywords="iso-performance line, iso-cost line",
)
def roc_hull(models: Models, *, prior: float | None = None, cost_fp: float = 1.0, cost_fn: float = 1.0) -> Curve:
    """One upper hull over all models in ROC space, the cost-optimal point on it and the line of equal cost through it.

    The vertices of the hull say which model at which threshold is best for which costs and prior. `prior` is the share
    of positive rows to expect, by default that of the rows given. A model that is worse than chance is shown inverted
    too, predicting the positive class up to a threshold in place of from there on, and the hull goes over that.
    """
    each = all_operating_points(models, "roc_hull")
    under = Conditions.for_models(each, prior, cost_fp, cost_fn)
    inverted = {m.name: m.inverted for m in each if m.below_chance}
    tried = (*each, *inverted.values())
    hull = hull_of_all(tried)
    rows = best_for(tried, hull, under)
    best, cost = optimal_vertices(rows, under)
    facts: dict[str, Any] = {"best_for": rows, "optimal": best, "expected_cost": cost, "slope": under.slope}
    facts |= {"prior": under.prior, "hull_area": hull.area}
    if len(each) == 2:
        facts["dominance"] = verdict(*(Line(m.name, m.fpr, m.tpr) for m in each))
    turned = tuple(Line(m.name, m.fpr, m.tpr, of=of) for of, m in inverted.items())
    return Curve(
        "roc_hull",
        "ROC convex hull",
        "False positive rate",
        "True positive rate",
        lines=tuple(Line(m.name, m.fpr, m.tpr, m.threshold) for m in each if not m.crisp),
        guides=(diagonal(), Line("hull", hull.fpr, hull.tpr), *turned, _equal_cost(best[0], under.slope)),
        marks=(*_hull_marks(tried, rows), _best_mark(best, cost)),
        facts=facts,
        x_range=UNIT,
        y_range=UNIT,
        notes=_notes(best, under, prior) + tuple(map(_inverted_note, inverted)),
    )


def _equal_cost(best: BestFor, slope: float) -> Line:
    """The part inside the unit square of the line of equal cost through a point."""
    left = max(0.0, best.fpr - best.tpr / slope)
    right = min(1.0, best.fpr + (1 - best.tpr) / slope)
    x = np.array([left, right])
    return Line("equal cost", x, np.clip(best.tpr + slope * (x - best.fpr), 0, 1))


def _hull_marks(tried: tuple[OperatingPoints, ...], rows: tuple[BestFor, ...]) -> Iterator[Mark]:
    """The point of each model of labels, and the middle corner that the hull has of each other: what it is best for."""
    if len(tried) == 1 and not tried[0].crisp:
        return  # all of the hull is its own
    for m in tried:
        own = [row for row in rows if row.model == m.name]
        says = f"best for priors {_prior_ranges(own)}" if own else ""
        of = m.name.removesuffix(INVERTED)
        if m.crisp:
            yield Mark(m.name, float(m.fpr[1]), float(m.tpr[1]), says="; ".join(filter(None, ("labels only", says))))
        elif own:
            middle = own[len(own) // 2]
            yield Mark(m.name, middle.fpr, middle.tpr, middle.threshold, says, of=of)


def _prior_ranges(own: list[BestFor]) -> str:
    """The ranges of priors, those that meet as one."""
    ranges: list[tuple[float, float]] = []
    for row in own:
        if ranges and ranges[-1][1] == row.prior_low:
            ranges[-1] = (ranges[-1][0], row.prior_high)
        else:
            ranges.append((row.prior_low, row.prior_high))
    return ", ".join(f"{low:.3g} to {high:.3g}" for low, high in ranges)


def _inverted_note(name: str) -> Note:
    says = f"{name} is worse than chance here: {name}{INVERTED} predicts the positive class where it does not"
    return Note("inverted", "caution", says)


def _best_mark(best: tuple[BestFor, ...], cost: float) -> Mark:
    first = best[0]
    says = f"{' or '.join(row.rule for row in best)}: expected cost {cost:.4g} per row"
    return Mark("least cost", first.fpr, first.tpr, first.threshold, says)


def _notes(best: tuple[BestFor, ...], under: Conditions, prior: float | None) -> tuple[Note, ...]:
    says = "hull and best point are read off the same rows: on new rows they will do a little worse"
    notes = [Note("same-rows", "caution", says)]
    if prior is None:
        says = (
            f"the prior is the share of positive rows here, {under.prior:.4g}: give {option('prior')} if it will differ"
        )
        notes.append(Note("prior-from-rows", "remark", says))
    if len(best) > 1:
        ends = " to ".join(f"({row.fpr:.4g}, {row.tpr:.4g})" for row in (best[0], best[-1]))
        says = f"the whole edge of the hull from {ends} costs the same at slope {under.slope:.4g}"
        notes.append(Note("tied-edge", "remark", says))
    return tuple(notes)
