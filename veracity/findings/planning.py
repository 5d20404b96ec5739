"""What is planned before any row is spent: how many rows or data sets it takes, and what they can show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note
from veracity.tables.result import SentenceResult
from veracity.tables.table import Table

WORDS = {"rows": "rows", "groups": "groups", "datasets": "data sets", "splits": "splits"}


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

    def table(self) -> Table:
        """The numbers in the sentence."""
        return Table.from_columns({name: [number] for name, number in self.numbers.items()})

    def json_fields(self) -> dict[str, Any]:
        """Return what was asked, and all numbers."""
        return {"about": self.about, "solved": self.solved, **self.numbers}


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

    def table(self) -> Table:
        """The numbers in the sentence, and what else the test was told."""
        own = [(name, value) for name, value in self.json_fields().items() if isinstance(value, (int, float))]
        return Table.from_columns({name: [value] for name, value in (*own, *self.given)})

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity power --json`."""
        names = ("test", "solved", *WORDS, "difference", "win", "power", "level")
        shape = {name: getattr(self, name) for name in names if getattr(self, name) is not None}
        error = {} if self.error is None else {"standard_error": self.error}
        return {**shape, "given": dict(self.given), **error}
