"""The articles that a text names, or that any words are about, the most likely first."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache

from veracity.core.spelling import fold
from veracity.methods.articles import EMPTY, TOKEN, Article, articles, stem, tokens

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
HYPHENATED = re.compile(r"[^\W_]+(?:[-‐‑–][^\W_]+)+")
CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # where programs join words: LeavePGroupsOut


def articles_called(text: str) -> tuple[Article, ...]:
    """The articles that a text names, by any spelling or by what others call them; those of one name together."""
    typed = fold(text.removeprefix("neg_"))  # as scikit-learn turns losses round
    matches = [one for one in articles() if typed in one.names] or [
        one for one in articles() if stem(typed) in one.names
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
    called = articles_called(text) or articles_called(text := _spelled(_together(_apart(text))))
    typed, words = fold(text), tokens(text)
    runs = _runs(text)
    about = [(_relevance(one, typed, words) + _naming(one, runs), one) for one in articles() if one not in called]
    relevant = sorted((pair for pair in about if pair[0] > 0), key=lambda pair: -pair[0])
    least = relevant[0][0] / 4 if relevant else 0.0
    return _distinct((*called, *(one for score, one in relevant if score >= least)))


def words_on_no_page(text: str) -> tuple[str, ...]:
    """The words of a text that no article has, however they are inflected, misspelled or joined."""
    words = re.findall(r"[^\W\d_]{4,}", _spelled(_together(_apart(text))))
    strange = (word for word in words if fold(word) not in PROGRAMS | EMPTY and not _is_known(stem(fold(word))))
    return tuple(dict.fromkeys(strange))


def _is_known(token: str) -> bool:
    return token in _frequency() or any(one.startswith(token) for one in _frequency())


def _apart(text: str) -> str:
    """The text with words that a program joins taken apart, unless they are known as they stand."""
    return " ".join(word if fold(word) in _frequency() else CAMEL.sub(" ", word) for word in text.split())


def _together(text: str) -> str:
    """The text with words that a hyphen parts ("jack-knifed") as one, where that is known and a part is not."""
    return HYPHENATED.sub(lambda word: _unhyphenated(word[0]), text)


def _unhyphenated(word: str) -> str:
    known, whole = _frequency(), _respelled(fold(word))
    apart = all(token in known for token in tokens(word))
    return word if apart or stem(whole) not in known else whole


def _runs(text: str) -> dict[str, float]:
    """Each run of words of a text, folded to one, with the share of all words that it is.

    A part of a longer phrase by which something is sought is none: who asks for a "trimmed mean" names no mean.
    """
    words = [fold(word) for word in TOKEN.findall(text)]
    ends = [(start, end) for start in range(len(words)) for end in range(start + 1, len(words) + 1)]
    runs = {(start, end): "".join(words[start:end]) for start, end in ends}
    phrases = [place for place, run in runs.items() if run in _phrases()]
    parts = {(start, end) for a, b in phrases for start, end in ends if a <= start and end <= b and end - start < b - a}
    return {run: (end - start) / len(words) for (start, end), run in runs.items() if (start, end) not in parts}


@cache
def _phrases() -> frozenset[str]:
    """Several words by which something is sought, folded to one."""
    return frozenset(fold(words) for one in articles() for words in one.keywords if " " in words)


def _naming(article: Article, runs: Mapping[str, float]) -> float:
    """How much of the words is what it is called or sought by, such as "learning curve" of "learning curve in R"."""
    named = max((runs.get(name, 0.0) for name in article.names), default=0.0)
    sought = max((runs.get(fold(words), 0.0) for words in article.keywords if " " in words), default=0.0)
    return max(NAMED * named, SOUGHT_BY * sought) * FAINT.get(article.kind, 1.0)


def _spelled(text: str) -> str:
    """The text with each word that no article has, and none begins with, as the known one that is nearest to it."""
    return re.sub(r"[^\W\d_]{5,}", lambda word: _respelled(word[0]), text)


def _respelled(word: str) -> str:
    token = stem(fold(word))
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
