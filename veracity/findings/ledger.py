"""What was asked of the results of a store, what each claim is worth after it, and what was the best of many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.confidence import rejects
from veracity.core.notes import Note
from veracity.tables.cells import Number, number_or_none
from veracity.tables.result import JsonFields, RowsResult
from veracity.tables.table import Table

MAX_CLAIMS_SHOWN = 20


@dataclass(frozen=True)
class Claim(JsonFields):
    """A test that was made, its p-value alone and among all that were made."""

    a: str
    b: str
    score: str
    data: str
    using: str
    p_value: float
    adjusted_p_value: float


@dataclass(frozen=True)
class BestOfMany(JsonFields):
    """The learner that looks best by a score that several were looked at by, with an interval that holds for all."""

    data: str
    score: str
    learner: str
    of: int  # learners that were looked at
    value: float
    low: float | None  # for all estimates that were looked at together
    high: float | None


@dataclass(frozen=True, repr=False)
class Ledger(RowsResult[Claim]):
    """The claims, those with the smallest p-values first, and how many of everything went into them."""

    where: str
    counts: dict[str, int]  # scores, thresholds, slices, learners, configurations, data sets, tests, looks ...
    looks: dict[str, int]  # by verb
    rows: tuple[Claim, ...]
    best: tuple[BestOfMany, ...]
    level: float
    notes: tuple[Note, ...] = ()

    def sentence(self) -> str:
        """How much was asked."""
        if not self.counts.get("looks"):
            return f"{self.where}: nothing was asked of it yet."
        counts = (
            f"{number:,} {noun if number > 1 else noun.removesuffix('s')}"
            for noun, number in self.counts.items()
            if number
        )
        text = f"{self.where}: {', '.join(counts)}."
        if not self.rows:
            return text
        verdicts = [_verdict(row, self.level) for row in self.rows]
        kept, lost = verdicts.count("holds"), verdicts.count("no longer")
        text += f" {kept} of the tests {'finds' if kept == 1 else 'find'} a difference,"
        return f"{text} {lost} {'does' if lost == 1 else 'do'} alone and no longer among all of them."

    def __repr__(self) -> str:
        return f"{self.sentence()}\n\n{super().__repr__()}"

    @property
    def printed(self) -> tuple[Table, ...]:
        tables = (self.counts_table(), self.best_table(), self.table())
        return tuple(table for table in tables if table.rows or table.notes)

    def counts_table(self) -> Table:
        """How many of everything."""
        rows = tuple(self.counts.items()) + tuple((f"looks by {verb}", times) for verb, times in self.looks.items())
        return Table.from_rows(("asked", "number"), rows, "what was asked")

    def best_table(self) -> Table:
        """What looks best, with intervals for all that were looked at together."""
        titles = ("data", "score", "learner", "of", "value", "low", "high")
        rows = [
            (one.data, one.score, one.learner, one.of, *(number_or_none(n, 4) for n in (one.value, one.low, one.high)))
            for one in self.best
        ]
        caption = f"the best of several, with intervals that hold for all estimates together at level {self.level:g}"
        return Table.from_rows(titles, rows, caption if rows else "")

    def table(self) -> Table:
        """The claims."""
        shown = self.rows[:MAX_CLAIMS_SHOWN]
        columns: dict[str, list[Any]] = {
            title: [getattr(one, title) for one in shown] for title in ("data", "score", "a", "b", "using")
        }
        columns["p"] = [Number(one.p_value, 4) for one in shown]
        columns["adjusted p"] = [Number(one.adjusted_p_value, 4) for one in shown]
        columns["verdict"] = [_verdict(one, self.level) for one in shown]
        more = f" ({MAX_CLAIMS_SHOWN} of {len(self.rows)})" if len(self.rows) > MAX_CLAIMS_SHOWN else ""
        caption = f"claims, adjusted by holm for all {self.counts.get('tests', 0)} tests{more}" if shown else ""
        return Table.from_columns(columns, caption, self.notes)

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity ledger --json`."""
        shape = {"store": self.where, "counts": self.counts, "looks": self.looks}
        return {**shape, "claims": self.rows, "best": self.best, "level": self.level}


def _verdict(one: Claim, level: float) -> str:
    if rejects(one.adjusted_p_value, level):
        return "holds"
    return "no longer" if rejects(one.p_value, level) else "never did"
