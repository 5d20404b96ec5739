"""What a learner that tunes itself chose in each split of a design."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from veracity.core.errors import BadInput
from veracity.core.words import plural


class UnreadableChoice(Exception):
    """What a store keeps of a choice is none."""


class SplitChoice(NamedTuple):
    """The choice of one split: the parameters, and where they are known the score they won by and its name."""

    split: int
    params: dict[str, Any]
    inner: float = math.nan  # the winner's score inside the training rows: too good, for it was chosen by it
    score: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Choices:
    """The choices of the splits that succeeded, in order."""

    learner: str
    data: str
    by: str
    splits: tuple[SplitChoice, ...]
    final: dict[str, Any] | None = None  # the parameters chosen on all rows, where that fit was asked for too

    @classmethod
    def read(cls, learner: str, data: str, by: str, stored: Sequence[str], final: str = "") -> Choices:
        """From what a store keeps of each split, and of the fit on all rows."""
        made = tuple(split_choice(split, text) for split, text in enumerate(stored) if text)
        if not made:
            raise BadInput(f"{learner} chose nothing in any split: make a learner that tunes itself with tuned(...)")
        return cls(learner, data, by, made, split_choice(-1, final).params if final else None)

    @cached_property
    def counted(self) -> tuple[tuple[str, int], ...]:
        """Each setting in words and in how many splits it was chosen, the most frequent first."""
        return tuple(Counter(setting_text(one.params) for one in self.splits).most_common())

    @property
    def most(self) -> str:
        """The most frequent setting and how frequent it is, in words."""
        words, number = self.counted[0]
        return f"{words} in {number} of {len(self)}"

    @property
    def share(self) -> float:
        """The share of splits that chose the most frequent setting: how stable the choice is."""
        return self.counted[0][1] / len(self.splits)

    @property
    def flat(self) -> float:
        """The mean over splits of the score that the winner won by, which is no estimate of its risk."""
        return sum(one.inner for one in self.splits) / len(self.splits)

    @property
    def score(self) -> str:
        """The score that the choice was made by, where it is known and the same in all splits."""
        names = {one.score for one in self.splits}
        return names.pop() if len(names) == 1 else ""

    def __iter__(self) -> Iterator[SplitChoice]:
        return iter(self.splits)

    def __len__(self) -> int:
        return len(self.splits)

    def __repr__(self) -> str:
        said = "; ".join(f"{words} in {number}" for words, number in self.counted)
        final = "" if self.final is None else f"; on all rows {setting_text(self.final)}"
        return f"{self.learner} on {self.data} by {self.by}, {plural(len(self), 'split')}: {said}{final}"


def setting_text(params: dict[str, Any]) -> str:
    """A setting as one would type it."""
    return ", ".join(f"{name}={value!r}" for name, value in params.items()) or "nothing set"


def split_choice(split: int, text: str) -> SplitChoice:
    """From what is stored; a learner of ours keeps more than its parameters, any other keeps those alone."""
    try:
        found = json.loads(text)
        if {"params", "inner", "score"} <= found.keys():
            return SplitChoice(split, dict(found["params"]), float(found["inner"]), str(found["score"]))
        return SplitChoice(split, dict(found))
    except (ValueError, TypeError, AttributeError):
        raise UnreadableChoice(text) from None
