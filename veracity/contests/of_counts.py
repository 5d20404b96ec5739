"""Models of which only counts are known: errors or confusion matrices of each, or the rows on which two disagree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from veracity.contests.contest import Contest, differences_within
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.evidence.counts import Counts
from veracity.evidence.proportion import Proportion, Shares
from veracity.evidence.same_rows import Pairs
from veracity.intervals.scored import Scored
from veracity.risk.estimates import score_source
from veracity.scores.rates import RIGHT_OR_WRONG

OTHER_ROWS = Note(
    "other-rows",
    "caution",
    "counts are taken to be of different rows: where both models were tried on the same ones, give the rows that only"
    " one of them got right (n01 and n10), or predictions",
)


class CountedModels(Contest):
    """Counts of each model by its name, of rows that the models do not share."""

    what = "counts of each model"
    default = "two_proportion_z"

    def __init__(self, models: Mapping[str, Counts], choice: Choice, typed: str) -> None:
        self.choice, self.score = choice, typed
        self.names, self.better = tuple(models), choice.entry.better
        self.range = differences_within(choice.entry.range)
        self._scored = {name: score_source(counts, choice) for name, counts in models.items()}

    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        return {Shares: self._shares, Scored: self._single}

    def difference(self, a: str, b: str) -> float:
        return self._scored[a].value - self._scored[b].value

    def notes(self, a: str, b: str) -> tuple[Note, ...]:
        return () if a == b else (OTHER_ROWS,)

    def _shares(self, a: str, b: str) -> Shares:
        return Shares(self._scored[a].view(Proportion), self._scored[b].view(Proportion))

    def _single(self, a: str, b: str) -> Scored:
        if a != b:
            raise Refused("this is a test of one model: give its counts alone", "one-model")
        return self._scored[a]


class CountedPairs(Contest):
    """The rows that only one of two models got right."""

    what = "the rows that only one of two models got right"
    names, default = ("a", "b"), "mcnemar_midp"

    def __init__(self, pairs: Pairs, choice: Choice, typed: str) -> None:
        if choice.entry.name not in RIGHT_OR_WRONG:
            raise BadInput(f"{choice} cannot be had from {self.what}: compare error or accuracy, or give predictions")
        self.pairs_of_rows, self.choice, self.score = pairs, choice, typed
        self.better, self.range = choice.entry.better, differences_within(choice.entry.range)

    def gives(self) -> Mapping[type, Callable[[str, str], Any]]:
        return {Pairs: lambda a, b: self.pairs_of_rows if (a, b) == self.names else self.pairs_of_rows.swap()}

    def difference(self, a: str, b: str) -> float:
        pairs = self.gives()[Pairs](a, b)
        return self.sign(Pairs) * pairs.difference if pairs.rows else 0.0

    def sign(self, reads: type) -> int:
        return -1 if self.choice.entry.name == "error" else 1
