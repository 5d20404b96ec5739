"""CSV and TSV: one header row, cells separated by a sign that the header shows, types decided by every cell.

A column is whole numbers when every cell is written as one ("7", not "07", "7.0" or "+7"), numbers when every cell is
a number, true/false when every cell is one of these words, and text otherwise. Whole cells with a leading zero ("07")
or beyond 64 bits are codes, so their column is text; dates are text. Empty cells are missing, and so are marks such as
"NA" in columns of nothing else but numbers, or of true and false. (duckdb's own detection of types would lose digits of
long numbers, read 0x1F as a number and take marks for missing among texts.)

duckdb reads the file. Where it would refuse a file that Python's csv module reads, it is given a plain copy; a row that
is wrong is found by reading the file again with that module.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from veracity.core.errors import BadInput
from veracity.core.words import plural
from veracity.readers.cells import MAX_CELL_CHARS, is_text, too_long
from veracity.readers.relation import CODE, Relation, SqlColumn, first_line, mark_as_sql, quote, scratch_folder
from veracity.readers.source import Source, Wanted, names_wanted, places_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SEPARATORS = ",;\t|"
MAX_NAMED_CELL_CHARS = 1 << 24  # up to here a cell that is too long is told with its column
MAX_DUCKDB_COLUMNS = 2_000  # with more of them duckdb, which prepares for every one, is slower than Python
PART_BYTES = 1 << 20  # looked at in one go
OVERLAP_BYTES = 100  # of the part before that are looked at again
BLANK_LINE = re.compile(rb"\n\r?\n")  # where lines end otherwise no file is plain
MAX_DISTINCT_CELLS = 10_000  # of a column up to which each of them is looked at once
KINDS = {"whole": 1, "unsigned": 2, "negative": 4, "number": 8, "truth": 16, "mark": 32, "text": 64}  # bits
CASTS = {
    "whole": "cast({} as bigint)",
    "unsigned": "cast({} as ubigint)",
    "number": "cast({} as double)",
    "truth": "(lower(trim({})) = 'true')",
    "text": "{}",
}


def relation(source: Source, names: Wanted, connection: DuckDBPyConnection) -> Relation:
    """Return the asked columns as a typed table of the connection; the file is read once for types, once for cells."""
    import duckdb

    header, separator, blank = read_header(source)
    places = places_of(source, header, names_wanted(header, names))
    if is_plain(source, header, separator):
        file, table = source, _table(len(header), separator, blank)
    else:
        copy = scratch_folder(connection) / "copy.csv"  # which every reader takes: numbers for names, all in quotes
        rows = checked_rows(source, header, separator)
        next(rows)
        with copy.open("w", encoding="utf-8", newline="") as stream:
            writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)  # a lone \r would not be quoted
            writer.writerow(places.values())
            writer.writerows([row[place] for place in places.values()] for row in rows)
        file = replace(source, path=copy)
        places, table = {name: place for place, name in enumerate(places)}, _table(len(places), ",", 0)
    try:
        return _typed_columns(Relation(file, connection, table, {}), places)
    except duckdb.Error as why:
        deque(checked_rows(source, header, separator), maxlen=0)  # which raises what is wrong with the first wrong row
        raise BadInput(f"{source.name} cannot be read as {source.format.upper()}: {first_line(why)}") from None


def _typed_columns(file: Relation, places: Mapping[str, int]) -> Relation:
    """Return columns as SQL over a table of texts, into which the file is read once."""
    texts = [f"c{place}" for place in places.values()]
    file.make_table("cells", ", ".join(texts))
    cells = replace(file, table="cells")
    rows, *numbers = cells.all(", ".join(["count(*)", *(f"approx_count_distinct({text})" for text in texts)]))[0]
    if not rows:
        raise BadInput(f"{file.source.name} has a header but no rows")
    few = [text for text, number in zip(texts, numbers, strict=True) if number <= MAX_DISTINCT_CELLS]
    many = [text for text in texts if text not in few]
    masks = {text: replace(cells, table=f"(select distinct {text} from cells)").all(_kinds(text))[0][0] for text in few}
    if many:
        masks |= dict(zip(many, cells.all(", ".join(map(_kinds, many)))[0], strict=True))
    columns = {name: _typed(text, masks[text] or 0) for name, text in zip(places, texts, strict=True)}
    return replace(cells, columns=columns)


def _table(columns: int, separator: str, blank: int) -> str:
    types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(columns))
    return (
        f"read_csv($file, auto_detect = false, columns = {{{types}}}, header = true, skip = {blank}, "
        f"delim = {quote(separator)}, quote = '\"', escape = '\"', hive_partitioning = false, compression = 'none')"
    )


def _kinds(cell: str) -> str:
    """Return SQL for the kinds of all cells of a column, as bits; what most cells are is asked first, and cheaply."""
    zeros = f"{cell} < '1' and not starts_with({cell}, '0.')"  # only then can a cell with a point begin with 00
    code = f"regexp_matches({cell}, {quote(CODE)})"
    return (
        f"bit_or(case when {cell} is null then null when try_cast({cell} as double) is null "
        f"then case when lower(trim({cell})) in ('true', 'false') then {KINDS['truth']} "
        f"when {mark_as_sql(cell)} then {KINDS['mark']} else {KINDS['text']} end "
        f"when contains({cell}, '.') then case when contains({cell}, '_') or ({zeros} and {code}) "
        f"then {KINDS['text']} else {KINDS['number']} end "
        f"when try_cast({cell} as bigint)::varchar = trim({cell}) "
        f"then case when contains({cell}, '-') then {KINDS['negative']} else {KINDS['whole']} end "
        f"when try_cast({cell} as ubigint)::varchar = trim({cell}) then {KINDS['unsigned']} "
        f"when {code} then {KINDS['text']} when {mark_as_sql(cell)} then {KINDS['mark']} else {KINDS['number']} end)"
    )


def _typed(cell: str, mask: int) -> SqlColumn:
    """Return a column in the type that all its cells have."""
    kinds = {kind for kind, bit in KINDS.items() if mask & bit}
    present = kinds - {"mark"}
    if not present:
        kind = "text"
    elif present <= {"whole", "negative"}:
        kind = "whole"
    elif present <= {"whole", "unsigned"}:
        kind = "unsigned"
    elif present <= {"whole", "negative", "number"}:
        kind = "number"
    else:
        kind = "truth" if present == {"truth"} else "text"
    if "mark" in kinds and kind != "text":
        cell = f"case when not {mark_as_sql(cell)} then {cell} end"
    return SqlColumn(CASTS[kind].format(cell), "whole" if kind == "unsigned" else kind)


def read_header(source: Source) -> tuple[list[str], str, int]:
    """Return the names of the columns, what separates them, and how many blank lines stand before them."""
    assert source.path is not None
    with _text(source.path) as lines:
        blank = 0
        for line in lines:
            if line.strip("\r\n"):
                break
            blank += 1
    separators = "\t" if source.format == "tsv" else SEPARATORS
    header, separator = max(((_first_row(source.path, sign), sign) for sign in separators), key=lambda row: len(row[0]))
    if not all(map(is_text, header)):
        raise BadInput(f"{source.name}: the header holds bytes that are not UTF-8: save the file as UTF-8")
    return header, separator, blank


def _first_row(path: Path, separator: str) -> list[str]:
    with _text(path) as lines:
        try:
            return next((row for row in csv.reader(lines, delimiter=separator) if row), [])
        except csv.Error:  # a quote that is never closed
            lines.seek(0)
            return [next((line for line in lines if line.strip("\r\n")), "").strip("\r\n")]


def is_plain(source: Source, header: Sequence[str], separator: str) -> bool:
    """Whether duckdb reads the file well: all its lines end alike, none is very long, and columns are not very many.

    A line break inside a cell may be another one than that of the lines, and then nobody can tell without reading. Of
    a line of more than its buffer duckdb says nothing: it leaves it out. Behind a line break in the header it does not
    find the first row, and a blank line of a single column is an empty cell to it. A quote behind blanks begins a
    quoted cell to it, which it is to nobody else.
    """
    assert source.path is not None
    if len(header) > MAX_DUCKDB_COLUMNS or any(
        "\n" in name or "\r" in name or name.lstrip()[:1] == '"' for name in header
    ):
        return False
    behind_blanks = re.compile(rf'[{separator}\n] +"'.encode())
    returns = breaks = both = 0
    last = b""
    with source.path.open("rb") as stream:
        while part := stream.read(PART_BYTES):
            returned = part.count(b"\r") if b"\r" in part else 0  # looking is faster than counting
            # without a return so far, one line break is as good as all of them, and found at once
            broken = part.count(b"\n") if returned or returns else int(b"\n" in part)
            if len(part) == PART_BYTES and not returned and not broken:
                return False
            if len(header) == 1 and BLANK_LINE.search(last + part):
                return False
            if b'"' in part and behind_blanks.search(last + part):
                return False
            both += (part.count(b"\r\n") if returned else 0) + (last[-1:] == b"\r" and part[:1] == b"\n")
            returns, breaks, last = returns + returned, breaks + broken, part[-OVERLAP_BYTES:]
    return returns == both and returns in (0, breaks)


def checked_rows(source: Source, header: list[str], separator: str) -> Iterator[list[str]]:
    """Return the header and every row, as long as the header; what is wrong with one is told with its number."""
    for number, row in enumerate(_rows(source, separator)):
        if len(row) != len(header) and not (len(row) == len(header) + 1 and row[-1] == "") and number:
            cells = plural(len(row), "cell")
            raise BadInput(f"{source.name}: row {number} has {cells}, but the header has {len(header)}")
        if max(map(len, row)) > MAX_CELL_CHARS:
            name = next(name for name, cell in zip(header, row, strict=False) if len(cell) > MAX_CELL_CHARS)
            raise too_long(source, name, number)
        if not all(map(is_text, row)):
            raise BadInput(f"{source.name}: row {number} holds bytes that are not UTF-8: save the file as UTF-8")
        yield row


def _rows(source: Source, separator: str) -> Iterator[list[str]]:
    assert source.path is not None
    number = -1
    try:
        with _text(source.path) as lines, ExitStack() as stack:
            stack.callback(csv.field_size_limit, csv.field_size_limit(MAX_NAMED_CELL_CHARS))
            for row in csv.reader(lines, delimiter=separator, strict=True):
                if row:
                    number += 1
                    yield row
    except csv.Error as why:
        says = "holds a quoted cell that does not end where it should"
        if "larger than field limit" in str(why):
            says = f"holds a cell of more than {MAX_NAMED_CELL_CHARS:,} characters"
        raise BadInput(f"{source.name}: row {number + 1} {says}") from None


def _text(path: Path) -> TextIO:
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")
