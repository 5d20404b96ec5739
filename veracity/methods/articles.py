"""The pages of the manual: what is said of each method, verb, topic, assumption and work."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from veracity.core.spelling import fold
from veracity.tables.exports import to_jsonable
from veracity.tables.manual import ManualSection
from veracity.tables.table import Column, Table

FILE = Path(__file__).with_name("articles.json")  # written by docs/manual_index.py, read without importing any method


@dataclass(frozen=True)
class Article:
    """One page of the manual, or a part of it."""

    kind: str
    name: str
    title: str
    sections: tuple[ManualSection, ...]
    facts: Mapping[str, Any]  # for machines
    aliases: tuple[str, ...] = ()  # what others call it, without the parameters implied
    keywords: tuple[str, ...] = ()

    @property
    def names(self) -> frozenset[str]:
        """Everything that it may be typed as, folded."""
        return frozenset(map(fold, (self.name, self.title, *self.aliases)))

    def to_json(self) -> dict[str, Any]:
        """As the file keeps it."""
        sections = [[one.title, list(one.lines), _table_json(one.table)] for one in self.sections]
        return {
            "kind": self.kind,
            "name": self.name,
            "title": self.title,
            "sections": sections,
            "facts": to_jsonable(self.facts),
            "aliases": self.aliases,
            "keywords": self.keywords,
        }


def _table_json(table: Table | None) -> list[Any] | None:
    if table is None:
        return None
    return [
        table.caption,
        [[column.title, column.align] for column in table.columns],
        [list(row) for row in table.rows],
    ]


def _section(title: str, lines: Iterable[str], table: list[Any] | None) -> ManualSection:
    said = tuple(lines)
    if table is None:
        return ManualSection(title, said)
    caption, columns, rows = table
    heads = tuple(Column(*column) for column in columns)
    return ManualSection(title, said, Table(heads, tuple(map(tuple, rows)), caption))


def articles_text(articles: Iterable[Article]) -> str:
    """The text of the file, a line for each article."""
    lines = (json.dumps(one.to_json(), ensure_ascii=False) for one in articles)
    return "[\n" + ",\n".join(lines) + "\n]\n"


@cache
def articles() -> tuple[Article, ...]:
    """All that the file holds."""
    return tuple(
        Article(**{**one, "sections": tuple(_section(*section) for section in one["sections"])})
        for one in json.loads(FILE.read_text("utf-8"))
    )
