"""Which method is taken where none is asked for: rules that decide, and that say where they fit and why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note
from veracity.core.words import sentence


@dataclass(frozen=True)
class DefaultRule:
    """One row of a table of defaults, of which the first that fits decides."""

    of: str  # where it fits, in words; "{n}" stands for how many there are
    name: str | None  # the method; None where there is none by default
    when: Callable[[Any], bool]
    why: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "why", sentence(self.why))

    @property
    def where(self) -> str:
        """Where it fits, however many there are."""
        return self.of.format(n="")

    def note(self, number: int) -> Note:
        """That it was taken, and where it fits, for a result that nobody asked this method for."""
        return Note("default", "remark", f"{self.name}: {self.of.format(n=f'{number:,} ')}")


def first_fit(rules: Sequence[DefaultRule], evidence: Any) -> DefaultRule:
    """The rule that decides."""
    return next(rule for rule in rules if rule.when(evidence))
