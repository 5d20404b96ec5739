"""What tuning found: every setting with its score, and which one is taken by which rule."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from veracity.core.errors import Refused
from veracity.records.choices import setting_text
from veracity.tuning.trial import Trial

SAME = 1e-12  # of the largest score that a mean is made of: means that differ by rounding only are equal


@dataclass(frozen=True, repr=False)
class Results:
    """The trials from the simplest setting to the most complex; prints as a table."""

    trials: tuple[Trial, ...]
    won: Trial
    score: str
    better: str
    by: str
    rule: str

    def __iter__(self) -> Iterator[Trial]:
        return iter(self.trials)

    def __len__(self) -> int:
        return len(self.trials)

    def __getitem__(self, place: int) -> Trial:
        return self.trials[place]

    def to_dict(self) -> dict[str, list[Any]]:
        """Columns, as a data frame takes them."""
        names = dict.fromkeys(name for trial in self for name in trial.params)
        columns: dict[str, list[Any]] = {name: [trial.params.get(name) for trial in self] for name in names}
        columns["mean"] = [trial.mean for trial in self]
        columns["standard error"] = [trial.standard_error for trial in self]
        columns["reason"] = [trial.reason for trial in self]
        return columns

    def __repr__(self) -> str:
        head = f"{self.score} ({self.better} is better) by {self.by}, from the simplest setting to the most complex:"
        words = [setting_text(trial.params) for trial in self]
        width = max(map(len, words))
        lines = [f"  {word:<{width}}  {_line(trial)}" for word, trial in zip(words, self, strict=True)]
        return "\n".join([head, *lines, f"{self.rule} takes {setting_text(self.won.params)}"])


def _line(trial: Trial) -> str:
    if trial.reason:
        return f"left out: {trial.reason}"
    return f"{trial.mean:.4g} (standard error {trial.standard_error:.2g})"


def best(trials: Sequence[Trial], better: str) -> Trial:
    """The best mean; of equal ones the simplest, which is the first."""
    return _simplest_within(trials, better, 0.0)


def one_standard_error(trials: Sequence[Trial], better: str) -> Trial:
    """The simplest setting that is no more than one standard error of the best worse than the best.

    A heuristic, since inner folds are dependent; it needs at least two of them (Breiman et al. 1984).
    """
    first = best(trials, better)
    if math.isinf(first.mean):  # nothing finite is near it
        return first
    error = first.standard_error
    if math.isnan(error):
        says = "one_standard_error needs at least two inner splits: use kfold(k=5), or rule='best', or se='rows'"
        raise Refused(says, "one-inner-split")
    return _simplest_within(trials, better, error)


def _simplest_within(trials: Sequence[Trial], better: str, distance: float) -> Trial:
    """The first setting at most so far from the best; those that failed are out."""
    sign = 1 if better == "lower" else -1
    sound = [trial for trial in trials if not trial.reason]
    first = min(sound, key=lambda trial: sign * trial.mean)
    room = distance + SAME * max(map(abs, first.values))
    most = sign * first.mean + (room if math.isfinite(room) else 0.0)
    return next(trial for trial in sound if sign * trial.mean <= most)


RULES = {"best": best, "one_standard_error": one_standard_error}
