"""The answer to: what may I use here, and how does it behave on data like mine?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from veracity.core.measurement import Measurement
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.tables.cells import number_or_none
from veracity.tables.result import JsonFields, RowsResult
from veracity.tables.table import Table

AdviceVerdict = Literal["use", "care", "no"]
ORDER: tuple[AdviceVerdict, ...] = ("use", "care", "no")
MAX_REASON_CHARACTERS = 110  # of a reason that a table shows


@dataclass(frozen=True)
class MethodAdvice(JsonFields):
    """Whether one method may be used here, why, what it was measured to do in the nearest worlds, and its cost."""

    name: str  # as it is typed
    kind: str
    verdict: AdviceVerdict
    why: str
    measured: tuple[Measurement, ...] = ()
    default: bool = False  # whether it is what is taken where nothing is named
    fits: int | None = None  # that it takes from here on
    seconds: float | None = None  # that these, or the method itself, take
    sees: float | None = None  # the smallest difference that it finds four times out of five
    width: float | None = None  # of the interval that is to be expected
    elsewhere: bool = False  # whether it reads other evidence, or another score, and could never answer this

    @property
    def figures(self) -> str:
        """What was measured, the nearest world first, in a few words."""
        first = next(iter(self.measured), None)
        if first is None:
            return "not measured"
        rows = f", {plural(first.rows, first.unit)}" if first.rows else ""
        by = f" by {first.by}" if first.by else ""
        more = f"; {plural(len(self.measured) - 1, 'world')} more" if len(self.measured) > 1 else ""
        return f"{first.noun} {first.text.partition(',')[0]} in {first.world}{rows}{by}{more}"

    def json_fields(self) -> dict[str, Any]:
        names = ("name", "kind", "verdict", "why", "default", "measured", "fits", "seconds", "sees", "width")
        return {name: getattr(self, name) for name in names if getattr(self, name) is not None}


@dataclass(frozen=True, repr=False)
class Advice(RowsResult[MethodAdvice]):
    """Every method that could answer a question, the one to take first."""

    question: str
    answer: str  # in one sentence
    rows: tuple[MethodAdvice, ...]
    notes: tuple[Note, ...] = ()

    def __getitem__(self, name: str) -> MethodAdvice:
        return next(row for row in self.rows if name in (row.name, row.name.partition("(")[0]))

    def sentence(self) -> str:
        """The answer."""
        return self.answer

    @property
    def best(self) -> MethodAdvice | None:
        """The method to take, if there is one."""
        return next((row for row in self.rows if row.verdict != "no"), None)

    def __repr__(self) -> str:
        return f"{self.answer}\n\n{super().__repr__()}"

    @property
    def near(self) -> tuple[MethodAdvice, ...]:
        """Without methods that are for other evidence or another score; all of them where there is nothing else."""
        return tuple(row for row in self.rows if not row.elsewhere) or self.rows

    def table(self) -> Table:
        """One row for each method that is for such evidence; the JSON has the others too."""
        shown = self.near
        several = len({row.kind for row in shown}) > 1
        columns: dict[str, list[Any]] = {
            "method": [row.name for row in shown],
            "kind": [row.kind if several else "" for row in shown],
            "verdict": [row.verdict for row in shown],
            "fits": [row.fits for row in shown],
            "seconds": [number_or_none(row.seconds, 1) for row in shown],
            "sees": [number_or_none(row.sees, 4) for row in shown],
            "width": [number_or_none(row.width, 4) for row in shown],
            "why": [brief(row.why, MAX_REASON_CHARACTERS) for row in shown],
            "measured": ["" if row.verdict == "no" else row.figures for row in shown],
        }
        shown_columns = {
            title: cells for title, cells in columns.items() if any(cell not in (None, "") for cell in cells)
        }
        return Table.from_columns(shown_columns, notes=self.notes)

    def json_fields(self) -> dict[str, Any]:
        """Return the shape of `veracity advise --json`."""
        return {"question": self.question, "answer": self.answer, "methods": self.rows}
