"""Curves of two classes: how a model trades one kind of mistake for the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from veracity.core.errors import VeracityError
from veracity.core.words import percent, plural
from veracity.curves import curves as catalogue
from veracity.curves.over_folds import ChartedModels, make_curve
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve
from veracity.plots.chart_layout import is_crowded
from veracity.reports.material import Material
from veracity.reports.page import Block, Fold, Picture, Pictures, Section, Words, fold_by_name
from veracity.reports.sections.explorer import has_order
from veracity.reports.svg.chart import chart
from veracity.reports.svg.panels import panels

KINDS = ("roc", "precision_recall", "gain", "lift_chart", "det", "calibration", "cost_curve")
NUMERIC = ("predicted_actual", "residuals", "error_distribution")
MOST, FEWER = 6, 2  # data sets whose curves stand on the page, and of many models; the explorer has the others
FIRST = 3  # charts of a data set that are not folded away, where there are several data sets
TOGETHER = 12  # models on one chart
NAMED = 6  # lines that every chart of a page names, so that it can be read alone; of more, one chart does
BANDED = 3  # models on one chart, up to which bands can be told apart


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
        if len(parts) == (MOST if len(models) <= TOGETHER else FEWER):
            ordered = any(map(has_order, models.values()))
            others += [data] if ordered else []
            dropped += not ordered and any(p.kind == "numbers" for p in models.values())
            continue
        curves = _curves_of(_readable(models, best), folds=len(models) <= TOGETHER)
        if curves:
            left_out = [Words(_left_out(models, best))] if len(models) > TOGETHER else []
            parts[data] = [*left_out, *_all_pictures(curves, len(material.models) > 1)]
    blocks += fold_by_name(parts)
    if others:
        blocks.append(Words(f"The curves of {', '.join(others)} are in the explorer below, one model at a time."))
    if dropped:
        blocks.append(Words(f"Those of {plural(dropped, 'other data set')} are left out to keep the page short."))
    return Section("curves", "Curves", tuple(blocks)) if parts or material.charts else None


def _readable(models: Mapping[str, Predictions], best: Sequence[str]) -> Mapping[str, Predictions]:
    """As many models as lines can be told apart: those that rank best, or else the first."""
    order = [name for name in best if name in models] or list(models)
    return models if len(models) <= TOGETHER else {name: models[name] for name in order[:TOGETHER]}


def _left_out(models: Mapping[str, Predictions], best: Sequence[str]) -> str:
    which = "that rank best" if any(name in models for name in best) else "that come first"
    where = "the explorer below has the others" if any(map(has_order, models.values())) else "curve(...) draws any"
    return f"Curves are of the {TOGETHER} of {len(models)} models {which}, by the average of their folds; {where}."


def _curves_of(models: Mapping[str, Predictions], folds: bool) -> list[Curve]:
    """Every kind that these predictions allow, with lines for `folds` or without."""
    first = next(iter(models.values()))
    fixed = all(p.provenance == "one model" for p in models.values())
    kinds = NUMERIC if first.kind == "numbers" else KINDS if first.binary else ()
    curves, charted = [], ChartedModels(models)
    for kind in kinds:
        try:
            curve = _curve_of(kind, charted, fixed and len(models) <= BANDED)
        except VeracityError:
            continue
        guides = curve.guides if folds else tuple(guide for guide in curve.guides if not guide.of)
        curves.append(replace(curve, guides=guides))
    return curves


def _curve_of(kind: str, charted: ChartedModels, banded: bool) -> Curve:
    """With the band that its drawings have, where there are rows enough for one."""
    choice = catalogue.choose(kind)
    band = dict(choice.drawn).get("band") if banded else None
    if band is not None:
        with suppress(VeracityError):
            return make_curve(choice.setting(band=band), charted)
    return make_curve(choice, charted)


def _all_pictures(curves: Sequence[Curve], short: bool = False) -> list[Block]:
    """Charts side by side, then of many models' calibration a small one for each; `short`, some are folded away."""
    plain = [curve for curve in curves if not is_crowded(curve)]
    charts = [Picture(chart(curve, _needs_names(curve, plain)), curve.title) for curve in plain]
    first = FIRST if short else len(charts)
    blocks: list[Block] = [Pictures(tuple(charts[:first]))] if charts else []
    for curve in filter(is_crowded, curves):
        axes = f"{curve.y_title.lower()} against {curve.x_title.lower()}"
        about = f"{curve.title} of each model{_of_intervals(curve)}: {axes}; bars: how many rows lie in each bin"
        small = tuple(Picture(drawn, name) for name, drawn in panels(curve).items())
        blocks += [Words(about), Pictures(small)]
    rest = charts[first:]
    names = ", ".join(one.caption.lower() for one in rest)
    return [*blocks, Fold(f"{names[:1].upper()}{names[1:]}", (Pictures(tuple(rest)),))] if rest else blocks


def _of_intervals(curve: Curve) -> str:
    """How sure the intervals are that its lines have; those of several models of one learner have none."""
    level = next(iter(curve.facts["bins"].values()))[0].interval.level
    return f" with {percent(level)} intervals" if any(line.low is not None for line in curve.lines) else ""


def _needs_names(curve: Curve, beside: Sequence[Curve]) -> bool:
    """Whether its legend names the lines; of charts of the same many the first does, and those that say more."""
    first = beside[0]
    if 1 < len(curve.lines) <= NAMED or curve is first or not _same_lines(curve, first):
        return True
    return len({line.says for line in curve.lines}) > 1


def _same_lines(a: Curve, b: Curve) -> bool:
    return [line.name for line in a.lines] == [line.name for line in b.lines]
