"""The cost matrix from a file with class names."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput

SHAPE = "first line: a blank, then the predicted classes; each further line: a true class, then its costs"
Matrix = tuple[tuple[float, ...], ...]


def read_costs(file: str, classes: tuple[Any, ...]) -> Matrix:
    """costs[i][j] of predicting class j when the truth is class i, in the order of `classes`."""
    lines = _lines(file)
    head, body = lines[0][1:], lines[1:]
    place = {str(label): index for index, label in enumerate(classes)}
    names = [line[0] for line in body]
    for what, found in (("columns", head), ("lines", names)):
        if sorted(found) != sorted(place):
            raise BadInput(f"{file}: its {what} name {found}, but the classes are {list(place)}")
    table = {(i, j): _cost(file, i, j, cell) for i, *cells in body for j, cell in zip(head, cells, strict=True)}
    return tuple(tuple(table[i, j] for j in place) for i in place)


def _lines(file: str) -> list[list[str]]:
    try:
        text = Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as why:
        raise BadInput(f"{file} cannot be read as a cost matrix: {getattr(why, 'strerror', None) or why}") from None
    mark = "\t" if "\t" in text.partition("\n")[0] else ","
    cells = [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text), delimiter=mark)]
    lines = [line for line in cells if any(line)]
    if len(lines) < 3 or any(len(line) != len(lines) for line in lines):
        raise BadInput(f"{file} is not a cost matrix of at least two classes; {SHAPE}")
    return lines


def _cost(file: str, truth: str, predicted: str, cell: str) -> float:
    try:
        cost = float(cell)
    except ValueError:
        cost = math.nan
    if not math.isfinite(cost):
        raise BadInput(f"{file}: the cost of predicting {predicted} for {truth} is {cell!r}, not a finite number")
    return cost
