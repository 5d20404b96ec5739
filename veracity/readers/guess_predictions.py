"""What the columns of a file of predictions may be, guessed from names and first rows, to be shown and never taken."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import isnan
from typing import Any

from veracity.core.errors import BadInput, VeracityError
from veracity.core.missing_marks import is_mark, is_missing
from veracity.readers import arff
from veracity.readers.delimited_rows import checked_rows, read_header
from veracity.readers.missing_marks import as_number
from veracity.readers.parquet import first_cells
from veracity.readers.source import Source, open_source

ROWS = 1_000  # that are looked at
FEW = 20  # different values up to which numbers may be classes
MOST = 4  # models in a guess
NAMES = {
    "truth": "y ytrue truth true target gold goldlabel groundtruth actual expected reference outcome observed obs label"
    " labels class category answer",
    "label": "yhat ypred pred preds predicted prediction predictions predictedclass predclass predictedlabel predlabel"
    " output response guess",
    "correct": "correct iscorrect right acc accuracy exactmatch em hit passed pass",
    "loss": "loss nll logloss crossentropy xent squarederror absoluteerror",
    "model": "model modelname modelid system learner classifier algorithm method engine",
    "rows": "id rowid row item itemid question questionid qid doc docid example exampleid sample sampleid index uid",
}
ROLES = {role: names.split() for role, names in NAMES.items()}


@dataclass(frozen=True)
class Cells:
    """The first cells of a column."""

    name: str
    cells: Sequence[Any]

    @cached_property
    def present(self) -> list[Any]:
        """The cells that hold a value: marks such as NA are missing among numbers, and texts among texts."""
        cells = [cell for cell in self.cells if not is_missing(cell) and cell != ""]
        unmarked = [cell for cell in cells if not is_mark(cell)]
        return unmarked if unmarked and all(_number(cell) is not None for cell in unmarked) else cells

    @cached_property
    def distinct(self) -> dict[str, None]:
        return dict.fromkeys(map(_word, self.present))

    @cached_property
    def numbers(self) -> list[float] | None:
        """All cells as numbers, or None."""
        found = [_number(cell) for cell in self.present]
        return None if None in found or not found else [number for number in found if number is not None]

    @property
    def is_chance(self) -> bool:
        """Whether these may be probabilities: numbers from 0 to 1, some of them between."""
        numbers = self.numbers
        return numbers is not None and all(0 <= n <= 1 for n in numbers) and any(0 < n < 1 for n in numbers)

    @property
    def is_answer(self) -> bool:
        return bool(self.distinct) and {word.lower() for word in self.distinct} <= {"0", "1", "true", "false"}

    @property
    def is_amount(self) -> bool:
        """Whether these are numbers rather than classes."""
        return self.numbers is not None and len(self.distinct) > FEW

    def is_called(self, role: str) -> bool:
        """Whether the name, or the last part of a dotted one, is usual for a role."""
        return any(_letters(name) in ROLES[role] for name in (self.name, self.name.rpartition(".")[2]))


@dataclass(frozen=True)
class Guess:
    """The columns there are, and the options that may be meant."""

    names: tuple[str, ...]
    options: tuple[tuple[str, str], ...]


class NoTable(BadInput):
    """A file that is there and has no columns."""


def guess_predictions(path: str, given: Mapping[str, Sequence[str]]) -> Guess | None:
    """A guess for a file, besides the options that were given; None where its rows cannot be read."""
    try:
        columns = first_columns(path)
    except NoTable:
        return None
    named = {role: list(names) for role, names in given.items() if names}
    return Guess(tuple(one.name for one in columns), tuple(_options(columns, named)))


def predicted_column(columns: Mapping[str, Sequence[Any]]) -> str | None:
    """The truth of what is surely a file of predictions: a few classes under a usual name, and what predicts them."""
    sampled = [Cells(name, cells[:ROWS]) for name, cells in columns.items()]
    for one in sampled:
        repeats = len(one.present) > 2 * len(one.distinct) > 2
        if one.is_called("truth") and repeats and len(one.distinct) <= FEW and not one.is_chance:
            return one.name if _outputs([other for other in sampled if other is not one], one) else None
    return None


def first_columns(path: str) -> list[Cells]:
    """The columns of a file with their first cells; refused where its rows cannot be read."""
    import duckdb

    with open_source(path) as file:
        try:
            return [Cells(name, cells) for name, cells in _sample(file).items()]
        except (VeracityError, OSError, ValueError, AttributeError, csv.Error, duckdb.Error) as why:
            raise NoTable(f"{file.name} cannot be read as a table: {why}") from None


def _options(columns: Sequence[Cells], given: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Truth and predictions, else right and wrong or losses; then what tells models and rows apart."""
    free = [one for one in columns if not any(one.name in names for names in given.values())]
    truth = next((one for one in columns if one.name in given.get("truth", [])), None) or _truth(free, given)
    ready = [(role, one) for role in ("correct", "loss") for one in free if one.is_called(role) and one.numbers]
    outputs = [(role, name) for role in ("label", "proba", "value", "number") for name in given.get(role, [])]
    if truth is None or (ready and not outputs and not _outputs([one for one in free if one is not truth], truth)):
        if not ready:
            return
        yield ready[0][0], ready[0][1].name
    else:
        yield "truth", truth.name
        found = outputs or _outputs([one for one in free if one is not truth], truth)
        yield from found
        if found and found[0][0] in ("proba", "value") and "=" not in found[0][1] and "positive" not in given:
            chance = next((one for one in columns if one.name == found[0][1]), None)
            yield from _positive(truth, chance)
    model = next((one for one in free if one.is_called("model") and 1 < len(one.distinct) < len(one.present)), None)
    if model is not None:
        yield "model", model.name
        rows = next((one for one in free if one.is_called("rows")), None)
        if rows is not None:
            yield "rows", rows.name


def _truth(columns: Sequence[Cells], given: Mapping[str, Sequence[str]]) -> Cells | None:
    """The column with the most usual name; else the first of two with the same values, or the only one of two."""
    named = [
        (ROLES["truth"].index(_letters(one.name.rpartition(".")[2])), place, one)
        for place, one in enumerate(columns)
        if _letters(one.name.rpartition(".")[2]) in ROLES["truth"]
    ]
    if named:
        return min(named)[2]
    few = [one for one in columns if 1 < len(one.distinct) <= FEW and not one.is_chance and not one.is_called("model")]
    alike = [one for one in few for other in few if one is not other and one.distinct.keys() == other.distinct.keys()]
    if alike:
        return alike[0]
    two = [one for one in few if len(one.distinct) == 2 and not one.is_called("correct")]
    return two[0] if len(two) == 1 and any(one.is_chance for one in columns) else None


def _outputs(columns: Sequence[Cells], truth: Cells) -> list[tuple[str, str]]:
    """What may be predictions of the truth: probabilities before labels before numbers."""
    if truth.is_amount:
        named = [one for one in columns if one.is_called("label") and one.numbers]
        numbers = named or [one for one in columns if one.is_amount and not one.is_called("rows")]
        return [("number", one.name) for one in numbers[:MOST]]
    chances = [one for one in columns if one.is_chance]
    by_class = {
        label: one.name for label in truth.distinct for one in chances if _letters(one.name).endswith(_letters(label))
    }
    if len(truth.distinct) > 2 and len(by_class) == len(truth.distinct):
        return [("proba", f"{label}={name}") for label, name in by_class.items()]
    if chances and len(truth.distinct) == 2:
        return [("proba", one.name) for one in chances[:MOST]]
    others = [one for one in columns if not one.is_called("correct") and not one.is_called("rows")]
    labels = [one for one in others if one.distinct and one.distinct.keys() <= truth.distinct.keys()]
    labels = [one for one in labels if one.is_called("label")] or labels
    if labels:
        return [("label", one.name) for one in labels[:MOST]]
    values = [one for one in columns if one.is_amount and not one.is_called("rows")]
    return [("value", one.name) for one in values[:1]] if len(truth.distinct) == 2 else []


def _positive(truth: Cells, chance: Cells | None) -> Iterator[tuple[str, str]]:
    """The class whose rows have the larger probabilities."""
    if chance is None or chance.numbers is None or len(truth.distinct) != 2:
        return
    of_class: dict[str, list[float]] = {label: [] for label in truth.distinct}
    for cell, chance_of_row in zip(truth.cells, map(_number, chance.cells), strict=True):
        if chance_of_row is not None:
            of_class.get(_word(cell), []).append(chance_of_row)
    yield "positive", max(of_class, key=lambda label: sum(of_class[label]) / max(len(of_class[label]), 1))


def _sample(file: Source) -> dict[str, list[Any]]:
    """The first rows of a file by column, nested ones by dotted names."""
    if file.format in ("csv", "tsv"):
        header, separator, _ = read_header(file)
        rows = list(islice(checked_rows(file, header, separator), 1, ROWS + 1))
        return {name: [row[place] for row in rows] for place, name in enumerate(header)}
    if file.format == "json":
        return _sample_of_json(file)
    if file.format == "parquet":
        return first_cells(file, ROWS)
    return {name: cells[:ROWS].tolist() for name, cells in arff.columns(file, None)[0].items()}


def _sample_of_json(file: Source) -> dict[str, list[Any]]:
    assert file.path is not None
    with file.path.open(encoding="utf-8-sig") as lines:
        rows = [dict(_leaves(json.loads(line))) for line in islice(filter(str.strip, lines), ROWS)]
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(name for row in rows for name in row)}


def _leaves(content: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, cell in content.items():
        if isinstance(cell, Mapping):
            yield from _leaves(cell, f"{above}{key}.")
        elif not isinstance(cell, list):
            yield above + key, cell


def _number(cell: Any) -> float | None:
    """The number that a cell holds; None where it holds none, or a mark of a missing one."""
    number = float(cell) if isinstance(cell, bool) else as_number(cell)
    return None if number is None or isnan(number) else number


def _word(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)


def _letters(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalnum())
