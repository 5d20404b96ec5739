"""The pairs of a ranking: tested, adjusted for their number, and what cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from veracity.adjustments import adjustments
from veracity.adjustments.adjust import adjust_family
from veracity.adjustments.family import Family as PValues
from veracity.comparisons.entry import LEAST, Test
from veracity.contests.judge import Question, judge_pair
from veracity.contests.of_learners import Matrix
from veracity.contests.pair_plan import PairPlan
from veracity.core.confidence import Confidence
from veracity.core.counting import many
from veracity.core.entry import Choice, Entry
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check, refuses, unique
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.standing import RankedPair
from veracity.posthoc.entry import Posthoc
from veracity.records.arrays import Array
from veracity.records.groups import groups, runs


@dataclass(frozen=True, eq=False)
class Raw:
    """Every pair by itself, and over the family where the test decides that."""

    pairs: list[tuple[float, float | None, float]]  # difference, statistic, p-value
    limits: Sequence[tuple[float | None, float | None]]
    notes: tuple[Note, ...]
    adjusted: Array | None = None
    critical_difference: float | None = None
    refused: Sequence[bool] | bool = False  # tests that were run anyway, of which none decides


class JudgedPairs(NamedTuple):
    """What a ranking says of pairs."""

    pairs: tuple[RankedPair, ...]
    groups: tuple[tuple[str, ...], ...]
    notes: tuple[Note, ...]
    critical_difference: float | None = None


def judge_family(
    matrix: ScoreMatrix, asked: PairPlan, at: Confidence, seed: int, anyway: bool, concludes: bool
) -> JudgedPairs:
    """Every pair with its adjusted p-value; none is rejected unless the omnibus test `concludes`."""
    together = isinstance(asked.test.entry, Posthoc)
    raw = _test_together(matrix, asked, at, anyway) if together else _test_each(matrix, asked, at, seed, anyway)
    adjusted, said = _adjust(matrix, asked, raw)
    rejected = (adjusted < at.miss) & concludes & ~np.array(raw.refused)
    found = tuple(
        RankedPair(a, b, *numbers, float(p), bool(differs), *limits)
        for (a, b), numbers, p, differs, limits in zip(
            asked.pairs, raw.pairs, adjusted, rejected, raw.limits, strict=True
        )
    )
    made, more = _groups(matrix, asked, rejected)
    return JudgedPairs(found, made, unique((*raw.notes, *said, *more)), raw.critical_difference)


def _test_together(matrix: ScoreMatrix, asked: PairPlan, at: Confidence, anyway: bool) -> Raw:
    """By a test that looks at all learners at once."""
    notes = check(asked.test.entry.limits, matrix, anyway and not matrix.missing)  # a missing score has no number
    found = asked.test.entry.function(matrix, *asked.columns(matrix), at.miss, **asked.test.given)
    p = np.maximum(found.p, LEAST).tolist()
    numbers = list(zip(found.difference.tolist(), found.statistic.tolist(), p, strict=True))
    adjusted = None if found.adjusted is None else np.maximum(found.adjusted, LEAST)
    refused = refuses(notes)
    return Raw(numbers, [(None, None)] * len(numbers), notes, adjusted, found.critical_difference, refused)


def _test_each(matrix: ScoreMatrix, asked: PairPlan, at: Confidence, seed: int, anyway: bool) -> Raw:
    """By a comparison of the two learners alone."""
    contest, question = Matrix(matrix), Question(asked.test, None, at, seed, anyway)
    found = []
    for a, b in asked.pairs:
        try:
            found.append(judge_pair(contest, question, a, b))
        except Refused as why:
            raise Refused(f"{a} and {b}: {why.says}", why.code) from None
    if any(one.p_value is None for one in found):
        raise BadInput(f"{asked.test.entry.name} has no p-value to adjust: compare(...) gives posteriors of pairs")
    numbers = [(one.difference, one.statistic, float(one.p_value or 0.0)) for one in found]
    limits = [(one.interval.low, one.interval.high) if one.interval else (None, None) for one in found]
    said = [(f"{one.a} and {one.b}", note) for one in found for note in one.all_notes]
    return Raw(numbers, limits, tuple(_merge_notes(said, len(found))), refused=[one.refused for one in found])


def _merge_notes(said: list[tuple[str, Note]], pairs: int) -> Iterable[Note]:
    """Notes of many pairs, each kind once: with its pair where it does not hold for all of them alike."""
    for kind in dict.fromkeys((note.code, note.weight) for _, note in said):
        here = [(pair, note) for pair, note in said if (note.code, note.weight) == kind]
        pair, note = here[0]
        if len({other.says for _, other in here}) == 1 and len(here) == pairs:
            yield note
        else:
            more = f" (and {other_pairs(len(here) - 1)})" if len(here) > 1 else ""
            yield Note(note.code, note.weight, f"{pair}{more}: {note.says}")


def _adjust(matrix: ScoreMatrix, asked: PairPlan, raw: Raw) -> tuple[Array, tuple[Note, ...]]:
    """The p-values over the whole family."""
    size = len(asked.pairs)
    if raw.adjusted is not None:
        says = f"{asked.then.entry.name} judges {size} differences of {asked.test.entry.about} as one family by itself"
        return raw.adjusted, (Note("family", "remark", says),)
    p = np.array([numbers[2] for numbers in raw.pairs])
    found, notes = adjust_family(PValues(p, *asked.columns(matrix)), asked.then)
    return found, (*notes, *family_notes(size, asked.then, asked.test.entry))


def _groups(
    matrix: ScoreMatrix, asked: PairPlan, rejected: Array
) -> tuple[tuple[tuple[str, ...], ...], tuple[Note, ...]]:
    """Maximal sets that cannot be told apart, best first; with a control, those that cannot be told from it."""
    order = np.argsort(matrix.average_ranks, kind="stable")
    names = [matrix.learners[i] for i in order]
    differ = {frozenset(pair) for pair, apart in zip(asked.pairs, rejected, strict=True) if apart}
    if asked.control is not None:
        return (tuple(name for name in names if {name, asked.control} not in differ),), ()
    alike = np.array([[{a, b} not in differ for b in names] for a in names])
    found = groups(alike)
    if found is not None:
        return tuple(tuple(names[i] for i in group) for group in found), ()
    says = "there are more than 1,000 groups: those of neighbours in rank are shown, the table of pairs has the rest"
    shown = tuple(tuple(names[i] for i in group) for group in runs(alike))
    return shown, (Note("many-groups", "caution", says),)


def adjustment(then: object, claims: str = "") -> Choice:
    """The adjustment asked for, holm without any; one that reasons about equality is not for other claims."""
    choice = adjustments.choose("holm" if then is None else then)
    if claims and choice.entry.pairs:
        raise BadInput(
            f"{choice.entry.name} uses that equality is transitive, and these tests claim {claims}: use holm"
        )
    return choice


def family_notes(size: int, then: Choice, test: Entry) -> Iterator[Note]:
    """How large the family is, how it was adjusted, and what that takes for granted."""
    says = f"{size} comparisons are one family" if size > 1 else "one comparison is a family by itself"
    yield Note("family", "remark", f"{says}, adjusted by {then.spelling}")
    if "LOGIC" in then.entry.assumes and _tests_pairs_alone(test):
        says = (
            f"{then.entry.name} uses that equality is transitive, which {test.name} of pairs grants only if learners "
            "differ by a shift alike on all data sets: holm needs nothing"
        )
        yield Note("transitive", "caution", says)
    if then.entry.controls != "family-wise error":
        yield Note("controls", "remark", f"{then.entry.name} controls the {then.entry.controls}")


def _tests_pairs_alone(test: Entry) -> bool:
    """Whether it asks about the differences of two learners themselves: means are equal or not, medians of these."""
    return isinstance(test, Test) and test.reads is ScoreMatrix and "COMM" not in test.assumes


def other_pairs(number: int) -> str:
    """So many, in words."""
    return many(number, "other pair")
