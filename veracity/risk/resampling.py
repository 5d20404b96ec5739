"""What estimators of risk read: one score on the splits of a design, by part and by role of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.evidence.split_scores import SplitScores
from veracity.evidence.subset import subset
from veracity.records.arrays import Array
from veracity.risk import score_splits as on_splits
from veracity.scores.values import is_mean, row_values, value_of

Role = Literal["fresh", "trained", "all"]


@dataclass(frozen=True, eq=False)
class Resampling:
    """A score and a run. Rows of a split are `fresh` where its model never saw them, `trained` where it did."""

    score: Choice
    run: Run

    @property
    def is_mean(self) -> bool:
        """Whether the score is a mean over rows."""
        return is_mean(self.score)

    @property
    def pools(self) -> bool:
        """Whether rows that different models predicted can be scored together."""
        return on_splits.pools(self.score)

    @property
    def first(self) -> str:
        """The name of the part that a plain estimate is made of."""
        return self.run.design.splits[0].part

    @cached_property
    def splits(self) -> dict[int, Predictions]:
        """The predictions of every split that succeeded, by its number."""
        return on_splits.every_split(self.run)

    def part(self, name: str) -> dict[int, Predictions]:
        """The splits of one part; refuses where none succeeded."""
        return {number: on_splits.one_split(self.run, number) for number in self.numbers(name)}

    def numbers(self, name: str, whole: bool = False) -> list[int]:
        """The splits of one part that succeeded, ascending; refuses where there is none, or not the `whole` part."""
        planned = [number for number, split in enumerate(self.run.design.splits) if split.part == name]
        found = [number for number in planned if number in self.run.places]
        what = f" of the part {name!r}" if name else ""
        if not found:
            raise Refused(f"no split{what} succeeded, and the estimate needs it", "part-failed")
        if whole and len(found) < len(planned):
            says = f"the estimate needs all {len(planned)} splits{what}, of which {len(found)} succeeded"
            raise Refused(says, "part-failed")
        return found

    @cached_property
    def tested(self) -> list[int]:
        """The splits that a plain estimate is made of and that succeeded, ascending."""
        return on_splits.tested(self.run)

    @cached_property
    def main(self) -> dict[int, Predictions]:
        """The splits that a plain estimate is made of, on rows new to their models."""
        return on_splits.each_split(self.run)

    def value(self, p: Predictions) -> float:
        """The score of some predictions, NaN where it has none."""
        return value_of(self.score, p)

    def scores(self, part: str, role: Role, whole: bool = False) -> Array:
        """The score of each split of a part, on rows of one role; a row drawn twice counts twice as `trained`."""
        numbers = self.numbers(part, whole)
        return on_splits.each_value(self.score, self.run, self.together(numbers, role), numbers)

    def together(self, numbers: list[int], role: Role) -> Predictions:
        """The predictions of some splits that are of one role, one after the other."""
        p, drawn = self.run.predictions, self.run.drawn
        assert p is not None and p.splits is not None
        wanted = np.isin(p.splits, numbers)
        if role != "all":
            wanted &= (drawn > 0) == (role == "trained")
        found = on_splits.told(subset(p, wanted), self.run)
        return replace(found, repeats=drawn[wanted]) if role == "trained" else found

    def rows(self, number: int, p: Predictions, role: Role) -> Predictions:
        """The predictions of one split that are of one role."""
        if role == "all":
            return p
        assert p.rows is not None
        times = np.bincount(self.run.design.splits[number].train, minlength=self.run.design.rows)[p.rows]
        return subset(p, np.repeat(np.arange(len(p)), times) if role == "trained" else times == 0)

    def mean(self, part: str, role: Role) -> float:
        """The mean over the splits of a part of the score of their rows of one role."""
        values = self.scores(part, role)
        return float(values[on_splits.usable(self.score, values)].mean())

    def split_scores(self) -> SplitScores:
        """The scores of the splits that a plain estimate is made of, without those that it skips."""
        return self._split_scores.chosen(self._usable) if self.skipped else self._split_scores

    @property
    def skipped(self) -> int:
        """How many splits an average does without, because the score is undefined there."""
        return int((~self._usable).sum())

    @cached_property
    def _usable(self) -> Array:
        return on_splits.usable(self.score, self._split_scores.values)

    @cached_property
    def _split_scores(self) -> SplitScores:
        return on_splits.split_scores(self.score, self.run, self.tested)

    def over_rows(self, part: str) -> tuple[Array, Array]:
        """For a mean score: what each row gives on average over the splits that it is fresh to, and in how many."""
        fresh, rows = self.together(self.numbers(part), "fresh"), self.run.design.rows
        assert fresh.rows is not None
        total = np.bincount(fresh.rows, row_values(self.score, fresh), rows)
        times = np.bincount(fresh.rows, minlength=rows).astype(float)
        with np.errstate(invalid="ignore"):
            return total / times, times

    def each_row_once(self, part: str) -> float:
        """The score when every row counts once, shared among the splits that it is fresh to."""
        fresh = self.together(self.numbers(part), "fresh")
        assert fresh.rows is not None
        weight = 1 / np.bincount(fresh.rows)[fresh.rows]
        return self.value(replace(fresh, weights=weight if fresh.weights is None else weight * fresh.weights))

    def pooled(self) -> float:
        """The value over all tested rows together, in the way that suits the score."""
        return on_splits.pooled(self.score, self.run, self.tested, self.split_scores())

    def row_weights(self) -> Array | None:
        """The weights of all rows of the data, where it has any."""
        p = self.run.predictions
        if p is None or p.weights is None or p.rows is None:
            return None
        weights = np.ones(self.run.design.rows)
        weights[p.rows] = p.weights
        return weights
