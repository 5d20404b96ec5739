"""Columns of a file as SQL over a duckdb table, fetched as arrays; texts that repeat are fetched as codes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.core.missing import MISSING_MARKS
from veracity.core.words import brief
from veracity.readers.cells import MAX_CELL_CHARS, too_long, with_gaps
from veracity.readers.source import Source
from veracity.records.arrays import LONG_TEXT, Array

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MAX_CODED_TEXTS = 10_000  # distinct texts of a column up to which it is fetched as codes
CODE = r"_|^\s*[+-]?(0[0-9]|[0-9]{19,}\s*$)"  # no number, although it can be read as one: 07, 1_000, a long id
MEMORY_LIMIT = "1GB"  # of a table that is made; beyond it duckdb writes to the scratch folder


@dataclass(frozen=True)
class SqlColumn:
    """One column: SQL that reads it, and the kind of its cells (whole, number, truth or text)."""

    sql: str
    kind: str


@dataclass(frozen=True, eq=False)
class Relation:
    """The asked columns of one file. `table` is SQL that names the file as the parameter `$file`."""

    source: Source
    connection: DuckDBPyConnection
    table: str
    columns: Mapping[str, SqlColumn]

    def all(self, select: str, rest: str = "") -> list[tuple[Any, ...]]:
        """Return the rows of a small query."""
        return self.connection.execute(f"select {select} from {self.table} {rest}", self._file).fetchall()

    def arrays(self, select: str, rest: str = "") -> dict[str, Any]:
        """Return the columns of a query as arrays, masked where cells are missing."""
        return self.connection.execute(f"select {select} from {self.table} {rest}", self._file).fetchnumpy()

    def make_table(self, name: str, select: str) -> None:
        """Read the columns of a query once, into a table of the connection."""
        self.connection.execute(f"set memory_limit = '{MEMORY_LIMIT}'")
        try:
            self.connection.execute(f"create temp table {name} as select {select} from {self.table}", self._file)
        finally:
            self.connection.execute("reset memory_limit")

    def first_row(self, condition: str) -> int | None:
        """Return the number, from 1, of the first row where a condition holds."""
        numbered = f"(select row_number() over () as number, {condition} as bad from {self.table})"
        number: int | None = self.connection.execute(
            f"select min(number) from {numbered} where bad", self._file
        ).fetchall()[0][0]
        return number

    @property
    def _file(self) -> dict[str, Any]:
        assert self.source.path is not None  # a frame never becomes a relation
        return {"file": escape(self.source.path)} if "$file" in self.table else {}


def escape(path: Path) -> str:
    """Return a path that duckdb takes as this one file, whatever signs its name holds."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def quote(text: str, sign: str = "'") -> str:
    """Return a text inside SQL quotes."""
    return sign + text.replace(sign, sign + sign) + sign


def literal(label: Any) -> str:
    """Return a label as SQL."""
    if isinstance(label, str):
        return quote(label)
    return f"{label!r}::double" if isinstance(label, float) else str(label).lower()


def mark_as_sql(cell: str) -> str:
    """Return SQL for whether a text marks a missing value."""
    return f"lower(trim({cell})) in ({', '.join(map(quote, MISSING_MARKS))})"


def scratch_folder(connection: DuckDBPyConnection) -> Path:
    """Return the folder of a connection that is cleared when it is closed."""
    return Path(connection.execute("select current_setting('temp_directory')").fetchall()[0][0])


@contextmanager
def connect() -> Iterator[DuckDBPyConnection]:
    """Open a private in-memory duckdb that writes nothing to standard output and spills to a scratch directory."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="veracity-") as scratch:
        extensions = dict.fromkeys(("autoinstall_known_extensions", "autoload_known_extensions"), "false")
        connection = duckdb.connect(config={"temp_directory": scratch, **extensions})
        try:
            connection.execute("set enable_progress_bar = false")
            yield connection
        finally:
            connection.close()


@dataclass(frozen=True, eq=False)
class Codes:
    """A complete column of few texts: each of them once, and which of them each row holds."""

    texts: Array
    of_row: Array

    @classmethod
    def of(cls, labels: Array) -> Codes:
        """Make codes of any column, numbers among them."""
        listed = labels.tolist()
        place = {label: code for code, label in enumerate(dict.fromkeys(listed))}
        kind = np.uint8 if len(place) <= 256 else np.int64
        return cls(np.array(list(place), object), np.fromiter(map(place.__getitem__, listed), kind, len(listed)))

    @cached_property
    def column(self) -> Array:
        """The text of each row, written out when somebody asks: for ten million rows that takes a fifth of a second."""
        column: Array = self.texts[self.of_row]
        return column


def fetch(relation: Relation) -> dict[str, Array | Codes]:
    """Return all columns, complete ones of few texts as codes."""
    texts = _code_texts(relation)
    select = ", ".join(
        (f"enum_code({column.sql}::texts{i})" if name in texts else column.sql) + f" as a{i}"
        for i, (name, column) in enumerate(relation.columns.items())
    )
    fetched = relation.arrays(select)
    columns: dict[str, Array | Codes] = {}
    for i, name in enumerate(relation.columns):
        masked = fetched.pop(f"a{i}")
        gaps, data = np.ma.getmaskarray(masked), np.ma.getdata(masked)
        if name not in texts:
            columns[name] = with_gaps(data, gaps)
        elif gaps.any():
            columns[name] = with_gaps(texts[name][np.where(gaps, 0, data)], gaps)
        else:
            columns[name] = Codes(texts[name], data)
    return columns


def _code_texts(relation: Relation) -> dict[str, Array]:
    """Make an enum type of the texts of each column that has few, and return them; refuse texts that are too long."""
    found = {}
    for i, (name, column) in enumerate(relation.columns.items()):
        if column.kind != "text":
            continue
        number, longest, zero = relation.all(
            f"approx_count_distinct({column.sql}), max(length({column.sql})), bool_or(contains({column.sql}, chr(0)))"
        )[0]
        if longest is not None and longest > MAX_CELL_CHARS:
            raise too_long(relation.source, name, relation.first_row(f"length({column.sql}) > {MAX_CELL_CHARS}"))
        if 0 < number <= MAX_CODED_TEXTS and longest <= LONG_TEXT and not zero:
            texts = [row[0] for row in relation.all(f"distinct {column.sql}", f"where {column.sql} is not null")]
            relation.connection.execute(f"create type texts{i} as enum ({', '.join(map(quote, texts))})")
            found[name] = np.array(texts, object)
    return found


def first_line(why: Exception) -> str:
    """Return what duckdb says, in one short line without its class of error."""
    line = str(why).strip().splitlines()[0] if str(why).strip() else type(why).__name__
    return brief(line.partition("Error: ")[2] or line, 160)
