"""Curves of an ordering as lists: how many of the wanted rows are found by going down it."""

from __future__ import annotations

from veracity.core.errors import BadInput
from veracity.curves.entry import CRISP_TOO, Models, curve
from veracity.curves.series import (
    UNIT,
    Polyline,
    Series,
    defined_series,
    diagonal,
    guide_lines,
    score_of_each,
    series,
    title,
)
from veracity.findings.curve import Curve, Line
from veracity.records.arrays import Array


@curve(
    "Gain curve",
    needs=CRISP_TOO,
    cite=("witten2011",),
    aliases="gain_chart, gains_chart, gains, cumulative_gains, cumulative_gain, capture_curve,"
    " cumulative_accuracy_profile, cap_curve",
    keywords="Lorenz curve, response curve",
)
def gain(models: Models) -> Curve:
    """Share of the positive rows found against share of rows selected."""
    every, notes = defined_series(series(models), "gain", negatives=False)
    lines = tuple(Line(one.name, _rows_selected(one, share=True), _share_found(one), one.thresholds) for one in every)
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


def _rows_selected(one: Series, share: bool = False) -> Array:
    rows = one.ordering.tp + one.ordering.fp
    return rows / rows[-1] if share else rows


def _share_found(one: Series) -> Array:
    return one.ordering.tp / one.ordering.tp[-1]


@curve(
    "Lift chart", needs=CRISP_TOO, cite=("witten2011",), aliases="lift_curve, lift_diagram", keywords="direct marketing"
)
def lift_chart(models: Models) -> Curve:
    """Number of positive rows found against number of rows selected."""
    every, notes = defined_series(series(models), "lift_chart", negatives=False)
    lines = tuple(Line(one.name, _rows_selected(one), one.ordering.tp, one.thresholds) for one in every)
    return Curve(
        "lift_chart",
        title("Lift chart", models),
        "Rows selected",
        "Positive rows found",
        lines,
        (*guide_lines(every, _random_guide, "chance"), *guide_lines(every, _perfect_guide, "perfect")),
        x_range=(0.0, max(float(line.x[-1]) for line in lines)),
        y_range=(0.0, max(float(line.y[-1]) for line in lines)),
        notes=notes,
    )


def _random_guide(one: Series) -> Polyline:
    return (0, float(_rows_selected(one)[-1])), (0, float(one.ordering.tp[-1]))


def _perfect_guide(one: Series) -> Polyline:
    hits = float(one.ordering.tp[-1])
    return (0, hits, float(_rows_selected(one)[-1])), (0, hits, hits)


@curve("True positive rate by number of false positives", needs=CRISP_TOO, cite=("fawcett2006",), aliases="roc50, froc")
def tpr_by_false_positives(models: Models, *, upto: float | None = None) -> Curve:
    """True positive rate against the number of false positives, for rare positives.

    The chart shows as many false positives as there are positive rows, or `upto`; the data is complete.
    """
    if upto is not None and not upto > 0:
        raise BadInput(f"tpr_by_false_positives: upto must be greater than 0, not {upto!r}")
    every, notes = defined_series(series(models), "tpr_by_false_positives", negatives=False)
    lines = tuple(Line(one.name, one.ordering.fp, _share_found(one), one.thresholds) for one in every)
    return Curve(
        "tpr_by_false_positives",
        title("True positive rate by number of false positives", models),
        "False positives",
        "True positive rate",
        lines,
        x_range=(0.0, float(upto or _axis_end(every))),
        y_range=UNIT,
        notes=notes,
    )


def _axis_end(every: tuple[Series, ...]) -> float:
    hits = max(float(one.ordering.tp[-1]) for one in every)
    return min(hits, max(float(one.ordering.fp[-1]) for one in every)) or 1.0
