"""The one table of estimates that every verb returns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note, unique
from veracity.findings.estimate import Estimate
from veracity.findings.footnotes import NAMED, grouped, shortened
from veracity.tables.numbers import together
from veracity.tables.printable import Written
from veracity.tables.table import Column, Table

ROWS = Column("rows")
DATA, MODEL, LEARNER, BY = (Column(title, "left") for title in ("data", "model", "learner", "by"))
COLUMNS = (
    Column("score", "left"),
    Column("value"),
    Column("low"),
    Column("high"),
    Column("level"),
    Column("method", "left"),
    Column("better", "left"),
)


@dataclass(frozen=True, repr=False)
class Estimates(Written):
    """A table of estimates, indexed by any label or labels that single out one row."""

    rows: tuple[Estimate, ...]
    notes: tuple[Note, ...] = ()

    def __getitem__(self, key: str | tuple[str, ...]) -> Estimate:
        wanted = key if isinstance(key, tuple) else (key,)
        found = [row for row in self.rows if all(label in self._labels(row) for label in wanted)]
        if len(found) == 1:
            return found[0]
        if not found:
            raise BadInput(f"no row is labelled {_written(wanted)}: the labels are {', '.join(self._every_label())}")
        several = "; ".join(" / ".join(dict.fromkeys(self._labels(row))) for row in found)
        raise BadInput(f"{_written(wanted)} leaves {len(found)} rows, add a label: {several}")

    def _every_label(self) -> list[str]:
        return list(dict.fromkeys(label for row in self.rows for label in self._labels(row)))

    def values(self) -> tuple[Estimate, ...]:
        """The rows in order."""
        return self.rows

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __contains__(self, key: object) -> bool:
        return any(key in self._labels(row) for row in self.rows)

    @property
    def all_notes(self) -> tuple[Note, ...]:
        """The table's notes and its rows', each once."""
        return unique(self.notes + tuple(note for row in self.rows for note in row.all_notes))

    @property
    def models(self) -> tuple[str, ...]:
        """The names of the models, in order; one empty name where none was given."""
        return tuple(dict.fromkeys(row.learner for row in self.rows))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the data sets or slices, in order; one empty name where there is one."""
        return tuple(dict.fromkeys(row.data for row in self.rows))

    @property
    def designs(self) -> tuple[str, ...]:
        """The designs by which learners were tried, in order; empty for ready-made predictions."""
        return tuple(dict.fromkeys(row.by for row in self.rows if row.by))

    def table(self) -> Table:
        """What names each row (data, the size of a slice, model, design), then the numbers, with the notes."""
        named: list[tuple[Column, Callable[[Estimate], str], bool]] = [
            (DATA, lambda row: row.data, self.parts != ("",)),
            (ROWS, lambda row: f"{row.rows:g}", self.parts != ("",) and not self.designs),
            (LEARNER if self.designs else MODEL, lambda row: row.learner, self.models != ("",)),
            (BY, lambda row: row.by, bool(self.designs)),
        ]
        shown = [(column, cell) for column, cell, wanted in named if wanted]
        columns = (*(column for column, _ in shown), *COLUMNS)
        rows = tuple((*(cell(row) for _, cell in shown), *_cells(row)) for row in self.rows)
        notes = shortened(grouped(self.rows, self.notes, NAMED))
        return Table(columns, rows, self._caption(), notes, further=counted(self.rows) if self.designs else ())

    def _caption(self) -> str:
        """Which risk the numbers are of, where that is the same for all."""
        answers = {row.answers for row in self.rows if row.by}
        return answers.pop() if len(answers) == 1 else ""

    def to_json(self) -> dict[str, Any]:
        """Scores by the spelling typed, under their slice and model where those are named, and the notes."""
        notes = [note.to_json() for note in grouped(self.rows, self.notes)]
        if self.designs:
            return {"estimates": self._of_learners(), "notes": notes}
        if self.parts in ((), ("",)):
            return {**self._nested(self.rows), "notes": notes}
        parts = {part: tuple(row for row in self.rows if row.data == part) for part in self.parts}
        slices = {part: {"rows": rows[0].rows, **self._nested(rows)} for part, rows in parts.items()}
        return {"slices": slices, "notes": notes}

    def _of_learners(self) -> dict[str, Any]:
        """By data, learner and score; with several designs the score says by which."""
        several = len(self.designs) > 1
        out: dict[str, Any] = {}
        for row in self.rows:
            name = self._named(row, f"{row.asked} by {row.by}" if several else row.asked)
            out.setdefault(row.data, {}).setdefault(row.learner, {})[name] = row.of_learner()
        return out

    def _named(self, row: Estimate, name: str) -> str:
        """A score that is asked for with several intervals says with which."""
        return f"{name} with {self._method(row)}" if self._method(row) else name

    def _method(self, row: Estimate) -> str:
        """The interval of a row, where that is all that tells it from another."""
        return row.interval.method if row.interval and self._times[_asked(row)] > 1 else ""

    @cached_property
    def _times(self) -> Counter[tuple[str, ...]]:
        return Counter(map(_asked, self.rows))

    def _labels(self, row: Estimate) -> tuple[str, ...]:
        method = self._method(row)
        return (*row.labels, method) if method else row.labels

    def _nested(self, rows: tuple[Estimate, ...]) -> dict[str, Any]:
        if self.models in ((), ("",)):
            return {"scores": {self._named(row, row.asked): row.to_json() for row in rows}}
        scores: dict[str, dict[str, Any]] = {model: {} for model in self.models}
        for row in rows:
            scores[row.learner][self._named(row, row.asked)] = row.to_json()
        return {"models": {model: {"scores": found} for model, found in scores.items()}}


def counted(rows: Iterable[Estimate]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """How many splits there are of each row's design and how many failed, which readers of text learn by notes."""
    splits, failed = zip(*((row.splits, row.failed) for row in rows), strict=True)
    return ("splits", splits), ("failed", failed)


def _cells(row: Estimate) -> tuple[Any, ...]:
    found = row.interval
    if found is None:
        (value,) = together(row.value)
        return row.asked, value, None, None, None, None, row.better
    value, low, high = together(row.value, found.low, found.high)
    return row.asked, value, low, high, found.level, found.method, row.better


def _asked(row: Estimate) -> tuple[str, ...]:
    return row.data, row.learner, row.by, row.asked


def _written(labels: tuple[str, ...]) -> str:
    return ", ".join(repr(label) for label in labels)
