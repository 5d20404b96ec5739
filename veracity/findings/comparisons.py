"""Several comparisons as one table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.notes import Note, unique
from veracity.findings.comparison import Comparison
from veracity.findings.standing import Omnibus
from veracity.tables.names import short, told
from veracity.tables.numbers import together
from veracity.tables.printable import Written
from veracity.tables.table import Column, Table


@dataclass(frozen=True, repr=False)
class Comparisons(Written):
    """Comparisons of pairs, indexed by the two names."""

    rows: tuple[Comparison, ...]
    notes: tuple[Note, ...] = ()
    omnibus: Omnibus | None = None  # a test of all together that came before the pairs

    def __iter__(self) -> Iterator[Comparison]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, pair: int | tuple[str, str]) -> Comparison:
        if isinstance(pair, int):
            return self.rows[pair]
        found = [row for row in self.rows if (row.a, row.b) == tuple(pair)]
        if found:
            return found[0]
        there = "; ".join(f"{row.a}, {row.b}" for row in self.rows)
        raise BadInput(f"the pair {', '.join(map(str, pair))} was not compared: there are {there}")

    @property
    def all_notes(self) -> tuple[Note, ...]:
        return unique(self.notes + tuple(note for row in self.rows for note in row.all_notes))

    def table(self) -> Table:
        titles = ("a", "b", "difference", "low", "high", "statistic", *self._evidence())
        columns = tuple(Column(title, "left" if title in ("a", "b", "verdict") else "right") for title in titles)
        score = self.rows[0].score if self.rows else ""
        using = self.rows[0].using if self.rows else ""
        names = list(dict.fromkeys(name for row in self.rows for name in (row.a, row.b)))
        shown = short(names)
        rows = tuple((shown[row.a], shown[row.b], *self._cells(row)) for row in self.rows)
        return Table(columns, rows, f"differences of {score} (a minus b) by {using}", self.all_notes + told(names))

    def _evidence(self) -> tuple[str, ...]:
        if any(row.probabilities is not None for row in self.rows):
            return ("left", "rope", "right")
        return ("p", "adjusted p", "verdict")

    def _cells(self, row: Comparison) -> tuple[Any, ...]:
        limits = (row.interval.low, row.interval.high) if row.interval else (None, None)
        numbers = together(row.difference, *(limit for limit in limits if limit is not None))
        shown = (*numbers, *(None for limit in limits if limit is None))
        if row.probabilities is not None:
            return (*shown, row.statistic, *row.probabilities)
        concluded = ("shown" if row.claims else "differ") if row.rejected else "not resolved"
        verdict = "not valid" if row.refused else concluded
        return (*shown, row.statistic, row.p_value, row.adjusted_p_value, verdict)

    def to_json(self) -> dict[str, Any]:
        """Every comparison in the shape of `veracity compare --json`."""
        together = {} if self.omnibus is None else {"omnibus": self.omnibus.to_json()}
        return {
            **together,
            "comparisons": [row.to_json() for row in self.rows],
            "notes": [note.to_json() for note in self.notes],
        }
