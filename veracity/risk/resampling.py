"""What estimators of risk read: one score on the splits of a design, by part and by role of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.records.arrays import Array
from veracity.records.predictions import Predictions
from veracity.records.run import Run
from veracity.records.split_scores import SplitScores
from veracity.records.subset import subset
from veracity.risk import splits as on_splits
from veracity.risk.kinds import main_part
from veracity.scores.rowwise import is_mean, of_rows

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

    @cached_property
    def splits(self) -> dict[int, Predictions]:
        """The predictions of every split that succeeded, by its number."""
        return on_splits.every_split(self.run)

    def part(self, name: str) -> dict[int, Predictions]:
        """The splits of one part; refuses where none succeeded."""
        labels = self.run.design.splits
        found = {number: p for number, p in self.splits.items() if labels[number].part == name}
        if not found:
            raise Refused(f"no split of the part {name!r} succeeded, and the estimate needs it", "part-failed")
        return found

    @cached_property
    def main(self) -> dict[int, Predictions]:
        """The splits that a plain estimate is made of."""
        wanted = set(main_part(self.run.design))
        return {number: p for number, p in self.splits.items() if number in wanted}

    def value(self, p: Predictions) -> float:
        """The score of some predictions, NaN where it has none."""
        return on_splits.value(self.score, p)

    def scores(self, part: str, role: Role) -> Array:
        """The score of each split of a part, on rows of one role; a row drawn twice counts twice as `trained`."""
        return np.array([self.value(self.rows(number, p, role)) for number, p in self.part(part).items()])

    def rows(self, number: int, p: Predictions, role: Role) -> Predictions:
        """The predictions of one split that are of one role."""
        if role == "all":
            return p
        assert p.rows is not None
        times = np.bincount(self.run.design.splits[number].train, minlength=self.run.design.rows)[p.rows]
        return subset(p, np.repeat(np.arange(len(p)), times) if role == "trained" else times == 0)

    def split_scores(self) -> SplitScores:
        """The scores of the splits that a plain estimate is made of."""
        return on_splits.split_scores(self.score, self.run, self.main)

    def over_rows(self, part: str) -> tuple[Array, Array]:
        """For a mean score: what each row gives on average over the splits that it is fresh to, and in how many."""
        total, times = np.zeros(self.run.design.rows), np.zeros(self.run.design.rows)
        for number, p in self.part(part).items():
            fresh = self.rows(number, p, "fresh")
            assert fresh.rows is not None
            total[fresh.rows] += of_rows(self.score, fresh)
            times[fresh.rows] += 1
        with np.errstate(invalid="ignore"):
            return total / times, times

    def pooled(self) -> float:
        """The value over all tested rows together, in the way that suits the score."""
        return on_splits.pooled(self.score, self.run, self.main, self.split_scores())

    def row_weights(self) -> Array | None:
        """The weights of all rows of the data, where it has any."""
        p = self.run.predictions
        if p is None or p.weights is None or p.rows is None:
            return None
        weights = np.ones(self.run.design.rows)
        weights[p.rows] = p.weights
        return weights


def fresh_only(run: Run) -> Run:
    """The run without predictions of rows that a split's model had learned from, unless there are no others."""
    p = run.predictions
    if p is None or p.splits is None or p.rows is None:
        return run
    trained = np.zeros(len(p), bool)
    for number in np.unique(p.splits):
        here = p.splits == number
        trained[here] = np.isin(p.rows[here], run.design.splits[number].train)
    if not trained.any() or trained.all():
        return run
    return replace(run, predictions=subset(p, ~trained))
