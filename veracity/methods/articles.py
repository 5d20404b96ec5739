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
        """Return the article as the file keeps it."""
        sections = []
        for one in self.sections:
            table: list[Any] | None = None
            if one.table is not None:
                columns = [[column.title, column.align] for column in one.table.columns]
                table = [one.table.caption, columns, [list(row) for row in one.table.rows]]
            sections.append([one.title, list(one.lines), table])
        return {
            "kind": self.kind,
            "name": self.name,
            "title": self.title,
            "sections": sections,
            "facts": to_jsonable(self.facts),
            "aliases": self.aliases,
            "keywords": self.keywords,
        }


def _section(title: str, lines: Iterable[str], table: list[Any] | None) -> ManualSection:
    """Return a section of the file."""
    if table is None:
        return ManualSection(title, tuple(lines))
    caption, columns, rows = table
    heads = tuple(Column(*column) for column in columns)
    return ManualSection(title, tuple(lines), Table(heads, tuple(map(tuple, rows)), caption))


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
