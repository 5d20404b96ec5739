"""ARFF, dense and sparse, read line by line; a sentence about a line names its number in the file.

Nominal, string and date attributes give text; numeric ones give whole numbers where every cell is written as one, else
numbers. A row may end in its weight in braces. A sparse row leaves out zeros and first nominal values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.missing import is_mark
from veracity.core.words import brief
from veracity.readers.delimited import is_text
from veracity.readers.relation import MAX_CELL_CHARS
from veracity.readers.source import Source, Wanted, names_wanted, place_of
from veracity.records.arrays import Array

NUMERIC = ("numeric", "real", "integer")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
QUOTED = {sign: re.compile(rf"{sign}(?:[^{sign}\\]|\\.)*{sign}", re.DOTALL) for sign in "'\""}
PLAIN = re.compile(r"[^,'\"%]*")
SPECIAL = re.compile(r"['\"%\\{]")


@dataclass(frozen=True)
class Attribute:
    """A declared column: its type, and the values of a nominal one in their order."""

    name: str
    type: str
    values: tuple[str, ...] = ()


def columns(source: Source, names: Wanted) -> tuple[dict[str, Array], Source, dict[str, int], Array | None]:
    """The asked columns, where they came from, their first missing rows, and the rows' weights if any has one."""
    lines = _Lines(source)
    try:
        attributes = _attributes(lines)
        known = [attribute.name for attribute in attributes]
        names = names_wanted(known, names)
        places = [place_of(source, known, name) for name in names]
        columns: list[list[Any]] = [[] for _ in places]
        weights: list[float | None] = []
        for line in lines:
            cells, weight = (_sparse if line[0] == "{" else _dense)(line, attributes)
            for place, column in zip(places, columns, strict=True):
                column.append(_cell(cells(place), attributes[place]))
            weights.append(weight)
    except TornError as torn:
        raise BadInput(f"{source.name}: line {lines.number} {torn}") from None
    if not weights:
        raise BadInput(f"{source.name} has attributes but no rows")
    missing = {name: column.index(None) for name, column in zip(names, columns, strict=True) if None in column}
    arrays = {
        name: _array(source, name, column, name not in missing and attributes[place].type in NUMERIC)
        for name, place, column in zip(names, places, columns, strict=True)
    }
    if all(weight is None for weight in weights):
        return arrays, source, missing, None
    return arrays, source, missing, np.array([1.0 if weight is None else weight for weight in weights])


def _array(source: Source, name: str, cells: list[Any], numeric: bool) -> Array:
    """Whole numbers exactly, with or without a sign; other numbers, and texts."""
    if not numeric:
        return np.array(cells, object)
    unsigned = all(type(cell) is int for cell in cells) and max(cells) >= 2**63
    if unsigned and min(cells) < 0:
        says = f"holds whole numbers below 0 and above {2**63 - 1}, which no 64 bits hold together: declare it a string"
        raise BadInput(f"{source.column(name)} {says}")
    return np.array(cells, np.uint64 if unsigned else None)


def _attributes(lines: _Lines) -> list[Attribute]:
    """The declarations down to @data."""
    attributes: list[Attribute] = []
    for line in lines:
        word = line.split(maxsplit=1)[0].lower()
        if word == "@data":
            return attributes
        if word == "@attribute":
            attributes.append(_attribute(line[10:]))
        elif word != "@relation":
            raise TornError(f"is neither @relation, @attribute nor @data: {brief(line, 40)}")
    raise TornError("ends the file before @data")


class _Lines:
    """The lines that say something, one after another, and the number of the last one given."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.number = 0
        self._lines = self._read()

    def __iter__(self) -> Iterator[str]:
        return self._lines

    def _read(self) -> Iterator[str]:
        assert self.source.path is not None
        with self.source.path.open(encoding="utf-8-sig", errors="surrogateescape") as lines:  # which end in any way
            for self.number, raw in enumerate(lines, 1):
                line = raw.strip()
                if not is_text(line):
                    raise TornError("holds bytes that are not UTF-8: save the file as UTF-8")
                if line and line[0] != "%":
                    yield line


def _attribute(declared: str) -> Attribute:
    name, rest = read_word(declared.strip(), "declares an attribute without a name")
    rest = rest.strip()
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
    """The text before the brace that closes it, which is not one inside quotes."""
    quote, skip = "", False
    for place, sign in enumerate(inside):
        if skip:
            skip = False
        elif quote:
            skip, quote = sign == "\\", "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "}":
            return inside[:place]
    raise TornError("has an opening brace without its closing one")


def _dense(line: str, attributes: list[Attribute]) -> tuple[Callable[[int], str | None], float | None]:
    cells = words(line)
    weight = None
    if len(cells) == len(attributes) + 1 and cells[-1][:1] == "{":
        weight = _weight(cells.pop())
    if len(cells) != len(attributes):
        raise TornError(f"has {len(cells)} cell{'s'[: len(cells) != 1]}, but {len(attributes)} attributes are declared")
    return cells.__getitem__, weight


def _sparse(line: str, attributes: list[Attribute]) -> tuple[Callable[[int], str | None], float | None]:
    inside = _until_brace(line[1:])
    rest = line[len(inside) + 2 :].strip().lstrip(",").strip()
    cells: dict[int, str] = {}
    for pair in words(inside, blanks=False) if inside.strip() else []:
        place, _, word = pair.partition(" ") if " " in pair else pair.partition("\t")
        if not place.isdecimal() or int(place) >= len(attributes) or int(place) in cells or not word.strip():
            needed = "where the number of an attribute and its value are needed, each once"
            raise TornError(f"holds '{brief(pair, 30)}' {needed}")
        cells[int(place)] = word.strip()
    return cells.get, _weight(rest) if rest and rest[0] != "%" else None


def _weight(word: str) -> float:
    try:
        if word[:1] == "{" and word[-1:] == "}":
            return float(word[1:-1])
    except ValueError:
        pass
    raise TornError(f"ends in '{brief(word, 30)}', which is not a weight in braces")


def _cell(word: str | None, attribute: Attribute) -> Any:
    """The value of one cell; None where it is missing."""
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


class TornError(Exception):
    """A line that breaks the rules; its text continues `line 7 ...`."""


def words(line: str, blanks: bool = True) -> list[str]:
    """The cells of a line as written, quotes kept, so that '?' in quotes is not a missing cell.

    With `blanks`, a line without commas is split at them, as Weka does.
    """
    if not SPECIAL.search(line):
        return [word.strip() for word in line.split(None if blanks and "," not in line else ",")]
    cells, word, place = [], "", 0
    while place < len(line):
        sign = line[place]
        if sign == "%":
            break
        if sign == ",":
            cells.append(word.strip())
            word, place = "", place + 1
        elif sign in "'\"" and (not word or word[-1].isspace()):  # it opens a text only where a word starts
            piece = _quoted_piece(line, place)
            word, place = word + piece, place + len(piece)
        else:
            rest = PLAIN.match(line, place + 1)
            end = rest.end() if rest else place + 1
            word, place = word + line[place:end], end
    return [*cells, word.strip()]


def _quoted_piece(line: str, place: int) -> str:
    match = QUOTED[line[place]].match(line, place)
    if match is None:
        raise TornError("has an opening quote without its closing one")
    return match.group()


def unquote(word: str) -> str:
    """The text that a word stands for."""
    if len(word) >= 2 and word[0] in "'\"" and word[-1] == word[0]:
        word = word[1:-1]
        return ESCAPE.sub(_meaning, word) if "\\" in word else word
    return word


def _meaning(match: re.Match[str]) -> str:
    sign = match.group(1)
    return chr(int(sign[1:], 16)) if len(sign) == 5 else ESCAPES.get(sign, sign)


def read_word(text: str, otherwise: str) -> tuple[str, str]:
    """The first word of a declaration, unquoted, and what follows it."""
    if not text:
        raise TornError(otherwise)
    if text[0] in "'\"":
        piece = _quoted_piece(text, 0)
        return unquote(piece), text[len(piece) :]
    end = re.search(r"[\s{]", text)
    return (text[: end.start()], text[end.start() :]) if end else (text, "")
