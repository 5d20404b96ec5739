"""Columns of a file as duckdb sees them: expressions over a table function, typed, fetched as arrays."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.readers.source import Source
from veracity.records.arrays import Array

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

LONGEST = 131_072  # characters in a cell: a longer one is a mistake, and would be echoed or compared for minutes


@dataclass(frozen=True)
class SqlColumn:
    """One column as SQL, the kind of its cells (whole, number, truth, text), and the length of its longest text."""

    sql: str
    kind: str
    longest: int | None = None  # None where it is not known yet


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


def fetch(relation: Relation) -> tuple[dict[str, Array], dict[str, int]]:
    """The arrays of all columns, and the first missing row of those that have one."""
    _short_enough(relation)
    select = ", ".join(f"{column.sql} as a{i}" for i, column in enumerate(relation.columns.values()))
    columns = relation.arrays(select)
    arrays, missing = {}, {}
    for i, name in enumerate(relation.columns):
        masked = columns.pop(f"a{i}")
        gaps = np.ma.getmaskarray(masked)
        arrays[name] = with_gaps(np.ma.getdata(masked), gaps)
        if gaps.any():
            missing[name] = int(gaps.argmax())
    return arrays, missing


def with_gaps(column: Array, gaps: Array) -> Array:
    """The column with None or NaN where cells are missing."""
    if gaps.any():
        column = column.astype(float if column.dtype.kind == "f" else object)
        column[gaps] = np.nan if column.dtype.kind == "f" else None
    return column


def _short_enough(relation: Relation) -> None:
    for name, column in relation.columns.items():
        if column.kind == "text":
            longest = relation.all(f"max(length({column.sql}))")[0][0] if column.longest is None else column.longest
            if longest is not None and longest > LONGEST:
                raise too_long(relation.source, name, relation.first_row(f"length({column.sql}) > {LONGEST}"))


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
