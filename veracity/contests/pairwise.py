"""The pairwise tests of a ranking: which pairs, how each is tested, and how their p-values are adjusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np

from veracity.adjustments import Family
from veracity.adjustments.adjust import adjust_family
from veracity.comparisons import comparisons
from veracity.comparisons.entry import LEAST
from veracity.comparisons.wilcoxon import wilcoxon_pairs, zero_notes
from veracity.contests.compare import (
    Question,
    check_pair_draws,
    choose_adjustment,
    effects_of_pair,
    family_notes,
    judge_pair,
)
from veracity.contests.score_sources import Matrix
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, DefaultRule, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, always, check, refuses, unique
from veracity.core.spelling import read
from veracity.core.words import plural
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.comparison import Comparison
from veracity.findings.interval import Interval
from veracity.posthoc import Posthoc, posthocs
from veracity.records.arrays import Array

PAIR_TEST = DefaultRule(
    "each pair of learners",
    "wilcoxon",
    always,
    "whether two learners differ does not depend on which others take part, as it does by mean ranks",
)
MAX_GROUPS = 1_000  # more than a reader, or a diagram, can hold


@dataclass(frozen=True, eq=False)
class PairPlan:
    """Which pairs are tested, how each is, and how their p-values are adjusted."""

    test: Choice
    then: Choice
    control: str | None
    learners: tuple[str, ...]

    @cached_property
    def columns(self) -> tuple[Array, Array]:
        """The places of both learners of each pair."""
        number = len(self.learners)
        if self.control is None:
            return np.triu_indices(number, 1)
        control = self.learners.index(self.control)
        return np.full(number - 1, control), np.delete(np.arange(number), control)

    @cached_property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """The names of both learners of each pair."""
        first, second = ([self.learners[place] for place in column.tolist()] for column in self.columns)
        return tuple(zip(first, second, strict=True))


def plan_pairs(
    matrix: ScoreMatrix, pairs: MethodLike | None, then: MethodLike | None, control: str | None, anyway: bool = False
) -> PairPlan:
    """What was asked for, checked."""
    if control is not None:
        matrix.column(control)
    test, adjustment = procedure(pairs, then)
    name, asks = adjustment.name, getattr(adjustment.entry, "asks", "any")
    if asks == "control" and control is None:
        raise BadInput(f"{name} holds all learners against one of them: name it, `control={matrix.learners[0]!r}`")
    if asks == "all" and control is not None:
        other = "bonferroni_dunn" if name == "nemenyi" else "dunnett"
        raise BadInput(f"{name} judges all pairs: with a control use `then={other!r}` or `then='holm'`")
    plan = PairPlan(test, adjustment, control, matrix.learners)
    check_pair_draws(test, len(plan.columns[0]), anyway)
    return plan


def procedure(pairs: MethodLike | None, then: MethodLike | None) -> tuple[Choice, Choice]:
    """How each pair is tested and their p-values are adjusted: twice the same, where a test decides all by itself."""
    alone = sole_test(then)
    if alone is None:
        return _pair_test(str(PAIR_TEST.name) if pairs is None else pairs), choose_adjustment(then)
    test = alone if pairs is None else _pair_test(pairs)
    if getattr(test.entry, "about", None) != alone.about:
        raise BadInput(
            f"{alone.name} judges all pairs by their {alone.about}, not by {test.name}: leave out `pairs=`, or "
            f"write `then='holm'` to adjust what {test.name} says"
        )
    return alone, alone


def sole_test(then: MethodLike | None) -> Choice | None:
    """The test that decides all pairs by itself, where `then` names one."""
    name = read(then).name if isinstance(then, str) else ""
    if name not in posthocs and not isinstance(getattr(then, "entry", then), Posthoc):
        return None
    test = posthocs.choose(then)
    if test.alone:
        return test
    raise BadInput(f"{test.name} tests pairs: write `pairs={test.name!r}`, and `then='holm'`")


def _pair_test(pairs: MethodLike) -> Choice:
    """A test of pairs by what all learners share, or a comparison of two learners over data sets."""
    shared = isinstance(pairs, (Posthoc, Choice)) or (isinstance(pairs, str) and read(pairs).name in posthocs)
    test = posthocs.choose(pairs) if shared else comparisons.choose(pairs)
    entry = test.entry
    if isinstance(entry, Posthoc):
        if entry.alone:
            raise BadInput(f"{entry.name} decides all pairs by itself: write `then={entry.name!r}`")
    elif entry.reads is not ScoreMatrix or entry.compares != 2:
        of_two = {one.name for one in comparisons if one.reads is ScoreMatrix and one.compares == 2}
        offered = ", ".join(sorted(of_two | {one.name for one in posthocs if not one.alone}))
        raise BadInput(f"`pairs=` names a test of two learners over data sets, and {entry.name} is none: {offered}")
    return test


class JudgedPairs(NamedTuple):
    """What a ranking says of pairs."""

    pairs: tuple[Comparison, ...]
    notes: tuple[Note, ...]
    critical_difference: float | None = None
    groups: tuple[tuple[str, ...], ...] = ()


def judge_family(
    matrix: ScoreMatrix, plan: PairPlan, at: Confidence, seed: int, anyway: bool, concludes: bool
) -> JudgedPairs:
    """Every pair with its adjusted p-value; none is rejected unless the omnibus test `concludes`."""
    if isinstance(plan.test.entry, Posthoc):
        judged = _judge_together(matrix, plan, at, anyway, concludes)
    else:
        judged = _judge_each(matrix, plan, Question(plan.test, None, at, seed, anyway), concludes)
    alike, more = _groups(matrix, plan, [pair.rejected for pair in judged.pairs])
    return judged._replace(groups=alike, notes=unique((*judged.notes, *more)))


def with_effects(judged: JudgedPairs, matrix: ScoreMatrix, asked: tuple[Choice, ...], at: Confidence) -> JudgedPairs:
    """The same with the effect sizes of each pair, where any are asked for."""
    if not asked:
        return judged
    contest = Matrix(matrix)
    found = [effects_of_pair(contest, asked, pair.a, pair.b, at) for pair in judged.pairs]
    pairs = tuple(replace(pair, effects=sizes) for pair, (sizes, _) in zip(judged.pairs, found, strict=True))
    more = _merge_notes([(pair.a, pair.b) for pair in pairs], [notes for _, notes in found])
    return judged._replace(pairs=pairs, notes=unique((*judged.notes, *more)))


def _judge_together(matrix: ScoreMatrix, plan: PairPlan, at: Confidence, anyway: bool, concludes: bool) -> JudgedPairs:
    """By a test that looks at all learners at once."""
    test, columns = plan.test, plan.columns
    notes = check(test.limits, matrix, anyway and not matrix.missing)  # a missing score has no number
    outcome = test.function(matrix, *columns, at.miss)
    p = np.maximum(outcome.p, LEAST)
    if outcome.adjusted is None:
        adjusted, more = _adjust(plan, p)
    else:
        says = f"{plan.then.name} judges {len(p)} differences of {test.about} as one family by itself"
        adjusted, more = np.maximum(outcome.adjusted, LEAST), (Note("family", "remark", says),)
    numbers = zip(*(column.tolist() for column in (outcome.difference, p, outcome.statistic, adjusted)), strict=True)
    valid = concludes and not refuses(notes)
    pairs = tuple(
        Comparison(
            test.about,
            plan.test.spelling,
            *pair,
            difference,
            None,
            p_value,
            statistic,
            better="",
            level=at.level,
            adjusted_p_value=adjusted_p,
            may_reject=valid,
            alternative="two-sided",
        )
        for pair, (difference, p_value, statistic, adjusted_p) in zip(plan.pairs, numbers, strict=True)
    )
    return JudgedPairs(pairs, notes + more, outcome.critical_difference)


def _judge_each(matrix: ScoreMatrix, plan: PairPlan, question: Question, concludes: bool) -> JudgedPairs:
    """By a comparison of the two learners alone; one that was refused and made anyway never rejects."""
    contest = Matrix(matrix)
    if not plan.then.anyway:
        plan.then.entry.check_cost(Family(np.ones(len(plan.pairs)), *plan.columns))  # before pairs are judged in vain
    many = _judge_many(matrix, plan, question)
    each = [one or _judge_alone(contest, question, *pair) for pair, one in zip(plan.pairs, many, strict=True)]
    adjusted, more = _adjust(plan, np.array([one.p_value for one in each], float))
    pairs = tuple(
        replace(one, adjusted_p_value=p, may_reject=concludes) for one, p in zip(each, adjusted.tolist(), strict=True)
    )
    return JudgedPairs(pairs, (*_merge_notes(plan.pairs, [one.all_notes for one in each]), *more))


def _judge_many(matrix: ScoreMatrix, plan: PairPlan, question: Question) -> Iterator[Comparison | None]:
    """By one law of signed ranks for all pairs; None for a pair that must be judged alone."""
    if not plan.test.is_one_of("wilcoxon") or plan.test.given:
        yield from [None] * len(plan.pairs)
        return
    test, at = plan.test, question.at
    for (a, b), one in zip(plan.pairs, wilcoxon_pairs(matrix, *plan.columns, at), strict=True):
        if one is None:
            yield None
            continue
        interval = Interval(one.low, one.high, at.level, test.spelling, assumes=test.assumes)
        yield Comparison(
            matrix.score,
            test.spelling,
            a,
            b,
            one.difference,
            interval,
            one.p_value,
            one.statistic,
            better=matrix.better,
            notes=(*matrix.notes, *zero_notes(one.zeros)),
            level=at.level,
            facts=tuple(zip(("w_plus", "w_minus"), one.sums, strict=True)),
        )


def _judge_alone(contest: Matrix, question: Question, a: str, b: str) -> Comparison:
    try:
        one = judge_pair(contest, question, a, b)
    except Refused as why:
        raise Refused(f"{a} and {b}: {why.says}", why.code) from None
    if one.p_value is None:
        raise BadInput(f"{question.test.name} has no p-value to adjust: compare(...) gives posteriors of pairs")
    return one


def _merge_notes(pairs: Sequence[tuple[str, str]], each: Sequence[tuple[Note, ...]]) -> Iterator[Note]:
    """Notes of many pairs, each kind once: with its pair where it does not hold for all of them alike."""
    kinds: dict[tuple[str, str], list[tuple[tuple[str, str], Note]]] = {}
    for pair, notes in zip(pairs, each, strict=True):
        for note in notes:
            kinds.setdefault((note.code, note.weight), []).append((pair, note))
    for here in kinds.values():
        (a, b), note = here[0]
        if len({other.says for _, other in here}) == 1 and len(here) == len(each):
            yield note
        else:
            more = f" (and {plural(len(here) - 1, 'other pair')})" if len(here) > 1 else ""
            yield Note(note.code, note.weight, f"{a} and {b}{more}: {note.says}")


def _adjust(plan: PairPlan, p: Array) -> tuple[Array, tuple[Note, ...]]:
    """The p-values over the whole family."""
    family = Family(p, *plan.columns)
    adjusted, notes = adjust_family(family, plan.then)
    return adjusted, (*notes, *family_notes(family.size, plan.then, plan.test.entry))


def _groups(
    matrix: ScoreMatrix, plan: PairPlan, rejected: Sequence[bool]
) -> tuple[tuple[tuple[str, ...], ...], tuple[Note, ...]]:
    """Maximal sets that cannot be told apart, best first; with a control, those that cannot be told from it."""
    order = np.argsort(matrix.average_ranks, kind="stable")
    names = [matrix.learners[i] for i in order]
    if plan.control is not None:
        differ = {frozenset(pair) for pair, apart in zip(plan.pairs, rejected, strict=True) if apart}
        return (tuple(name for name in names if {name, plan.control} not in differ),), ()
    alike = np.ones((len(names), len(names)), bool)
    first, second = (np.argsort(order)[column] for column in plan.columns)
    alike[first, second] = alike[second, first] = ~np.array(rejected)
    sets, notes = alike_groups(alike), tuple[Note, ...]()
    if sets is None:
        shown = "those of neighbours in rank are shown, the table of pairs has the rest"
        says = f"there are more than {MAX_GROUPS:,} groups: {shown}"
        sets, notes = alike_runs(alike), (Note("many-groups", "caution", says),)
    return tuple(tuple(names[i] for i in group) for group in sets), notes


def alike_groups(alike: Array) -> tuple[tuple[int, ...], ...] | None:
    """Maximal sets of places of which every two are alike, in the order of their first places; None beyond 1,000.

    `alike` is symmetric; places are in the order of the reader's, best first. By Bron and Kerbosch, with the pivot of
    Tomita.
    """
    neighbours = [set(np.flatnonzero(row).tolist()) - {place} for place, row in enumerate(alike)]

    def cliques(chosen: set[int], possible: set[int], excluded: set[int]) -> Iterator[tuple[int, ...]]:
        if not possible and not excluded:
            yield tuple(sorted(chosen))
            return
        pivot = max(possible | excluded, key=lambda place: len(neighbours[place] & possible))
        for place in possible - neighbours[pivot]:
            yield from cliques(chosen | {place}, possible & neighbours[place], excluded & neighbours[place])
            possible = possible - {place}
            excluded = excluded | {place}

    groups = list(islice(cliques(set(), set(range(len(alike))), set()), MAX_GROUPS + 1))
    return None if len(groups) > MAX_GROUPS else tuple(sorted(groups))


def alike_runs(alike: Array) -> tuple[tuple[int, ...], ...]:
    """Maximal runs of neighbouring places of which every two are alike: what remains to be shown of too many groups."""
    spans: list[tuple[int, ...]] = []
    for first in range(len(alike)):
        last = first
        while last + 1 < len(alike) and alike[last + 1, first : last + 1].all():
            last += 1
        if not spans or last > spans[-1][-1]:
            spans.append(tuple(range(first, last + 1)))
    return tuple(spans)
