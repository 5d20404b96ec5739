"""What every comparison declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from veracity.core.entry import Entry
from veracity.core.notes import Note


class Verdict(NamedTuple):
    """What a test computes."""

    statistic: float | None
    p_value: float
    df: float | None = None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, eq=False, repr=False)
class Test(Entry):
    """A function of paired evidence that gives a verdict."""

    kind: ClassVar[str] = "comparison"
    __test__: ClassVar[bool] = False  # pytest must not collect it

    reads: type = object
    compares: int = 2


def comparison(title: str, **fields: Any) -> Callable[[Callable[..., Any]], Test]:
    """Make `function(evidence, **parameters) -> Verdict` a comparison."""
    return lambda function: Test(function, title, **fields)
