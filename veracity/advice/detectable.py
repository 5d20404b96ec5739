"""The smallest difference that what is at hand can show, and what it would take to show a smaller one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite, sqrt
from typing import Any

import numpy as np

from veracity.contests.sources import DISCORDANT_ROWS, FIXED_MODELS, MATRIX, RUNS, SPLIT_SCORES, ComparisonSource
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.evidence.same_rows import PairedScores, Pairs
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores
from veracity.findings.advice import Advice
from veracity.findings.planning import Power
from veracity.planning.power import power
from veracity.scores.entry import RIGHT_OR_WRONG

TARGET_POWER = 0.8  # the probability with which a difference is to be found
DRAWS = 1_000  # of simulated powers: a rough number is enough


@dataclass(frozen=True)
class SmallestDetectable:
    """What a planned test is told of the evidence at hand, and the smallest difference that it finds."""

    test: str
    told: dict[str, Any]
    smallest: Power

    def needed(self, difference: float, at: Confidence) -> str:
        """Return what it takes to find a difference."""
        size = next(name for name in ("rows", "groups", "datasets", "splits") if getattr(self.smallest, name))
        told = {name: value for name, value in self.told.items() if name != size}
        test = self.test
        if test == "wilcoxon":  # which is simulated for so many; Student's test needs about as many
            test, told = "paired_t", {"sd": told["sd"]}
        try:
            return f"it takes {power(test, difference=difference, power=TARGET_POWER, level=at.level, **told).size}"
        except (BadInput, Refused) as why:
            return why.says


def smallest_detectable(source: ComparisonSource, a: str, b: str, at: Confidence) -> SmallestDetectable | None:
    """Return the smallest difference that two of them can show; None where no plan is for such evidence."""
    try:
        found = _plan_numbers(source, a, b)
        if found is None:
            return None
        test, told = found
        return SmallestDetectable(test, told, power(test, power=TARGET_POWER, level=at.level, **told))
    except (BadInput, Refused):
        return None


def _plan_numbers(source: ComparisonSource, a: str, b: str) -> tuple[str, dict[str, Any]] | None:
    if source.kind in (FIXED_MODELS, DISCORDANT_ROWS):
        return _of_rows(source, a, b)
    if source.kind in (RUNS, SPLIT_SCORES):
        splits: SplitScores = source.evidence[SplitScores](a, b)
        test = "conservative_t" if splits.rounds > 1 else "corrected_t"
        sizes = {"train": float(np.mean(splits.train)), "test": float(np.mean(splits.test))}
        return _if_spread(test, {"splits": len(splits), "sd": float(np.std(splits.values, ddof=1)), **sizes})
    if source.kind == MATRIX:
        d = source.evidence[ScoreMatrix](a, b).difference
        told = {"datasets": len(d), "sd": float(np.std(d, ddof=1)) if len(d) > 1 else 0.0}
        return _if_spread("wilcoxon", {**told, "draws": DRAWS}) if len(d) <= 200 else _if_spread("paired_t", told)
    return None


def _of_rows(source: ComparisonSource, a: str, b: str) -> tuple[str, dict[str, Any]] | None:
    is_counted, choice = source.kind == DISCORDANT_ROWS, source.choice
    assert choice is not None
    plain = is_counted or all(
        p.groups is None and p.weights is None and p.repeats is None for p in source.input.values()
    )
    if choice.is_one_of(*RIGHT_OR_WRONG) and plain:
        pairs: Pairs = source.evidence[Pairs](a, b)
        if not pairs.rows or not pairs.discordant:
            return None
        return "mcnemar_midp", {"rows": int(pairs.rows), "discordant": float(pairs.discordant / pairs.rows)}
    if not plain or is_counted or not choice.averages_rows:
        return None
    both: PairedScores = source.evidence[PairedScores](a, b)
    d = np.asarray(both.first) - np.asarray(both.second)
    return _if_spread("paired_loss_t", {"groups": len(d), "sd": float(np.std(d, ddof=1))})


def _if_spread(test: str, told: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    return (test, told) if told["sd"] > 0 and isfinite(told["sd"] * sqrt(2)) else None


def with_smallest_detectable(advice: Advice, found: SmallestDetectable | None, difference: float | None) -> Advice:
    """The advice with what can be seen here; where the difference of interest is smaller, that is the answer."""
    if found is None:
        return advice
    smallest = found.smallest.difference
    assert smallest is not None
    seen = f"{found.smallest.size} find a difference of {smallest:.3g} four times out of five, by {found.test}"
    note = Note("smallest-difference", "remark", f"{seen}; smaller ones less often")
    rows = tuple(replace(row, sees=smallest) if row.default else row for row in advice.rows)
    if difference is None or abs(difference) >= smallest:
        return replace(advice, rows=rows, notes=(note, *advice.notes))
    at = Confidence(found.smallest.level)
    says = f"{found.smallest.size} seldom show a difference of {abs(difference):g}: {found.needed(abs(difference), at)}"
    caution = Note("too-small", "caution", f"{says}; {seen}")
    answer = f"This can hardly be concluded from this data: {says}."
    return replace(advice, answer=answer, rows=rows, notes=(caution, *advice.notes))
