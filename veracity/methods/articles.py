"""What is said of each method, verb, topic, assumption and work, and the words by which it is found."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
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
PROGRAMS = frozenset(("caret", "sklearn", "weka", "mlr3", "python", "matlab", "spss", "stata", "package", "library"))
KINDS = (  # whose article comes first where several bear a name
    *(
        "score",
        "curve",
        "comparison",
        "effect size",
        "adjustment",
        "post hoc test",
        "design",
        "estimator",
        "interval",
        "power",
        "width",
        "verb",
    ),
    *("topic", "procedure", "world", "assumption", "reference"),
)
EXACT = 100.0  # the words are what it is sought by
MISSPELLED = 0.77  # how alike a word must be to be taken for one that is known
PART, ALIKE = 0.5, 0.3  # what the beginning of a word, and a word spelled alike, count
FAINT = {
    "reference": 0.2,
    "assumption": 0.5,
    "world": 0.5,
    "power": 0.7,
    "width": 0.7,
}  # what is behind the methods that name it
COVERED = 3  # power of the share of the words that were found
NAMED = 40.0  # words among which its whole name stands, times the share of them that the name is
SOUGHT_BY = 10.0  # the same for several words by which it is sought
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # where programs join words: LeavePGroupsOut


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
    return [_stem(word) for word in words if word and word not in EMPTY]


def _stem(word: str) -> str:
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


def articles_called(text: str) -> tuple[Article, ...]:
    """The articles that a text names, by any spelling or by what others call them; those of one name together."""
    typed = fold(text.removeprefix("neg_"))  # as scikit-learn turns losses round
    matches = [one for one in articles() if typed in one.names] or [
        one for one in articles() if _stem(typed) in one.names
    ]
    if not matches:
        return ()
    matches.sort(key=lambda one: (one.name != text, KINDS.index(one.kind)))
    names = list(dict.fromkeys(one.name for one in matches))
    same = [one for one in articles() if one.name in names]
    return tuple(sorted(same, key=lambda one: (names.index(one.name), KINDS.index(one.kind))))


def articles_about(text: str) -> tuple[Article, ...]:
    """The articles that words are about: those that they name, those sought by them, then by single words."""
    text = " ".join(word for word in text.split() if fold(word) not in PROGRAMS) or text
    called = articles_called(text) or articles_called(text := _spelled(_apart(text)))
    typed, words = fold(text), tokens(text)
    runs = _runs(text)
    about = [(_relevance(one, typed, words) + _naming(one, runs), one) for one in articles() if one not in called]
    relevant = sorted((pair for pair in about if pair[0] > 0), key=lambda pair: -pair[0])
    least = relevant[0][0] / 4 if relevant else 0.0
    return _distinct((*called, *(one for score, one in relevant if score >= least)))


def _apart(text: str) -> str:
    """The text with words that a program joins taken apart, unless they are known as they stand."""
    return " ".join(word if fold(word) in _frequency() else CAMEL.sub(" ", word) for word in text.split())


def _runs(text: str) -> dict[str, float]:
    """Each run of words of a text, folded to one, with the share of all words that it is."""
    words = [fold(word) for word in TOKEN.findall(text)]
    ends = [(start, end) for start in range(len(words)) for end in range(start + 1, len(words) + 1)]
    return {"".join(words[start:end]): (end - start) / len(words) for start, end in ends}


def _naming(article: Article, runs: Mapping[str, float]) -> float:
    """How much of the words is what it is called or sought by, such as "learning curve" of "learning curve in R"."""
    named = max((runs.get(name, 0.0) for name in article.names), default=0.0)
    sought = max((runs.get(fold(words), 0.0) for words in article.keywords if " " in words), default=0.0)
    return max(NAMED * named, SOUGHT_BY * sought) * FAINT.get(article.kind, 1.0)


def _spelled(text: str) -> str:
    """The text with each word that no article has, and none begins with, as the known one that is nearest to it."""
    return re.sub(r"[^\W\d_]{5,}", lambda word: _respelled(word[0]), text)


def _respelled(word: str) -> str:
    token = _stem(fold(word))
    if token in _frequency():
        return word
    near = difflib.get_close_matches(token, _frequency(), n=5, cutoff=MISSPELLED)
    near.sort(key=lambda one: sorted(one) != sorted(token))  # letters in another order come first
    return near[0] if near and near[0][0] == token[0] else word


def _distinct(found: Sequence[Article]) -> tuple[Article, ...]:
    return tuple({(one.kind, one.name): one for one in found}.values())


def _relevance(article: Article, typed: str, words: Sequence[str]) -> float:
    exact = EXACT if typed in map(fold, article.keywords) else 0.0
    if not words:
        return exact
    weights = article.words
    matched = [_match(word, weights) for word in _joined(words, weights)]
    share = sum(1 for _, weight in matched if weight) / len(matched)
    total = sum(weight * _rarity(word) for word, weight in matched)
    return (exact + total * share**COVERED) * FAINT.get(article.kind, 1.0)


def _joined(words: Sequence[str], known: Mapping[str, int]) -> list[str]:
    """The words, two that the article writes as one ("hold out") joined."""
    out: list[str] = []
    rest = list(words)
    while rest:
        pair = "".join(rest[:2])
        take = 2 if len(rest) > 1 and pair in known else 1
        out.append("".join(rest[:take]))
        rest = rest[take:]
    return out


def _match(word: str, known: Mapping[str, int]) -> tuple[str, float]:
    """The word of the article that is meant, and how much it counts."""
    if word in known:
        return word, known[word]
    begun = [one for one in known if len(word) > 3 and one.startswith(word)]
    if begun:
        best = max(begun, key=lambda one: known[one])
        return best, PART * known[best]
    return next(((one, ALIKE * known[one]) for one in _alike(word) if one in known), (word, 0.0))


@cache
def _frequency() -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in articles():
        for word in one.words:
            counts[word] = counts.get(word, 0) + 1
    return counts


def _rarity(word: str) -> float:
    """A word that few articles have tells more."""
    return math.log(1 + len(articles()) / (1 + _frequency().get(word, 0)))


@cache
def _alike(word: str) -> tuple[str, ...]:
    """Known words that are spelled nearly as this one; none where it is known itself."""
    if word in _frequency() or len(word) < 4:
        return ()
    return tuple(difflib.get_close_matches(word, _frequency(), n=3, cutoff=0.8))
