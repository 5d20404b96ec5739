"""What every interval method declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.entry import Entry


@dataclass(frozen=True, eq=False, repr=False)
class Method(Entry):
    """A function of one kind of evidence and a confidence that gives limits.

    Limits with a note of weight "refuse" count as a refusal, for what only shows once the method has run.
    """

    kind: ClassVar[str] = "interval"
    plain_types: ClassVar[bool] = True

    reads: type = object
    answers: str = "model"
    only: tuple[str, ...] = ()  # the scores it is for; empty for all that give its evidence


def interval(title: str, **fields: Any) -> Callable[[Callable[..., Any]], Method]:
    """Make `function(evidence, at, **parameters) -> Limits` an interval method."""
    return lambda function: Method(function, title, **fields)
