"""What a page shows of predictions: curves, the explorer of thresholds, and confusion matrices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from veracity.core.errors import VeracityError
from veracity.core.words import percent, plural
from veracity.curves import curves as catalogue
from veracity.curves.over_folds import ChartedModels, make_curve
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve
from veracity.plots.chart_layout import is_crowded
from veracity.reports.material import Material
from veracity.reports.page import Block, Explorer, Fold, Grid, Picture, Pictures, Section, Words, fold_by_name
from veracity.reports.svg.chart import chart, panels
from veracity.reports.svg.matrices import count_matrix
from veracity.risk.breakdowns import per_class

KINDS = ("roc", "precision_recall", "gain", "lift_chart", "det", "calibration", "cost_curve")
NUMERIC = ("predicted_actual", "residuals", "error_distribution")
CHARTED_DATA, CHARTED_DATA_OF_MANY = 6, 2  # data sets with curves, and of many models; the explorer has the others
OPEN_CHARTS = 3  # charts of a data set that are not folded away, where there are several data sets
MODELS_ON_A_CHART = 12  # models on one chart
NAMED_LINES = 6  # lines that every chart of a page names, so that it can be read alone; of more, one chart does
BANDED_MODELS = 3  # models on one chart, up to which bands can be told apart
MAX_THRESHOLDS = 14_000  # thresholds on the whole page, so that it stays small whatever the number of rows
MIN_THRESHOLDS_EACH, MAX_THRESHOLDS_EACH = 20, 400
MAX_CLASSES = 12  # classes of a matrix that can be read
MAX_MATRICES = 60  # matrices on a page
ABOUT_MATRICES = (
    "Rows are the truth, columns what the model said; a cell is the darker the larger its share of its row."
)


def curve_section(material: Material) -> Section | None:
    """The curves of the first data sets, all models on one chart, and those that were made already."""
    blocks: list[Block] = [Words(material.shown)] if material.shown and material.models else []
    if material.charts:
        blocks += _all_pictures(material.charts)
    best = () if material.ranking is None else material.ranking.best_first
    parts: dict[str, list[Block]] = {}
    others, dropped = [], 0
    for data, named in material.models.items():
        models = {name or "the model": p for name, p in named.items()}
        if len(parts) == (CHARTED_DATA if len(models) <= MODELS_ON_A_CHART else CHARTED_DATA_OF_MANY):
            ordered = any(map(has_order, models.values()))
            others += [data] if ordered else []
            dropped += not ordered and any(p.kind == "numbers" for p in models.values())
            continue
        few = len(models) <= MODELS_ON_A_CHART  # more lines cannot be told apart
        first = [name for name in best if name in models] or list(models)
        curves = _curves_of(models if few else {name: models[name] for name in first[:MODELS_ON_A_CHART]}, folds=few)
        if curves:
            left_out = [] if few else [Words(_left_out(models, best))]
            parts[data] = [*left_out, *_all_pictures(curves, len(material.models) > 1)]
    blocks += fold_by_name(parts)
    if others:
        blocks.append(Words(f"The curves of {', '.join(others)} are in the explorer below, one model at a time."))
    if dropped:
        blocks.append(Words(f"Those of {plural(dropped, 'other data set')} are left out to keep the page short."))
    return Section("curves", "Curves", tuple(blocks)) if parts or material.charts else None


def _left_out(models: Mapping[str, Predictions], best: Sequence[str]) -> str:
    which = "that rank best" if any(name in models for name in best) else "that come first"
    where = "the explorer below has the others" if any(map(has_order, models.values())) else "curve(...) draws any"
    shown = f"the {MODELS_ON_A_CHART} of {len(models)} models {which}"
    return f"Curves are of {shown}, by the average of their folds; {where}."


def _curves_of(models: Mapping[str, Predictions], folds: bool) -> list[Curve]:
    """Return every kind that these predictions allow, with lines for `folds` or without.

    Few fixed models have the band that drawings of the kind have, where there are rows enough for one.
    """
    first = next(iter(models.values()))
    banded = len(models) <= BANDED_MODELS and all(p.provenance == "one model" for p in models.values())
    kinds = NUMERIC if first.kind == "numbers" else KINDS if first.binary else ()
    curves, charted = [], ChartedModels(models)
    for kind in kinds:
        choice = catalogue.choose(kind)
        band = dict(choice.drawn).get("band") if banded else None
        for setting in ([choice.setting(band=band)] if band is not None else []) + [choice]:
            with suppress(VeracityError):
                curve = make_curve(setting, charted)
                guides = curve.guides if folds else tuple(guide for guide in curve.guides if not guide.of)
                curves.append(replace(curve, guides=guides))
                break
    return curves


def _all_pictures(curves: Sequence[Curve], short: bool = False) -> list[Block]:
    """Charts side by side, then of many models' calibration a small one for each; `short`, some are folded away."""
    plain = [curve for curve in curves if not is_crowded(curve)]
    charts = [Picture(chart(curve, _needs_names(curve, plain)), curve.title) for curve in plain]
    first = OPEN_CHARTS if short else len(charts)
    blocks: list[Block] = [Pictures(tuple(charts[:first]))] if charts else []
    for curve in filter(is_crowded, curves):
        axes = f"{curve.y_title.lower()} against {curve.x_title.lower()}"
        level = next(iter(curve.facts["bins"].values()))[0].interval.level
        # those of several models of one learner have no intervals
        sure = f" with {percent(level)} intervals" if any(line.low is not None for line in curve.lines) else ""
        about = f"{curve.title} of each model{sure}: {axes}; bars: how many rows lie in each bin"
        small = tuple(Picture(drawn, name) for name, drawn in panels(curve).items())
        blocks += [Words(about), Pictures(small)]
    rest = charts[first:]
    names = ", ".join(one.caption.lower() for one in rest)
    return [*blocks, Fold(f"{names[:1].upper()}{names[1:]}", (Pictures(tuple(rest)),))] if rest else blocks


def _needs_names(curve: Curve, beside: Sequence[Curve]) -> bool:
    """Return whether its legend names the lines; of charts of the same many the first does, and those that say more."""
    first = beside[0]
    if 1 < len(curve.lines) <= NAMED_LINES or curve is first:
        return True
    same = [line.name for line in curve.lines] == [line.name for line in first.lines]
    return not same or len({line.says for line in curve.lines}) > 1


def explorer_section(material: Material) -> Section | None:
    """One slider over the thresholds of every model of two classes that has values to order rows by."""
    models = [
        (f"{data} · {name}" if data and name else data or name or "the model", p)
        for data, by_name in material.models.items()
        for name, p in by_name.items()
        if has_order(p)
    ]
    if not models:
        return None
    most = int(np.clip(MAX_THRESHOLDS / len(models), MIN_THRESHOLDS_EACH, MAX_THRESHOLDS_EACH))
    data = {"models": [counts(name, p, most) for name, p in models]}
    says = (
        "Move the threshold, or type what mistakes cost and how common positives are where the model will be used:"
        " the counts are exact for these rows, and everything else follows from them."
        " A threshold chosen here was chosen on these rows: its cost is optimistic."
    )
    if any(p.provenance == "several models" for _, p in models):
        says += " Each fold had a model of its own, and one threshold cuts the values of all of them."
    return Section("explorer", "Threshold and cost explorer", (Words(says), Explorer(data)))


def has_order(p: Predictions) -> bool:
    """Whether a threshold can be moved through its rows, of which it is known what they are."""
    known = p.kind == "classes" and p.binary and p.labelled != "positives" and len(p) > 0
    return known and bool({"proba", "value"} & set(p.offers)) and p.weights is None


def counts(name: str, p: Predictions, most: int = MAX_THRESHOLDS_EACH) -> dict[str, Any]:
    """Return true and false positives at so many thresholds at most, the strictest first, which selects no row."""
    positive, order = p.named_positive, p.ordering
    assert order.values is not None
    blocks = len(order.positives)
    places = list(range(blocks + 1))  # blocks selected at each step: none, then evenly to all
    if blocks >= most:
        selected = order.tp + order.fp
        steps = np.searchsorted(selected, np.linspace(0, selected[-1], most))
        places = np.unique(np.append(steps, blocks)).tolist()
    values = [*order.values.tolist(), -math.inf]
    pairs = [(values[place - 1], values[place]) for place in places[1:]]
    thresholds = [None, *(shortest_between(value, below) for value, below in pairs)]
    standard = 0.5 if p.proba is not None else 0.0
    # at a probability of one half a row is of the first class
    tie: Literal["left", "right"] = "left" if p.proba is not None and positive == 1 else "right"
    above = int(np.searchsorted(-order.values, -standard, side=tie))
    start = int(np.searchsorted(places, above, side="right")) - 1
    return {
        "name": name,
        "positive": str(p.classes[positive]),
        "negative": str(p.classes[1 - positive]),
        "positives": int(order.all_positives),
        "negatives": int(order.all_negatives),
        "thresholds": thresholds,
        "tp": [int(order.tp[place]) for place in places],
        "fp": [int(order.fp[place]) for place in places],
        "start": max(start, 0),
    }


def shortest_between(value: float, below: float) -> float:
    """The shortest number that selects the same rows: at most the value, above the one below it."""
    for digits in range(1, 17):
        short = float(f"{value:.{digits}g}")
        if below < short <= value:
            return short
    return value


def confusion_section(material: Material) -> Section | None:
    """One matrix for each model, by data set."""
    parts: dict[str, tuple[Block, ...]] = {}
    number = 0
    for data, models in material.models.items():
        shown = {}
        for name, p in models.items():  # of which labels were predicted for rows whose class is known
            has_labels = p.kind == "classes" and "label" in p.offers and p.labelled != "positives" and len(p) > 0
            if has_labels and len(p.classes) <= MAX_CLASSES:
                shown[name] = p
        number += len(shown)
        if shown and number <= MAX_MATRICES:
            pictures = Pictures(tuple(_matrix(name or "the model", p) for name, p in shown.items()))
            parts[data] = (pictures, *(_classes(shown, material) if not data else ()))
    return Section("confusion", "Confusion matrices", (Words(ABOUT_MATRICES), *fold_by_name(parts))) if parts else None


def _classes(models: Mapping[str, Predictions], material: Material) -> list[Block]:
    """Scores of each class of a file's models, where there are more than two."""
    several = {name: p for name, p in models.items() if len(p.classes) > 2}
    if not several:
        return []
    known = [row.interval.level for row in material.estimates or () if row.interval is not None]
    alone = next(iter(several.values())) if len(models) == 1 else several
    return [Grid(per_class(alone, level=known[0] if known else 0.95).table())]


def _matrix(name: str, p: Predictions) -> Picture:
    counts = p.confusion().cells.reshape(len(p.classes), len(p.classes))
    classes = [str(label) for label in p.classes]
    return Picture(count_matrix(counts, classes, f"confusion matrix of {name}"), name)
