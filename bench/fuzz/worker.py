"""A process that works through cases, which its parent may end when one of them takes too much."""

from __future__ import annotations

import importlib
import os
import time
import traceback
from collections.abc import Iterator
from itertools import count
from multiprocessing.connection import Connection
from random import Random
from typing import Any, NamedTuple

from bench.fuzz.case import Case, Outcome, judge

# how many of a hundred inputs are of which kind: the quick ones often, so that each kind has its share of the time
SHARES = {"arrays": 60, "spellings": 30, "options": 4, "files": 4, "studies": 1, "stores": 1}
OUTCOMES = ("accepted", "refused", "wrong", "traceback", "slow", "large")
ROTA = tuple(kind for kind, share in SHARES.items() for _ in range(share))


class Place(NamedTuple):
    """Which case: everything that it is follows from this."""

    kind: str
    seed: int
    number: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.seed}:{self.number}"


def place_of(text: str) -> Place:
    """The place that a report names."""
    kind, seed, number = text.split(":")
    return Place(kind, int(seed), int(number))


def places(seed: int, first: int, kinds: tuple[str, ...]) -> Iterator[Place]:
    """All places from a number on."""
    for number in count(first):
        yield Place(kinds[number % len(kinds)], seed, number)


def case_at(place: Place) -> Case:
    """The case of a place, the same on every machine."""
    module: Any = importlib.import_module(f"bench.fuzz.{place.kind}")
    found: Case = module.case(Random(str(place)))
    return found


def outcome_at(place: Place) -> Outcome:
    """What comes of it; a fault of the generator or of its check is a finding too."""
    try:
        return judge(case_at(place))
    except Exception:
        return Outcome("traceback", traceback.format_exc(limit=-6))


def work(seed: int, first: int, kinds: tuple[str, ...], tally: Tally, findings: Connection) -> None:
    """Case after case until the process is asked to stop, or ended."""
    os.nice(5)
    for place in places(seed, first, kinds):
        if tally.stop:
            break
        tally.begin(place.number)
        outcome = outcome_at(place)
        tally.count(place.kind, outcome.kind)
        if outcome.kind in ("wrong", "traceback"):
            findings.send((place, outcome))


class Tally:
    """What a process and its parent both see: at which case it is, since when, what came of all, whether to stop."""

    def __init__(self, shared: Any) -> None:
        self.shared = shared

    @classmethod
    def of(cls, context: Any, first: int, patience: float) -> Tally:
        """Before the process starts up, for which it has some seconds."""
        tally = cls(context.Array("d", 4 + len(SHARES) * (len(OUTCOMES) + 1), lock=False))
        tally.shared[0], tally.shared[1] = first, time.monotonic() + patience
        return tally

    @property
    def number(self) -> int:
        return int(self.shared[0])

    @property
    def since(self) -> float:
        """By the clock; the first case starts when the process has."""
        return float(self.shared[1])

    @property
    def busy_before(self) -> float:
        """Seconds of the processor before this case, 0 while the process starts up."""
        return float(self.shared[2])

    @property
    def stop(self) -> bool:
        return bool(self.shared[3])

    def ask_to_stop(self) -> None:
        self.shared[3] = 1

    def begin(self, number: int) -> None:
        self.shared[0], self.shared[1], self.shared[2] = number, time.monotonic(), time.process_time()

    def count(self, kind: str, outcome: str) -> None:
        place = self._place(kind)
        self.shared[place + OUTCOMES.index(outcome)] += 1
        self.shared[place + len(OUTCOMES)] += time.monotonic() - self.shared[1]
        self.shared[0] += 1

    def totals(self) -> dict[str, list[float]]:
        """For each kind the number of each outcome, and seconds."""
        return {kind: list(self.shared[self._place(kind) : self._place(kind) + len(OUTCOMES) + 1]) for kind in SHARES}

    def _place(self, kind: str) -> int:
        return 4 + list(SHARES).index(kind) * (len(OUTCOMES) + 1)
