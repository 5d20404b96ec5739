"""The names of all methods from a small file, for help and completion that must not import them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from veracity.core.references import WORKS, surname
from veracity.core.spelling import fold

FIRST_WORD = re.compile(r"[A-Z][a-z]+(?=[\s-]|$)")  # one that is no name of letters, as F-beta is
FILE = Path(__file__).with_name("index.json")
NAMESAKES = ("Bonferroni", "Jeffreys", "Plackett", "Sidak", "Wald")
TABLES = ("defaults", "assumptions", "references")  # what is listed besides methods
PLACES = {  # what a method is and where it is typed, by its kind
    "": "explained by `vc.explain({!r})`",
    "scores": "a score, {}",
    "intervals": "an interval, `interval={!r}`",
    "curves": "a curve, `kind={!r}`",
    "comparisons": "a test, `using={!r}`",
    "adjustments": "an adjustment of p-values, `then={!r}`",
    "posthocs": "a post hoc test of a ranking, `then={!r}`",
    "designs": "a way to split rows, `by={!r}`",
    "estimators": "a way to split rows, `by={!r}`",
    "power": "a question of `vc.power({!r}, ...)`",
}


class Indexed(NamedTuple):
    """What the file knows of a method: its sentence, its title, the keys of works, what others call it."""

    says: str
    title: str
    cite: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()


@cache
def index() -> dict[str, dict[str, Indexed]]:
    """For each kind (scores, intervals and so on), each method by its name."""
    kinds = json.loads(FILE.read_text("utf-8"))
    return {
        kind: {
            name: Indexed(says, title, tuple(cite), tuple(aliases))
            for name, (says, title, cite, *aliases) in methods.items()
        }
        for kind, methods in kinds.items()
    }


def lists() -> tuple[str, ...]:
    """All that can be listed, by name."""
    return (*index(), *TABLES)


def names(*kinds: str) -> list[str]:
    """The names of all methods of some kinds, of all kinds when none is named."""
    return sorted({name for kind in kinds or index() for name in index()[kind]})


@cache
def _folded(kind: str) -> dict[str, str]:
    """The own name of each method by everything that it may be typed as, folded."""
    return {
        fold(word.partition("(")[0]): name
        for name, one in index()[kind].items()
        for word in (*one.aliases, one.title, name)
    }


def own_name(kind: str, typed: str) -> str | None:
    """The method of a kind that a word names, by its own name; None where it names none."""
    return _folded(kind).get(fold(typed))


def display_name(typed: str, *kinds: str) -> str:
    """What people call a method that was typed, as within a sentence: `log_loss` is log loss, `holm` is Holm.

    Its parameters follow in brackets; a text that names no method is itself.
    """
    name, bracket, inside = typed.partition("(")
    for kind in kinds or index():
        own = own_name(kind, name)
        if own is not None:
            title = index()[kind][own].title
            word = FIRST_WORD.match(title)
            if word is not None and word[0] not in _persons():
                title = title[0].lower() + title[1:]
            return typed if typed == title else f"{title}{f' ({inside}' * bool(bracket)}"
    return typed


@cache
def _persons() -> frozenset[str]:
    """Return the authors of all works that methods cite, and persons whom others named a method after."""
    authors = (surname(author) for work in WORKS.values() for author in work["author"])
    return frozenset((*NAMESAKES, *(word for author in authors for word in author.split())))


def indexed(spelled: str, *kinds: str) -> Indexed:
    """What is known of a method by its spelling, in the first kind that has it; a stranger by its spelling."""
    name = spelled.partition("(")[0]
    return next((index()[kind][name] for kind in kinds if name in index()[kind]), Indexed("", spelled))


def whereabouts(typed: str) -> tuple[str, ...]:
    """What a word is, and where it is typed, for every kind that knows it."""
    known = {kind: own_name(kind, typed) for kind in index()}
    places = [PLACES.get(kind, PLACES[""]).format(name) for kind, name in known.items() if name is not None]
    return tuple(dict.fromkeys(places))
