"""What tuning chose and how far its own score may be believed, as a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note, unique
from veracity.records.estimate import finite
from veracity.records.optimism import Optimism
from veracity.tables.numbers import together
from veracity.tables.table import Column, Table
from veracity.tables.written import Written

NAMED = (Column("data", "left"), Column("learner", "left"), Column("score", "left"))
NUMBERS = tuple(map(Column, ("nested", "low", "high", "flat", "nested - flat")))
CHOICE = (Column("chosen most", "left"), Column("in splits"), Column("disagreement"))
CAPTION = "nested: test rows that took no part in tuning; flat: the winner's inner score, which is no estimate of risk"


@dataclass(frozen=True, repr=False)
class OptimismTable(Written):
    """One row for each tuned learner on each data set."""

    rows: tuple[Optimism, ...]

    def __iter__(self) -> Iterator[Optimism]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, label: str) -> Optimism:
        """The one row of a learner, or of a data set."""
        found = [row for row in self.rows if label in (row.chosen.learner, row.chosen.data, row.chosen.by)]
        if len(found) != 1:
            raise BadInput(f"{label!r} is {len(found)} of {len(self)} rows: name what singles one out, or iterate")
        return found[0]

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the nested estimates say of themselves."""
        return unique(tuple(note for row in self.rows for note in row.nested.all_notes))

    def table(self) -> Table:
        """Nested estimate with its interval, flat score, their difference, and how stable the choice is."""
        return Table((*NAMED, *NUMBERS, *CHOICE), tuple(map(_cells, self.rows)), CAPTION, self.notes)

    def to_json(self) -> dict[str, Any]:
        """By data set and learner."""
        out: dict[str, Any] = {}
        for row in self.rows:
            out.setdefault(row.chosen.data, {})[row.chosen.learner] = _json(row)
        return {"optimism": out, "notes": [note.to_json() for note in self.notes]}


def _cells(row: Optimism) -> tuple[Any, ...]:
    found, chosen = row.nested.interval, row.chosen
    limits = (None, None) if found is None else (found.low, found.high)
    numbers = together(row.nested.value, *limits, row.flat, row.difference)
    words, number = chosen.counted[0]
    times = f"{number} of {len(chosen)}"
    return (chosen.data, chosen.learner, row.nested.score, *numbers, words, times, *together(row.disagreement))


def _json(row: Optimism) -> dict[str, Any]:
    chosen = [{"split": one.split, "params": one.params, "inner": finite(one.inner)} for one in row.chosen]
    return {
        "score": row.nested.score,
        "nested": row.nested.of_learner(),
        "flat": finite(row.flat),
        "difference": finite(row.difference),
        "share": row.chosen.share,
        "disagreement": finite(row.disagreement),
        "chosen": chosen,
    }
