"""Rank learners over data sets: mean ranks, one test of all, every pair with its adjusted p-value, and groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Any, Literal, NamedTuple, TypedDict, Unpack, overload

import numpy as np

from veracity.adjustments import Family
from veracity.adjustments.adjust import adjust_family
from veracity.comparisons import comparisons
from veracity.comparisons.entry import MIN_P_VALUE, TestResult
from veracity.comparisons.friedman import fill_with_worst, missing_cell
from veracity.comparisons.wilcoxon import wilcoxon_pairs, zero_notes
from veracity.contests.compare import (
    ComparisonSpec,
    check_pair_draws,
    choose_adjustment,
    choose_effects,
    compare_pair,
    effects_of_pair,
    family_notes,
    omnibus_of,
)
from veracity.contests.per_dataset import verdicts
from veracity.contests.score_sources import NOT_RANKED, from_matrix, read_matrix
from veracity.core.arguments import Table, verb
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, DefaultRule, MethodLike, first_fit
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import ANYWAY, Note, always, check, refuses, unique
from veracity.core.spelling import read
from veracity.core.words import plural
from veracity.evidence.interval_evidence import FewValues
from veracity.evidence.looks import counts_as_look
from veracity.evidence.score_matrix import HIGHER_TAKEN, ScoreMatrix, SplitScores
from veracity.findings.comparison import Comparison
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.interval import Interval
from veracity.findings.ranking import Ranking, RankInterval
from veracity.findings.significance import Omnibus
from veracity.intervals.confusion_matrix import mean_score
from veracity.posthoc import Posthoc, posthocs
from veracity.records.arrays import Array

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


def rank_intervals(
    matrix: ScoreMatrix, kind: str | None, pairs: Sequence[Comparison], control: str | None, at: Confidence
) -> dict[str, RankInterval]:
    """Of the mean rank the score interval over data sets, each by itself or all at once (Bonferroni).

    Places are those that the pairs leave (Al Mohamad, Goeman and van Zwet 2022): behind all learners that are concluded
    to be better, before all that are concluded to be worse. They hold for all at once if the adjustment of pairs does.
    """
    if kind is None:
        return {}
    number = len(matrix.learners)
    level = at.level if kind == "marginal" else 1 - at.miss / number
    means = dict(zip(matrix.learners, matrix.average_ranks.tolist(), strict=True))
    found = {}
    for name, ranks in zip(matrix.learners, matrix.ranks.T, strict=True):
        places = np.rint(2 * ranks[~np.isnan(ranks)]).astype(int) - 2  # half ranks, as learners tie
        counts = np.bincount(places, minlength=2 * number - 1).astype(float)
        low, high, *_ = mean_score.function(FewValues(np.arange(2, 2 * number + 1) / 2, counts), Confidence(level))
        apart = [{pair.a, pair.b} - {name} for pair in pairs if pair.rejected and name in (pair.a, pair.b)]
        ahead = sum(means[other] < means[name] for (other,) in apart)
        first, last = (None, None) if control is not None else (1 + ahead, number - len(apart) + ahead)
        found[name] = RankInterval(low, high, first, last, at.level)
    return found


EXACT = {3: 50, 4: 10, 5: 5, 6: 4}  # data sets by learners whose exact law is there at once, ties or not
FEW = 10  # data sets below which the F law rejects too often
KINDS = ("marginal", "simultaneous")  # of intervals of ranks


OF_ALL_LEARNERS = (
    DefaultRule(
        "{n}data sets, on some of which scores are missing",
        "skillings_mack",
        lambda matrix: matrix.missing > 0,
        "it reads what there is, where other tests need every score",
    ),
    DefaultRule(
        "{n}data sets, few enough for the exact law of ranks: up to "
        + ", ".join(f"{most} of {learners} learners" for learners, most in EXACT.items()),
        "friedman(exact=True)",
        lambda matrix: len(matrix) <= EXACT.get(len(matrix.learners), 0),
        "no law is nearer the truth than the exact one, and here it is there at once",
    ),
    DefaultRule(
        f"{{n}}data sets, fewer than {FEW}",
        "friedman(draws=9999)",
        lambda matrix: len(matrix) < FEW,
        "permutations hold their level where the F law of iman_davenport rejects too often",
    ),
    DefaultRule(
        f"{{n}}data sets, {FEW} or more, enough for the F law",
        "iman_davenport",
        always,
        "the F law is closer to the truth than the chi-square one of friedman",
    ),
)


@overload
def rank(
    source: Table, score: MethodLike | None = None, *, using: TestOfRanks | None = None, **options: Unpack[RankOptions]
) -> Ranking: ...
@overload
def rank(
    source: Table, score: MethodLike | None = None, *, using: TestOfSplits, **options: Unpack[RankOptions]
) -> Verdicts: ...
@overload
def rank(
    source: Table, score: MethodLike | None = None, *, using: MethodLike | None, **options: Unpack[RankOptions]
) -> Ranking | Verdicts: ...
@verb
@counts_as_look
def rank(
    source: Table,
    score: MethodLike | None = None,
    *,
    using: MethodLike | None = None,
    then: MethodLike | None = None,
    pairs: MethodLike | None = None,
    control: str | None = None,
    effect: MethodLike | Sequence[MethodLike] | None = None,
    intervals: str | None = None,
    better: str | None = None,
    level: float = 0.95,
    by: str | None = None,
    seed: int = 0,
    anyway: bool = False,
) -> Ranking | Verdicts:
    """Rank learners over data sets: mean ranks, one test of all, every pair with its adjusted p-value, and groups.

    `source` is a matrix of scores, a frame or an array (data sets x learners), the path of a score table, or runs; or
    graded models, which are ranked on their items (on groups of items, where there are any).
    `using` asks whether any learners differ: friedman by its exact law on few data sets, by permutations where that
    takes too long, else iman_davenport; skillings_mack where scores are missing. If it does not reject, no pair is
    concluded. `pairs` tests each pair: a comparison of two learners (wilcoxon unless said, sign, two_level, ...) or
    one of ranks that all learners share (mean_ranks, aligned_ranks, quade). `then` adjusts their p-values for their
    number, by holm unless said; nemenyi, bonferroni_dunn, tukey and dunnett decide all pairs by themselves, and
    take no `pairs`. With `control`, only its pairs are tested. A test of split scores, such as using="corrected_t",
    gives verdicts for each data set in place of a ranking, and takes no `pairs`; `then` adjusts them all as one family,
    and without it they are, as in Weka, not adjusted. `effect` adds effect sizes of the pairs,
    such as "cohens_d", "cliffs_delta" or "a12", each with its interval. `intervals="marginal"` or `"simultaneous"` adds
    an interval of each learner's expected rank, and the places that the pairs leave it.

    Parameters
    ----------
    source
        A matrix of scores, a frame or array of data sets x learners, the path of a table, or runs.
    score
        A score by its name, such as 'error', or your own; the default of the target unless said.
    using
        The test of all learners, such as 'iman_davenport'; by the size of the table unless said.
    then
        'holm' or another adjustment, or 'nemenyi', 'bonferroni_dunn', 'tukey', 'dunnett'.
    pairs
        The test of each pair: 'wilcoxon', the default, 'sign', 'two_level', 'mean_ranks', ...
    control
        A learner: only its pairs are tested.
    effect
        Effect sizes without a unit to be added, such as 'cohens_d', 'cliffs_delta' or 'a12'.
    intervals
        'marginal' or 'simultaneous' adds intervals of the expected ranks.
    better
        'higher' or 'lower'; known from the name of a score of ours, else the higher is better.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    by
        The design, where the runs have several.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    anyway
        Go on where a method is refused as not valid here; the result carries a note that says so.

    Examples
    --------
    >>> table = vc.score_matrix([[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.6, 0.5], [0.9, 0.7, 0.8]], ["a", "b", "c"])
    >>> vc.rank(table).conclusion()
    'a ranks best (mean rank 1); it cannot be told apart from b, c, at 0.05 over all pairs.'
    """
    at, sizes = Confidence(level), choose_effects(effect)
    if intervals not in (None, *KINDS):
        raise BadInput(f"`intervals=` is {' or '.join(map(repr, KINDS))}, not {intervals!r}")
    matrix = read_matrix(source, score, better, by)
    usual = first_fit(OF_ALL_LEARNERS, matrix)
    test = comparisons.choose(usual.name if using is None else using)
    if test.reads is SplitScores:
        check_verdict_options(test, pairs=pairs, effect=effect, intervals=intervals)
        return verdicts(matrix, test, control=control, then=then, level=level, seed=seed, anyway=anyway)
    if len(matrix) < 2:
        raise BadInput("one data set says nothing about others: rank over several, or compare learners on its splits")
    control = None if control is None else matrix.learner(control)
    plan = plan_pairs(matrix, pairs, then, control, anyway)
    chosen = (usual.note(len(matrix)),) if using is None else ()
    taken = () if matrix.is_better_known else (HIGHER_TAKEN,)
    matrix, lost = handle_missing(matrix, test, anyway)
    omnibus = test_of_all(matrix, test, seed, anyway)
    concludes = omnibus.rejects(level)
    judged = judge_family(matrix, plan, at, seed, anyway, concludes, sizes)
    if not concludes:
        note = Note(
            "omnibus",
            "caution",
            f"the omnibus test does not reject: no pair is concluded (p = {omnibus.p_value:.3g}, level {at.level:g})",
        )
        if omnibus.refused:
            says = f"{omnibus.method} is not valid here and was computed because {ANYWAY}: no pair is concluded"
            note = Note("anyway", "caution", says)
        omnibus = replace(omnibus, notes=(note, *omnibus.notes))
    return Ranking(
        matrix,
        dict(zip(matrix.learners, matrix.average_ranks.tolist(), strict=True)),
        omnibus,
        judged.pairs,
        judged.groups,
        plan.test.spelling,
        plan.then.spelling,
        level,
        control,
        judged.critical_difference,
        unique((*taken, *matrix.notes, *lost, *judged.notes, *chosen)),
        getattr(plan.test.entry, "about", ""),
        rank_intervals(matrix, intervals, judged.pairs, control, at),
    )


def check_verdict_options(test: Choice, **given: Any) -> None:
    """Raise BadInput where verdicts on single data sets are asked for what they do not use."""
    if test.reads is not SplitScores:
        return
    for word in (word for word, value in given.items() if value is not None):
        raise BadInput(
            f"{test.name} gives a verdict for every pair on every data set, and uses no `{word}=`: "
            f"leave it out, or name a test of all learners, `using='friedman'`"
        )


def handle_missing(matrix: ScoreMatrix, test: Choice, anyway: bool) -> tuple[ScoreMatrix, tuple[Note, ...]]:
    """The table as the test reads it, and what must be said of cells that are missing."""
    if not matrix.missing or test.value("missing") == "random":
        return matrix, ()
    if test.value("missing") == "worst":
        says = f"a missing score ranks as the worst of its data set, infinitely far behind: {matrix.missing} here"
        return fill_with_worst(matrix), (Note("missing-cells", "remark", says),)
    whole = matrix.complete()
    if not anyway or len(whole) < 2:
        raise Refused(
            f"{test.name} needs every score, but {missing_cell(matrix)} is missing: "
            f"`using='skillings_mack'` reads tables with missing cells",
            "missing-cells",
        )
    lost = len(matrix) - len(whole)
    says = f"for want of a score, {lost} of {len(matrix)} data sets did not count, because {ANYWAY}"
    return whole, (Note("missing-cells", "caution", says),)


def test_of_all(matrix: ScoreMatrix, test: Choice, seed: int, anyway: bool) -> Omnibus:
    if test.reads is not ScoreMatrix or test.compares != 0:
        of_all = sorted(one.name for one in comparisons if one.reads is ScoreMatrix and not one.compares)
        of_pairs = test.reads is ScoreMatrix and test.compares == 2
        way_out = f"; pairs are tested by it with `pairs={test.name!r}`" if of_pairs else ""
        raise BadInput(
            f"`using=` names a test of all learners over data sets, "
            f"and {test.name} is none: {', '.join(of_all)}{way_out}"
        )
    notes = check_limits(matrix, test, anyway)
    result: TestResult = test.with_seed(seed)(matrix)
    notes = unique(notes + result.notes)
    if result.p_value is not None:
        return omnibus_of(test, result, notes)
    whether = comparisons.choose(first_fit(OF_ALL_LEARNERS, matrix).name)
    omnibus = test_of_all(matrix, whether, seed, anyway)
    says = f"{test.name} is a posterior and no test: {whether} says whether learners differ"
    notes = unique((Note("posterior", "remark", says), *notes, *omnibus.notes))
    return replace(omnibus, notes=notes, probabilities=result.probabilities, facts=result.facts)


def check_limits(matrix: ScoreMatrix, test: Choice, anyway: bool) -> tuple[Note, ...]:
    """The notes of a test's limits; a refusal for want of learners names those that were left out."""
    try:
        return check(test.limits, matrix, anyway)
    except Refused as why:
        left = [note.says for note in matrix.notes if note.code == NOT_RANKED]
        if not left:
            raise
        raise Refused("; ".join((why.says, *left)), why.code) from None


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
    matrix: ScoreMatrix,
    plan: PairPlan,
    at: Confidence,
    seed: int,
    anyway: bool,
    concludes: bool,
    effects: tuple[Choice, ...] = (),
) -> JudgedPairs:
    """Return every pair with its adjusted p-value; none is rejected unless the omnibus test `concludes`."""
    if isinstance(plan.test.entry, Posthoc):
        judged = _judge_together(matrix, plan, at, anyway, concludes)
    else:
        judged = _judge_each(matrix, plan, ComparisonSpec(plan.test, at=at, seed=seed, anyway=anyway), concludes)
    pairs, more = judged.pairs, tuple[Note, ...]()
    groups, group_notes = _groups(matrix, plan, [pair.rejected for pair in pairs])
    if effects:
        source = from_matrix(matrix)
        sizes = [effects_of_pair(source, effects, pair.a, pair.b, at) for pair in pairs]
        pairs = tuple(replace(pair, effects=own) for pair, (own, _) in zip(pairs, sizes, strict=True))
        more = tuple(_merge_notes([(pair.a, pair.b) for pair in pairs], [notes for _, notes in sizes]))
    notes = unique((*judged.notes, *group_notes, *more))
    return judged._replace(pairs=pairs, notes=notes, groups=groups)


def _judge_together(matrix: ScoreMatrix, plan: PairPlan, at: Confidence, anyway: bool, concludes: bool) -> JudgedPairs:
    """By a test that looks at all learners at once."""
    test, columns = plan.test, plan.columns
    notes = check(test.limits, matrix, anyway and not matrix.missing)  # a missing score has no number
    outcome = test.function(matrix, *columns, at.miss)
    p = np.maximum(outcome.p, MIN_P_VALUE)
    if outcome.adjusted is None:
        adjusted, more = _adjust(plan, p)
    else:
        says = f"{plan.then.name} judges {len(p)} differences of {test.about} as one family by itself"
        adjusted, more = np.maximum(outcome.adjusted, MIN_P_VALUE), (Note("family", "remark", says),)
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


def _judge_each(matrix: ScoreMatrix, plan: PairPlan, spec: ComparisonSpec, concludes: bool) -> JudgedPairs:
    """By a comparison of the two learners alone; one that was refused and made anyway never rejects."""
    source = from_matrix(matrix)
    if not plan.then.anyway:
        plan.then.entry.check_cost(Family(np.ones(len(plan.pairs)), *plan.columns))  # before pairs are judged in vain
    each = []
    for (a, b), one in zip(plan.pairs, _judge_many(matrix, plan, spec.at), strict=True):
        try:
            pair = one or compare_pair(source, spec, a, b)
        except Refused as why:
            raise Refused(f"{a} and {b}: {why.says}", why.code) from None
        if pair.p_value is None:
            raise BadInput(f"{plan.test.name} has no p-value to adjust: compare(...) gives posteriors of pairs")
        each.append(pair)
    adjusted, more = _adjust(plan, np.array([one.p_value for one in each], float))
    pairs = tuple(
        replace(one, adjusted_p_value=p, may_reject=concludes) for one, p in zip(each, adjusted.tolist(), strict=True)
    )
    return JudgedPairs(pairs, (*_merge_notes(plan.pairs, [one.all_notes for one in each]), *more))


def _judge_many(matrix: ScoreMatrix, plan: PairPlan, at: Confidence) -> Iterator[Comparison | None]:
    """By one law of signed ranks for all pairs; None for a pair that must be judged alone."""
    if not plan.test.is_one_of("wilcoxon") or plan.test.given:
        yield from [None] * len(plan.pairs)
        return
    test = plan.test
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
