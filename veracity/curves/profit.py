"""Profit against the share of rows selected, when hits bring something and selecting costs something."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.curves.entry import CRISP_TOO, Models, curve
from veracity.curves.operating_points import OperatingPoints, all_operating_points
from veracity.findings.curve import Curve, Line, Mark
from veracity.records.arrays import Array

SAME_ROWS = Note(
    "same-rows",
    "caution",
    "the best share is read off the same rows: choose it on other rows to know what it will bring",
)
ROUNDING = 1e-12  # relative: profits closer than this are the same


@dataclass(frozen=True)
class BestShare:
    """The share of rows to select for the largest profit; the smallest one among equals."""

    share: float
    profit: float
    threshold: float | None
    lift: float  # of the rows selected; NaN when it is best to select nobody

    def __str__(self) -> str:
        return f"select {self.share:.1%} for {self.profit:.6g}"


@dataclass(frozen=True)
class Money:
    """What each kind of row brings or costs, and how many rows there will be."""

    benefit_tp: float
    benefit_tn: float
    cost_fp: float
    cost_fn: float
    cost_selected: float
    population: float | None

    def __post_init__(self) -> None:
        for name in ("benefit_tp", "benefit_tn", "cost_fp", "cost_fn", "cost_selected"):
            if not np.isfinite(getattr(self, name)):
                raise BadInput(f"profit: {name} must be a finite number, not {getattr(self, name)!r}")
        if self.population is not None and not (np.isfinite(self.population) and self.population > 0):
            raise BadInput(f"profit: population must be a finite number greater than 0, not {self.population!r}")

    def profit(self, tp: Array, fp: Array, positives: float, negatives: float) -> Array:
        """Of all rows, at each number of true and false positives."""
        brought = self.benefit_tp * tp + self.benefit_tn * (negatives - fp)
        spent = self.cost_fp * fp + self.cost_fn * (positives - tp) + self.cost_selected * (tp + fp)
        rows = positives + negatives
        return (brought - spent) * (1 if self.population is None else self.population / rows)


@curve(
    "Profit",
    needs=CRISP_TOO,
    cite=("witten2011",),
    aliases="profit_curve, profit_chart",
    keywords="ROI, return on investment",
)
def profit(
    models: Models,
    *,
    benefit_tp: float,
    benefit_tn: float = 0.0,
    cost_fp: float = 0.0,
    cost_fn: float = 0.0,
    cost_selected: float = 0.0,
    population: float | None = None,
) -> Curve:
    """Profit when the highest rows are selected, against the share selected; the best share of each model is marked.

    `cost_selected` is paid for every row selected, hit or not. The profit is that of the rows given, or of
    `population` rows like them.
    """
    each = all_operating_points(models, "profit")
    money = Money(benefit_tp, benefit_tn, cost_fp, cost_fn, cost_selected, population)
    lines = tuple(_line(m, money) for m in each)
    best = {line.name: _best(m, line) for m, line in zip(each, lines, strict=True)}
    return Curve(
        "profit",
        "Profit",
        "Share of rows selected",
        "Profit",
        lines=lines,
        guides=_random_guides(lines),
        marks=tuple(Mark(name, each.share, each.profit, each.threshold, str(each)) for name, each in best.items()),
        facts={"best": best, "best_model": max(best, key=lambda name: best[name].profit)},
        x_range=(0.0, 1.0),
        notes=(SAME_ROWS,),
    )


def _line(model: OperatingPoints, money: Money) -> Line:
    o = model.ordering
    y = money.profit(o.tp, o.fp, model.positives, model.negatives)
    share = (o.tp + o.fp) / (model.positives + model.negatives)
    return Line(model.name, share, y, model.threshold)


def _best(model: OperatingPoints, line: Line) -> BestShare:
    top = line.y.max()
    point = int((line.y >= top - ROUNDING * np.abs(line.y).max()).argmax())  # shares rise: the first is the smallest
    share = float(line.x[point])
    lift = float(model.tpr[point] / share) if share > 0 else np.nan
    return BestShare(share, float(line.y[point]), model.threshold_at(point), lift)


def _random_guides(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    """Straight lines from selecting nobody to selecting everybody; models on the same rows share one."""
    ends = {(float(line.y[0]), float(line.y[-1])): line.name for line in reversed(lines)}
    alone = len(ends) == 1
    return tuple(
        Line("selected at random" if alone else f"{name}: selected at random", np.array([0.0, 1.0]), np.array(pair))
        for pair, name in reversed(ends.items())
    )
