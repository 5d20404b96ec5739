"""What is said of each method, verb, topic, assumption and work, and how much its words tell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from veracity.core.spelling import fold
from veracity.core.words import sentence, template
from veracity.tables.exports import plain_json
from veracity.tables.manual import ManualSection
from veracity.tables.table import Column, Table

FILE = Path(__file__).with_name("articles.json")  # written by write_index, read without importing any method
TOKEN = re.compile(r"[^\W_]+\+?")
WEIGHTS = {"name": 8, "aliases": 8, "title": 6, "keywords": 6, "first": 3, "References": 2}  # of a word by where it is
NOTHING = "a an and are as at be can do does for from how i in is it its my of on or should that the this to what"
EMPTY = frozenset({*NOTHING.split(), "which", "with"})  # words that tell nothing by themselves


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
        sections = [[one.title, list(map(template, one.lines)), _table_json(one.table)] for one in self.sections]
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
    """The words of a text that tell something, folded, without a plural's s and -ing."""
    words = [fold(word) for word in TOKEN.findall(text.replace("'s", "").replace("’s", ""))]
    return [stem(word) for word in words if word and word not in EMPTY]


def stem(word: str) -> str:
    """A word without a plural's s, and without -ing: bootstrapping is bootstrap, rankings are rank."""
    word = word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
    begun = word.removesuffix("ing")
    if begun == word or len(begun) < 4:
        return word
    return begun[:-1] if begun[-1] == begun[-2] not in "lsz" else begun


def _table_json(table: Table | None) -> list[Any] | None:
    if table is None:
        return None
    return [
        table.caption,
        [[column.title, column.align] for column in table.columns],
        [list(row) for row in table.rows],
    ]


def _section(title: str, lines: Iterable[str], table: list[Any] | None) -> ManualSection:
    said = tuple(map(sentence, lines))
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
