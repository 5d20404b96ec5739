"""Curves of an ordering as a list: how many of the wanted rows are found by going down it, and what that brings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.curves import CRISP_TOO, Models, curve
from veracity.curves.operating_points import (
    UNIT,
    RocPoints,
    all_operating_points,
    defined_points,
    diagonal,
    guide_lines,
    score_of_each,
    shared_guides,
    title,
)
from veracity.findings.curve import Curve, Line, Mark
from veracity.records.arrays import Array


@curve("Gain curve", needs=CRISP_TOO, cite=("witten2011",))
def gain(models: Models) -> Curve:
    """Share of the positive rows found against share of rows selected."""
    every, notes = defined_points(models, "gain")
    lines = tuple(Line(one.name, _share_selected(one), one.tpr, one.thresholds) for one in every)
    known = all(p.labelled == "all" for p in models.values())  # else the number of positive rows is not
    perfect = guide_lines(every, lambda one: ((0, one.prevalence, 1), (0, 1, 1)), "perfect") if known else ()
    return Curve(
        "gain",
        title("Cumulative gain", models),
        "Share of rows selected",
        "Share of positive rows found",
        lines,
        (diagonal(), *perfect),
        facts={"gain_area": score_of_each("gain_area", every)},
        x_range=UNIT,
        y_range=UNIT,
        notes=notes,
    )


def _share_selected(one: RocPoints) -> Array:
    return one.selected / one.selected[-1]


@curve("Lift chart", needs=CRISP_TOO, cite=("witten2011",))
def lift_chart(models: Models) -> Curve:
    """Number of positive rows found against number of rows selected."""
    every, notes = defined_points(models, "lift_chart")
    lines = tuple(Line(one.name, one.selected, one.ordering.tp, one.thresholds) for one in every)
    return Curve(
        "lift_chart",
        title("Lift chart", models),
        "Rows selected",
        "Positive rows found",
        lines,
        (
            *guide_lines(every, lambda one: ((0, float(one.selected[-1])), (0, one.positives)), "chance"),
            *guide_lines(
                every,
                lambda one: ((0, one.positives, float(one.selected[-1])), (0, one.positives, one.positives)),
                "perfect",
            ),
        ),
        x_range=(0.0, max(float(line.x[-1]) for line in lines)),
        y_range=(0.0, max(float(line.y[-1]) for line in lines)),
        notes=notes,
    )


@curve("True positive rate by number of false positives", needs=CRISP_TOO, cite=("fawcett2006",))
def tpr_by_false_positives(models: Models, *, upto: float | None = None) -> Curve:
    """True positive rate against the number of false positives, for rare positives.

    The chart shows as many false positives as there are positive rows, or `upto`; the data is complete.
    """
    if upto is not None and not upto > 0:
        raise BadInput(f"tpr_by_false_positives: upto must be greater than 0, not {upto!r}")
    every, notes = defined_points(models, "tpr_by_false_positives")
    axis_end = min(max(one.positives for one in every), max(one.negatives for one in every)) or 1.0
    lines = tuple(Line(one.name, one.ordering.fp, one.tpr, one.thresholds) for one in every)
    return Curve(
        "tpr_by_false_positives",
        title("True positive rate by number of false positives", models),
        "False positives",
        "True positive rate",
        lines,
        x_range=(0.0, float(upto or axis_end)),
        y_range=UNIT,
        notes=notes,
    )


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

    def profit(self, m: RocPoints) -> Array:
        """Return the profit of all rows at each threshold."""
        tp, fp = m.ordering.tp, m.ordering.fp
        brought = self.benefit_tp * tp + self.benefit_tn * (m.negatives - fp)
        spent = self.cost_fp * fp + self.cost_fn * (m.positives - tp) + self.cost_selected * m.selected
        return (brought - spent) * (1 if self.population is None else self.population / (m.positives + m.negatives))


@curve("Profit", needs=CRISP_TOO, cite=("witten2011",))
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
    lines = tuple(Line(m.name, _share_selected(m), money.profit(m), m.thresholds) for m in each)
    at_random = {line.name: (np.array(UNIT), line.y[[0, -1]]) for line in lines}
    best = {line.name: _best_share(m, line) for m, line in zip(each, lines, strict=True)}
    return Curve(
        "profit",
        "Profit",
        "Share of rows selected",
        "Profit",
        lines=lines,
        guides=shared_guides(at_random, "selected at random"),
        marks=tuple(Mark(name, each.share, each.profit, each.threshold, str(each)) for name, each in best.items()),
        facts={"best": best, "best_model": max(best, key=lambda name: best[name].profit)},
        x_range=(0.0, 1.0),
        notes=(SAME_ROWS,),
    )


def _best_share(model: RocPoints, line: Line) -> BestShare:
    top = line.y.max()
    point = int((line.y >= top - ROUNDING * np.abs(line.y).max()).argmax())  # shares rise: the first is the smallest
    share = float(line.x[point])
    lift = float(model.tpr[point] / share) if share > 0 else np.nan
    return BestShare(share, float(line.y[point]), model.threshold_at(point), lift)
