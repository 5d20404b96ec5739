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
from veracity.evidence.take_rows import subset
from veracity.records.arrays import Array
from veracity.risk import score_splits
from veracity.risk.entry import RESUBSTITUTION
from veracity.scores.entry import value_of

Role = Literal["fresh", "trained", "all"]


@dataclass(frozen=True, eq=False)
class Resampling:
    """A score and a run. Rows of a split are `fresh` where its model never saw them, `trained` where it did."""

    score: Choice
    run: Run

    @property
    def is_mean(self) -> bool:
        """Whether the score is a mean over rows."""
        return self.score.entry.averages_rows

    @property
    def pools(self) -> bool:
        """Whether rows that different models predicted can be scored together."""
        return score_splits.pools(self.score)

    @property
    def main_part(self) -> str:
        """The kind of splits that a plain estimate is made of."""
        return self.run.design.splits[0].part.kind

    def numbers(self, part: str, whole: bool = False) -> list[int]:
        """The splits of one kind that succeeded, ascending; refuses where there is none, or not the `whole` part."""
        planned = [number for number, split in enumerate(self.run.design.splits) if split.part.kind == part]
        numbers = [number for number in planned if number in self.run.places]
        what = f" of the part {part!r}" if part else ""
        if not numbers:
            raise Refused(f"no split{what} succeeded, and the estimate needs it", "part-failed")
        if whole and len(numbers) < len(planned):
            says = f"the estimate needs all {len(planned)} splits{what}, of which {len(numbers)} succeeded"
            raise Refused(says, "part-failed")
        return numbers

    @cached_property
    def main_splits(self) -> list[int]:
        """The splits that a plain estimate is made of and that succeeded, ascending."""
        return score_splits.main_splits(self.run)

    @cached_property
    def main_predictions(self) -> dict[int, Predictions]:
        """The predictions of these, on rows new to their models."""
        return score_splits.main_predictions(self.run)

    @cached_property
    def of_all_rows(self) -> Predictions:
        """The predictions of the model of all rows, for these rows; refuses where it failed."""
        return score_splits.split_predictions(self.run, self.numbers(RESUBSTITUTION.name)[0])

    @property
    def resubstitution(self) -> float:
        """The score of the model of all rows, on these rows."""
        return float(self.scores(RESUBSTITUTION.name, "all")[0])

    def scores(self, part: str, role: Role, whole: bool = False) -> Array:
        """The score of each split of a part, on rows of one role; a row drawn twice counts twice as `trained`."""
        numbers = self.numbers(part, whole)
        return score_splits.split_values(self.score, self.run, self.predictions(numbers, role), numbers)

    def predictions(self, numbers: list[int], role: Role) -> Predictions:
        """The predictions of some splits that are of one role, one after the other."""
        p = self.run.predictions
        assert p is not None and p.splits is not None
        every = self.run.places.keys() <= set(numbers)
        if every and (role == "all" or (role == "fresh" and not self.run.design.tests_trained)):
            return score_splits.with_training_mean(p, self.run)
        drawn, wanted = self.run.times_drawn, np.isin(p.splits, numbers)
        if role != "all":
            wanted &= (drawn > 0) == (role == "trained")
        together = score_splits.with_training_mean(subset(p, wanted), self.run)
        return replace(together, repeats=drawn[wanted]) if role == "trained" else together

    def mean(self, part: str, role: Role) -> float:
        """The mean over the splits of a part of the score of their rows of one role."""
        values = self.scores(part, role)
        return float(values[score_splits.usable_splits(self.score, values)].mean())

    def split_scores(self) -> SplitScores:
        """The scores of the splits that a plain estimate is made of, without those that it skips."""
        return self._split_scores.subset(self._usable) if self.skipped_splits else self._split_scores

    @property
    def skipped_splits(self) -> int:
        """How many splits an average does without, because the score is undefined there."""
        return int((~self._usable).sum())

    @cached_property
    def _usable(self) -> Array:
        return score_splits.usable_splits(self.score, self._split_scores.values)

    @cached_property
    def _split_scores(self) -> SplitScores:
        return score_splits.split_scores(self.score, self.run, self.main_splits)

    def each_row_once(self, part: str) -> float:
        """The score when every row counts once, shared among the splits that it is fresh to."""
        fresh = self.predictions(self.numbers(part), "fresh")
        assert fresh.rows is not None
        weight = 1 / np.bincount(fresh.rows)[fresh.rows]
        weights = weight if fresh.weights is None else weight * fresh.weights
        return value_of(self.score, replace(fresh, weights=weights))

    @cached_property
    def pooled_value(self) -> float:
        """The value over all tested rows together, in the way that suits the score."""
        return score_splits.pooled_value(self.score, self.run, self.main_splits, self.split_scores())
