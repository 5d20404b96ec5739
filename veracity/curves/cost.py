"""Expected cost against the conditions: the lower envelope of all thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from veracity.core.notes import Note
from veracity.curves.entry import CRISP_TOO, Models, curve
from veracity.curves.operating_points import Conditions, OperatingPoints, all_operating_points
from veracity.curves.series import UNIT, diagonal
from veracity.findings.curve import Curve, Line, Mark
from veracity.records.arrays import Array

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


def envelope(model: OperatingPoints) -> Envelope:
    """A threshold is on the lower envelope exactly when its point is a vertex of the ROC hull."""
    fpr, tpr = model.fpr[model.hull], model.tpr[model.hull]
    wide, tall = np.diff(fpr), np.diff(tpr)
    return Envelope(wide / (wide + tall), fpr, tpr)


@curve(
    "Cost curve",
    needs=CRISP_TOO,
    cite=("drummond2006",),
    aliases="cost_curves, drummond_holte",
    keywords="cost lines, rate-driven curve, normalised expected cost",
)
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
    ends = np.array(UNIT)
    return Curve(
        "cost_curve",
        "Cost curve",
        "Probability-cost of the positive class",
        "Normalised expected cost",
        lines=tuple(_line(m, envelopes[m.name]) for m in each),
        guides=(diagonal("predict nobody"), Line("predict everybody", ends, 1 - ends)),
        marks=tuple(_mark(m, envelopes[m.name], x, heights[m.name]) for m in each),
        facts=facts,
        x_range=UNIT,
        y_range=(0.0, 0.5),
        notes=(SAME_ROWS,),
    )


def _line(model: OperatingPoints, edge: Envelope) -> Line:
    """The bends and both ends; the threshold is the one in use to the right of each point."""
    x = np.concatenate([[0.0], edge.bends, [1.0]])
    part = np.concatenate([np.arange(len(edge.fpr)), [len(edge.fpr) - 1]])
    y = normalised_cost(edge.fpr[part], edge.tpr[part], x)
    return Line(model.name, x, y, None if model.threshold is None else model.threshold[model.hull][part])


def _mark(model: OperatingPoints, edge: Envelope, x: float, height: float) -> Mark:
    threshold = model.threshold_at(int(model.hull[edge.part(x)]))
    return Mark(model.name, x, height, threshold, f"cost {height:.4g}")


def _stretches(model: OperatingPoints, edge: Envelope) -> tuple[Stretch, ...]:
    ends = pairwise([0.0, *edge.bends.tolist(), 1.0])
    points = zip(ends, model.hull, edge.fpr.tolist(), edge.tpr.tolist(), strict=True)
    return tuple(Stretch(low, high, model.threshold_at(int(at)), fpr, tpr) for (low, high), at, fpr, tpr in points)
