"""The curves of a store: one data set, all learners on one chart, with the explorer of thresholds and the matrices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from veracity.api.curve import curve
from veracity.api.plot import plot
from veracity.core.errors import BadInput
from veracity.core.notes import Note, unique
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.findings.curve import Curve
from veracity.reports.material import Material
from veracity.reports.report import report
from veracity.reports.sections.confusion_matrices import confusion_section
from veracity.reports.sections.curve_charts import curve_section
from veracity.reports.sections.explorer import explorer_section
from veracity.risk.estimate_run import with_positive
from veracity.scores import scores
from veracity.web.inquiry import Inquiry
from veracity.web.lines import Lines
from veracity.web.shown import Shown, curve_points, show_report


class Models(NamedTuple):
    """What the learners predicted of one data set, and which class was taken for positive."""

    data: str
    by_name: dict[str, Predictions]
    notes: tuple[Note, ...]
    positive: Any = None


def _models_of_one(runs: Runs, asked: Inquiry) -> Models:
    """Of the first data set that is meant."""
    data = next(iter(asked.data), runs.names[0])
    runs = runs.only((), data)
    found = Models(data, {}, runs.selection_notes)
    for name in runs.learner_names:
        run, more = with_positive(runs.run(name).fresh, scores.choose("auc"))
        found = found._replace(notes=found.notes + more)
        if run.predictions is not None:
            found.by_name[name] = run.predictions
            found = found._replace(positive=run.predictions.classes[1]) if more else found
    if not found.by_name:
        raise BadInput(f"no learner has predictions of {data}: all its splits failed")
    return found


def curves(runs: Runs, asked: Inquiry) -> Shown:
    """How the learners trade one kind of mistake for the other on one data set."""
    models = _models_of_one(runs, asked)
    kind = asked.kind or ("residuals" if runs.kind(models.data) == "numbers" else "roc")
    found = curve(models.by_name, kind)
    found = replace(found, notes=unique((*models.notes, *found.notes)))
    read = {"data": (models.data,), "positive": models.positive}
    lines = asked.lines("curve", (), f"vc.curve(runs, {kind!r})", {"kind": kind}, **read)
    return _show_curve(found, lines, models)


def _show_curve(found: Curve, lines: Lines, models: Models) -> Shown:
    """The chart that was asked for, then all others, the explorer of thresholds and the confusion matrices."""
    page = report(found, title=f"{found.title} on {models.data}")
    beside = Material(page.material.title, "", "", models={models.data: models.by_name})
    more = tuple(filter(None, (part(beside) for part in (curve_section, explorer_section, confusion_section))))
    shown = show_report(page, lines, shape=found.to_json, tables=(curve_points(found),), axes=lambda: plot(found))
    title = f"{found.title} on {models.data}"
    asked_for = tuple(replace(one, key="asked", title=title) for one in shown.sections if one.key == "curves")
    return replace(shown, answer="", sections=(*asked_for, *more))
