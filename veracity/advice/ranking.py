"""Which tests may rank learners over data sets here: of all of them, of pairs, and what adjusts these."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from veracity.adjustments import adjustments
from veracity.advice.attempt import advice_on, attempt, make_advice
from veracity.advice.comparing import situation
from veracity.advice.resolution import resolution, with_resolution
from veracity.comparisons import comparisons
from veracity.contests.compare import ADJUSTMENT
from veracity.contests.rank import OF_ALL_LEARNERS, PAIR_TEST, rank
from veracity.contests.score_sources import Matrix
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, first_fit
from veracity.core.notes import Note
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.evidence.split_scores import SplitScores
from veracity.findings.advice import Advice
from veracity.posthoc import posthocs

ONE = (
    "one data set says nothing about others: run the learners on several, six or more for a test of two, or compare"
    " them on the splits of this one"
)


def advise_on_ranking(matrix: ScoreMatrix, at: Confidence, seed: int, difference: float | None) -> Advice:
    """Every test of all learners, every test of pairs and every adjustment, each with the usual others."""
    usual = first_fit(OF_ALL_LEARNERS, matrix)
    contest = Matrix(matrix)
    here = situation(contest)
    defaults = {("using", str(usual.name)), ("pairs", str(PAIR_TEST.name)), ("then", str(ADJUSTMENT.name))}
    rows = []
    for word, choice in _candidates(matrix):
        how: Any = {word: choice}
        found = attempt([partial(_notes, matrix, at, seed, how)])
        default = (word, choice.spelling) in defaults
        row = advice_on(choice, found, here, default and word == "using")
        rows.append(row)
    if usual.name is not None and "(" in usual.name:  # the usual test may be one with parameters
        choice = comparisons.choose(usual.name)
        rows.append(advice_on(choice, attempt([partial(_notes, matrix, at, seed, {"using": choice})]), here, True))
    cannot = ONE if len(matrix) < 2 else ""
    why = f"{usual.why}; pairs by {PAIR_TEST.name}, adjusted by {ADJUSTMENT.name}"
    advice = make_advice("rank", rows, why, cannot=cannot)
    if cannot or len(matrix.learners) < 2:
        return advice
    return with_resolution(advice, resolution(contest, matrix.learners[0], matrix.learners[1], at), difference)


def _candidates(matrix: ScoreMatrix) -> Iterator[tuple[str, Choice]]:
    for entry in comparisons:
        over_splits = entry.reads is SplitScores and matrix.splits is not None
        if over_splits or (entry.reads is ScoreMatrix and entry.compares == 0):
            yield "using", entry.choose()
        elif entry.reads is ScoreMatrix:
            yield "pairs", entry.choose()
    for posthoc in posthocs:
        yield ("then" if posthoc.alone else "pairs"), posthoc.choose()
    for adjustment in adjustments:
        yield "then", adjustment.choose()


def _notes(matrix: ScoreMatrix, at: Confidence, seed: int, how: Any) -> tuple[Note, ...]:
    return rank(matrix, level=at.level, seed=seed, **how).all_notes
