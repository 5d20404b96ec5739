"""Which articles any words are about, the most likely first."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from functools import cache

from veracity.core.spelling import fold
from veracity.methods.articles import Article, articles, tokens

KINDS = (  # whose article comes first where several bear a name
    *(
        "score",
        "curve",
        "comparison",
        "adjustment",
        "post hoc test",
        "design",
        "estimator",
        "interval",
        "power",
        "verb",
    ),
    *("topic", "procedure", "assumption", "reference"),
)
EXACT = 100.0  # the words are what it is sought by
PART, ALIKE = 0.5, 0.3  # what the beginning of a word, and a word spelled alike, count
FAINT = {"reference": 0.2, "assumption": 0.5}  # what is behind the methods that name it
COVERED = 3  # power of the share of the words that were found


def articles_called(text: str) -> tuple[Article, ...]:
    """The articles that a text names, by any spelling or by what others call them; those of one name together."""
    typed = fold(text)
    matches = [one for one in articles() if typed in one.names]
    if not matches:
        return ()
    matches.sort(key=lambda one: (one.name != text, KINDS.index(one.kind)))
    names = list(dict.fromkeys(one.name for one in matches))
    same = [one for one in articles() if one.name in names]
    return tuple(sorted(same, key=lambda one: (names.index(one.name), KINDS.index(one.kind))))


def articles_about(text: str) -> tuple[Article, ...]:
    """The articles that words are about: those that they name, those sought by them, then by single words."""
    called, typed, words = articles_called(text), fold(text), tokens(text)
    about = [(_relevance(one, typed, words), one) for one in articles() if one not in called]
    relevant = sorted((pair for pair in about if pair[0] > 0), key=lambda pair: -pair[0])
    least = relevant[0][0] / 4 if relevant else 0.0
    return _distinct((*called, *(one for score, one in relevant if score >= least)))


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
