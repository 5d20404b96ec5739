"""The types by which a checker tells what `rank` gives: a ranking, or verdicts for each data set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypedDict

from veracity.core.entry import MethodLike

TestOfRanks = Literal[
    "anova", "aligned_ranks", "quade", "friedman", "iman_davenport", "skillings_mack", "plackett_luce"
]
TestOfSplits = Literal[
    "five_by_two_t",
    "five_by_two_f",
    "corrected_t",
    "conservative_t",
    "kfold_t",
    "resampled_t",
    "correlated_t_posterior",
]


class RankOptions(TypedDict, total=False):
    """What `rank` takes besides its test."""

    then: MethodLike | None
    pairs: MethodLike | None
    control: str | None
    effect: MethodLike | Sequence[MethodLike] | None
    intervals: str | None
    better: str | None
    level: float
    by: str | None
    seed: int
    anyway: bool
