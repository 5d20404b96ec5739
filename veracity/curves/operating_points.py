"""What each model can be made to do: its points in ROC space, one per threshold, and which of them can be best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import option
from veracity.curves.entry import Models
from veracity.curves.series import series
from veracity.evidence.ordering import Ordering
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array
from veracity.scores.entry import UNLABELLED

INVERTED = " inverted"  # behind the name of a model whose answers are swapped


@dataclass(frozen=True, eq=False)
class OperatingPoints:
    """One model: true and false positives at each threshold, from selecting nobody to selecting everybody."""

    name: str
    ordering: Ordering
    threshold: Array | None  # None for a crisp model, whose one point comes from labels

    @property
    def crisp(self) -> bool:
        return self.threshold is None

    @property
    def positives(self) -> float:
        return float(self.ordering.tp[-1])  # as cumulated, so that the last rates are exactly 1

    @property
    def negatives(self) -> float:
        return float(self.ordering.fp[-1])

    @cached_property
    def fpr(self) -> Array:
        return self.ordering.fp / self.negatives

    @cached_property
    def tpr(self) -> Array:
        return self.ordering.tp / self.positives

    @property
    def below_chance(self) -> bool:
        """Whether the area under its points is smaller than that under the diagonal."""
        return bool(np.trapezoid(self.tpr, self.fpr) < 0.5)

    @property
    def inverted(self) -> OperatingPoints:
        """The same model with its answers swapped: it selects from the lowest value up."""
        o = self.ordering
        values = None if o.values is None else o.values[::-1]
        turned = Ordering(o.positives[::-1], o.negatives[::-1], values)
        threshold = None if self.threshold is None else np.concatenate([[-np.inf], self.threshold[:0:-1]])
        return OperatingPoints(f"{self.name}{INVERTED}", turned, threshold)

    @cached_property
    def hull(self) -> Array:
        """Which points are vertices of the model's own upper hull, from (0, 0) to (1, 1)."""
        return np.concatenate([[0], self.ordering.hull[0] + 1])

    def threshold_at(self, point: int) -> float | None:
        """The threshold of one point; None where a crisp model has none."""
        if point == 0:
            return np.inf
        if self.threshold is not None:
            return float(self.threshold[point])
        return None if point == 1 else -np.inf


def operating_points(name: str, p: Predictions, kind: str) -> OperatingPoints:
    """The operating points of one model for its positive class; both classes must have rows."""
    if p.kind != "classes":
        raise BadInput(f"{kind} is for classes, but the target of {name} is numeric")
    p.permits(kind, UNLABELLED)
    one, *others = series({name: p})
    if others:
        raise BadInput(f"{kind} speaks of one class against the rest: {option('positive')} one of {list(p.classes)}")
    points = OperatingPoints(name, one.ordering, one.thresholds)
    for what, rows in (("positive", points.positives), ("negative", points.negatives)):
        if not rows:
            raise BadInput(f"{kind}: {name} has no {what} rows, so its rates are undefined: both classes need rows")
    return points


def all_operating_points(models: Models, kind: str) -> tuple[OperatingPoints, ...]:
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
        cls, models: tuple[OperatingPoints, ...], prior: float | None, cost_fp: float, cost_fn: float
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
