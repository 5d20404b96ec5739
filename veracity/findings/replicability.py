"""The answer to: on how many data sets is one learner better than another?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note, unique
from veracity.core.words import plural
from veracity.tables.cells import names_note, short_names
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table


@dataclass(frozen=True)
class Replication:
    """Two learners: the p-value of each data set that a is better, and on how many it is, at least."""

    a: str
    b: str
    p_values: dict[str, float]  # one-sided, by data set
    better: int  # data sets on which a is better, at least
    worse: int | None  # on which b is, at least; None where p-values of one side are all there is
    better_on: tuple[str, ...]  # those that can be named
    worse_on: tuple[str, ...] = ()
    partial: tuple[float, ...] = ()  # p-values of "better on at least 1, 2, ... data sets"

    def sentence(self) -> str:
        of = f"of {plural(len(self.p_values), 'data set')}"
        named = f" ({', '.join(self.better_on)} can be named)" if self.better_on else ""
        says = f"{self.a} is better than {self.b} on at least {self.better} {of}{named}"
        return says if self.worse is None else f"{says}, {self.b} better on at least {self.worse}"

    def to_json(self) -> dict[str, Any]:
        return {
            "a": self.a,
            "b": self.b,
            "datasets": len(self.p_values),
            "better": self.better,
            "worse": self.worse,
            "better_on": list(self.better_on),
            "worse_on": list(self.worse_on),
            "p_values": dict(self.p_values),
            "partial_conjunction": list(self.partial),
        }


@dataclass(frozen=True, repr=False)
class Replicability(RowsResult[Replication]):
    """One row for each pair."""

    rows: tuple[Replication, ...]
    combine: str
    level: float
    notes: tuple[Note, ...] = ()

    def __getitem__(self, place: int) -> Replication:
        return self.rows[place]

    @property
    def all_notes(self) -> tuple[Note, ...]:
        return unique(self.notes)

    def table(self) -> Table:
        """How many data sets, and which of them can be named."""
        titles = ("a", "b", "data sets", "a better on", "b better on", "named for a", "named for b")
        left = ("a", "b", "named for a", "named for b")
        learners = list(dict.fromkeys(name for row in self.rows for name in (row.a, row.b)))
        short = short_names(learners)
        rows = tuple(
            (
                short[row.a],
                short[row.b],
                len(row.p_values),
                row.better,
                row.worse,
                ", ".join(row.better_on),
                ", ".join(row.worse_on),
            )
            for row in self.rows
        )
        columns = tuple(Column(title, "left" if title in left else "right") for title in titles)
        caption = f"at least so many data sets, by {self.combine} at level {self.level:g}; named by holm"
        return Table(columns, rows, caption, self.all_notes + names_note(learners))

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity replicability --json`."""
        pairs = [row.to_json() for row in self.rows]
        notes = [note.to_json() for note in self.all_notes]
        return {"combine": self.combine, "level": self.level, "pairs": pairs, "notes": notes}
