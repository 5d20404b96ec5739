"""What tuning found: every setting with its score, and which one was taken by which rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from veracity.records.chosen import setting
from veracity.tuning.trial import Trial


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
        words = [setting(trial.params) for trial in self]
        width = max(map(len, words))
        lines = [f"  {word:<{width}}  {_said(trial)}" for word, trial in zip(words, self, strict=True)]
        return "\n".join([head, *lines, f"{self.rule} takes {setting(self.won.params)}"])


def _said(trial: Trial) -> str:
    if trial.reason:
        return f"left out: {trial.reason}"
    return f"{trial.mean:.4g} (standard error {trial.standard_error:.2g})"
