"""Results for machines: JSON that every reader accepts, comma-separated values with numbers in full, data frames."""

from __future__ import annotations

import csv as standard_csv
import io
import json as standard_json
import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from importlib.util import find_spec
from itertools import count
from typing import Any, TextIO

from veracity.core.errors import BadInput
from veracity.core.words import spell_out_controls
from veracity.tables.cells import Number, NumberWithin, machine_value
from veracity.tables.table import Table

FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")  # with their broad forms
PLAIN_WORD = re.compile(r"[A-Za-z0-9_.+-]+")  # stands without quotes in ARFF
ARFF_ESCAPES = str.maketrans(
    {"\\": r"\\", "'": r"\'", '"': r"\"", "%": r"\%", "\n": r"\n", "\r": r"\r", "\t": r"\t", "\x1e": r"\u001E"}
)
LIBRARIES = ("pandas", "polars", "pyarrow")


def json(value: Any) -> str:
    """Any result made of dicts, lists, arrays and numbers; a list of numbers or words stays on one line."""
    return _layout(to_jsonable(value), "")


def _layout(value: Any, margin: str) -> str:
    inner = margin + "  "
    if isinstance(value, dict) and value:
        items = [f"{_text(key)}: {_layout(item, inner)}" for key, item in value.items()]
        return f"{{\n{inner}" + f",\n{inner}".join(items) + f"\n{margin}}}"
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        items = [_layout(item, inner) for item in value]
        return f"[\n{inner}" + f",\n{inner}".join(items) + f"\n{margin}]"
    return _text(value)


def _text(value: Any) -> str:
    """JSON in letters; what is none is written by its number, which every reader turns back into it."""
    text = standard_json.dumps(value, allow_nan=False, ensure_ascii=False)
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else standard_json.dumps(c)[1:-1] for c in text)


def to_jsonable(value: Any) -> Any:
    """Return any result as plain dicts, lists, texts and numbers; undefined and infinite numbers are None."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): to_jsonable(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # arrays and their scalars
        return to_jsonable(value.tolist())
    if hasattr(value, "to_json"):
        return value.to_json()
    if isinstance(value, (Number, NumberWithin)):
        return to_jsonable(value.value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_jsonable(item) for item in value]
    if is_dataclass(value) and not isinstance(value, type):
        return {part.name: to_jsonable(getattr(value, part.name)) for part in fields(value)}
    return str(value)


def records(table: Table) -> list[dict[str, Any]]:
    """Return the rows of a table as dicts, for JSON."""
    titles = _distinct(table.titles)
    rows = (map(to_jsonable, map(machine_value, row)) for row in table.rows)
    return [dict(zip(titles, row, strict=True)) for row in rows]


def _distinct(titles: Sequence[str]) -> list[str]:
    """The headings with a number behind those that stood before: a learner may be called as the column of data is."""
    distinct: list[str] = []
    for title in titles:
        numbered = (f"{title} ({number})" for number in count(2))
        distinct.append(title if title not in distinct else next(one for one in numbered if one not in distinct))
    return distinct


def csv(table: Table) -> str:
    """Headings and rows; an undefined number is an empty cell, an infinite one inf. Notes are left to other formats.

    Control characters are spelled out, and a text that a spreadsheet would take for a formula has an apostrophe before
    it, which makes it a text there.
    """
    table = table.for_machines
    out = io.StringIO()
    write_csv(out, table.titles, table.rows)
    return out.getvalue()


def write_csv(out: TextIO, titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """The same of rows as they come."""
    writer = standard_csv.writer(out, lineterminator="\n")
    writer.writerow(map(_harmless, titles))
    writer.writerows(map(_harmless, row) for row in rows)  # None is written as an empty cell


def _harmless(cell: Any) -> Any:
    value = machine_value(cell)
    return ("'" * _is_formula(value)) + spell_out_controls(value) if isinstance(value, str) else value


def formulas(table: Table) -> int:
    """How many cells `csv` puts an apostrophe before."""
    table = table.for_machines
    return sum(_is_formula(machine_value(cell)) for row in (table.titles, *table.rows) for cell in row)


def _is_formula(value: Any) -> bool:
    """Whether a spreadsheet would calculate a text; one that is a number is only that."""
    if not isinstance(value, str) or not value.lstrip().startswith(FORMULA):
        return False
    try:
        float(value)
    except ValueError:
        return True
    return False


def arff(relation: str, columns: Mapping[str, Sequence[Any]]) -> str:
    """Columns in Weka's format: texts are nominal, and an undefined or infinite number is a question mark."""
    texts = {n: dict.fromkeys(cell for cell in cells if isinstance(cell, str)) for n, cells in columns.items()}
    return "".join(arff_lines(relation, texts, zip(*columns.values(), strict=True)))


def arff_lines(relation: str, texts: Mapping[str, Iterable[str]], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The same of rows as they come, and of the texts of each column, none of which is a column of numbers."""
    yield f"@relation {_arff_word(relation)}\n\n"
    for name, words in texts.items():
        nominal = ",".join(map(_arff_word, words))
        yield f"@attribute {_arff_word(name)} " + (f"{{{nominal}}}\n" if nominal else "numeric\n")
    yield "\n@data\n"

    def arff_cell(cell: Any) -> str:
        if isinstance(cell, str):
            return _arff_word(cell)
        return repr(cell) if cell is not None and (isinstance(cell, int) or math.isfinite(cell)) else "?"

    for row in rows:
        yield ",".join(map(arff_cell, row)) + "\n"


def _arff_word(text: str) -> str:
    """A word as it is where it is plain, else in quotes as Weka writes them."""
    if PLAIN_WORD.fullmatch(text):
        return text
    return f"'{text.translate(ARFF_ESCAPES)}'"


def frame(table: Table, library: str | None = None) -> Any:
    """A frame of `library`, else of the one already imported, else of the first one installed."""
    import narwhals

    table = table.for_machines
    titles = _distinct(table.titles)
    columns = {title: [machine_value(row[j]) for row in table.rows] for j, title in enumerate(titles)}
    return narwhals.from_dict(columns, backend=frame_library(library)).to_native()


def frame_library(library: str | None = None) -> Any:
    """The library of the frame."""
    if library is not None and library not in LIBRARIES:
        raise BadInput(f"a frame is made by {', '.join(LIBRARIES)}, not by {library!r}")
    if library is not None and find_spec(library) is None:
        raise BadInput(f"{library} is not installed: pip install {library}, or use to_csv() or to_json()")
    loaded = [name for name in LIBRARIES if name in sys.modules]
    there = [library] if library else [*loaded, *(name for name in LIBRARIES if find_spec(name) is not None)]
    if not there:
        raise BadInput("a frame needs pandas, polars or pyarrow, and none is installed: use to_csv() or to_json()")
    return there[0]
