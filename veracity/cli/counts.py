"""Read counts that were typed or stand in a file in place of predictions, and matrices of costs."""

from __future__ import annotations

import csv
import io
import math
from itertools import count, product
from pathlib import Path
from string import ascii_lowercase
from typing import Any

from veracity.cli.options import Columns, Counted, CountedCells, CountedPairs
from veracity.core.errors import BadInput
from veracity.evidence.counts import Counts, errors
from veracity.evidence.same_rows import Pairs, pairs
from veracity.readers.source import unique_names
from veracity.scores import scores

CELLS, POSITIVE = ("tp", "fn", "fp", "tn"), "positive"
IN_PLACE = ("truth", "label", "proba", "value", "number", "correct", "loss", "grade")  # what counts take the place of
LAYOUT = "first line: a blank, then the predicted classes; each further line: a true class, then its "
COSTS, COUNTS = LAYOUT + "costs", LAYOUT + "counts"


def read_counted(files: list[str], counted: Counted, columns: Columns) -> dict[str, Counts] | Pairs:
    """Return the counts of each model by name, one alone by the empty name; or those of two models on the same rows."""
    for word in files:  # one that is no file was meant for a score
        if not Path(word).exists():
            scores.choose(word)
    other = [*files, *(f"--{name}" for name in IN_PLACE if getattr(columns, name))]
    if other:
        raise BadInput(f"counts were given, and {other[0]} beside them: give one or the other")
    if isinstance(counted, CountedPairs) and any(
        number is not None for number in (counted.n01, counted.n10, counted.both, counted.neither)
    ):
        return _pairs(counted)
    if isinstance(counted, CountedCells) and any(getattr(counted, name) is not None for name in CELLS):
        return {"": _four_cells(counted, columns.positive)}
    if counted.errors and counted.matrix:
        raise BadInput("--errors and --matrix both tell what was counted: give one of them")
    if counted.matrix:
        names = unique_names(list(counted.matrix))
        models = {name: read_confusion_matrix(file, columns.positive) for name, file in names.items()}
        return models if len(models) > 1 else {"": next(iter(models.values()))}
    if len(counted.errors) != len(counted.of):
        times = f"--errors is given {len(counted.errors)} times and --of {len(counted.of)}"
        raise BadInput(f"{times}: give both once for each model, as in --errors 12 --of 40")
    each = [errors(_number_or_rate(text), of=of) for text, of in zip(counted.errors, counted.of, strict=True)]
    # `a` to `z`, then `aa`, `ab` and so on, as spreadsheets name their columns
    letters = ("".join(word) for length in count(1) for word in product(ascii_lowercase, repeat=length))
    return {"": each[0]} if len(each) == 1 else dict(zip(letters, each, strict=False))


def _pairs(counted: CountedPairs) -> Pairs:
    """Return the rows that only one of two models got right."""
    if counted.n01 is None or counted.n10 is None:
        raise BadInput("give both counts of rows that only one model got right: --n01 only the second, --n10 the first")
    if counted.errors or counted.matrix or len(counted.of) > 1:
        raise BadInput("--n01 and --n10 take --of once, and neither --errors nor --matrix")
    of = next(iter(counted.of), None)
    return pairs(n01=counted.n01, n10=counted.n10, both=counted.both, neither=counted.neither, of=of)


def _four_cells(counted: CountedCells, positive: str | None) -> Counts:
    """Return the confusion matrix of four counts; its classes have no other names than negative and positive."""
    if counted.errors or counted.of or counted.matrix:
        raise BadInput("--tp, --fn, --fp and --tn tell all that was counted: leave out --errors, --of and --matrix")
    missing = [name for name in CELLS if getattr(counted, name) is None]
    if missing:
        raise BadInput(f"--{missing[0]} is missing: give all of --tp, --fn, --fp and --tn")
    if not any(getattr(counted, name) for name in CELLS):
        raise BadInput("--tp, --fn, --fp and --tn are all 0: nothing was counted")
    if positive not in (None, POSITIVE):
        raise BadInput("--tp, --fn, --fp and --tn are of the positive class, which has no name: leave out --positive")
    return Counts([[counted.tn, counted.fp], [counted.fn, counted.tp]], ("negative", POSITIVE), POSITIVE)


def _number_or_rate(text: str) -> float:
    """Return a number of errors, or their rate, which may be in per cent."""
    try:
        return float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        raise BadInput(f"--errors is a number of rows or a rate, such as 12, 0.3 or 30%, not {text!r}") from None


def read_costs(file: str, classes: tuple[Any, ...]) -> tuple[tuple[float, ...], ...]:
    """Return costs[i][j] of predicting class j when the truth is class i, in the order of `classes`."""
    lines = _read_square_table(file, "cost matrix", COSTS)
    head, body = lines[0][1:], lines[1:]
    labels = list(map(str, classes))
    for what, named in (("columns", head), ("lines", [line[0] for line in body])):
        if sorted(named) != sorted(labels):
            raise BadInput(f"{file}: its {what} name {named}, but the classes are {labels}")
    table: dict[tuple[str, str], float] = {}
    for truth, *cells in body:
        for predicted, cell in zip(head, cells, strict=True):
            if not _is_number(cell):
                what = f"the cost of predicting {predicted} for {truth}"
                raise BadInput(f"{file}: {what} is {cell!r}, not a finite number")
            table[truth, predicted] = float(cell)
    return tuple(tuple(table[truth, predicted] for predicted in labels) for truth in labels)


def read_confusion_matrix(file: str, positive: str | None) -> Counts:
    """Read a confusion matrix; true classes without names are those of the columns, or 0, 1, ... of numbers alone."""
    lines = _read_square_table(file, "confusion matrix", COUNTS)
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


def _read_square_table(file: str, what: str, layout: str) -> list[list[str]]:
    """Return the cells of a square table with class names, line by line."""
    try:
        text = Path(file).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as why:
        raise BadInput(f"{file} cannot be read as a {what}: {getattr(why, 'strerror', None) or why}") from None
    separator = "\t" if "\t" in text.partition("\n")[0] else ","
    cells = [[cell.strip() for cell in line] for line in csv.reader(io.StringIO(text), delimiter=separator)]
    lines = [line for line in cells if any(line)]
    width, counts = len(lines[0]) if lines else 0, what == "confusion matrix"
    headless = counts and width > 0 and _is_number(lines[0][0])
    unnamed = counts and len(lines) == width + 1 and not headless  # columns are named, lines are not
    least = 2 if unnamed or headless else 3
    if width < least or len(lines) - unnamed != width or any(len(line) != width for line in lines):
        raise BadInput(f"{file} is not a square {what} of at least two classes; {layout}")
    return lines


def _is_number(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False
