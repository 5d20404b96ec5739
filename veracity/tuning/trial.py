"""Every setting tried on every inner split."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import BadInput, VeracityError
from veracity.evidence.predictions import Predictions
from veracity.records.chosen import setting as worded
from veracity.records.data import Data
from veracity.records.design import Split
from veracity.records.fit import Fit
from veracity.running.fit_learner import fit_one
from veracity.scores.values import row_values
from veracity.tuning.measure import predicted, value_of
from veracity.tuning.settings import Setting, configured
from veracity.tuning.standard_error import between_rows, between_splits


@dataclass(frozen=True)
class Trial:
    """One setting: its score on each inner split, or the reason why it has none."""

    params: Setting
    values: tuple[float, ...] = ()
    reason: str = ""  # of the first inner split that failed
    standard_error: float = math.nan  # of the mean

    @property
    def mean(self) -> float:
        """The mean over all inner splits; NaN where one failed, for none is dropped."""
        return math.nan if self.reason else float(np.mean(self.values))


def trials(
    learner: Any,
    settings: Sequence[Setting],
    data: Data,
    splits: Sequence[Split],
    score: Choice,
    seed: int,
    by_row: bool = False,
) -> tuple[Trial, ...]:
    """Every setting on every split; in one split all settings are given the same random numbers."""
    found = tuple(_tried(configured(learner, one), one, data, splits, score, seed, by_row) for one in settings)
    if all(trial.reason for trial in found):
        first = f"{worded(found[0].params)}: {found[0].reason}"
        each = f"all {len(found)} settings" if len(found) > 1 else "the only setting"
        raise BadInput(f"no setting can be chosen, as {each} of {type(learner).__name__} failed; {first}")
    if not any(math.isfinite(trial.mean) for trial in found):
        raise BadInput(f"{score} is infinite for every setting: {score.entry.infinite}; tune by another score")
    return found


def _tried(
    learner: Any, setting: Setting, data: Data, splits: Sequence[Split], score: Choice, seed: int, by_row: bool
) -> Trial:
    told: list[Predictions] = []
    values: list[float] = []
    for number, split in enumerate(splits):
        fit = Fit(f"inner split {number}", data.name, "", split.train, split.test, seed)
        outcome = fit_one(learner, data, fit)[0]
        if outcome.status == "failed":
            return Trial(setting, reason=f"in inner split {number + 1} of {len(splits)} {outcome.reason}")
        told.append(predicted(data, split.test, outcome))
        try:
            values.append(value_of(score, told[-1]))
        except VeracityError as why:
            return Trial(setting, reason=f"in inner split {number + 1} of {len(splits)} {why}")
    error = _between_rows(score, told) if by_row else between_splits(values, splits)
    return Trial(setting, tuple(values), standard_error=error)


def _between_rows(score: Choice, told: Sequence[Predictions]) -> float:
    losses = np.concatenate([row_values(score, p) for p in told])
    return between_rows(losses, np.concatenate([p.rows for p in told if p.rows is not None]))
