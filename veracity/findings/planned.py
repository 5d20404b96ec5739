"""The answer to: how many rows does it take, before any is spent?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note
from veracity.tables.result import SentenceResult
from veracity.tables.table import Column, Table


@dataclass(frozen=True, repr=False)
class Planned(SentenceResult):
    """Numbers of which one was asked for: `solved`. Each is an attribute by its name, as `rows`."""

    about: str
    solved: str
    numbers: dict[str, float]
    says: str
    notes: tuple[Note, ...] = ()

    def __getattr__(self, name: str) -> float:
        numbers = self.__dict__.get("numbers", {})
        if name in numbers:
            return numbers[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}: it has {', '.join(numbers)}")

    def sentence(self) -> str:
        return self.says

    __repr__ = SentenceResult.__str__

    def table(self) -> Table:
        """The numbers in the sentence."""
        return Table(tuple(map(Column, self.numbers)), (tuple(self.numbers.values()),))

    def to_json(self) -> dict[str, Any]:
        """What was asked, and all numbers."""
        notes = [note.to_json() for note in self.notes]
        return {"about": self.about, "solved": self.solved, **self.numbers, "notes": notes}
