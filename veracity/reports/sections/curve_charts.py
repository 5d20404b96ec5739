"""Curves of two classes: how a model trades one kind of mistake for the other."""

from __future__ import annotations

from collections.abc import Mapping

from veracity.core.errors import VeracityError
from veracity.curves import curves as catalogue
from veracity.curves.of_folds import make_curve
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve
from veracity.plots.bin_sizes import is_crowded
from veracity.reports.material import Material
from veracity.reports.page import Block, Heading, Picture, Pictures, Section, Words
from veracity.reports.svg.chart import chart
from veracity.reports.svg.panels import panels

KINDS = ("roc", "precision_recall", "gain", "lift_chart", "det", "calibration", "cost_curve")
NUMERIC = ("predicted_actual", "residuals", "error_distribution")
MOST = 2  # data sets whose curves stand on the page; the explorer has the others
BANDED = 3  # models on one chart, up to which bands can be told apart


def curve_section(material: Material) -> Section | None:
    """The curves of the first data sets, all models on one chart, and those that were made already."""
    blocks: list[Block] = [Words(material.shown)] if material.shown and material.models else []
    if material.charts:
        blocks.append(Pictures(tuple(map(_picture, material.charts))))
    every = ((data, _pictures_of(models)) for data, models in material.models.items())
    shown = [(data, pictures) for data, pictures in every if pictures]
    for data, pictures in shown[:MOST]:
        blocks += [Heading(data)] if data else []
        blocks.append(Pictures(tuple(one for one in pictures if not one.wide)))
        blocks += [one for one in pictures if one.wide]
    if len(shown) > MOST:
        others = ", ".join(data for data, _ in shown[MOST:])
        blocks.append(Words(f"The curves of {others} are in the explorer below, one model at a time."))
    return Section("curves", "Curves", tuple(blocks)) if shown or material.charts else None


def _pictures_of(models: Mapping[str, Predictions]) -> tuple[Picture, ...]:
    """Every kind that these predictions allow."""
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
        pictures.append(_picture(curve))
    return tuple(pictures)


def _picture(curve: Curve) -> Picture:
    """One chart; of many models' calibration, a small one for each."""
    if not is_crowded(curve):
        return Picture(chart(curve), curve.title)
    level = next(iter(curve.facts["bins"].values()))[0].interval.level
    caption = f"{curve.title} of each model with {level:.0%} intervals; bars: how many rows lie in each bin"
    return Picture(panels(curve), caption)
