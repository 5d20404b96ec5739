"""Find the articles that a text names, and rank those that any words are about with SQLite's full-text search."""

from __future__ import annotations

import difflib
import itertools
import re
import sqlite3
from collections.abc import Iterable
from functools import cache

from veracity.core.spelling import fold
from veracity.methods.articles import Article, articles

# Names of programs say where a word was read, not what it is about.
PROGRAMS = frozenset(("caret", "sklearn", "weka", "mlr3", "python", "matlab", "spss", "stata", "package", "library"))
_STOP_WORDS = """
a an and are as at be can do does for from how i in is it its my of on or should that the this to what which with within
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())  # words that tell nothing by themselves
KINDS = (  # whose article comes first where several bear a name
    *("score", "curve", "comparison", "effect size", "adjustment", "post hoc test", "design", "estimator", "interval"),
    *("power", "width", "verb", "topic", "procedure", "world", "assumption", "reference"),
)
# What is cited, assumed or simulated comes behind the methods that name it.
KIND_WEIGHTS = {"reference": 0.2, "assumption": 0.5, "world": 0.5, "power": 0.7, "width": 0.7}
COLUMN_WEIGHTS = {"names": 16, "title": 10, "keywords": 10, "summary": 4, "body": 1}  # of Okapi's BM25
NAME_WEIGHT = 30.0  # of an article that the words name, times the share of the words that its name is
KEYWORD_WEIGHT = 0.7  # of a whole keyword beside a whole name
PHRASE_WEIGHT = 3.0  # how much more a match counts where the words stand together, in their order
MIN_RELEVANCE = 0.25  # of the best match, below which an article is not listed
MIN_LETTERS_TO_CORRECT = 4
MIN_LIKENESS = 0.77  # how alike a misspelled word is to the word that is meant
WORD = re.compile(r"[^\W_]+")
CAMEL_CASE = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")  # LeavePGroupsOut


def articles_called(text: str) -> tuple[Article, ...]:
    """Return the articles that a text names, by any spelling or by what others call them."""
    typed = fold(text.removeprefix("neg_"))  # as scikit-learn turns losses round
    found = [one for one in articles() if typed in one.names]
    found = found or [one for one in articles() if typed.removesuffix("s") in one.names]
    found.sort(key=lambda one: (one.name != text, KINDS.index(one.kind)))
    names = list(dict.fromkeys(one.name for one in found))
    same_name = [one for one in articles() if one.name in names]
    return tuple(sorted(same_name, key=lambda one: (names.index(one.name), KINDS.index(one.kind))))


def articles_about(text: str) -> tuple[Article, ...]:
    """Return the articles that words are about: those that they name, then the others by relevance."""
    text = " ".join(word for word in text.split() if fold(word) not in PROGRAMS) or text
    words = _known_words(text)
    called = articles_called(text) or articles_called(" ".join(words))
    relevance: dict[int, float] = {}
    for query, weight in _queries(words):
        for number, score in _index().execute(SEARCH, (query,)):
            weighted = -score * weight * KIND_WEIGHTS.get(articles()[number].kind, 1.0)  # BM25 is negative: best first
            relevance[number] = relevance.get(number, 0.0) + weighted
    for number, share in _named_parts(words):
        weighted = NAME_WEIGHT * share * KIND_WEIGHTS.get(articles()[number].kind, 1.0)
        relevance[number] = relevance.get(number, 0.0) + weighted
    best = max(relevance.values(), default=0.0)
    ranked = sorted((n for n, r in relevance.items() if r >= MIN_RELEVANCE * best), key=lambda n: -relevance[n])
    found = (*called, *(articles()[number] for number in ranked))
    return tuple({(one.kind, one.name): one for one in found}.values())


def _named_parts(words: list[str]) -> Iterable[tuple[int, float]]:
    """Yield the articles that a run of the words names or is a keyword of, with the share of the words that it has."""
    for start in range(len(words)):
        for end in range(start + 1, len(words) + 1):
            run = fold(" ".join(words[start:end]))
            for number, weight in _index().execute(NAMED, (f'"{run}"',)):
                yield number, weight * (end - start) / len(words)


def words_on_no_page(text: str) -> tuple[str, ...]:
    """Return the words of a text that no article has, not even spelled otherwise."""
    chunks = [chunk for chunk in text.split() if not _on_a_page("".join(_telling_words(chunk)))]  # "jack-knifed"
    words = [word for word in re.findall(r"[^\W\d_]{4,}", " ".join(chunks)) if fold(word) not in PROGRAMS | STOP_WORDS]
    return tuple(dict.fromkeys(word for word in words if not _on_a_page(fold(word))))


def _on_a_page(word: str) -> bool:
    """Whether an article has a word, be it spelled nearly so."""
    return _matches(word) or bool(_corrected(word))


def _queries(words: list[str]) -> Iterable[tuple[str, float]]:
    """Yield full-text queries and what their matches count: any of the words, and all of them together."""
    if not words:
        return
    pairs = ["".join(pair) for pair in itertools.pairwise(words)]  # "hold out" is also written as one word
    quoted = [f'"{word}"' for word in dict.fromkeys((*words, *pairs))]
    prefixes = [f'"{word}"*' for word in words if len(word) > 3]
    yield " OR ".join((*quoted, *prefixes)), 1.0
    if len(words) > 1:
        yield " AND ".join(f'"{word}"' for word in words), 1.0
        yield f'"{" ".join(words)}"', PHRASE_WEIGHT


def _known_words(text: str) -> list[str]:
    """Return the words of a text that say something, each as an article spells it."""
    text = " ".join(word if _matches(fold(word)) else CAMEL_CASE.sub(" ", word) for word in text.split())
    words: list[str] = []
    for chunk in re.sub(r"['’]s\b", "", text).split():
        parts = _telling_words(chunk)
        joined = "".join(parts)
        if len(parts) > 1 and not all(map(_matches, parts)) and _on_a_page(joined):
            parts = [joined]  # "jack-knifed"
        words += [word if _matches(word) else _corrected(word) or word for word in parts]
    return words


def _telling_words(text: str) -> list[str]:
    """Return the words of a text in small letters, without those that tell nothing by themselves."""
    return [word.lower() for word in WORD.findall(text) if word.lower() not in STOP_WORDS]


@cache
def _matches(word: str) -> bool:
    return bool(WORD.fullmatch(word)) and _index().execute(SEARCH, (f'"{word}"',)).fetchone() is not None


@cache
def _corrected(word: str) -> str:
    """Return the word of an article that is spelled nearly as this one; an empty text where none is."""
    if len(word) < MIN_LETTERS_TO_CORRECT:
        return ""
    vocabulary = [known for known in _vocabulary() if known[0] == word[0]]
    near = difflib.get_close_matches(word, vocabulary, n=5, cutoff=MIN_LIKENESS)
    near.sort(key=lambda term: sorted(term) != sorted(word))  # letters in another order come first
    return near[0] if near else ""


SEARCH = f"""
select rowid, bm25 (article, {", ".join(map(str, COLUMN_WEIGHTS.values()))}) as relevance from article
where article match ? order by relevance
"""


NAMED = "select article, max(weight) from name where folded match ? group by article"


@cache
def _index() -> sqlite3.Connection:
    """Return a full-text index of all articles, which takes some hundredths of a second to make."""
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute(f"create virtual table article using fts5 ({', '.join(COLUMN_WEIGHTS)}, tokenize='porter')")
    marks = ", ".join("?" * (1 + len(COLUMN_WEIGHTS)))
    connection.executemany(f"insert into article (rowid, {', '.join(COLUMN_WEIGHTS)}) values ({marks})", _rows())
    connection.execute(
        "create virtual table name using fts5 (folded, article unindexed, weight unindexed, tokenize='porter')"
    )
    names = [(name, number, 1.0) for number, one in enumerate(articles()) for name in one.names]
    names += [  # without the words that are left out of what is sought
        (fold(" ".join(_telling_words(keyword)) or keyword), number, KEYWORD_WEIGHT)
        for number, one in enumerate(articles())
        for keyword in one.keywords
    ]
    connection.executemany("insert into name values (?, ?, ?)", names)
    return connection


@cache
def _rows() -> list[tuple[int, str, str, str, str, str]]:
    """Return the texts of each article by column."""
    rows = []
    for number, one in enumerate(articles()):
        names = " ".join((one.name, *one.aliases)).replace("_", " ")
        lines = [line for section in one.sections for line in section.lines]
        rows.append(
            (number, f"{names} {' '.join(one.names)}", one.title, "; ".join(one.keywords), lines[0], " ".join(lines))
        )
    return rows


@cache
def _vocabulary() -> frozenset[str]:
    return frozenset(word for _, *texts in _rows() for text in texts for word in WORD.findall(text.lower()))
