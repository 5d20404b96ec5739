"""CSV and TSV: one header row, cells separated by a sign that the header shows, types decided by every cell.

A column is whole numbers when every cell is written as one ("7", not "07", "7.0" or "+7"), numbers when every cell is
a number, true/false when every cell is one of these words, and text otherwise. Whole cells with a leading zero ("07")
or beyond 64 bits are codes, so their column is text; dates are text. Empty cells are missing, and so are marks such as
"NA" in columns of nothing else but numbers, or of true and false.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from veracity.core.errors import BadInput
from veracity.readers.delimited_rows import checked_rows, copy_columns, is_plain, read_header
from veracity.readers.missing_marks import mark_as_sql
from veracity.readers.relation import Relation, SqlColumn, first_line, quote, scratch_folder
from veracity.readers.source import Source, Wanted, names_wanted, places_of

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

KINDS = {1: "missing", 2: "whole", 4: "number", 8: "truth", 16: "text", 32: "unsigned", 64: "negative", 128: "mark"}
MARKED = 128  # a text that marks a missing value
CODE = r"^\s*[+-]?(0[0-9]|[0-9]{19,}\s*$)"
CASTS = {
    "whole": "cast({} as bigint)",
    "unsigned": "cast({} as ubigint)",
    "number": "cast({} as double)",
    "truth": "(lower(trim({})) = 'true')",
}
START = 20_000  # rows from which the types of the others are guessed
FEW = 32  # columns that are read at once into a table of their own
UNLIKE = "this cell is not of the type of the first ones"


def relation(source: Source, names: Wanted, connection: DuckDBPyConnection) -> Relation:
    """The asked columns, typed."""
    import duckdb

    header, separator, blank = read_header(source)
    places = places_of(source, header, names_wanted(header, names))
    if is_plain(source, header, separator):
        file, table = source, _table(len(header), separator, blank)
    else:
        copy = Path(scratch_folder(connection)) / "copy.csv"
        copy_columns(source, header, separator, list(places.values()), copy)
        file = replace(source, path=copy)
        places, table = {name: place for place, name in enumerate(places)}, _table(len(places), ",", 0)
    cells = _cells(file, connection, table, places)
    try:
        return _read_at_once(cells) or _with_types(cells)
    except duckdb.Error as why:
        raise _diagnosis(source, header, separator, why) from None


def guessed_relation(source: Source, names: Wanted, connection: DuckDBPyConnection) -> Relation | None:
    """The asked columns in the types of the first rows, which the table `start` holds; a cell that is unlike is an
    error of who reads it. None where nothing can be guessed."""
    header, separator, blank = read_header(source)
    places = places_of(source, header, names_wanted(header, names))
    if not is_plain(source, header, separator):
        return None
    return _guess(_cells(source, connection, _table(len(header), separator, blank), places))


def _cells(file: Source, connection: DuckDBPyConnection, table: str, places: Mapping[str, int]) -> Relation:
    columns = {name: SqlColumn(f"c{place}", "text") for name, place in places.items()}
    return Relation(file, connection, table, columns)


def _table(columns: int, separator: str, blank: int) -> str:
    types = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(columns))
    return (
        f"read_csv($file, auto_detect = false, columns = {{{types}}}, header = true, skip = {blank}, "
        f"delim = {quote(separator)}, quote = '\"', escape = '\"', hive_partitioning = false, compression = 'none')"
    )


def _with_types(cells: Relation) -> Relation:
    """The columns with the types that all their cells have, for which the file is read once more than for the cells."""
    select = ", ".join(f"bit_or({_kind(cell.sql)}), max(length({cell.sql}))" for cell in cells.columns.values())
    masks = cells.all(select)[0]
    if masks[0] is None:
        raise BadInput(f"{cells.source.name} has a header but no rows")
    typed = {
        name: _typed_column(cell.sql, *masks[2 * i : 2 * i + 2]) for i, (name, cell) in enumerate(cells.columns.items())
    }
    return replace(cells, columns=typed)


def _guess(cells: Relation) -> Relation | None:
    """The columns in the types of the first rows; None where there are many, or one is empty or holds marks there."""
    if len(cells.columns) > FEW:
        return None
    columns = ", ".join(cell.sql for cell in cells.columns.values())
    replace(cells, table=f"(select {columns} from {cells.table} limit {START})").make_table("start", columns)
    masks = replace(cells, table="start").all(
        ", ".join(f"bit_or({_kind(cell.sql)})" for cell in cells.columns.values())
    )
    kinds = [_kind_of_all(mask or 1) for mask in masks[0]]
    if None in kinds or any(mask & MARKED and kind != "text" for mask, kind in zip(masks[0], kinds, strict=True)):
        return None
    typed = {
        name: SqlColumn(_cast_alike(cell.sql, kind or ""), _plain_kind(kind), written=cell.sql)
        for (name, cell), kind in zip(cells.columns.items(), kinds, strict=True)
    }
    return replace(cells, columns=typed)


def _read_at_once(cells: Relation) -> Relation | None:
    """The columns as a table in the types that were guessed; None where none were, or a later cell is unlike."""
    import duckdb

    guess = _guess(cells)
    if guess is None:
        return None
    select = ", ".join(f"{column.sql} as a{i}" for i, column in enumerate(guess.columns.values()))
    try:
        cells.connection.execute("set memory_limit = '1GB'")  # beyond which the table goes to the scratch folder
        guess.make_table("cells", select)
    except duckdb.ConversionException:
        return None
    except duckdb.Error as why:
        if UNLIKE not in str(why):
            raise
        return None
    finally:
        cells.connection.execute("reset memory_limit")
    columns = {name: SqlColumn(f"a{i}", column.kind) for i, (name, column) in enumerate(guess.columns.items())}
    return replace(cells, table="cells", columns=columns)


def _kind(cell: str) -> str:
    """SQL for the kind of one cell, as a bit; what most cells are is asked first, and cheaply."""
    return (
        f"case when {cell} is null then 1 when try_cast({cell} as double) is null "
        f"then case when lower(trim({cell})) in ('true', 'false') then 8 "
        f"when {mark_as_sql(cell)} then {MARKED} else 16 end "
        f"when contains({cell}, '.') then case when {_code(cell)} then 16 else 4 end "
        f"when {_written_as('bigint', cell)} then case when contains({cell}, '-') then 64 else 2 end "
        f"when {_written_as('ubigint', cell)} then 32 when {_code(cell)} then 16 "
        f"when {mark_as_sql(cell)} then {MARKED} else 4 end"
    )


def _written_as(type: str, cell: str) -> str:
    return f"try_cast({cell} as {type})::varchar = trim({cell})"


def _code(cell: str) -> str:
    return f"(contains({cell}, '_') or regexp_matches({cell}, {quote(CODE)}))"


def _cast_alike(cell: str, kind: str) -> str:
    """SQL for a cell of a kind, or an error if it is of another.

    How nearly every cell looks is asked first, and by its first signs alone: what the cast then refuses is unlike, too.
    """
    number, whole = CASTS["number"].format(cell), CASTS["whole"].format(cell)
    looks = {
        "text": {"true": cell},
        "truth": {f"lower(trim({cell})) in ('true', 'false')": CASTS["truth"].format(cell)},
        "number": {
            f"{cell}[1:2] = '0.' and not contains({cell}, '_')": number,
            _looks_decimal(cell): number,
            f"{_written_as('bigint', cell)} or not {_code(cell)}": number,
        },
        "whole": {
            f"strlen({cell}) = 1": whole,
            f"{whole}::varchar = {cell}": whole,
            _written_as("bigint", cell): whole,
        },
        "unsigned": {_written_as("ubigint", cell): CASTS["unsigned"].format(cell)},
    }
    whens = " ".join(f"when {look} then {value}" for look, value in looks[kind].items())
    return f"case {whens} when {cell} is null then null else error('{UNLIKE}') end"


def _looks_decimal(cell: str) -> str:
    """SQL for whether a point stands behind digits that do not begin with a zero, or behind one after a sign."""
    from_one = " or ".join(f"({cell} >= '{sign}1' and {cell} < '{sign}:')" for sign in ("", "-"))
    return f"({from_one} or {cell}[1:3] = '-0.') and contains({cell}, '.') and not contains({cell}, '_')"


def _kind_of_all(mask: int) -> str | None:
    """The kind of a column whose cells are of these kinds; None where all are missing."""
    kinds = {kind for bit, kind in KINDS.items() if mask & bit} - {"missing", "mark"}
    if not kinds:
        return "text" if mask & MARKED else None
    if kinds <= {"whole", "negative"}:
        return "whole"
    if kinds <= {"whole", "unsigned"}:
        return "unsigned"
    if kinds <= {"whole", "negative", "number"}:
        return "number"
    return "truth" if kinds == {"truth"} else "text"


def _plain_kind(kind: str | None) -> str:
    return "whole" if kind == "unsigned" else kind or "text"


def _typed_column(cell: str, mask: int, longest: int | None) -> SqlColumn:
    kind = _kind_of_all(mask)
    present = f"case when not {mark_as_sql(cell)} then {cell} end" if mask & MARKED and kind != "text" else cell
    return SqlColumn(CASTS.get(kind or "", "{}").format(present), _plain_kind(kind), longest or 0)


def _diagnosis(source: Source, header: list[str], separator: str, why: Exception) -> BadInput:
    """The first row that is wrong, found by reading the file again slowly, after duckdb has refused it."""
    try:
        deque(checked_rows(source, header, separator), maxlen=0)
    except BadInput as torn:
        return torn
    return BadInput(f"{source.name} cannot be read as {source.format.upper()}: {first_line(why)}")
