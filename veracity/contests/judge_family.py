"""The pairs of a ranking: tested, adjusted for their number, and what cannot be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from veracity.adjustments import adjustments
from veracity.adjustments.adjust import adjust_family
from veracity.adjustments.family import Family as PValues
from veracity.comparisons import comparisons
from veracity.comparisons.entry import LEAST
from veracity.contests.family_notes import family_notes, other_pairs
from veracity.contests.judge import Question, judge_pair
from veracity.contests.of_learners import Matrix
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check, refuses, unique
from veracity.core.spelling import read
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.standing import RankedPair
from veracity.posthoc import posthocs
from veracity.posthoc.entry import Posthoc
from veracity.records.arrays import Array
from veracity.records.groups import groups, runs


@dataclass(frozen=True, eq=False)
class PairPlan:
    """Which pairs are tested, how each is, and how their p-values are adjusted."""

    test: Choice
    then: Choice
    pairs: tuple[tuple[str, str], ...]
    control: str | None

    def columns(self, matrix: ScoreMatrix) -> tuple[Array, Array]:
        places = {name: i for i, name in enumerate(matrix.learners)}
        first, second = zip(*((places[a], places[b]) for a, b in self.pairs), strict=True)
        return np.array(first), np.array(second)


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


def plan_pairs(matrix: ScoreMatrix, pairs: Any, then: Any, control: str | None) -> PairPlan:
    """What was asked for, checked."""
    if control is not None:
        matrix.column(control)
        asked = [(control, name) for name in matrix.learners if name != control]
    else:
        asked = list(combinations(matrix.learners, 2))
    test, adjusting = procedure(pairs, then)
    name, asks = adjusting.entry.name, getattr(adjusting.entry, "asks", "any")
    if asks == "control" and control is None:
        raise BadInput(f"{name} holds all learners against one of them: name it, control={matrix.learners[0]!r}")
    if asks == "all" and control is not None:
        other = "bonferroni_dunn" if name == "nemenyi" else "dunnett"
        raise BadInput(f"{name} judges all pairs: with a control use then={other!r} or 'holm'")
    return PairPlan(test, adjusting, tuple(asked), control)


def procedure(pairs: Any, then: Any) -> tuple[Choice, Choice]:
    """How each pair is tested and their p-values are adjusted: twice the same, where a test decides all by itself."""
    alone = _sole_test(then)
    if alone is None:
        test = _pair_test("wilcoxon" if pairs is None else pairs)
        return test, adjustments.choose("holm" if then is None else then)
    if pairs is not None:
        _check_agreement(alone.entry, _pair_test(pairs))
    return alone, alone


def _sole_test(then: Any) -> Choice | None:
    """The test that decides all pairs by itself, where `then` names one."""
    named = read(then).name if isinstance(then, str) else ""
    if named in posthocs or isinstance(then, Posthoc) or isinstance(getattr(then, "entry", None), Posthoc):
        found = posthocs.choose(then)
        if found.entry.alone:
            return found
        raise BadInput(f"{found.entry.name} tests pairs: write pairs={found.entry.name!r}, and then='holm'")
    return None


def _check_agreement(alone: Posthoc, test: Choice) -> None:
    """A test that decides all pairs by itself may be said to judge what it judges, and nothing else."""
    if getattr(test.entry, "about", None) != alone.about:
        name = test.entry.name
        raise BadInput(
            f"{alone.name} judges all pairs by their {alone.about}, not by {name}: leave out pairs=, or write"
            f" then='holm' to adjust what {name} says"
        )


def _pair_test(pairs: Any) -> Choice:
    """A test of pairs by what all learners share, or a comparison of two learners over data sets."""
    shared = isinstance(pairs, (Posthoc, Choice)) or (isinstance(pairs, str) and read(pairs).name in posthocs)
    found = posthocs.choose(pairs) if shared else comparisons.choose(pairs)
    entry = found.entry
    if isinstance(entry, Posthoc):
        if entry.alone:
            raise BadInput(f"{entry.name} decides all pairs by itself: write then={entry.name!r}")
    elif entry.reads is not ScoreMatrix or entry.compares != 2:
        own = [one.name for one in posthocs if not one.alone]
        offered = [*(one.name for one in comparisons if one.reads is ScoreMatrix and one.compares == 2), *own]
        raise BadInput(
            f"pairs= names a test of two learners over data sets, and {entry.name} is none: {', '.join(offered)}"
        )
    return found


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
