"""The work of `veracity curve`: a chart as a figure, or its points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from veracity.api.curve import WITHOUT_TRUTH, curve
from veracity.api.plot import plot
from veracity.cli.work.stored import read_models_or_runs
from veracity.cli.work.summary import lead
from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.curves import curves
from veracity.findings.curve import Curve, Line
from veracity.readers.read_evidence import Reading
from veracity.readers.read_models import Given, alone_or_all
from veracity.readers.source import expand_patterns
from veracity.records.arrays import Array
from veracity.reports.output import Output
from veracity.reports.report import report
from veracity.tables.cells import Number, decimals
from veracity.tables.table import Column, Table

SHOWN = 40  # points on a screen; files get all of them


def curve_of_files(patterns: Sequence[str], given: Given, whole: bool) -> Output:
    """A curve of all models; of its points a screen gets some, evenly spread, the first and the last among them."""
    choice = _choose(given["kind"] or ("residuals" if given["number"] else "roc"), given["level"], given["seed"])
    if given["truth"] is None and choice.is_one_of(*WITHOUT_TRUTH):
        given = {**given, "labelled": "some"}  # none of them
    models, notes = read_models_or_runs(patterns, given, each_row=False)
    source = alone_or_all(models)
    drawn = curve(source, choice)
    drawn = replace(drawn, notes=(*notes, *drawn.notes))
    tables = tuple(table for table in (_marks(drawn), _lines(drawn, whole)) if table.rows)
    about = lead(expand_patterns(patterns), {name: Reading.of(p) for name, p in models.items()})
    page, draw = partial(report, drawn, title=drawn.title), partial(plot, source, kind=choice)
    return Output(drawn.title, tables, drawn.to_json, about, page, draw=draw)


def _choose(kind: str, level: float | None, seed: int | None) -> Choice:
    """The kind of curve; a level makes a band where the curve can have one."""
    choice = curves.choose(kind)
    wanted = {"level": level, "band": level, "seed": seed}
    parameters = {name: value for name, value in wanted.items() if value is not None and choice.accepts(name)}
    if level is not None and not {"level", "band"} & set(parameters):
        raise BadInput(f"the curve {choice.name} has neither band nor intervals, so it takes no --level")
    return choice.setting(**parameters)


def _marks(drawn: Curve) -> Table:
    columns = (Column("point", "left"), Column("x"), Column("y"), Column("threshold"), Column("says", "left"))
    rows = tuple((mark.name, mark.x, mark.y, mark.threshold, mark.says) for mark in drawn.marks)
    return Table(columns, rows, caption="named points")


def _lines(drawn: Curve, whole: bool) -> Table:
    lines = (*drawn.lines, *_bands(drawn))
    extra = [name for name in ("low", "high", "threshold") if any(getattr(line, name) is not None for line in lines)]
    rows = tuple(row for line in lines for row in _rows(line, extra, whole))
    columns = (Column("line", "left"), *(Column(title) for title in (drawn.x_title, drawn.y_title, *extra)))
    shown = len(rows) if not whole else 0
    all_points = sum(len(line.x) for line in lines)
    caption = f"{shown} of {all_points} points; --json or --out FILE gives all" if 0 < shown < all_points else ""
    return Table(columns, rows, caption=caption, notes=drawn.notes)


def _bands(drawn: Curve) -> Iterator[Line]:
    """The bands around the lines, each by the name of its line where there are several."""
    for band in drawn.guides:
        if band.style == "band":
            yield replace(band, name=f"{band.of}: {band.name}" if len(drawn.lines) > 1 and band.of else band.name)


def _rows(line: Line, extra: Sequence[str], whole: bool) -> Iterator[tuple[Any, ...]]:
    last = len(line.x) - 1
    steps = range(last + 1) if whole or last < SHOWN else sorted({round(k * last / (SHOWN - 1)) for k in range(SHOWN)})
    columns = [_column(column, steps) for column in (line.x, line.y, *(getattr(line, name) for name in extra))]
    return ((line.name, *cells) for cells in zip(*columns, strict=True))


def _column(column: Array | None, steps: Sequence[int]) -> list[Number | None]:
    """The cells of some points, all with the decimals that the largest needs."""
    if column is None:
        return [None] * len(steps)
    shown = [float(column[k]) for k in steps]
    places = decimals(max((abs(number) for number in shown if math.isfinite(number)), default=0.0))
    return [Number(number, places) for number in shown]
