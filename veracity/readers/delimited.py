"""CSV and TSV: one header row, cells separated by a sign that the header shows, types decided by every cell.

A column is whole numbers when every cell is written as one ("7", not "07", "7.0" or "+7"), numbers when every cell is
a number, true/false when every cell is one of these words, and text otherwise. Whole cells with a leading zero ("07")
or beyond 64 bits are codes, so their column is text; dates are text. Only empty cells are missing: "NA" is a text.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from veracity.core.errors import BadInput
from veracity.core.words import plural
from veracity.readers.relation import LONGEST, Relation, SqlColumn, first_line, quote, too_long
from veracity.readers.source import Source, Wanted, names_wanted, place_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SEPARATORS = ",;\t|"
PATIENCE = 1 << 24  # characters in a cell: up to here one that is too long is told with its column
KINDS = {1: "missing", 2: "whole", 4: "number", 8: "truth", 16: "text"}
CODE = r"^\s*[+-]?(0[0-9]|[0-9]{19,}\s*$)"
CASTS = {"whole": "cast({} as bigint)", "number": "cast({} as double)", "truth": "(lower(trim({})) = 'true')"}


def relation(source: Source, names: Wanted, connection: DuckDBPyConnection) -> Relation:
    """The asked columns, typed."""
    import duckdb

    header, separator, blank = _header(source)
    places = {name: place_of(source, header, name) for name in names_wanted(header, names)}
    table = _table(len(header), separator, blank)
    plain = {name: SqlColumn(f"c{place}", "text") for name, place in places.items()}
    select = ", ".join(f"bit_or({_kind(cell.sql)}), max(length({cell.sql}))" for cell in plain.values())
    try:
        masks = Relation(source, connection, table, plain).all(select)[0]
    except duckdb.Error as why:
        raise _diagnosis(source, header, separator, why) from None
    if masks[0] is None:
        raise BadInput(f"{source.name} has a header but no rows")
    typed = {name: _typed_column(plain[name].sql, *masks[2 * i : 2 * i + 2]) for i, name in enumerate(plain)}
    return Relation(source, connection, table, typed)


def _table(columns: int, separator: str, blank: int) -> str:
    types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(columns))
    return (
        f"read_csv($file, auto_detect = false, columns = {{{types}}}, header = true, skip = {blank}, "
        f"delim = {quote(separator)}, quote = '\"', escape = '\"', hive_partitioning = false, compression = 'none')"
    )


def _kind(cell: str) -> str:
    """SQL for the kind of one cell, as a bit; what most cells are is asked first, and cheaply."""
    code = f"contains({cell}, '_') or regexp_matches({cell}, {quote(CODE)})"
    return (
        f"case when {cell} is null then 1 when try_cast({cell} as double) is null "
        f"then case when lower(trim({cell})) in ('true', 'false') then 8 else 16 end "
        f"when contains({cell}, '.') then case when {code} then 16 else 4 end "
        f"when try_cast({cell} as bigint)::varchar = trim({cell}) then 2 when {code} then 16 else 4 end"
    )


def _typed_column(cell: str, mask: int, longest: int | None) -> SqlColumn:
    kinds = {kind for bit, kind in KINDS.items() if mask & bit} - {"missing"}
    kind = kinds.pop() if len(kinds) == 1 else "number" if kinds == {"whole", "number"} else "text"
    return SqlColumn(CASTS.get(kind, "{}").format(cell), kind, longest or 0)


def _header(source: Source) -> tuple[list[str], str, int]:
    """The names of the columns, what separates them, and how many blank lines stand before them."""
    assert source.path is not None
    try:
        with _text(source.path, "strict") as lines:
            start = "".join(next(lines, "") for _ in range(50))[: 1 << 20]
    except UnicodeDecodeError:
        with _text(source.path, "replace") as lines:
            start = next(lines, "")
        if "\ufffd" in start:
            says = "the header holds bytes that are not UTF-8: save the file as UTF-8"
            raise BadInput(f"{source.name}: {says}") from None
    separator = "\t" if source.format == "tsv" else max(SEPARATORS, key=lambda sign: len(_cells(start, sign)))
    blank = next((number for number, line in enumerate(start.splitlines()) if line), 0)
    return _cells(start, separator), separator, blank


def _text(path: Path, errors: str) -> io.TextIOWrapper:
    return path.open(encoding="utf-8-sig", errors=errors, newline="")


def _cells(start: str, separator: str) -> list[str]:
    try:
        return next((row for row in csv.reader(io.StringIO(start, newline=""), delimiter=separator) if row), [])
    except csv.Error:
        return [start]


def _diagnosis(source: Source, header: list[str], separator: str, why: Exception) -> BadInput:
    """The first row that is wrong, found by reading the file again slowly, after duckdb has refused it."""
    try:
        for number, row in enumerate(_rows(source, separator)):
            for name, cell in zip(header, row, strict=False):
                if len(cell) > LONGEST:
                    return too_long(source, name, number)
            if number and len(row) != len(header) and not (len(row) == len(header) + 1 and row[-1] == ""):
                cells = plural(len(row), "cell")
                return BadInput(f"{source.name}: row {number} has {cells}, but the header has {len(header)}")
            if any("\udc80" <= sign <= "\udcff" for cell in row for sign in cell if sign > "\ud7ff"):
                return BadInput(f"{source.name}: row {number} holds bytes that are not UTF-8: save the file as UTF-8")
    except BadInput as torn:
        return torn
    return BadInput(f"{source.name} cannot be read as {source.format.upper()}: {first_line(why)}")


def _rows(source: Source, separator: str) -> Iterator[list[str]]:
    assert source.path is not None
    number = -1
    limit = csv.field_size_limit(PATIENCE)
    try:
        with _text(source.path, "surrogateescape") as lines:
            for row in csv.reader(lines, delimiter=separator, strict=True):
                if row:
                    number += 1
                    yield row
    except csv.Error as why:
        says = "holds a quoted cell that does not end where it should"
        if "larger than field limit" in str(why):
            says = f"holds a cell of more than {PATIENCE:,} characters"
        raise BadInput(f"{source.name}: row {number + 1} {says}") from None
    finally:
        csv.field_size_limit(limit)
