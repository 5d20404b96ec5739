"""What a design implies, read from its splits and never from its name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput
from veracity.records.arrays import Array, freeze
from veracity.records.design import Design, Split


@dataclass(frozen=True, eq=False)
class Facts:
    """Facts that later methods need; shares are means over all pairs of splits, 0 where there is one split only."""

    splits: int
    repeats: int
    train_sizes: Array  # rows of each split, repeated ones as often as drawn
    test_sizes: Array
    times_tested: Array  # of each row, over all splits
    test_overlap: float  # share of its test rows that a split shares with another split
    train_overlap: float  # share of its different training rows that a split shares with another split
    tested_once_per_repeat: bool  # whether every row is tested exactly once in each repeat
    replacement: bool  # whether some split trains on a row more than once
    tests_training: bool  # whether some split tests a row that it trained on

    @property
    def test_over_train(self) -> float:
        """Test rows over training rows, summed over splits."""
        return float(self.test_sizes.sum() / self.train_sizes.sum())

    @property
    def disjoint_tests(self) -> bool:
        """Whether no row is tested twice."""
        return bool((self.times_tested <= 1).all())


def facts(design: Design, part: str | None = None) -> Facts:
    """The facts of a design, or of those of its splits that belong to one part, such as "full"."""
    splits = [split for split in design.splits if part is None or split.part == part]
    if not splits:
        raise BadInput(f"{design.name} has no part {part!r}: it has {', '.join(map(repr, parts(design)))}")
    tested, trained, replaced, shared = _times(splits, design.rows)
    return Facts(
        splits=len(splits),
        repeats=len({split.repeat for split in splits}),
        train_sizes=freeze([len(split.train) for split in splits]),
        test_sizes=freeze([len(split.test) for split in splits]),
        times_tested=freeze(tested),
        test_overlap=_overlap(tested, len(splits)),
        train_overlap=_overlap(trained, len(splits)),
        tested_once_per_repeat=_once_per_repeat(splits, design.rows),
        replacement=replaced,
        tests_training=shared,
    )


def parts(design: Design) -> tuple[str, ...]:
    """The names of the kinds of splits a design has, in order."""
    return tuple(dict.fromkeys(split.part for split in design.splits))


def _times(splits: list[Split], rows: int) -> tuple[Array, Array, bool, bool]:
    """How many splits test and how many train on each row, and whether any trains twice or tests what it trained on."""
    tested, trained = np.zeros(rows, np.int64), np.zeros(rows, np.int64)
    replaced = shared = False
    for split in splits:
        times = np.bincount(split.train, minlength=rows)
        replaced |= bool((times > 1).any())
        shared |= bool(times[split.test].any())
        tested[split.test] += 1
        trained += times > 0
    return tested, trained, replaced, shared


def _overlap(times: Array, splits: int) -> float:
    """Two splits share, summed over all pairs, times * (times - 1) / 2 for each row: no pair needs to be looked at."""
    if splits < 2:
        return 0.0
    return float((times * (times - 1)).sum() / ((splits - 1) * times.sum()))


def _once_per_repeat(splits: list[Split], rows: int) -> bool:
    tested: dict[int, Array] = {}
    for split in splits:
        np.add.at(tested.setdefault(split.repeat, np.zeros(rows, np.int32)), split.test, 1)
    return all(bool((times == 1).all()) for times in tested.values())
