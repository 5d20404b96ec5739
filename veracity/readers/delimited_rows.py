"""CSV and TSV row by row, as Python's csv module reads them: where the header stands, which row is wrong, and a copy
of what is asked for where duckdb would refuse the file or take long.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from veracity.core.errors import BadInput
from veracity.core.words import plural
from veracity.readers.relation import LONGEST, too_long
from veracity.readers.source import Source

SEPARATORS = ",;\t|"
PATIENCE = 1 << 24  # characters in a cell: up to here one that is too long is told with its column
WIDE = 2_000  # columns from which on duckdb, which prepares for every one of them, is slower than Python
PART = 1 << 20  # bytes looked at in one go
BEFORE = 100  # bytes of the part before that are looked at again
BLANK = re.compile(rb"\n\r?\n")  # a line without signs; where lines end otherwise no file is plain


def read_header(source: Source) -> tuple[list[str], str, int]:
    """The names of the columns, what separates them, and how many blank lines stand before them."""
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
    if len(header) > WIDE or any("\n" in name or "\r" in name or name.lstrip()[:1] == '"' for name in header):
        return False
    behind_blanks = re.compile(rf'[{separator}\n] +"'.encode())
    returns = breaks = both = 0
    last = b""
    with source.path.open("rb") as stream:
        while part := stream.read(PART):
            returned = part.count(b"\r") if b"\r" in part else 0  # looking is faster than counting
            # without a return so far, one line break is as good as all of them, and found at once
            broken = part.count(b"\n") if returned or returns else int(b"\n" in part)
            if len(part) == PART and not returned and not broken:
                return False
            if len(header) == 1 and BLANK.search(last + part):
                return False
            if b'"' in part and behind_blanks.search(last + part):
                return False
            both += (part.count(b"\r\n") if returned else 0) + (last[-1:] == b"\r" and part[:1] == b"\n")
            returns, breaks, last = returns + returned, breaks + broken, part[-BEFORE:]
    return returns == both and returns in (0, breaks)


def copy_columns(source: Source, header: list[str], separator: str, places: Sequence[int], to: Path) -> None:
    """The asked columns, under numbers for their names, in a file that every reader takes."""
    rows = checked_rows(source, header, separator)
    next(rows)
    with to.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n", quoting=csv.QUOTE_ALL)  # a lone \r would not be quoted
        writer.writerow(places)
        writer.writerows([row[place] for place in places] for row in rows)


def checked_rows(source: Source, header: list[str], separator: str) -> Iterator[list[str]]:
    """The header and every row, as long as the header; what is wrong with one is told with its number."""
    for number, row in enumerate(_rows(source, separator)):
        if len(row) != len(header) and not (len(row) == len(header) + 1 and row[-1] == "") and number:
            cells = plural(len(row), "cell")
            raise BadInput(f"{source.name}: row {number} has {cells}, but the header has {len(header)}")
        if max(map(len, row)) > LONGEST:
            name = next(name for name, cell in zip(header, row, strict=False) if len(cell) > LONGEST)
            raise too_long(source, name, number)
        if not all(map(is_text, row)):
            raise BadInput(f"{source.name}: row {number} holds bytes that are not UTF-8: save the file as UTF-8")
        yield row


def is_text(cell: str) -> bool:
    """Whether a cell was UTF-8; what was not stands there as signs that are no letters."""
    return cell.isascii() or not any("\udc80" <= sign <= "\udcff" for sign in cell)


def _rows(source: Source, separator: str) -> Iterator[list[str]]:
    assert source.path is not None
    number = -1
    try:
        with _text(source.path) as lines, _long_cells():
            for row in csv.reader(lines, delimiter=separator, strict=True):
                if row:
                    number += 1
                    yield row
    except csv.Error as why:
        says = "holds a quoted cell that does not end where it should"
        if "larger than field limit" in str(why):
            says = f"holds a cell of more than {PATIENCE:,} characters"
        raise BadInput(f"{source.name}: row {number + 1} {says}") from None


@contextmanager
def _long_cells() -> Iterator[None]:
    limit = csv.field_size_limit(PATIENCE)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _text(path: Path) -> TextIO:
    return path.open(encoding="utf-8-sig", errors="surrogateescape", newline="")
