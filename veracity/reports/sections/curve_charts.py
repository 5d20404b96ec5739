"""Curves of two classes: how a model trades one kind of mistake for the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from veracity.core.errors import VeracityError
from veracity.core.words import plural
from veracity.curves import curves as catalogue
from veracity.curves.of_folds import make_curve
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve
from veracity.plots.bin_sizes import is_crowded
from veracity.reports.material import Material
from veracity.reports.page import Block, Heading, Picture, Pictures, Section, Words
from veracity.reports.sections.explorer import has_order
from veracity.reports.svg.chart import chart
from veracity.reports.svg.panels import panels

KINDS = ("roc", "precision_recall", "gain", "lift_chart", "det", "calibration", "cost_curve")
NUMERIC = ("predicted_actual", "residuals", "error_distribution")
MOST = 2  # data sets whose curves stand on the page; the explorer has the others
TOGETHER = 12  # models on one chart
BANDED = 3  # models on one chart, up to which bands can be told apart


def curve_section(material: Material) -> Section | None:
    """The curves of the first data sets, all models on one chart, and those that were made already."""
    blocks: list[Block] = [Words(material.shown)] if material.shown and material.models else []
    if material.charts:
        blocks.append(Pictures(tuple(map(_picture, material.charts))))
    best = () if material.ranking is None else material.ranking.best_first
    shown, others, dropped = 0, [], 0
    for data, models in material.models.items():
        if shown == MOST:
            ordered = any(map(has_order, models.values()))
            others += [data] if ordered else []
            dropped += not ordered and any(p.kind == "numbers" for p in models.values())
            continue
        pictures = _pictures_of(_readable(models, best), folds=len(models) <= TOGETHER)
        if not pictures:
            continue
        shown += 1
        blocks += [Heading(data)] if data else []
        blocks += [Words(_left_out(models, best))] if len(models) > TOGETHER else []
        blocks.append(Pictures(tuple(one for one in pictures if not one.wide)))
        blocks += [one for one in pictures if one.wide]
    if others:
        blocks.append(Words(f"The curves of {', '.join(others)} are in the explorer below, one model at a time."))
    if dropped:
        blocks.append(Words(f"Those of {plural(dropped, 'other data set')} are left out to keep the page short."))
    return Section("curves", "Curves", tuple(blocks)) if shown or material.charts else None


def _readable(models: Mapping[str, Predictions], best: Sequence[str]) -> Mapping[str, Predictions]:
    """As many models as lines can be told apart: those that rank best, or else the first."""
    order = [name for name in best if name in models] or list(models)
    return models if len(models) <= TOGETHER else {name: models[name] for name in order[:TOGETHER]}


def _left_out(models: Mapping[str, Predictions], best: Sequence[str]) -> str:
    which = "that rank best" if any(name in models for name in best) else "that come first"
    where = "the explorer below has the others" if any(map(has_order, models.values())) else "curve(...) draws any"
    return f"Curves are of the {TOGETHER} of {len(models)} models {which}, by the average of their folds; {where}."


def _pictures_of(models: Mapping[str, Predictions], folds: bool) -> tuple[Picture, ...]:
    """Every kind that these predictions allow, with lines for `folds` or without."""
    first = next(iter(models.values()))
    fixed = all(p.provenance == "one model" for p in models.values())
    kinds = NUMERIC if first.kind == "numbers" else KINDS if first.binary else ()
    pictures = []
    for kind in kinds:
        try:
            spelled = f"{kind}(band=0.95)" if kind == "roc" and fixed and len(models) <= BANDED else kind
            curve = make_curve(catalogue.choose(spelled), models)
        except VeracityError:
            continue
        if not folds:
            curve = replace(curve, guides=tuple(guide for guide in curve.guides if not guide.of))
        pictures.append(_picture(curve))
    return tuple(pictures)


def _picture(curve: Curve) -> Picture:
    """One chart; of many models' calibration, a small one for each."""
    if not is_crowded(curve):
        return Picture(chart(curve), curve.title)
    level = next(iter(curve.facts["bins"].values()))[0].interval.level
    caption = f"{curve.title} of each model with {level:.0%} intervals; bars: how many rows lie in each bin"
    return Picture(panels(curve), caption)
