"""What is said of each method, verb, topic, assumption and work, and the words by which it is found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from veracity.core.spelling import fold
from veracity.tables.exports import plain_json
from veracity.tables.manual import ManualSection
from veracity.tables.table import Column, Table

FILE = Path(__file__).with_name("articles.json")  # written by write_index, read without importing any method
TOKEN = re.compile(r"[^\W_]+\+?")
WEIGHTS = {"name": 8, "aliases": 8, "title": 6, "keywords": 6, "first": 3, "References": 2}  # of a word by where it is
EMPTY = frozenset(
    {
        "a",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "for",
        "from",
        "how",
        "in",
        "is",
        "it",
        "its",
        "of",
        "on",
        "or",
        "that",
        "the",
        "this",
        "to",
        "what",
        "with",
    }
)


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
    weights: Mapping[str, int] | None = None  # of its words, where they were worked out before

    @property
    def names(self) -> frozenset[str]:
        """Everything that it may be typed as, folded."""
        return frozenset(map(fold, (self.name, self.title, *self.aliases)))

    @property
    def words(self) -> Mapping[str, int]:
        """How much each of its words tells: most in its names, least in its text."""
        if self.weights is not None:
            return self.weights
        places = [(self.name, "name"), (self.title, "title")]
        places += [(alias, "aliases") for alias in self.aliases] + [(word, "keywords") for word in self.keywords]
        for section in self.sections:
            first = section.lines[0] if section.lines and not section.title else ""
            places += [(first, "first"), *((line, section.title) for line in section.lines)]
        weights: dict[str, int] = {}
        for text, place in places:
            weight = WEIGHTS.get(place, 1)
            for token in tokens(text) + ([fold(text)] if weight >= WEIGHTS["keywords"] else []):
                weights[token] = max(weights.get(token, 0), weight)
        return weights

    def to_json(self) -> dict[str, Any]:
        """As the file keeps it."""
        sections = [[one.title, list(one.lines), _table_json(one.table)] for one in self.sections]
        return {
            "kind": self.kind,
            "name": self.name,
            "title": self.title,
            "sections": sections,
            "facts": plain_json(self.facts),
            "aliases": self.aliases,
            "keywords": self.keywords,
            "weights": dict(sorted(self.words.items())),
        }


def tokens(text: str) -> list[str]:
    """The words of a text that tell something, folded, without a plural's s."""
    words = [fold(word) for word in TOKEN.findall(text.replace("'s", "").replace("’s", ""))]
    return [_singular(word) for word in words if word and word not in EMPTY]


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _table_json(table: Table | None) -> list[Any] | None:
    if table is None:
        return None
    return [
        table.caption,
        [[column.title, column.align] for column in table.columns],
        [list(row) for row in table.rows],
    ]


def _section(title: str, lines: Iterable[str], table: list[Any] | None) -> ManualSection:
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
