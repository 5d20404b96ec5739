"""Scores of learners on data sets: the table that rankings read."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar, NoReturn

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.suggest import suggest
from veracity.evidence.split_scores import SplitScores
from veracity.records.arrays import TIE, Array, freeze, mid_ranks
from veracity.tables.cells import full_names, short_names

ROUNDING = 1e-15  # no difference below this share of the largest score is told from 0

HIGHER_TAKEN = Note("better-taken", "caution", "higher scores are taken to be better: give `better='lower'` for errors")


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix:
    """One row per data set, one column per learner, NaN where a score is missing."""

    label: ClassVar[str] = "scores of learners on several data sets"

    values: Array  # (data sets, learners)
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    better: str = "higher"
    score: str = "score"
    splits: tuple[tuple[SplitScores | None, ...], ...] | None = None  # of each cell, where tests can read them
    notes: tuple[Note, ...] = ()  # what was seen where the scores come from
    taken: Array | None = None  # where a value stands in for a missing score
    absent: tuple[tuple[str, str], ...] = ()  # learners that were left out for want of any score, and why
    without_splits: str = ""  # why tests of split scores cannot read the splits that were made
    is_better_known: bool = True  # said, or told by a name; else the higher is taken

    def __len__(self) -> int:
        return len(self.datasets)

    @property
    def missing(self) -> int:
        return int(np.isnan(self.values).sum())

    @property
    def absent_phrase(self) -> str:
        """The learners that were left out, to be told behind an answer; empty where there are none."""
        names = [name for name, _ in self.absent]
        have = "has" if len(names) == 1 else "have"
        return (
            f"; {', '.join(names)} {have} no {self.score} and {'is' if len(names) == 1 else 'are'} left out"
            if names
            else ""
        )

    @property
    def measured_values(self) -> Array:
        """The scores themselves, NaN where there is none, whatever stands in for it."""
        return self.values if self.taken is None else np.where(self.taken, np.nan, self.values)

    @cached_property
    def ranks(self) -> Array:
        """Mid-ranks within each data set, 1 = best; an infinite score is worst, a missing one has no rank."""
        return freeze(mid_ranks(self.values if self.better == "lower" else -self.values))

    @property
    def average_ranks(self) -> Array:
        """Mean rank of each learner over the data sets where it has one."""
        return np.nanmean(self.ranks, axis=0)

    @cached_property
    def difference(self) -> Array:
        """First minus second, of two learners; what rounding alone keeps from 0 is 0, as is infinite minus infinite.

        A difference is held against the scores that it comes from, for one data set may be of another scale.
        """
        if len(self.learners) != 2:
            raise BadInput(f"a difference is of two learners, not of {len(self.learners)}: choose two with only(a, b)")
        first, second = self.values.T
        size = np.where(np.isfinite(self.values), np.abs(self.values), 0.0)
        return freeze(rounded_difference(first, second, size.T))

    @property
    def mean_difference(self) -> float:
        """Over the data sets; NaN of none, or of infinities of both signs."""
        found = self.difference
        with np.errstate(invalid="ignore"):
            return float(found.mean()) if len(found) else float("nan")

    @property
    def wins(self) -> tuple[int, int, int]:
        """Data sets on which the first of two learners is better, equal, worse."""
        better = -self.difference if self.better == "lower" else self.difference
        return int((better > 0).sum()), int((better == 0).sum()), int((better < 0).sum())

    @verb
    def column(self, learner: str) -> int:
        """The place of a learner, by its name or as tables print it."""
        return self.learners.index(self.learner(learner))

    @verb
    def learner(self, typed: str) -> str:
        """The name of a learner, from that, from what tables print of it, or from its number there: "(2)"."""
        return self.find(typed) or self._stranger(typed)

    def find(self, typed: str) -> str | None:
        """The same, or None where there is no such learner."""
        if typed in self.learners:
            return typed
        for forms in (short_names(self.learners, always=True), full_names(self.learners, always=True)):
            for name, form in forms.items():
                if typed in (str(form), str(form).partition(" ")[0]):
                    return name
        return None

    def _stranger(self, learner: str) -> NoReturn:
        if learner in dict(self.absent):
            raise BadInput(f"{learner} has no {self.score} and is left out: {dict(self.absent)[learner]}")
        raise BadInput(f"there is no learner called {learner!r}: {suggest(learner, self.learners)}")

    def only(self, *learners: str) -> ScoreMatrix:
        """The columns of some learners, in this order."""
        learners = tuple(map(self.learner, learners))
        at = [self.learners.index(learner) for learner in learners]
        splits = None if self.splits is None else tuple(tuple(row[i] for i in at) for row in self.splits)
        taken = None if self.taken is None else freeze(self.taken[:, at])
        return replace(self, values=freeze(self.values[:, at]), learners=learners, splits=splits, taken=taken)

    def on(self, *datasets: str) -> ScoreMatrix:
        """The rows of some data sets, in this order."""
        for name in datasets:
            if name not in self.datasets:
                raise BadInput(f"there is no data set called {name!r}: {suggest(name, self.datasets)}")
        return self._rows([self.datasets.index(name) for name in datasets])

    def complete(self) -> ScoreMatrix:
        """The data sets on which every learner has a score."""
        return self._rows(np.flatnonzero(~np.isnan(self.values).any(axis=1)).tolist())

    def _rows(self, keep: list[int]) -> ScoreMatrix:
        splits = None if self.splits is None else tuple(self.splits[i] for i in keep)
        names = tuple(self.datasets[i] for i in keep)
        taken = None if self.taken is None else freeze(self.taken[keep])
        return replace(self, values=freeze(self.values[keep]), datasets=names, splits=splits, taken=taken)

    @property
    def standard_errors(self) -> Array | None:
        """Of every score, from its splits, with their overlap allowed for; None where no score has any."""
        if self.splits is None:
            return None
        errors = np.array([[math.nan if cell is None else cell.standard_error for cell in row] for row in self.splits])
        return None if not errors.size or not (errors > 0).any() else np.where(errors > 0, errors, math.nan)

    def __repr__(self) -> str:
        holes = f", {self.missing} missing" if self.missing else ""
        return f"ScoreMatrix({len(self.datasets)} data sets x {len(self.learners)} learners of {self.score}{holes})"


def rounded_difference(first: Array, second: Array, size: Array) -> Array:
    """Return first minus second, 0 where only rounding tells them apart; `size` (2, rows) has their sizes."""
    same = first == second
    found: Array = np.where(same, 0.0, first - np.where(same, 0.0, second))
    found[np.abs(found) <= np.maximum(TIE * size.max(axis=0), ROUNDING * size.max(initial=0.0))] = 0.0
    return found
