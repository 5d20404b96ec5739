"""Charts of predictions that are not of one fixed model: a thin line for each fold and their average."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note, unique
from veracity.core.words import plural
from veracity.curves import Models
from veracity.evidence.predictions import Predictions, subset
from veracity.findings.curve import Curve, Line
from veracity.records.arrays import Array

THIN = 20  # folds whose own lines are drawn
PLACES = 201  # at which lines of different folds are averaged
NO_BAND = "leave out `band=`"
TRAINED = Note("optimistic", "caution", "these rows had trained the model: the chart shows how well it remembers them")


@dataclass(frozen=True, eq=False)
class ChartedModels:
    """Models that a chart shows, or charts of several kinds: all read the same folds, which are made once for them."""

    models: Models

    @cached_property
    def of_several(self) -> frozenset[str]:
        """The names of those that stand for several models, one for each fold."""
        return frozenset(name for name, p in self.models.items() if p.provenance == "several models")

    @cached_property
    def by_fold(self) -> tuple[Models, ...]:
        """What the models say of the rows of each fold; none where one of them has no fold that shows anything."""
        folds = {name: _folds(p) if name in self.of_several else [p] for name, p in self.models.items()}
        most = max(map(len, folds.values())) if all(folds.values()) else 0
        return tuple({name: of[at] for name, of in folds.items() if at < len(of)} for at in range(most))

    @cached_property
    def each_row_once(self) -> Models:
        """As the first model that tested it predicted each row."""
        once = dict(self.models)
        for name in self.of_several:
            rows, splits = np.asarray(once[name].rows), np.asarray(once[name].splits)
            by_split = np.argsort(splits, kind="stable")
            once[name] = subset(once[name], by_split[np.unique(rows[by_split], return_index=True)[1]])
        return once


def make_curve(choice: Choice, charted: ChartedModels) -> Curve:
    """The chart of fixed models; of models of several folds, what their folds show and no band around it."""
    chart = _make_chart(choice, charted)
    noticed = unique(tuple(note for p in charted.models.values() for note in p.notes))
    return replace(chart, notes=noticed + chart.notes)


def _make_chart(choice: Choice, charted: ChartedModels) -> Curve:
    several = charted.of_several
    trained = any(p.provenance == "training rows" for p in charted.models.values())
    if not several and not trained:
        fixed: Curve = choice(charted.models)
        return fixed
    if choice.value("band") is not None:
        raise Refused(
            f"a band is about one fixed model on new rows, and these are {'several' if several else 'training rows'}: "
            f"{NO_BAND}",
            "several-models" if several else "training-rows",
        )
    if several and choice.by_fold:
        return _average_folds(choice, charted.by_fold)
    chart: Curve = choice(charted.each_row_once)
    notes: tuple[Note, ...] = (TRAINED,) if trained else ()
    if several:
        says = "rows that different models predicted are shown together, each once, and without limits"
        notes += (Note("several-models", "caution", says),)
    lines = tuple(replace(line, low=None, high=None) for line in chart.lines)
    return replace(chart, lines=lines, notes=notes + chart.notes)


def _average_folds(choice: Choice, folds: Sequence[Models]) -> Curve:
    """Vertical averages of the lines of all folds, each of which stays as a thin line."""
    if not folds:
        raise Refused(
            f"{choice.name} orders the rows of a fold by the values of its model, and no fold holds both classes:"
            f" use larger folds, `by='kfold(k=10)'`",
            "several-models",
        )
    charts: list[Curve] = [choice(models) for models in folds]
    first = charts[0]
    by_name: dict[str, list[Line]] = {}
    for chart in charts:
        for line in chart.lines:
            by_name.setdefault(line.name, []).append(line)
    says = f"the values of different models cannot be ordered together: the line is the mean of {len(charts)} folds"
    thin = "" if len(charts) <= THIN else f", and thin ones are of the first {THIN}"
    facts = _average_facts(charts)
    averages = []
    for name, lines in by_name.items():
        word, fact = choice.labelled_by or ("", "")
        value = facts.get(fact, {}).get(name)  # of a line that the first fold has
        label = "mean of" if value is None else f"mean {word} {value:.3f} of"
        label = f"{label} {plural(len(lines), 'fold')}"
        averages.append(lines[0] if len(lines) == 1 else _average(lines, first.scale == "normal", label))
    # guides that are the same whatever the fold, such as the diagonal, and the lines of the first folds
    guides = [one for one in first.guides if all(any(_same(one, x) for x in chart.guides) for chart in charts[1:])]
    guides += [
        replace(line, name="of each fold", of=line.name, threshold=None, says="")
        for lines in by_name.values()
        if len(lines) > 1  # a fixed model among others has one
        for line in lines[:THIN]
    ]
    return replace(
        first,
        lines=tuple(averages),
        guides=tuple(guides),
        marks=(),
        facts=facts,
        notes=unique((Note("several-models", "caution", says + thin), *first.notes)),
    )


def _folds(p: Predictions) -> list[Predictions]:
    """The rows of each model; a fold with one class alone has no line."""
    splits = np.asarray(p.splits)
    folds = [subset(p, splits == number) for number in np.unique(splits)]
    return [fold for fold in folds if len(np.unique(fold.truth)) > 1]


def _average(lines: Sequence[Line], deviates: bool, says: str) -> Line:
    """Return the mean height of some lines at each place that all of them reach; of deviates that of the rates."""
    from scipy.special import ndtr, ndtri

    ways = [line.path or (line.x, line.y) for line in lines]
    if deviates:
        ways = [(ndtr(x), ndtr(y)) for x, y in ways]
    x = np.linspace(max(x.min() for x, _ in ways), min(x.max() for x, _ in ways), PLACES)
    y = np.mean([_height(way, x) for way in ways], axis=0)
    if deviates:
        x, y = ndtri(x), ndtri(y)
    return Line(lines[0].name, x, y, style=lines[0].style, says=says)


def _height(way: tuple[Array, ...], x: Array) -> Array:
    """The height of a line at some places: where it goes straight up or down its end there, at its start its start."""
    order = np.argsort(way[0], kind="stable")
    own_x, own_y = way[0][order], way[1][order]
    return np.where(x == own_x[0], own_y[0], np.interp(x, own_x, own_y))


def _same(one: Line, other: Line) -> bool:
    return one.name == other.name and np.array_equal(one.x, other.x) and np.array_equal(one.y, other.y)


def _average_facts(charts: Sequence[Curve]) -> dict[str, Any]:
    """The mean of each number that a model has in every fold."""
    facts: dict[str, Any] = {}
    for name, of_models in charts[0].facts.items():
        if isinstance(of_models, Mapping) and all(isinstance(value, float) for value in of_models.values()):
            facts[name] = {
                model: float(
                    np.mean([chart.facts[name][model] for chart in charts if model in chart.facts.get(name, ())])
                )
                for model in of_models
            }
    return {**facts, "folds": len(charts)}
