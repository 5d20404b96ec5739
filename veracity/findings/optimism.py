"""The score that a tuned learner won by inside its training rows, beside the one that rows it never saw give."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from veracity.core.missing import Undefined
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.findings.estimates import Estimate, group_notes, short_notes
from veracity.findings.interval import limits_of
from veracity.records.choices import Choices, setting_text
from veracity.tables.cells import align_decimals
from veracity.tables.result import JsonFields, RowsResult, find_row
from veracity.tables.table import Table

CAPTION = "nested: test rows that took no part in tuning; flat: the winner's inner score, which is no estimate of risk"
DISAGREED = "; disagreement: share of rows of which models of two splits say different things"


@dataclass(frozen=True)
class OptimismRow(JsonFields):
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

    def json_fields(self) -> dict[str, Any]:
        return {
            "score": self.nested.score,
            "nested": self.nested.of_learner(),
            "flat": self.flat,
            "difference": self.difference,
            "share": self.chosen.share,
            "settings": len(self.chosen.counted),
            "disagreement": self.disagreement,
            "chosen": [{"split": one.split, "params": one.params, "inner": one.inner} for one in self.chosen],
            "final": self.chosen.final,
        }


@dataclass(frozen=True, repr=False)
class Optimism(RowsResult[OptimismRow]):
    """One row for each tuned learner on each data set by each design."""

    rows: tuple[OptimismRow, ...]
    lost: tuple[Note, ...] = ()  # what is said of learners that have no row

    def __getitem__(self, label: str) -> OptimismRow:
        """The one row of a learner, of a data set or of a design."""
        return find_row(self.rows, [label], lambda row: (row.chosen.data, row.chosen.learner, row.chosen.by))

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
        return self._table(True, short_notes((row.nested for row in self.rows), self.lost))

    def short_table(self) -> Table:
        """Below a table of estimates, which has the intervals and the notes."""
        return self._table(False, ())

    def _table(self, limits: bool, notes: tuple[Note, ...]) -> Table:
        chosen = [row.chosen for row in self.rows]
        columns: dict[str, list[Any]] = {
            "data": [one.data for one in chosen],
            "learner": [one.learner for one in chosen],
            "by": [one.by for one in chosen],
            "chosen most": [one.most for one in chosen],
            "settings": [len(one.counted) for one in chosen],
            "score": [row.nested.score for row in self.rows],
        }
        numbers = [
            align_decimals(row.nested.value, *limits_of(row.nested.interval), row.flat, row.difference)
            for row in self.rows
        ]
        for place, title in enumerate(("nested", "low", "high", "flat", "nested - flat")):
            if limits or title not in ("low", "high"):
                columns[title] = [row[place] for row in numbers]
        caption = CAPTION
        if any(not math.isnan(row.disagreement) for row in self.rows):
            columns["disagreement"] = [align_decimals(row.disagreement)[0] for row in self.rows]
            caption += DISAGREED
        if any(one.final is not None for one in chosen):
            columns["on all rows"] = ["" if one.final is None else setting_text(one.final) for one in chosen]
        return Table.from_columns(columns, caption, notes)

    def splits_table(self) -> Table:
        """What was chosen in every split, and the inner score it won by."""
        titles = ("data", "learner", "by", "split", "chosen", "inner score")
        rows = [
            (chosen.data, chosen.learner, chosen.by, one.split, setting_text(one.params), *align_decimals(one.inner))
            for chosen in (row.chosen for row in self.rows)
            for one in chosen
        ]
        return Table.from_rows(titles, rows, "What was chosen in each split, and the inner score it won by")

    def json_fields(self) -> dict[str, Any]:
        return {"optimism": self.choices()}

    def choices(self) -> dict[str, Any]:
        """The rows without notes, by data set, learner and design."""
        out: dict[str, Any] = {}
        for row in self.rows:
            out.setdefault(row.chosen.data, {}).setdefault(row.chosen.learner, {})[row.chosen.by] = row.to_json()
        return out
