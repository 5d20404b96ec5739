"""Which of two models was right on each of the same rows, counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.predictions import Predictions


@dataclass(frozen=True)
class Pairs:
    """Rows that both, only the first, only the second, or neither model got right."""

    both: float
    first_only: float
    second_only: float
    neither: float

    @classmethod
    def of(cls, first: Predictions, second: Predictions) -> Pairs:
        """From two models' predictions of the same rows, which is checked."""
        same_rows(first, second)
        a, b = first.labels() == first.truth, second.labels() == second.truth
        counted = np.bincount(2 * a.astype(int) + b, minlength=4)
        return cls(*(float(counted[k]) for k in (3, 2, 1, 0)))

    @property
    def rows(self) -> float:
        return self.both + self.first_only + self.second_only + self.neither

    @property
    def discordant(self) -> float:
        return self.first_only + self.second_only

    @property
    def difference(self) -> float:
        """Accuracy of the first minus accuracy of the second."""
        return (self.first_only - self.second_only) / self.rows

    @property
    def swapped(self) -> Pairs:
        """The same with the second model named first."""
        return Pairs(self.both, self.second_only, self.first_only, self.neither)


def same_rows(first: Predictions, second: Predictions) -> None:
    """Refuse predictions that are not of the same rows in the same order."""
    if len(first) != len(second):
        raise BadInput(
            f"the models were tried on {len(first)} and {len(second)} rows: a paired comparison needs the same rows"
            " (two_proportion_z compares shares of different rows)"
        )
    if first.rows is not None and second.rows is not None and not np.array_equal(first.rows, second.rows):
        if np.array_equal(np.sort(first.rows), np.sort(second.rows)):
            raise BadInput("the two models have the same row ids in another order: sort both by row id")
        raise BadInput("the row ids of the two models differ: a paired comparison needs the same rows")
    if first.classes != second.classes:
        one, other = (", ".join(map(str, p.classes)) for p in (first, second))
        raise BadInput(
            f"the classes of the two models are {one} and {other}: give both the same, in one order, classes="
        )
    if not np.array_equal(first.truth, second.truth):
        raise BadInput("the truths of the two models differ: a paired comparison needs the same rows in the same order")
    if any(p.weights is not None or p.groups is not None or p.repeats is not None for p in (first, second)):
        raise BadInput("this comparison counts plain rows: it takes no weights, counts or groups")
