"""The score that a tuned learner won by inside its training rows, beside the one that rows it never saw give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.missing import Undefined
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.findings.estimate import Estimate, finite
from veracity.findings.estimates import group_notes, short_notes
from veracity.findings.interval import limits_of
from veracity.records.choices import Choices, setting_text
from veracity.tables.cells import align_decimals
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

NAMED = tuple(Column(title, "left") for title in ("data", "learner", "by", "chosen most"))
NUMBERS = tuple(map(Column, ("nested", "low", "high", "flat", "nested - flat")))
COLUMNS = (*NAMED, Column("settings"), Column("score", "left"), *NUMBERS)
DISAGREE, FINAL = Column("disagreement"), Column("on all rows", "left")
CAPTION = "nested: test rows that took no part in tuning; flat: the winner's inner score, which is no estimate of risk"
DISAGREED = "; disagreement: share of rows of which models of two splits say different things"


@dataclass(frozen=True)
class OptimismRow:
    """One tuned learner on one data set by one design."""

    nested: Estimate  # from test rows that took no part in the choice
    chosen: Choices
    disagreement: float  # share of rows on which models of two splits differ; undefined where no row has two

    @property
    def flat(self) -> float:
        """The winner's inner score, averaged over splits: what is reported by those who do not nest."""
        if self.chosen.score and self.chosen.score != self.nested.score:
            return Undefined(f"it was tuned by {self.chosen.score}, not by {self.nested.score}")
        return self.chosen.flat

    @property
    def difference(self) -> float:
        """Nested minus flat, in the score's own units: above 0 the flat one is too good where lower is better."""
        return self.nested.value - self.flat


@dataclass(frozen=True, repr=False)
class Optimism(RowsResult[OptimismRow]):
    """One row for each tuned learner on each data set by each design."""

    rows: tuple[OptimismRow, ...]
    lost: tuple[Note, ...] = ()  # what is said of learners that have no row

    def __getitem__(self, label: str) -> OptimismRow:
        """The one row of a learner, of a data set or of a design."""
        found = [row for row in self.rows if label in (row.chosen.learner, row.chosen.data, row.chosen.by)]
        if len(found) != 1:
            raise BadInput(f"{label!r} is {len(found)} of {len(self)} rows: name what singles one out, or iterate")
        return found[0]

    @property
    def notes(self) -> tuple[Note, ...]:
        """Which learners have no row, and what the nested estimates of the others say of themselves."""
        return group_notes((row.nested for row in self.rows), self.lost)

    def sentence(self) -> str:
        """How often the flat score looked better."""
        worse = sum(row.difference < 0 if row.nested.better == "higher" else row.difference > 0 for row in self.rows)
        of = f"In {worse} of {plural(len(self.rows), 'case')} (a tuned learner on a data set by a design)"
        return f"{of} the score that the winner won by was better than the test rows say."

    def table(self) -> Table:
        """The choice, nested estimate with its interval, flat score, their difference, and how stable the models are.

        What no row has, disagreement or a choice on all rows, has no column.
        """
        disagree = any(not math.isnan(row.disagreement) for row in self.rows)
        final = any(row.chosen.final is not None for row in self.rows)
        columns = (*COLUMNS, *((DISAGREE,) if disagree else ()), *((FINAL,) if final else ()))
        rows = tuple((*_cells(row), *_disagreement_cell(row, disagree), *_final_cell(row, final)) for row in self.rows)
        notes = short_notes((row.nested for row in self.rows), self.lost)
        return Table(columns, rows, CAPTION + (DISAGREED if disagree else ""), notes)

    def short_table(self) -> Table:
        """Below a table of estimates, which has the intervals and the notes."""
        full = self.table()
        kept = [place for place, title in enumerate(full.titles) if title not in ("low", "high")]
        rows = tuple(tuple(row[place] for place in kept) for row in full.rows)
        return Table(tuple(full.columns[place] for place in kept), rows, full.caption)

    def splits_table(self) -> Table:
        """What was chosen in every split, and the inner score it won by."""
        titles = ("data", "learner", "by", "split", "chosen", "inner score")
        rows = [
            (chosen.data, chosen.learner, chosen.by, one.split, setting_text(one.params), *align_decimals(one.inner))
            for chosen in (row.chosen for row in self.rows)
            for one in chosen
        ]
        columns = tuple(Column(title, "right" if title in ("split", "inner score") else "left") for title in titles)
        return Table(columns, tuple(rows), "What was chosen in each split, and the inner score it won by")

    def to_json(self) -> dict[str, Any]:
        """By data set, learner and design."""
        return {"optimism": self.choices(), "notes": [note.to_json() for note in self.notes]}

    def choices(self) -> dict[str, Any]:
        """The rows without notes, by data set, learner and design."""
        out: dict[str, Any] = {}
        for row in self.rows:
            out.setdefault(row.chosen.data, {}).setdefault(row.chosen.learner, {})[row.chosen.by] = _json(row)
        return out


def _cells(row: OptimismRow) -> tuple[Any, ...]:
    chosen = row.chosen
    numbers = align_decimals(row.nested.value, *limits_of(row.nested.interval), row.flat, row.difference)
    return (chosen.data, chosen.learner, chosen.by, chosen.most, len(chosen.counted), row.nested.score, *numbers)


def _disagreement_cell(row: OptimismRow, shown: bool) -> tuple[Any, ...]:
    return align_decimals(row.disagreement) if shown else ()


def _final_cell(row: OptimismRow, shown: bool) -> tuple[str, ...]:
    final = row.chosen.final
    return () if not shown else ("",) if final is None else (setting_text(final),)


def _json(row: OptimismRow) -> dict[str, Any]:
    chosen = [{"split": one.split, "params": one.params, "inner": finite(one.inner)} for one in row.chosen]
    return {
        "score": row.nested.score,
        "nested": row.nested.of_learner(),
        "flat": finite(row.flat),
        "difference": finite(row.difference),
        "share": row.chosen.share,
        "settings": len(row.chosen.counted),
        "disagreement": finite(row.disagreement),
        "chosen": chosen,
        "final": row.chosen.final,
    }
