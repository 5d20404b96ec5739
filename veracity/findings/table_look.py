"""What a table of learners on data sets shows beside scores, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from veracity.core.errors import BadInput
from veracity.evidence.score_matrix import ScoreMatrix

DATA = "data set"
MOST_DIGITS = 15


@dataclass(frozen=True)
class TableLook:
    """What was asked for; `for_matrix` holds it against the scores that there are."""

    deviations: bool = False  # standard deviations over splits
    counts: bool = False  # how many results each mean is of
    average: bool = False  # a last row with the mean of each column
    significance_only: bool = False  # the marks without the scores
    sort: str | None = None  # the column or measure that orders the data sets, a minus before it turns the order
    digits: int | None = None  # decimals
    learners: tuple[str, ...] = ()  # the columns besides the base, all others unless named
    keys: tuple[Any, ...] = ()  # of each data set, what orders them
    swap: bool = False  # learners in rows and data sets in columns

    def for_matrix(self, matrix: ScoreMatrix, base: str, measures: Mapping[str, ScoreMatrix] | None) -> TableLook:
        """Refuse what these scores do not have, and read the keys of the order."""
        if self.digits is not None and not 0 <= self.digits <= MOST_DIGITS:
            raise BadInput(f"`digits=` is a number of decimals from 0 to {MOST_DIGITS}, not {self.digits}")
        for name in self.learners:
            matrix.learner(name)
        keys = () if self.sort is None else _keys(matrix, base, self.sort.removeprefix("-"), measures or {})
        return replace(self, keys=keys)

    def order(self, matrix: ScoreMatrix) -> list[int]:
        """The places of the data sets in the order asked for; those without a key last."""
        places = list(range(len(matrix)))
        if self.sort is None:
            return places
        known = [at for at in places if self.keys[at] == self.keys[at]]
        ordered = sorted(known, key=lambda at: self.keys[at], reverse=self.sort.startswith("-"))
        return ordered + [at for at in places if at not in known]


PLAIN_LOOK = TableLook()


def _keys(matrix: ScoreMatrix, base: str, name: str, measures: Mapping[str, ScoreMatrix]) -> tuple[Any, ...]:
    """The names of the data sets, a learner's scores, or another measure of the base, NaN where it has none."""
    if name in (DATA, "data"):
        return matrix.datasets
    other = measures.get(name)
    column, source = (name, matrix) if other is None else (base, other)
    values = dict(zip(source.datasets, source.values[:, source.column(column)].tolist(), strict=True))
    return tuple(values.get(data, float("nan")) for data in matrix.datasets)
