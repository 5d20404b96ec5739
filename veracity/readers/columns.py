"""The columns a question needs, out of a file or a frame, and nothing else of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from veracity.core.errors import BadInput
from veracity.readers import arff, delimited, frames, jsonlines, parquet
from veracity.readers.relation import Relation, connected, fetched, first_line
from veracity.readers.source import Source, is_path, opened
from veracity.records.arrays import Array

FORMATS = {
    "csv": delimited.relation,
    "tsv": delimited.relation,
    "json": jsonlines.relation,
    "parquet": parquet.relation,
}


@dataclass(frozen=True, eq=False)
class Columns(Mapping[str, Array]):
    """Arrays by name, where they came from, and the first missing row (from 0) of the columns that have one."""

    arrays: Mapping[str, Array]
    source: Source
    missing: Mapping[str, int] = field(default_factory=dict)
    weights: Array | None = None  # of an ARFF file whose rows carry them in braces

    def __getitem__(self, name: str) -> Array:
        return self.arrays[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.arrays)


def read_columns(source: Any, names: Iterable[str] | None = None) -> Columns:
    """The named columns of a file (its path, or `-` for standard input) or of a frame; all of them if none is named."""
    names = None if names is None else list(dict.fromkeys(names))
    if not is_path(source):
        return Columns(*frames.columns(source, names))
    with opened(source) as file:
        return columns_of(file, names)


def columns_of(file: Source, names: list[str] | None) -> Columns:
    """The named columns of an opened file."""
    if file.format == "arff":
        return Columns(*arff.columns(file, names))
    with related(file, names) as relation:
        return Columns(*_checked(relation))


@contextmanager
def related(file: Source, names: list[str] | None) -> Iterator[Relation]:
    """The named columns of an opened file as SQL, on a connection of its own."""
    with connected() as connection:
        yield FORMATS[file.format](file, names, connection)


def _checked(relation: Relation) -> tuple[dict[str, Array], Source, dict[str, int]]:
    import duckdb

    try:
        arrays, missing = fetched(relation)
    except duckdb.Error as why:
        if relation.source.format == "parquet":
            raise parquet.broken(relation.source, why) from None
        raise BadInput(f"{relation.source.name} cannot be read: {first_line(why)}") from None
    return arrays, relation.source, missing
