"""The answer to: how many rows or data sets does it take to see a difference?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note
from veracity.tables.result import SentenceResult
from veracity.tables.table import Column, Table

WORDS = {"rows": "rows", "groups": "groups", "datasets": "data sets", "splits": "splits"}


@dataclass(frozen=True, repr=False)
class Power(SentenceResult):
    """The chance that a test concludes, for a size and an effect; `solved` is what was asked for."""

    test: str
    power: float
    level: float
    solved: str
    given: tuple[tuple[str, float | str], ...]  # what else the test was told
    rows: int | None = None
    groups: int | None = None
    datasets: int | None = None
    splits: int | None = None
    difference: float | None = None
    win: float | None = None
    error: float | None = None  # Monte-Carlo standard error of a simulated power
    notes: tuple[Note, ...] = ()

    @property
    def size(self) -> str:
        """How much of what."""
        name = next(name for name in WORDS if getattr(self, name) is not None)
        return f"{getattr(self, name):,} {WORDS[name]}"

    @property
    def effect(self) -> str:
        if self.win is not None:
            return f"a probability of winning of {self.win:.4g}"
        return f"a difference of {self.difference:.4g}"

    @property
    def about(self) -> str:
        """The test, and what it was told besides size and effect."""
        told = ", ".join(f"{name} {value if isinstance(value, str) else f'{value:g}'}" for name, value in self.given)
        return f"{self.test} ({told})" if told else self.test

    def sentence(self) -> str:
        simulated = "" if self.error is None else f" (simulated, standard error {self.error:.2g})"
        chance = f"power {self.power:.3f}{simulated} at level {self.level:g}"
        about = self.about
        if self.solved == "power":
            return f"With {self.size} {about} finds {self.effect} with {chance}."
        if self.solved in WORDS:
            return f"{about} needs {self.size} to find {self.effect} with {chance}."
        return f"With {self.size} the smallest effect that {about} finds is {self.effect}, with {chance}."

    __repr__ = SentenceResult.__str__

    def table(self) -> Table:
        """The numbers in the sentence, and what else the test was told."""
        own = {name: value for name, value in self.to_json().items() if isinstance(value, (int, float))}
        return Table(tuple(map(Column, (*own, *dict(self.given)))), ((*own.values(), *dict(self.given).values()),))

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity power --json`."""
        names = ("rows", "groups", "datasets", "splits", "difference", "win")
        return {
            "test": self.test,
            "solved": self.solved,
            **{name: getattr(self, name) for name in names if getattr(self, name) is not None},
            "power": self.power,
            "level": self.level,
            "given": dict(self.given),
            **({} if self.error is None else {"standard_error": self.error}),
            "notes": [note.to_json() for note in self.notes],
        }
