"""The work of `veracity curve`, apart from its options."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veracity.api.curve import curve
from veracity.api.plot import plot
from veracity.cli.output import Result
from veracity.cli.work.models import Columns, as_read, read_models
from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.curves import curves
from veracity.evidence.predictions import Predictions
from veracity.findings.curve import Curve, Line
from veracity.readers.aggregate import Reading
from veracity.records.arrays import Array
from veracity.reports.report import report
from veracity.tables.numbers import Number, decimals
from veracity.tables.table import Column, Table

SHOWN = 40  # points on a screen; files get all of them


def chosen(kind: str, level: float | None, seed: int | None) -> Choice:
    """The kind of curve; a level makes a band where the curve can have one."""
    choice = curves.choose(kind)
    wanted = {"level": level, "band": level, "seed": seed}
    taken = {name: given for name, given in wanted.items() if given is not None and choice.accepts(name)}
    if level is not None and not {"level", "band"} & set(taken):
        raise BadInput(f"the curve {choice.entry.name} has neither band nor intervals, so it takes no --level")
    return choice.setting(**taken)


def read(files: list[str], columns: Columns) -> dict[str, Predictions]:
    """The models by name; one alone goes by the empty name."""
    return read_models(files, columns)


def as_read_all(models: Mapping[str, Predictions]) -> dict[str, Reading]:
    return {name: as_read(p) for name, p in models.items()}


def _source(models: Mapping[str, Predictions]) -> Any:
    return models[""] if set(models) == {""} else models


def draw(models: Mapping[str, Predictions], choice: Choice, out: str) -> None:
    """A figure, in the format of its ending."""
    save_figure(plot(_source(models), choice), out)


def save_plot(found: Any, out: str) -> None:
    """The usual picture of a result."""
    save_figure(plot(found), out)


def save_figure(axes: Any, out: str) -> None:
    """Write a drawing to a file, by its ending."""
    try:
        axes.savefig(out, dpi=300)
    except OSError as why:
        raise BadInput(f"--out {out} cannot be written: {why.strerror}") from None


def points(models: Mapping[str, Predictions], choice: Choice, lead: str, whole: bool) -> Result:
    """The points of the curve; a screen gets some of them, evenly spread, the first and the last among them."""
    found = curve(_source(models), choice)
    tables = (_marks(found), _lines(found, whole))
    shown = tuple(table for table in tables if table.rows)
    return Result(found.title, shown, found.to_json, lead, lambda: report(found, title=found.title))


def _marks(found: Curve) -> Table:
    columns = (Column("point", "left"), Column("x"), Column("y"), Column("threshold"), Column("says", "left"))
    rows = tuple((mark.name, mark.x, mark.y, mark.threshold, mark.says) for mark in found.marks)
    return Table(columns, rows, caption="named points")


def _lines(found: Curve, whole: bool) -> Table:
    lines = (*found.lines, *_bands(found))
    extra = [name for name in ("low", "high", "threshold") if any(getattr(line, name) is not None for line in lines)]
    rows = tuple(row for line in lines for row in _rows(line, extra, whole))
    columns = (Column("line", "left"), *(Column(title) for title in (found.x_title, found.y_title, *extra)))
    shown = len(rows) if not whole else 0
    all_points = sum(len(line.x) for line in lines)
    caption = f"{shown} of {all_points} points; --json or --out FILE gives all" if 0 < shown < all_points else ""
    return Table(columns, rows, caption=caption, notes=found.notes)


def _bands(found: Curve) -> Iterator[Line]:
    """The bands around the lines, each by the name of its line where there are several."""
    for band in found.guides:
        if band.style == "band":
            yield replace(band, name=f"{band.of}: {band.name}" if len(found.lines) > 1 and band.of else band.name)


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
