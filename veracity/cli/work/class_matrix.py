"""Matrices of classes in files: what mistakes cost, or how often each was made."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput
from veracity.evidence.counts import Counts

LAYOUT = "first line: a blank, then the predicted classes; each further line: a true class, then its "
COSTS, COUNTS = LAYOUT + "costs", LAYOUT + "counts"


def read_costs(file: str, classes: tuple[Any, ...]) -> tuple[tuple[float, ...], ...]:
    """costs[i][j] of predicting class j when the truth is class i, in the order of `classes`."""
    lines = _lines(file, "cost matrix", COSTS)
    head, body = lines[0][1:], lines[1:]
    place = {str(label): index for index, label in enumerate(classes)}
    names = [line[0] for line in body]
    for what, labels in (("columns", head), ("lines", names)):
        if sorted(labels) != sorted(place):
            raise BadInput(f"{file}: its {what} name {labels}, but the classes are {list(place)}")
    table = {(i, j): _cost(file, i, j, cell) for i, *cells in body for j, cell in zip(head, cells, strict=True)}
    return tuple(tuple(table[i, j] for j in place) for i in place)


def read_counts(file: str, positive: str | None) -> Counts:
    """A confusion matrix; true classes without names are those of the columns, or 0, 1, ... of numbers alone."""
    lines = _lines(file, "confusion matrix", COUNTS)
    if len(lines) > len(lines[0]):
        names, body = lines[0], lines[1:]
    elif _is_number(lines[0][0]):
        names, body = list(map(str, range(len(lines)))), lines
    else:
        names, body = [line[0] for line in lines[1:]], [line[1:] for line in lines[1:]]
        if sorted(lines[0][1:]) != sorted(names):
            raise BadInput(f"{file}: its columns name {lines[0][1:]} and its lines {names}; {COUNTS}")
        order = [lines[0].index(name, 1) - 1 for name in names]
        body = [[cells[place] for place in order] for cells in body]
    for name, cells in zip(names, body, strict=True):
        for other, cell in zip(names, cells, strict=True):
            if not (_is_number(cell) and float(cell) >= 0 and float(cell).is_integer()):
                raise BadInput(f"{file}: rows of {name} predicted {other} are {cell!r}, not a number of rows")
    return Counts([list(map(float, cells)) for cells in body], names, positive)


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False


def _lines(file: str, what: str, layout: str) -> list[list[str]]:
    """The cells of a square table."""
    try:
        text = Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as why:
        raise BadInput(f"{file} cannot be read as a {what}: {getattr(why, 'strerror', None) or why}") from None
    mark = "\t" if "\t" in text.partition("\n")[0] else ","
    cells = [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text), delimiter=mark)]
    lines = [line for line in cells if any(line)]
    width, counts = len(lines[0]) if lines else 0, what == "confusion matrix"
    headless = counts and width > 0 and _is_number(lines[0][0])
    unnamed = counts and len(lines) == width + 1 and not headless  # columns are named, lines are not
    least = 2 if unnamed or headless else 3
    if width < least or len(lines) - unnamed != width or any(len(line) != width for line in lines):
        raise BadInput(f"{file} is not a square {what} of at least two classes; {layout}")
    return lines


def _cost(file: str, truth: str, predicted: str, cell: str) -> float:
    try:
        cost = float(cell)
    except ValueError:
        cost = math.nan
    if not math.isfinite(cost):
        raise BadInput(f"{file}: the cost of predicting {predicted} for {truth} is {cell!r}, not a finite number")
    return cost
