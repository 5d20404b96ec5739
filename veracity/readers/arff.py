"""ARFF, dense and sparse, read line by line; a sentence about a line names its number in the file.

Nominal, string and date attributes give text; numeric ones give whole numbers where every cell is written as one, else
numbers. A row may end in its weight in braces. A sparse row leaves out zeros and first nominal values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark
from veracity.core.words import brief, plural
from veracity.readers.cells import MAX_CELL_CHARS, is_text, whole_numbers
from veracity.readers.source import Source, Wanted, names_wanted, places_of
from veracity.records.arrays import Array

NUMERIC = ("numeric", "real", "integer")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
QUOTED = r"'(?:[^'\\]|\\.)*'" + r'|"(?:[^"\\]|\\.)*"'
# A quote opens a text only where a word starts; elsewhere it is a sign like others, as in it's.
TOKEN = re.compile(rf"(?<![^\s,])(?:{QUOTED})|[,%]|[^,'\"%]+|['\"]", re.DOTALL)
UNTIL_BRACE = re.compile(rf"((?:{QUOTED}|[^'\"}}])*)}}", re.DOTALL)
WORD = re.compile(rf"({QUOTED})|[^\s{{]+", re.DOTALL)
OPEN_QUOTE = "has an opening quote without its closing one"
SPECIAL = re.compile(r"['\"%\\{]")


class TornError(Exception):
    """A line that breaks the rules; its text continues `line 7 ...`."""


@dataclass(frozen=True)
class Attribute:
    """A declared column: its type, and the values of a nominal one in their order."""

    name: str
    type: str
    values: tuple[str, ...] = ()


def columns(source: Source, names: Wanted) -> tuple[dict[str, Array], Array | None]:
    """Return the asked columns, and the weights of rows, if any."""
    number = 0

    def lines() -> Iterator[str]:
        nonlocal number
        assert source.path is not None
        with source.path.open(encoding="utf-8-sig", errors="surrogateescape") as stream:  # whose lines end in any way
            for raw in stream:
                number += 1
                line = raw.strip()
                if not is_text(line):
                    raise TornError("holds bytes that are not UTF-8: save the file as UTF-8")
                if line and line[0] != "%":
                    yield line

    rest = lines()
    try:
        attributes = _attributes(rest)
        known = [attribute.name for attribute in attributes]
        names = names_wanted(known, names)
        places = list(places_of(source, known, names).values())
        cells: list[list[Any]] = [[] for _ in places]
        weights: list[float | None] = []
        for line in rest:
            row, weight = (_sparse_row if line[0] == "{" else _dense_row)(line, attributes)
            for place, column in zip(places, cells, strict=True):
                column.append(_cell(row.get(place), attributes[place]))
            weights.append(weight)
    except TornError as torn:
        raise BadInput(f"{source.name}: line {number} {torn}") from None
    if not weights:
        raise BadInput(f"{source.name} has attributes but no rows")
    arrays: dict[str, Array] = {}
    for name, place, column in zip(names, places, cells, strict=True):
        if None in column or attributes[place].type not in NUMERIC:
            arrays[name] = np.array(column, object)
        elif all(type(cell) is int for cell in column):
            arrays[name] = whole_numbers(column, source.column(name), "declare it a string")
        else:
            arrays[name] = np.array(column)
    if not any(weight is not None for weight in weights):
        return arrays, None
    return arrays, np.array([1.0 if weight is None else weight for weight in weights])


def _attributes(lines: Iterator[str]) -> list[Attribute]:
    """Read the declarations down to @data."""
    attributes: list[Attribute] = []
    for line in lines:
        word = line.split(maxsplit=1)[0].lower()
        if word == "@data":
            return attributes
        if word == "@attribute":
            attributes.append(_attribute(line[10:].strip()))
        elif word != "@relation":
            raise TornError(f"is neither @relation, @attribute nor @data: {brief(line, 40)}")
    raise TornError("ends the file before @data")


def _attribute(declared: str) -> Attribute:
    if not declared:
        raise TornError("declares an attribute without a name")
    first = WORD.match(declared)
    if first is None or (declared[0] in "'\"" and first[1] is None):
        raise TornError(OPEN_QUOTE)
    name, rest = unquote(first[0]), declared[first.end() :].strip()
    if rest[:1] == "{":
        if "}" not in rest:
            raise TornError(f"declares attribute '{brief(name)}' without the closing brace of its values")
        return Attribute(name, "nominal", tuple(unquote(word) for word in words(_until_brace(rest[1:]))))
    kind = next(iter(rest.partition("%")[0].lower().split()), "")
    if kind not in (*NUMERIC, "string", "date"):
        known = "types are numeric, real, integer, string, date and {values}"
        raise TornError(f"declares attribute '{brief(name)}' as '{brief(kind, 30)}': {known}")
    return Attribute(name, kind)


def _until_brace(inside: str) -> str:
    """Return the text before the brace that closes it, which is not one inside quotes."""
    found = UNTIL_BRACE.match(inside)
    if found is None:
        raise TornError("has an opening brace without its closing one")
    return found[1]


def _dense_row(line: str, attributes: list[Attribute]) -> tuple[dict[int, str], float | None]:
    cells = words(line)
    weight = None
    if len(cells) == len(attributes) + 1 and cells[-1][:1] == "{":
        weight = _weight(cells.pop())
    if len(cells) != len(attributes):
        raise TornError(f"has {plural(len(cells), 'cell')}, but {len(attributes)} attributes are declared")
    return dict(enumerate(cells)), weight


def _sparse_row(line: str, attributes: list[Attribute]) -> tuple[dict[int, str], float | None]:
    inside = _until_brace(line[1:])
    rest = line[len(inside) + 2 :].strip().lstrip(",").strip()
    cells: dict[int, str] = {}
    for pair in words(inside, blanks=False) if inside.strip() else []:
        place, word = (*pair.split(None, 1), "", "")[:2]
        if not place.isdecimal() or int(place) >= len(attributes) or int(place) in cells or not word:
            needed = "where the number of an attribute and its value are needed, each once"
            raise TornError(f"holds '{brief(pair, 30)}' {needed}")
        cells[int(place)] = word
    return cells, _weight(rest) if rest and rest[0] != "%" else None


def _weight(word: str) -> float:
    try:
        if word[:1] == "{" and word[-1:] == "}":
            return float(word[1:-1])
    except ValueError:
        pass
    raise TornError(f"ends in '{brief(word, 30)}', which is not a weight in braces")


def _cell(word: str | None, attribute: Attribute) -> Any:
    """Return the value of one cell, None where it is missing; `word` is None of one that a sparse row leaves out."""
    if word == "?":
        return None
    called = f"attribute '{brief(attribute.name)}'"
    if attribute.type in NUMERIC:
        text = "0" if word is None else unquote(word)
        return None if is_mark(text) else _number(text, called)
    if word is None:
        if attribute.type != "nominal":
            raise TornError(f"leaves out {called}, and only numbers and nominal values may be left out")
        return attribute.values[0]
    text = unquote(word)
    if attribute.type == "nominal" and text not in attribute.values:
        raise TornError(f"holds '{brief(text, 40)}', which is not among the values declared for {called}")
    if len(text) > MAX_CELL_CHARS:
        raise TornError(f"holds a cell of more than {MAX_CELL_CHARS:,} characters in {called}")
    return text


def _number(text: str, called: str) -> int | float:
    try:
        if text.lstrip("-").isdecimal() and len(text) <= 20 and -(2**63) <= (whole := int(text)) < 2**64:
            return whole
        if "_" not in text:
            return float(text)
    except ValueError:
        pass
    raise TornError(f"holds '{brief(text, 40)}' in {called}, which is not a number")


def words(line: str, blanks: bool = True) -> list[str]:
    """Return the cells of a line as written, quotes kept, so that '?' in quotes is not a missing cell.

    With `blanks`, a line without commas is split at them, as Weka does.
    """
    if not SPECIAL.search(line):
        return [word.strip() for word in line.split(None if blanks and "," not in line else ",")]
    cells, word = [], ""
    for token in TOKEN.findall(line):
        if token == "%":
            break
        if token == ",":
            cells.append(word.strip())
            word = ""
        elif token in ("'", '"') and (not word or word[-1].isspace()):
            raise TornError(OPEN_QUOTE)
        else:
            word += token
    return [*cells, word.strip()]


def unquote(word: str) -> str:
    """Return the text that a word stands for."""
    if len(word) >= 2 and word[0] in "'\"" and word[-1] == word[0]:
        return ESCAPE.sub(
            lambda match: chr(int(match[1][1:], 16)) if len(match[1]) == 5 else ESCAPES.get(match[1], match[1]),
            word[1:-1],
        )
    return word
