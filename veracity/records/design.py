"""Which rows train and which rows test: a design and its splits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from veracity.core.notes import Note
from veracity.records.arrays import Array, freeze

COUNTED = 10_000  # training rows, or counts of them, at once: many more leave the fastest memory


@dataclass(frozen=True)
class SplitPart:
    """Of which kind a split is, where a design has several: "half 3 a" is of kind "half", number 3, side "a"."""

    kind: str = ""
    numbers: tuple[int, ...] = ()
    side: str = ""

    @classmethod
    def parse(cls, text: str) -> SplitPart:
        """From the text that stores hold."""
        numbered = re.fullmatch(r"(.*?)((?: \d+)+)(?: ([a-z]))?", text)
        if numbered is None:
            return cls(text)
        kind, numbers, side = numbered.groups()
        return cls(kind, tuple(map(int, numbers.split())), side or "")

    def __bool__(self) -> bool:
        return bool(self.kind)

    def __str__(self) -> str:
        return " ".join(filter(None, (self.kind, *map(str, self.numbers), self.side)))


@dataclass(frozen=True, eq=False)
class Split:
    """Training rows (repeated ones as often as they were drawn) and test rows, with their place in the design."""

    train: Array
    test: Array
    repeat: int = 0
    fold: int = 0
    part: SplitPart = SplitPart()  # empty where a design has one kind of splits
    validation: Array | None = None

    @cached_property
    def learned_from(self) -> int:
        """How many different rows train."""
        return int(np.count_nonzero(np.bincount(self.train)))


@dataclass(frozen=True, eq=False)
class Rows:
    """What a design may know of the data: their number, classes, groups and time, and never a feature."""

    number: int
    classes: Array | None = None  # codes; None for a numeric target
    groups: Array | None = None
    time: Array | None = None
    labels: tuple[Any, ...] = ()  # what the codes of classes stand for, where that is known
    name: str = ""  # of the data set, for sentences
    test: Array | None = None  # which of them come from the data set's own test file

    def __len__(self) -> int:
        return self.number


@dataclass(frozen=True, eq=False)
class Design:
    """The splits that a named design made of some rows from a seed."""

    name: str  # canonical spelling
    seed: int
    rows: int
    splits: tuple[Split, ...]
    notes: tuple[Note, ...] = ()
    inner: Any = None  # the design that tuning uses inside each training part, for nested

    def __len__(self) -> int:
        return len(self.splits)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of every split."""
        digest = hashlib.blake2b(digest_size=16)
        for split in self.splits:
            for rows in (split.train, split.test, split.validation):
                digest.update(b"-" if rows is None else np.asarray(rows, np.int64).tobytes() + b"|")
        return digest.hexdigest()

    @property
    def nbytes(self) -> int:
        """Bytes of the rows of its splits."""
        parts = [rows for split in self.splits for rows in (split.train, split.test, split.validation)]
        return sum(rows.nbytes for rows in parts if rows is not None)

    def training_counts(self, codes: Array | None, kinds: int) -> Iterator[Array]:
        """How many of the training rows of each split have each code 0, 1, ..., which is their number where none is
        given: (splits, kinds) of one split after the other, and of many at once where they have few rows.
        """
        at_once = max(1, COUNTED // max(self.rows, kinds, 1))
        for start in range(0, len(self), at_once):
            some = [split.train for split in self.splits[start : start + at_once]]
            rows = some[0] if len(some) == 1 else np.concatenate(some)
            place = rows if codes is None else codes[rows]
            if len(some) > 1:
                place = place + np.repeat(np.arange(len(some)) * kinds, [len(train) for train in some])
            yield np.bincount(place, minlength=len(some) * kinds).reshape(len(some), kinds)

    @cached_property
    def times_drawn(self) -> Array:
        """How often each test row is among the training rows of its split, one split after the other."""
        times, start = [np.zeros(0, np.int64)], 0
        for counts in self.training_counts(None, self.rows):
            tests = [split.test for split in self.splits[start : start + len(counts)]]
            start += len(counts)
            place = np.repeat(np.arange(len(tests)) * self.rows, [len(test) for test in tests])
            times.append(counts.ravel()[place + np.concatenate(tests)])
        return freeze(np.concatenate(times))

    @cached_property
    def test_edges(self) -> Array:
        """Where the test rows of each split begin when all are laid one after the other, and where the last end."""
        return np.cumsum([0, *(len(split.test) for split in self.splits)])

    @cached_property
    def fresh(self) -> Design:
        """The design without test rows that train in the same split; runs of several learners share it."""
        left = self.times_drawn == 0
        tests = freeze(np.concatenate([left[:0].astype(np.int32), *(split.test for split in self.splits)])[left])
        edges = pairwise(np.append(0, np.cumsum(left))[self.test_edges].tolist())
        splits = [
            Split(one.train, tests[start:end], one.repeat, one.fold, one.part, one.validation)
            for one, (start, end) in zip(self.splits, edges, strict=True)
        ]
        return replace(self, splits=tuple(splits))

    @cached_property
    def tests_trained(self) -> bool:
        """Whether a split tests a row that trains in it."""
        return bool(self.times_drawn.any())

    @cached_property
    def with_replacement(self) -> bool:
        """Whether a main split trains on a row twice."""
        return any(np.bincount(self.splits[number].train).max() > 1 for number in self.main_splits)

    @cached_property
    def main_splits(self) -> tuple[int, ...]:
        """The numbers of the splits that an estimate is made of: of a design in parts, those of the first part."""
        first = self.splits[0].part
        return tuple(n for n, split in enumerate(self.splits) if split.part is first or split.part == first)

    @cached_property
    def forward(self) -> bool:
        """Whether several splits go forward in time: none trains on a row that itself or a later one tests."""
        last = np.full(self.rows, -1)
        for number, split in enumerate(self.splits):
            last[split.test] = number
        return len(self) > 1 and all(last[split.train].max() < number for number, split in enumerate(self.splits))


def tell_apart(designs: Iterable[Design]) -> list[Design]:
    """Return the designs with a different name for different splits: a name that is taken gets a number behind it."""
    by_name: dict[str, Design] = {}
    named: list[Design] = []
    for design in designs:
        name, number = design.name, 1
        while name in by_name and by_name[name].fingerprint != design.fingerprint:
            number += 1
            name = f"{design.name} ({number})"
        by_name[name] = design if number == 1 else replace(design, name=name)
        named.append(by_name[name])
    return named
