"""What the columns of a file of predictions may be, guessed from names and first rows, to be shown and never taken."""

from __future__ import annotations

import csv
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import isnan
from typing import Any

import numpy as np

from veracity.core.errors import BadInput, VeracityError
from veracity.core.missing import is_mark, is_missing
from veracity.readers import arff
from veracity.readers.cells import as_number
from veracity.readers.delimited import checked_rows, read_header
from veracity.readers.jsonlines import leaves, read_objects
from veracity.readers.layouts import refuse_layout
from veracity.readers.parquet import first_cells
from veracity.readers.roles import WORDS, is_called, letters
from veracity.readers.source import open_source

ROWS = 1_000  # that are looked at
FEW = 20  # different values up to which numbers may be classes
MOST = 4  # models in a guess
PREDICTED_WORDS = (  # of which the name of a column of predictions has one
    "p p1 p2 p3 prob probs proba probability probabilities phat yhat hat pred preds predicted prediction predictions"
    " output response guess forecast fitted s score scores logit logits margin decision"
)
TRUTHS = frozenset(["y", "ytrue", "truth", "target", "groundtruth", "actual", "observed"])  # no learner is so called
YES_OR_NO = frozenset(["0", "1", "true", "false", "yes", "no", "y", "n", "t", "f"])  # classes that features have, too
LEAST_ALIKE = 0.3  # correlation of numbers with what they may predict
LEARNERS = {True: "sklearn.ensemble:RandomForestRegressor", False: "sklearn.ensemble:RandomForestClassifier"}


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
    def is_named_as_predicted(self) -> bool:
        """Whether a word of the name says that these are predictions."""
        words = re.findall(r"[a-z]{2,}|[a-z]\d*", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", self.name).lower())
        return self.is_called("label") or bool(set(words).intersection(PREDICTED_WORDS.split()))

    @property
    def is_amount(self) -> bool:
        """Whether these are numbers rather than classes."""
        return self.numbers is not None and len(self.distinct) > FEW

    def is_called(self, role: str) -> bool:
        """Return whether the name, or the last part of a dotted one, is usual for a role."""
        return any(is_called(name, role) for name in (self.name, self.name.rpartition(".")[2]))


@dataclass(frozen=True)
class Guess:
    """The columns there are, the options that may be meant, and where none is what can be done with the file."""

    names: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    advice: str = ""


class NoTable(BadInput):
    """A file that is there and has no columns."""


def guess_predictions(path: str, given: Mapping[str, Sequence[str]]) -> Guess | None:
    """Return a guess for a file, besides the options that were given; None where its rows cannot be read."""
    try:
        cells = _first_cells(path)
    except NoTable:
        return None
    refuse_layout(cells, path, {})
    columns = _columns_of_values(cells)
    named = {role: list(names) for role, names in given.items() if names}
    free = [one for one in columns if not any(one.name in names for names in named.values())]
    truth = next((one for one in columns if one.name in named.get("truth", [])), None) or _truth(free)
    options = tuple(_options(columns, free, truth, named))
    advice = ""
    if truth is not None and all(role == "truth" for role, _ in options):
        typed = f"--target {shlex.quote(truth.name)} --learner {LEARNERS[truth.is_amount]}"
        way = f"evaluate(learner, X, y), or veracity estimate {shlex.quote(path)} {typed}"
        advice = f"none looks like predictions of {truth.name!r}: to try learners on them, {way}"
    return Guess(tuple(one.name for one in columns), options, advice)


def predicted_column(columns: Mapping[str, Sequence[Any]]) -> tuple[str, str] | None:
    """Return the truth of a table that surely has a row for each case, and what to do with it; None of any other table.

    Such a truth has a few classes under a usual name, or numbers under one that no learner has. Beside it are
    predictions, or no names of data sets.
    """
    sampled = [Cells(name, cells[:ROWS]) for name, cells in columns.items()]
    for one in sampled:
        repeats = len(one.present) > 2 * len(one.distinct) > 2
        classes = one.is_called("truth") and repeats and len(one.distinct) <= FEW and not one.is_chance
        if classes or (letters(one.name) in TRUTHS and one.is_amount):
            others = [other for other in sampled if other is not one]
            if _outputs(others, one):
                return one.name, ""
            named = any(each.numbers is None and len(each.distinct) == len(each.present) for each in others)
            return None if named else (one.name, LEARNERS[one.is_amount])
    return None


def first_columns(path: str) -> list[Cells]:
    """Return the columns of single values with their first cells; refuse a file whose rows cannot be read."""
    return _columns_of_values(_first_cells(path))


def _columns_of_values(cells: Mapping[str, list[Any]]) -> list[Cells]:
    return [Cells(name, each) for name, each in cells.items() if not any(isinstance(cell, list) for cell in each)]


def _first_cells(path: str) -> dict[str, list[Any]]:
    """Return the first rows of a file by column, nested ones by dotted names."""
    import duckdb

    with open_source(path) as file:
        try:
            if file.format in ("csv", "tsv"):
                header, separator, _ = read_header(file)
                lines = list(islice(checked_rows(file, header, separator), 1, ROWS + 1))
                return {name: [line[place] for line in lines] for place, name in enumerate(header)}
            if file.format == "json":
                rows = [dict(leaves(content)) for content in islice(read_objects(file), ROWS)]
                names = dict.fromkeys(name for row in rows for name in row)
                return {name: [row.get(name) for row in rows] for name in names}
            if file.format == "parquet":
                return first_cells(file, ROWS)
            return {name: cells[:ROWS].tolist() for name, cells in arff.columns(file, None)[0].items()}
        except (VeracityError, OSError, ValueError, AttributeError, csv.Error, duckdb.Error) as why:
            raise NoTable(f"{file.name} cannot be read as a table: {why}") from None


def _options(
    columns: Sequence[Cells], free: Sequence[Cells], truth: Cells | None, given: Mapping[str, Sequence[str]]
) -> Iterator[tuple[str, str]]:
    """Yield truth and predictions, else right and wrong or losses; then what tells models and rows apart."""
    ready = [(role, one) for role in ("correct", "loss") for one in free if one.is_called(role) and one.numbers]
    typed = [(role, name) for role in ("label", "proba", "value", "number") for name in given.get(role, [])]
    found = typed or ([] if truth is None else _outputs([one for one in free if one is not truth], truth))
    if truth is not None and found:
        yield "truth", truth.name
        yield from found
        if found[0][0] in ("proba", "value") and "=" not in found[0][1] and "positive" not in given:
            chance = next((one for one in columns if one.name == found[0][1]), None)
            if chance is not None and chance.numbers is not None and len(truth.distinct) == 2:
                of_class: dict[str, list[float]] = {label: [] for label in truth.distinct}
                for cell, number in zip(truth.cells, map(_number, chance.cells), strict=True):
                    if number is not None:
                        of_class.get(_word(cell), []).append(number)
                # the class whose rows have the larger probabilities
                yield "positive", max(of_class, key=lambda label: sum(of_class[label]) / max(len(of_class[label]), 1))
    elif ready:
        yield ready[0][0], ready[0][1].name
    else:
        return
    model = next((one for one in free if one.is_called("model") and 1 < len(one.distinct) < len(one.present)), None)
    if model is not None:
        yield "model", model.name
        rows = next((one for one in free if one.is_called("rows")), None)
        if rows is not None:
            yield "rows", rows.name


def _truth(columns: Sequence[Cells]) -> Cells | None:
    """Return the column with the most usual name; else the first of two with the same values, or the one of two."""
    named = [
        (WORDS["truth"].index(letters(word)), place, one)
        for place, one in enumerate(columns)
        for word in (one.name.rpartition(".")[2],)
        if is_called(word, "truth")
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
    """What looks like predictions of the truth by its name or cells, or as there is nothing else: else features are."""
    by_class = _chances_by_class(columns, truth)
    if by_class:
        return by_class
    kinds = _candidates(columns, truth)
    for role, found in kinds:
        likely = [one for one in found if _is_likely(one, role, truth)]
        if likely:
            return [(role, one.name) for one in likely[: 1 if role == "value" else MOST]]
    for role, found in kinds[:1] if kinds and kinds[0][0] in ("proba", "label") else ():
        others = [one for one in columns if not any(one.is_called(word) for word in ("rows", "model", "correct"))]
        if len(found) <= MOST and all(one in found for one in others):
            return [(role, one.name) for one in found]
    return []


def _candidates(columns: Sequence[Cells], truth: Cells) -> list[tuple[str, list[Cells]]]:
    """Return what may be predictions of the truth: probabilities before labels before numbers."""
    named = [one for one in columns if not one.is_called("rows")]
    amounts = [one for one in named if one.is_amount]
    if truth.is_amount:
        return [("number", [one for one in columns if one.is_called("label") and one.numbers] or amounts)]
    two = len(truth.distinct) == 2
    others = [one for one in named if not one.is_called("correct")]
    labels = [one for one in others if one.distinct and one.distinct.keys() <= truth.distinct.keys()]
    kinds = {
        "proba": [one for one in columns if one.is_chance] if two else [],
        "label": [one for one in labels if one.is_called("label")] or labels,
        "value": amounts if two else [],
    }
    return [(role, found) for role, found in kinds.items() if found]


def _chances_by_class(columns: Sequence[Cells], truth: Cells) -> list[tuple[str, str]]:
    """Return the probabilities of each of several classes, which sum to 1 in every row."""
    if truth.is_amount or len(truth.distinct) < 3:
        return []
    chances = [one for one in columns if one.is_chance]
    by_class = {label: one for label in truth.distinct for one in chances if letters(one.name).endswith(letters(label))}
    rows = zip(*(map(_number, one.cells) for one in by_class.values()), strict=True)
    sums = [sum(row) for row in rows if None not in row]
    if len(by_class) < len(truth.distinct) or not all(abs(one - 1) < 0.02 for one in sums):
        return []
    return [("proba", f"{label}={one.name}") for label, one in by_class.items()]


def _is_likely(one: Cells, role: str, truth: Cells) -> bool:
    """Return whether a column is rather predictions than a feature."""
    if role == "label" and not {word.lower() for word in truth.distinct} <= YES_OR_NO and truth.numbers is None:
        return True  # the names of the same classes
    if role == "number":  # of the size of the truth, and rising with it
        pairs = [(_number(a), _number(b)) for a, b in zip(one.cells, truth.cells, strict=True)]
        known = np.array([pair for pair in pairs if None not in pair], float)
        if len(known) >= 3 and known.std(axis=0).all():
            shift = abs(known[:, 0].mean() - known[:, 1].mean())
            if shift < known[:, 1].std() and np.corrcoef(known.T)[0, 1] > LEAST_ALIKE:
                return True
    whole = role == "value" and one.numbers is not None and all(number.is_integer() for number in one.numbers)
    return one.is_named_as_predicted and not whole


def _number(cell: Any) -> float | None:
    """Return the number that a cell holds; None where it holds none, or a mark of a missing one."""
    number = float(cell) if isinstance(cell, bool) else as_number(cell)
    return None if number is None or isnan(number) else number


def _word(cell: Any) -> str:
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell)
