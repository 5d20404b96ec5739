"""A mean loss and the parts that it is the sum of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.core.notes import Note
from veracity.findings.estimate import finite
from veracity.records.arrays import Array
from veracity.tables.cells import align_decimals
from veracity.tables.printable import Printable
from veracity.tables.table import Column, Table
from veracity.tables.text import text

NAMED = {"squared": "squared loss", "domingos": "0-1 loss (Domingos)", "kohavi_wolpert": "0-1 loss (Kohavi, Wolpert)"}


@dataclass(frozen=True, eq=False, repr=False)
class Decomposition(Printable):
    """Means over test rows; `rows` holds the four columns loss, bias, variance, noise of each row.

    `noise` is None where nobody knows it: the bias then contains it.
    """

    learner: str
    kind: str  # squared, domingos or kohavi_wolpert
    loss: float
    bias: float  # squared, for squared loss
    variance: float
    noise: float | None
    draws: int
    by: str
    rows: Array
    notes: tuple[Note, ...] = ()

    @property
    def parts(self) -> dict[str, float]:
        """The parts by name; they sum to the loss."""
        squared = " squared" if self.kind != "domingos" else ""
        bias = f"bias{squared}" if self.noise is not None else f"bias{squared} and noise"
        found = {bias: self.bias, "variance": self.variance}
        return found if self.noise is None else {**found, "noise": self.noise}

    def table(self) -> Table:
        names, values = zip(*self.parts.items(), strict=True)
        numbers = align_decimals(self.loss, *values)
        shares = (f"{100 * (value / self.loss):.0f} %" if self.loss else "" for value in values)
        rows = tuple(zip(("loss", *names), numbers, ("100 %", *shares), strict=True))
        columns = (Column("part", "left"), Column("value"), Column("share"))
        return Table(columns, rows, self.sentence, self.notes)

    @property
    def sentence(self) -> str:
        """The whole in words."""
        (first, value), *others = self.parts.items()
        more = "".join(f" {'-+'[part >= 0]} {abs(part):.4g} {name}" for name, part in others)
        whole = f"{self.loss:.4g} = {value:.4g} {first}{more}"
        return f"The mean {NAMED[self.kind]} of {self.learner} over {self.by} is {whole}."

    def __str__(self) -> str:
        return text(self.table())

    def to_json(self) -> dict[str, Any]:
        return {
            "learner": self.learner,
            "kind": self.kind,
            "by": self.by,
            "draws": self.draws,
            "rows": len(self.rows),
            "loss": finite(self.loss),
            "bias": finite(self.bias),
            "variance": finite(self.variance),
            "noise": finite(self.noise),
            "notes": [note.to_json() for note in self.notes],
        }
