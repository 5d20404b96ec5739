"""What every source of a comparison offers: names, a score, and evidence of a pair in the form a test reads."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Any

from veracity.comparisons import comparisons
from veracity.core.default_rule import DefaultRule
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.intervals import intervals


class Contest(ABC):
    """Models or learners to be compared. `gives` says which kinds of evidence of a pair can be had."""

    names: tuple[str, ...]
    score: str  # as it was typed
    choice: Choice | None = None  # the score itself; None where only its name is known
    better: str
    judges: bool = True  # whether one of two scores is better than the other
    usual: DefaultRule  # which decides on the test when none is asked for
    what: str  # what this source is called in a refusal
    data: str = ""
    source_notes: tuple[Note, ...] = ()
    range: tuple[float, float] = (-inf, inf)  # in which a difference of scores lies

    @property
    def default(self) -> str:
        """The test when none is asked for."""
        return str(self.usual.name)

    def number(self, a: str, b: str) -> int:
        """Of rows, splits or data sets of this pair, where the default test depends on what they are."""
        return 0

    @abstractmethod
    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        """For each kind of evidence, how it is had of two names."""

    @abstractmethod
    def difference(self, a: str, b: str) -> float:
        """Score of a minus score of b."""

    def notes(self, a: str, b: str) -> tuple[Note, ...]:
        """What must be said of this pair whatever the test."""
        return ()

    def facts(self, a: str, b: str) -> tuple[tuple[str, float], ...]:
        """Numbers that belong to this pair whatever the test."""
        return ()

    def sign(self, reads: type) -> int:
        """-1 where the evidence tells the difference with the other sign than the score does."""
        return 1

    def evidence(self, test: Any, a: str, b: str) -> Any:
        """Refuses where this source has no evidence of the kind that a test or an interval reads."""
        gives = self.gives()
        if test.reads in gives:
            return gives[test.reads](a, b)
        offered = comparisons if test.kind == "comparison" else intervals
        usable = [entry for entry in offered if entry.reads in gives and _can_be_used(entry, self.choice)]
        alike = {entry.name: not {*entry.sought_by}.isdisjoint(test.sought_by) for entry in usable}
        fit = sorted(alike, key=lambda name: (name != self.default, not alike[name], name))  # the default first
        reads = getattr(test.reads, "between", test.reads.label)
        alone = test.kind == "comparison" and test.compares == 1
        way = "see whether the value lies in the interval of estimate" if alone else f"use {', '.join(fit)}"
        says = f"{test.name} cannot be had from {self.what}: it reads {reads}; {way}"
        raise Refused(says, "wrong-evidence")

    def absence(self, name: str) -> BadInput:
        """Why there is nothing of this name."""
        return BadInput(f"there is nothing called {name!r} to compare: there are {', '.join(self.names)}")

    def name_of(self, typed: str) -> str:
        """The name that was typed, which must be one of those compared."""
        if typed not in self.names:
            raise self.absence(typed)
        return typed

    def pairs(self, asked: Iterable[Sequence[str]] | None) -> list[tuple[str, str]]:
        """The pairs asked for, checked; all pairs in order when none are."""
        if asked is None:
            return list(combinations(self.names, 2))
        pairs = [(self.name_of(a), self.name_of(b)) for a, b in list_pairs(asked)]
        for pair in pairs:
            if pair[0] == pair[1]:
                raise BadInput(f"{pair[0]} cannot be compared with itself")
        return pairs


def differences_within(scores: tuple[float, float]) -> tuple[float, float]:
    """Where differences of scores lie that lie in a range."""
    low, high = scores
    return low - high, high - low


def _can_be_used(entry: Any, score: Choice | None) -> bool:
    """Whether a test, or an interval, is of a difference of this score, and not kept only to be refused."""
    of_two = entry.compares == 2 if entry.kind == "comparison" else entry.answers == "difference"
    only = getattr(entry, "only", ())
    return of_two and (not only or (score is not None and score.entry.is_one_of(*only))) and not entry.is_discredited


def list_pairs(asked: Any) -> list[tuple[str, str]]:
    """The pairs that were named, each a pair of names and none twice."""
    try:
        pairs = [(str(a), str(b)) for a, b in asked]
    except (TypeError, ValueError):
        pairs = []
    if not pairs:
        raise BadInput(f"pairs= names pairs, such as [('a', 'b'), ('a', 'c')], not {asked!r}")
    twice = next((pair for pair in pairs if pairs.count(pair) > 1), None)
    if twice is not None:
        raise BadInput(f"the pair {', '.join(map(str, twice))} is named twice: once is enough")
    return pairs
