"""The pairwise tests of a ranking: which pairs, how each is tested, and how their p-values are adjusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from veracity.adjustments import Family, adjustments
from veracity.adjustments.adjust import adjust_family
from veracity.comparisons import comparisons
from veracity.comparisons.entry import LEAST, Test
from veracity.comparisons.wilcoxon import wilcoxon_pairs, zero_notes
from veracity.contests.compare_pair import Question, effects_of_pair, judge_pair
from veracity.contests.score_sources import Matrix
from veracity.core.bounds import ANYWAY, PAIR_DRAWS, check_bound
from veracity.core.confidence import Confidence, rejects
from veracity.core.entry import Choice, DefaultRule, Entry, MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, always, check, refuses, unique
from veracity.core.spelling import fold, read
from veracity.core.words import plural
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.ranked_pair import RankedPair
from veracity.posthoc import Posthoc, posthocs
from veracity.records.arrays import Array

PAIR_TEST = DefaultRule(
    "each pair of learners",
    "wilcoxon",
    always,
    "whether two learners differ does not depend on which others take part, as it does by mean ranks",
)
ADJUSTMENT = DefaultRule(
    "the p-values of several pairs",
    "holm",
    always,
    "holds however the tests depend on each other, and finds all that bonferroni finds and more",
)
UNADJUSTED = {"none", "no", "raw", "unadjusted", "uncorrected"}


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


def check_pair_draws(test: Choice, pairs: int, anyway: bool) -> None:
    """Refuse a test of pairs by random draws where pairs are so many that it would take hours."""
    draws = 0 if anyway or not test.accepts("draws") else pairs * (test.value("draws") or 0)
    if not draws:  # the words cost more than many a test
        return
    cost = f"{pairs:,} pairs by {test} are {draws:,} draws"
    check_bound(draws, PAIR_DRAWS, cost, f"name fewer pairs or a control, or say `{ANYWAY}=True`")


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
    alone = _sole_test(then)
    if alone is None:
        return _pair_test(str(PAIR_TEST.name) if pairs is None else pairs), choose_adjustment(then)
    if pairs is not None:
        _check_agreement(alone.entry, _pair_test(pairs))
    return alone, alone


def choose_adjustment(then: MethodLike | None, claims: str = "") -> Choice:
    """The adjustment asked for, holm without any; one that reasons about equality is not for other claims."""
    if isinstance(then, str) and fold(then) in UNADJUSTED:
        raise BadInput(f"{then!r} is no adjustment: leave it out, each p-value as it is stands beside the adjusted one")
    choice = adjustments.choose(ADJUSTMENT.name if then is None else then)
    if claims and choice.pairs:
        raise BadInput(f"{choice.name} uses that equality is transitive, and these tests claim {claims}: use holm")
    return choice


def _sole_test(then: MethodLike | None) -> Choice | None:
    """The test that decides all pairs by itself, where `then` names one."""
    name = read(then).name if isinstance(then, str) else ""
    if name not in posthocs and not isinstance(getattr(then, "entry", then), Posthoc):
        return None
    test = posthocs.choose(then)
    if test.alone:
        return test
    raise BadInput(f"{test.name} tests pairs: write `pairs={test.name!r}`, and `then='holm'`")


def _check_agreement(alone: Posthoc, test: Choice) -> None:
    """A test that decides all pairs by itself may be said to judge what it judges, and nothing else."""
    if getattr(test.entry, "about", None) != alone.about:
        name = test.name
        raise BadInput(
            f"{alone.name} judges all pairs by their {alone.about}, not by {name}: leave out `pairs=`, or "
            f"write `then='holm'` to adjust what {name} says"
        )


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


MOST = 1_000  # groups: more than a reader, or a diagram, can hold


class JudgedPairs(NamedTuple):
    """What a ranking says of pairs."""

    pairs: tuple[RankedPair, ...]
    notes: tuple[Note, ...]
    critical_difference: float | None = None
    groups: tuple[tuple[str, ...], ...] = ()


def adjust_comparisons(each: list[Comparison], then: MethodLike | None, untested: int = 0) -> Comparisons:
    """Several comparisons as one family, their p-values adjusted together.

    A test that was refused counts as p = 1: what was refused because of the data would otherwise have made it smaller.
    """
    if all(one.p_value is None for one in each):  # posteriors make no claims that add up
        if then is not None:
            raise BadInput("posterior probabilities are not adjusted: leave out `then=`")
        return Comparisons(tuple(each))
    method = choose_adjustment(then, each[0].claims)
    adjusted, notes = adjust_family(_p_value_family(each, method, untested), method)
    rows = tuple(replace(one, adjusted_p_value=float(p)) for one, p in zip(each, adjusted[: len(each)], strict=True))
    notes = (*notes, *family_notes(len(each) + untested, method, comparisons.choose(each[0].using).entry, untested))
    return Comparisons(rows, notes, then=method.spelling, refused=untested)


def _p_value_family(each: list[Comparison], method: Choice, untested: int) -> Family:
    """The p-values, and which two learners each one is of."""
    names = list(dict.fromkeys(name for one in each for name in (one.a, one.b)))
    first, second = (
        np.array([names.index(name) for name in side]) for side in zip(*((one.a, one.b) for one in each), strict=True)
    )
    if method.pairs and any((one.data, one.score) != (each[0].data, each[0].score) for one in each):
        raise BadInput(f"{method.name} reads a pair once, and these are of several slices or scores: use holm")
    if method.pairs and len({frozenset((one.a, one.b)) for one in each}) < len(each):
        raise BadInput(f"{method.name} reads every pair once: leave out those that are named twice")
    p = np.array([one.p_value for one in each] + [1.0] * untested, float)
    return Family(p, first, second) if untested == 0 else Family(p)


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
        adjusted, more = _adjust(plan, Family(p, *columns))
    else:
        says = f"{plan.then.name} judges {len(p)} differences of {test.about} as one family by itself"
        adjusted, more = np.maximum(outcome.adjusted, LEAST), (Note("family", "remark", says),)
    rejected = rejects(adjusted, at.level) & (concludes and not refuses(notes))
    numbers = (column.tolist() for column in (outcome.difference, outcome.statistic, p, adjusted, rejected))
    pairs = tuple(RankedPair(*pair, *row) for pair, *row in zip(plan.pairs, *numbers, strict=True))
    return JudgedPairs(pairs, notes + more, outcome.critical_difference)


class PairVerdict(NamedTuple):
    """What a test says of one pair, before it is adjusted for the others."""

    difference: float
    statistic: float | None
    p_value: float
    limits: tuple[float, float] | tuple[()] = ()
    notes: tuple[Note, ...] = ()
    refused: bool = False
    sums: tuple[float, float] | None = None  # of ranks by sign, W+ and W-

    def ranked(self, a: str, b: str, p: float, adjusted: float, rejected: bool) -> RankedPair:
        """The pair with what it became in its family."""
        low, high = self.limits or (None, None)
        return RankedPair(a, b, self.difference, self.statistic, p, adjusted, rejected, low, high, (), self.sums)


def _judge_each(matrix: ScoreMatrix, plan: PairPlan, question: Question, concludes: bool) -> JudgedPairs:
    """By a comparison of the two learners alone; one that was refused and made anyway never rejects."""
    columns, contest = plan.columns, Matrix(matrix)
    if not plan.then.anyway:
        plan.then.entry.check_cost(Family(np.ones(len(plan.pairs)), *columns))  # before pairs are judged in vain
    many = _judge_many(matrix, plan, question, columns)
    each = [one or _judge_alone(contest, question, *pair) for pair, one in zip(plan.pairs, many, strict=True)]
    p = np.array([one.p_value for one in each])
    adjusted, more = _adjust(plan, Family(p, *columns))
    rejected = rejects(adjusted, question.at.level) & concludes & ~np.array([one.refused for one in each])
    pairs = tuple(
        one.ranked(*pair, *numbers)
        for pair, one, *numbers in zip(plan.pairs, each, p.tolist(), adjusted.tolist(), rejected.tolist(), strict=True)
    )
    return JudgedPairs(pairs, (*_merge_notes(plan.pairs, [one.notes for one in each]), *more))


def _judge_many(
    matrix: ScoreMatrix, plan: PairPlan, question: Question, columns: tuple[Array, Array]
) -> Iterator[PairVerdict | None]:
    """By loops over many pairs, where the test has them; None for a pair that must be judged alone."""
    if not plan.test.is_one_of("wilcoxon") or plan.test.given:
        yield from [None] * len(plan.pairs)
        return
    for one in wilcoxon_pairs(matrix, *columns, question.at):
        limits = None if one is None else (one.low, one.high)
        notes = () if one is None else (*matrix.notes, *zero_notes(one.zeros))
        yield one and limits and PairVerdict(one.difference, one.statistic, one.p_value, limits, notes, sums=one.sums)


def _judge_alone(contest: Matrix, question: Question, a: str, b: str) -> PairVerdict:
    try:
        one = judge_pair(contest, question, a, b)
    except Refused as why:
        raise Refused(f"{a} and {b}: {why.says}", why.code) from None
    if one.p_value is None:
        raise BadInput(f"{question.test.name} has no p-value to adjust: compare(...) gives posteriors of pairs")
    limits = (one.interval.low, one.interval.high) if one.interval else ()
    return PairVerdict(one.difference, one.statistic, one.p_value, limits, one.all_notes, one.refused, one.sums)


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
            more = f" (and {other_pairs(len(here) - 1)})" if len(here) > 1 else ""
            yield Note(note.code, note.weight, f"{a} and {b}{more}: {note.says}")


def _adjust(plan: PairPlan, family: Family) -> tuple[Array, tuple[Note, ...]]:
    """The p-values over the whole family."""
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
    sets = alike_groups(alike)
    if sets is not None:
        return tuple(tuple(names[i] for i in group) for group in sets), ()
    says = "there are more than 1,000 groups: those of neighbours in rank are shown, the table of pairs has the rest"
    neighbours = tuple(tuple(names[i] for i in group) for group in alike_runs(alike))
    return neighbours, (Note("many-groups", "caution", says),)


def family_notes(size: int, then: Choice, test: Entry, untested: int = 0) -> Iterator[Note]:
    """How large the family is, how it was adjusted, and what that takes for granted."""
    says = f"{size} comparisons are one family" if size > 1 else "one comparison is a family by itself"
    refused = (
        f"; {untested} of them refused, which {'counts' if untested == 1 else 'count'} as p = 1" if untested else ""
    )
    yield Note("family", "remark", f"{says}, adjusted by {then.spelling}{refused}")
    if "LOGIC" in then.assumes and _tests_pairs_alone(test):
        says = (
            f"{then.name} uses that equality is transitive, which {test.name} of pairs grants only if learners "
            "differ by a shift alike on all data sets: holm needs nothing"
        )
        yield Note("transitive", "caution", says)
    if then.controls != "family-wise error":
        yield Note("controls", "remark", f"{then.name} controls the {then.controls}")


def _tests_pairs_alone(test: Entry) -> bool:
    """Whether it asks about the differences of two learners themselves: means are equal or not, medians of these."""
    return isinstance(test, Test) and test.reads is ScoreMatrix and "COMM" not in test.assumes


def other_pairs(number: int) -> str:
    """So many, in words."""
    return plural(number, "other pair")


def alike_groups(alike: Array) -> tuple[tuple[int, ...], ...] | None:
    """Maximal sets of places of which every two are alike, in the order of their first places; None beyond 1,000.

    `alike` is symmetric; places are in the order of the reader's, best first. By Bron and Kerbosch, with the pivot of
    Tomita, on sets as bits.
    """
    sees = [sum(1 << int(j) for j in np.flatnonzero(row) if j != i) for i, row in enumerate(alike)]
    sets = []
    for members in _cliques(0, (1 << len(sees)) - 1, 0, sees):
        sets.append(tuple(_members(members)))
        if len(sets) > MOST:
            return None
    return tuple(sorted(sets))


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


def _cliques(chosen: int, possible: int, excluded: int, sees: list[int]) -> Iterator[int]:
    if not possible and not excluded:
        yield chosen
        return
    pivot = max(_members(possible | excluded), key=lambda v: (sees[v] & possible).bit_count())
    for v in _members(possible & ~sees[pivot]):
        yield from _cliques(chosen | 1 << v, possible & sees[v], excluded & sees[v], sees)
        possible &= ~(1 << v)
        excluded |= 1 << v


def _members(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
