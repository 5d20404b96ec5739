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

# the kinds of cases in turn: how many of ten are of which
ROTA = ("arrays", "options", "arrays", "options", "arrays")


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


def work(seed: int, first: int, kinds: tuple[str, ...], shared: Any, findings: Connection) -> None:
    """Case after case until the process is ended: `shared` says at which it is, since when, and what came of them."""
    os.nice(5)
    for place in places(seed, first, kinds):
        shared[0], shared[1], shared[2] = place.number, time.monotonic(), time.process_time()
        outcome = outcome_at(place)
        shared[3 + KINDS.index(outcome.kind)] += 1
        shared[0] = place.number + 1
        if outcome.kind in ("wrong", "traceback"):
            findings.send((place, outcome))


KINDS = ("accepted", "refused", "wrong", "traceback", "slow", "large")
