"""One pair, one test: from evidence to a comparison."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from veracity.api.contests.contest import Contest
from veracity.comparisons.entry import Test, Verdict
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note, check, unique
from veracity.intervals import intervals
from veracity.records.comparison import Comparison
from veracity.records.interval import Interval, Limits
from veracity.records.pairs import Pairs


@dataclass(frozen=True)
class Question:
    """The test, the interval asked for, how sure, and what a refusal may be overridden by."""

    test: Choice
    interval: Any
    at: Confidence
    seed: int = 0
    anyway: bool = False


def judged(found: Contest, question: Question, a: str, b: str) -> Comparison:
    """Compare a with b."""
    verdict, evidence, notes = tested(found, question.test, question, a, b)
    entry: Test = question.test.entry
    interval, more = _interval(found, question, verdict, a, b)
    difference = found.difference(a, b) if verdict.difference is None else verdict.difference
    counts = evidence if isinstance(evidence, Pairs) else None
    return Comparison(
        found.score,
        question.test.spelling,
        a,
        b,
        difference,
        interval,
        verdict.p_value,
        verdict.statistic,
        verdict.df,
        n01=None if counts is None else int(counts.second_only),
        n10=None if counts is None else int(counts.first_only),
        better=found.better,
        notes=unique(found.notes(a, b) + notes + verdict.notes + more),
        probabilities=verdict.probabilities,
        level=question.at.level,
        data=found.data,
        facts=verdict.facts,
        claims=getattr(entry, "claims", ""),
    )


def tested(found: Contest, test: Choice, question: Question, a: str, b: str) -> tuple[Verdict, Any, tuple[Note, ...]]:
    """The verdict of a test on a pair, the evidence it read, and the notes of its limits."""
    if test.entry.only and _plain(found.score) not in test.entry.only:
        raise Refused(f"{test.entry.name} compares {' or '.join(test.entry.only)}, not {found.score}", "wrong-score")
    evidence = found.evidence(test.entry, a, b)
    notes = check(test.entry.limits, evidence, question.anyway)
    if any(note.weight == "refuse" for note in notes):
        says = f"{test.entry.name} is not valid here and was computed because anyway=True"
        notes += (Note("anyway", "caution", says),)
    seeded = test.setting(seed=question.seed) if test.accepts("seed") and "seed" not in test.given else test
    verdict: Verdict = seeded(evidence)
    refusal = next((note for note in verdict.notes if note.weight == "refuse"), None)
    if refusal is not None and not question.anyway:
        raise Refused(refusal.says, refusal.code)
    return verdict, evidence, notes


def _plain(score: str) -> str:
    return score.split("(")[0]


def _interval(
    found: Contest, question: Question, verdict: Verdict, a: str, b: str
) -> tuple[Interval | None, tuple[Note, ...]]:
    """The interval asked for, or the one that belongs to the test, or none and a note that says why."""
    at, entry = question.at, question.test.entry
    if question.interval is not None:
        return _named(found, question, question.interval, a, b), ()
    if verdict.limits is not None:
        return _made(verdict.limits(at), at, question.test, 1), ()
    if verdict.standard_error is not None and verdict.difference is not None and verdict.standard_error > 0:
        half = verdict.standard_error * (at.t(verdict.df) if isinstance(verdict.df, (int, float)) else at.z)
        return _made(Limits(verdict.difference - half, verdict.difference + half), at, question.test, 1), ()
    if entry.interval is None:
        return None, ()
    try:
        return _named(found, question, entry.interval, a, b), ()
    except Refused as why:
        return None, (Note("no-interval", "remark", f"no {entry.interval} interval here: {why.says}"),)


def _named(found: Contest, question: Question, name: Any, a: str, b: str) -> Interval:
    choice = intervals.choose(name)
    evidence = found.evidence(choice.entry, a, b)
    notes = check(choice.entry.limits, evidence, question.anyway)
    limits: Limits = choice.entry.function(evidence, question.at, **choice.given)
    return _made(limits._replace(notes=notes + limits.notes), question.at, choice, found.sign(choice.entry.reads))


def _made(limits: Limits, at: Confidence, choice: Choice, sign: int) -> Interval:
    low, high = sorted((sign * limits.low, sign * limits.high))
    return Interval(low, high, at.level, choice.spelling, at.side, choice.entry.assumes, unique(limits.notes))
