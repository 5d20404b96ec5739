"""Columns of a file as duckdb sees them: expressions over a table function, typed, fetched as arrays."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers.source import Source
from veracity.records.arrays import LONG_TEXT, Array

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

FEW_TEXTS = 16  # different ones in a column that are fetched as codes
LONGEST = 131_072  # characters in a cell: a longer one is a mistake, and would be echoed or compared for minutes


@dataclass(frozen=True)
class SqlColumn:
    """One column as SQL, the kind of its cells (whole, number, truth, text), and the length of its longest text."""

    sql: str
    kind: str
    longest: int | None = None  # None where it is not known yet
    written: str | None = None  # the cell's own signs, where `sql` reads them


@dataclass(frozen=True, eq=False)
class Relation:
    """The asked columns of one file. `table` is SQL that names the file as the parameter `$file`."""

    source: Source
    connection: DuckDBPyConnection
    table: str
    columns: Mapping[str, SqlColumn]

    def all(self, select: str, rest: str = "") -> list[tuple[Any, ...]]:
        """The rows of a small query."""
        return self.connection.execute(f"select {select} from {self.table} {rest}", self._file).fetchall()

    def arrays(self, select: str, rest: str = "") -> dict[str, Any]:
        """The columns of a query as arrays, masked where cells are missing."""
        return self.connection.execute(f"select {select} from {self.table} {rest}", self._file).fetchnumpy()

    def stream(self, select: str) -> Any:
        """The columns of a query as a stream of Arrow batches that is never whole in memory."""
        return self.connection.sql(f"select {select} from {self.table}", params=self._file).__arrow_c_stream__()

    def make_table(self, name: str, select: str) -> None:
        """Read the columns of a query once, into a table of the connection."""
        self.connection.execute(f"create temp table {name} as select {select} from {self.table}", self._file)

    def first_row(self, condition: str) -> int | None:
        """The number, from 1, of the first row where a condition holds."""
        numbered = f"(select row_number() over () as number, {condition} as bad from {self.table})"
        found = self.connection.execute(f"select min(number) from {numbered} where bad", self._file).fetchone()
        return None if found is None else found[0]

    def gap(self, name: str) -> str:
        """SQL for whether a cell is missing, or the number that is none."""
        column = self.columns[name]
        return f"({column.sql} is null{f' or isnan({column.sql})' if column.kind == 'number' else ''})"

    @property
    def _file(self) -> dict[str, Any]:
        assert self.source.path is not None  # a frame never becomes a relation
        return {"file": escape(self.source.path)} if "$file" in self.table else {}


def escape(path: Path) -> str:
    """A path that duckdb takes as this one file, whatever signs its name holds."""
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in str(path))


def quote(text: str, sign: str = "'") -> str:
    """A text inside SQL quotes."""
    return sign + text.replace(sign, sign + sign) + sign


@contextmanager
def connect() -> Iterator[DuckDBPyConnection]:
    """A private in-memory duckdb that writes nothing to standard output and spills to a scratch directory."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="veracity-") as scratch:
        extensions = dict.fromkeys(("autoinstall_known_extensions", "autoload_known_extensions"), "false")
        connection = duckdb.connect(config={"temp_directory": scratch, **extensions})
        try:
            connection.execute("set enable_progress_bar = false")
            yield connection
        finally:
            connection.close()


def scratch_folder(connection: DuckDBPyConnection) -> str:
    """The folder of a connection that is cleared when it is closed."""
    found = connection.execute("select current_setting('temp_directory')").fetchone()
    assert found is not None
    return str(found[0])


@dataclass(frozen=True, eq=False)
class Codes:
    """A column of few texts: each of them once, and which of them each row holds."""

    texts: Array
    of_row: Array

    @classmethod
    def of(cls, labels: Array) -> Codes:
        """Of any column, numbers among them."""
        listed = labels.tolist()
        place = {label: code for code, label in enumerate(dict.fromkeys(listed))}
        kind = np.uint8 if len(place) <= 256 else np.int64
        return cls(np.array(list(place), object), np.fromiter(map(place.__getitem__, listed), kind, len(listed)))

    @cached_property
    def column(self) -> Array:
        """The text of each row, written out when somebody asks: for ten million rows that takes a fifth of a second."""
        column: Array = self.texts[self.of_row]
        return column


def fetch(relation: Relation) -> tuple[dict[str, Array | Codes], dict[str, int]]:
    """All columns, those of few texts as codes, and the first missing row of those that have one."""
    texts = _few_texts(relation)
    select = ", ".join(
        _code_sql(column.sql, texts.get(name)) + f" as a{i}"
        for i, (name, column) in enumerate(relation.columns.items())
    )
    fetched = relation.arrays(select)
    columns: dict[str, Array | Codes] = {}
    missing = {}
    for i, name in enumerate(relation.columns):
        masked = fetched.pop(f"a{i}")
        gaps, data = np.ma.getmaskarray(masked), np.ma.getdata(masked)
        gaps = gaps | np.isnan(data) if data.dtype.kind == "f" else gaps
        if gaps.any():
            missing[name] = int(gaps.argmax())
        if name not in texts:
            columns[name] = with_gaps(data, gaps)
            continue
        each = np.array(texts[name], object)
        columns[name] = with_gaps(each[np.where(gaps, 0, data)], gaps) if gaps.any() else Codes(each, data)
    return columns, missing


def _few_texts(relation: Relation) -> dict[str, list[str]]:
    """The texts of columns that have no more than a few; one that is too long anywhere is refused."""
    texts = {}
    for name, column in relation.columns.items():
        if column.kind != "text":
            continue
        longest = column.longest  # known where each look costs another reading of the file
        if longest is None:
            found = relation.all(f"distinct {column.sql}", f"where {column.sql} is not null limit {FEW_TEXTS + 1}")
            few = [text for (text,) in found]
            if len(few) <= FEW_TEXTS and all(len(text) <= LONG_TEXT and "\0" not in text for text in few):
                texts[name] = few
                continue
            longest = relation.all(f"max(length({column.sql}))")[0][0]
        if longest is not None and longest > LONGEST:
            raise too_long(relation.source, name, relation.first_row(f"length({column.sql}) > {LONGEST}"))
    return {name: few for name, few in texts.items() if few}


def _code_sql(sql: str, texts: list[str] | None) -> str:
    return f"(array_position([{', '.join(map(quote, texts))}], {sql}) - 1)::utinyint" if texts else sql


def with_gaps(column: Array, gaps: Array) -> Array:
    """The column with None or NaN where cells are missing."""
    if gaps.any():
        column = column.astype(float if column.dtype.kind == "f" else object)
        column[gaps] = np.nan if column.dtype.kind == "f" else None
    return column


def too_long(source: Source, name: str, row: int | None) -> BadInput:
    """The sentence for a cell nobody can have meant."""
    return BadInput(f"{source.column(name)}: row {row} holds a cell of more than {LONGEST:,} characters")


def literal(label: Any) -> str:
    """A label as SQL."""
    if isinstance(label, str):
        return quote(label)
    return f"{label!r}::double" if isinstance(label, float) else str(label).lower()


def first_line(why: Exception) -> str:
    """What duckdb says, in one short line without its class of error."""
    line = str(why).strip().splitlines()[0] if str(why).strip() else type(why).__name__
    return brief(line.partition("Error: ")[2] or line, 160)
