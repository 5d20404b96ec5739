"""What every rule that makes splits declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from veracity.core.entry import Entry
from veracity.core.notes import Note
from veracity.records.design import Split

SplitsAndNotes = Iterator[Split | Note]  # splits in their order, and what the reader should know of them
Auto = bool | Literal["auto"]  # whether a variant is asked for, or follows from what is known of the rows


@dataclass(frozen=True, eq=False, repr=False)
class DesignRule(Entry):
    """A function of rows and a generator that yields splits; its limits are predicates over the rows."""

    kind: ClassVar[str] = "design"

    tests_training: bool = False  # whether test rows are training rows by intent
    count: Callable[..., int] = lambda rows, **_: 1  # splits, of rows and all parameters, before any is made
    several_kinds: bool = False  # whether its splits are of kinds that train on different numbers of rows


design = DesignRule.decorator  # of `function(rows, random, **parameters)`, which yields splits
