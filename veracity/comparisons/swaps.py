"""Both models' predictions as one table, in which a swap changes which of the two a row lends to which model."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from veracity.comparisons.joined import Units
from veracity.core.errors import Refused
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import Orderings
from veracity.evidence.predictions import Predictions
from veracity.evidence.same_rows import SameRows, Tracked
from veracity.kernels import collapse
from veracity.records.arrays import Array

WHOLE = "is of all rows at once, so that swapping some rows is not defined: use paired_bootstrap"


@dataclass(frozen=True, eq=False)
class Swaps:
    """Cells of the first model and of both; units are the rows that differ, from their own cell to the other's."""

    pair: SameRows
    both: Tracked
    own: Array
    all: Array
    units: Units

    @classmethod
    def of(cls, pair: SameRows) -> Swaps:
        table, rows = doubled(pair), len(pair)
        both = Tracked.of(pair.score, table)
        start, end = both.cell[:rows], both.cell[rows:]
        differ = _differ(both, table, rows)
        total = np.bincount(both.cell, minlength=both.size)
        small = np.min_scalar_type(int(total.max()))  # half the time goes into moving memory
        own = np.bincount(start, minlength=both.size).astype(small)
        found = cls(pair, both, own, total.astype(small), Units.of(start[differ], end[differ]))
        seen = found.differences(np.zeros((1, 0), int), Units.of(start[:0], end[:0]))[0]
        if not np.isclose(seen, pair.difference, rtol=1e-6, atol=1e-9, equal_nan=True):
            raise Refused(f"{pair.score} {WHOLE}", "not-swappable")
        return found

    @property
    def width(self) -> int:
        return self.both.size

    def differences(self, number: Array, units: Units) -> Array:
        """First minus second when so many rows of each unit are swapped, one for each line of `number`."""
        first = np.tile(self.own, (len(number), 1))
        collapse.move_rows(number.astype(self.own.dtype, copy=False), units.first, units.second, first)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Array = self._value(first) - self._value(self.all - first)
        return found

    def _value(self, cells: Array) -> Array:
        found: Array = self.pair.value(self.both.evidence.reweighted(cells))
        return found


def _differ(both: Tracked, table: Predictions, rows: int) -> Array:
    """The rows on which the models differ in what the score reads; the others never matter."""
    if isinstance(both.evidence, Losses):
        read = both.evidence.columns
    elif isinstance(both.evidence, Orderings):
        read = np.asarray(table.proba).reshape(2 * rows, -1)
    else:
        read = both.cell[:, None]
    return (read[:rows] != read[rows:]).any(1)


def doubled(pair: SameRows) -> Predictions:
    """The rows of the first model, then those of the second."""
    first, second = pair.first, pair.second
    if pair.score.entry.needs == "value" and (first.proba is None) != (second.proba is None):
        raise Refused(
            "one model gives probabilities and the other decision values, so there is no scale on which to swap them:"
            " use paired_bootstrap",
            "two-scales",
        )
    return replace(
        first,
        truth=np.tile(first.truth, 2),
        label=_after(first.labels(), second.labels()) if "label" in first.offers & second.offers else None,
        proba=_after(_of_classes(first), _of_classes(second)),
        value=_after(first.value, second.value),
        number=_after(first.number, second.number),
        rows=None,
        splits=None,
        threshold=None,
    )


def _after(first: Array | None, second: Array | None) -> Array | None:
    return None if first is None or second is None else np.concatenate([first, second])


def _of_classes(p: Predictions) -> Array | None:
    """Probabilities with one column per class, whichever way they were given."""
    if p.proba is None:
        return None
    return np.stack([p.probability(c) for c in range(len(p.classes))], 1)
