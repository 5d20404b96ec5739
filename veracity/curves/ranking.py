"""Curves of an ordering as rates: what is found, and at what price, as the threshold moves down."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.curves import bands
from veracity.curves.between import between
from veracity.curves.classes import Series, score_of_each, series, title, with_rows
from veracity.curves.entry import Models, curve
from veracity.curves.guides import UNIT, crisp_marks, diagonal, guides, inverted
from veracity.curves.hull import over_all
from veracity.findings.curve import Curve, Line
from veracity.records.arrays import Array, ratio

CRISP_TOO = "value or label"
FAR = 9.0  # deviates: beyond any rate that can be counted


@curve("ROC curve", needs=CRISP_TOO, cite=("fawcett2006",))
def roc(models: Models, *, band: float | None = None, draws: int = bands.DRAWS, seed: int = 0) -> Curve:
    """True positive rate against false positive rate, one point per distinct value.

    `band=0.95` adds a pointwise bootstrap band. More than two classes give one line per class against the rest. A model
    that gives labels only is one point, joined to the corners; below the diagonal, its inversion is shown too. Several
    models get one hull over all of them; `best_for` among the facts names the best one for each cost and prior.
    """
    found, notes = with_rows(series(models), "roc", negatives=True)
    areas = score_of_each("auc", found)
    lines = tuple(_roc_line(one, f"AUC {areas[one.name]:.3f}") for one in found)
    marks = crisp_marks(found, lines)
    upside_down, mirrored = inverted(marks)
    around, said = bands.around(found, bands.recall_at, band, draws, seed)
    facts: dict[str, Any] = {"auc": areas}
    hull: tuple[Line, ...] = ()
    if 1 < len(found) == len(models):  # several models, one class
        line, facts["best_for"] = over_all(found)
        hull = (line,)
    return Curve(
        "roc",
        title("ROC curve", models),
        "False positive rate",
        "True positive rate",
        lines,
        (diagonal(), *hull, *upside_down, *around),
        marks + mirrored,
        facts,
        UNIT,
        UNIT,
        notes=notes + said,
    )


def _roc_line(one: Series, says: str) -> Line:
    o = one.ordering
    # divided by the last cumulated weight, so that the end is exactly (1, 1)
    return Line(one.name, o.fp / o.fp[-1], o.tp / o.tp[-1], one.thresholds, says=says)


@curve("Precision-recall curve", needs=CRISP_TOO, cite=("davis2006",))
def precision_recall(models: Models, *, band: float | None = None, draws: int = bands.DRAWS, seed: int = 0) -> Curve:
    """Precision against recall, from the first block of rows on.

    Between points the counts are interpolated, not the ratios: the way there is curved. `band=0.95` adds a pointwise
    bootstrap band.
    """
    found, notes = with_rows(series(models), "precision_recall", negatives=False)
    means = score_of_each("average_precision", found)
    lines = tuple(_precision_line(one, f"AP {means[one.name]:.3f}") for one in found)
    around, said = bands.around(found, bands.precision_at, band, draws, seed)
    return Curve(
        "precision_recall",
        title("Precision-recall curve", models),
        "Recall",
        "Precision",
        lines,
        (*guides(found, lambda one: (UNIT, (one.prevalence, one.prevalence)), "chance"), *around),
        crisp_marks(found, lines, point=0),
        {"average_precision": means, "prevalence": {one.name: one.prevalence for one in found}},
        UNIT,
        UNIT,
        notes=notes + said,
    )


def _precision_line(one: Series, says: str) -> Line:
    """From the first block on: with nothing selected there is no precision."""
    true, false = one.ordering.tp[1:], one.ordering.fp[1:]
    thresholds = None if one.thresholds is None else one.thresholds[1:]
    way = between(one, first=1)
    path = None if way is None else (way[0] / true[-1], ratio(way[0], way[0] + way[1]))
    return Line(one.name, true / true[-1], ratio(true, true + false), thresholds, says=says, path=path)


@curve("Detection error trade-off", needs=CRISP_TOO, cite=("martin1997",))
def det(models: Models) -> Curve:
    """False negative rate against false positive rate, both as normal deviates.

    A rate of 0 or 1 is infinitely far away: it is kept as such, and drawn at the limit of the axis.
    """
    found, notes = with_rows(series(models), "det", negatives=True)
    rates = score_of_each("equal_error_rate", found)
    lines = tuple(_deviate_line(one, f"equal error {rates[one.name]:.3f}") for one in found)
    reach = _reach(lines)
    return Curve(
        "det",
        title("Detection error trade-off", models),
        "False positive rate (%)",
        "False negative rate (%)",
        lines,
        (Line("chance", np.array([-FAR, FAR]), np.array([FAR, -FAR])),),
        crisp_marks(found, lines),
        {"equal_error_rate": rates},
        reach,
        reach,
        "normal",
        (*notes, _at_the_limit(lines)),
    )


def _deviate_line(one: Series, says: str) -> Line:
    o, way = one.ordering, between(one)
    path = None if way is None else _deviates(*way)
    return Line(one.name, *_deviates(o.tp, o.fp), one.thresholds, says=says, path=path)


def _deviates(true: Array, false: Array) -> tuple[Array, Array]:
    from scipy.special import ndtri

    return ndtri(false / false[-1]), ndtri((true[-1] - true) / true[-1])  # not 1 - rate: small rates keep their digits


def _reach(lines: tuple[Line, ...]) -> tuple[float, float]:
    """Both axes show every point that is finite in both, and at least from 1 % to 50 %."""
    every = np.concatenate([np.stack([line.x, line.y]) for line in lines], 1)
    finite = every[:, np.isfinite(every).all(0)]
    low, high = NormalDist().inv_cdf(0.01), 0.0
    return float(finite.min(initial=low) - 0.25), float(finite.max(initial=high) + 0.25)


def _at_the_limit(lines: tuple[Line, ...]) -> Note:
    number = sum(int((np.isinf(line.x) | np.isinf(line.y)).sum()) for line in lines)
    says = f"points with a rate of 0 or 1, infinite here and drawn at the axis limit: {number}"
    return Note("infinite", "remark", says)
