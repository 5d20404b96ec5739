"""Rank learners over data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, Literal, TypedDict, Unpack, overload

import numpy as np

from veracity.comparisons import comparisons
from veracity.comparisons.entry import Verdict
from veracity.comparisons.friedman import fill_with_worst, missing_cell
from veracity.contests.compare import choose_effects
from veracity.contests.pairwise import judge_family, plan_pairs, with_effects
from veracity.contests.per_dataset import verdicts
from veracity.contests.score_sources import NOT_RANKED, check_score, matrix_of_grades, matrix_of_runs
from veracity.core.arguments import Table, verb
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, DefaultRule, MethodLike, first_fit
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import ANYWAY, Note, always, check, unique
from veracity.evidence.looks import counts_as_look
from veracity.evidence.predictions import Predictions
from veracity.evidence.proportion import FewValues
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import HIGHER_TAKEN, ScoreMatrix
from veracity.evidence.split_scores import SplitScores
from veracity.findings.comparison import Comparison
from veracity.findings.dataset_tests import Verdicts
from veracity.findings.ranking import Ranking, RankInterval
from veracity.findings.significance import Omnibus
from veracity.intervals.confusion_matrix import mean_score
from veracity.scores import scores
from veracity.scores.default import default_score_of

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
    judged = with_effects(judge_family(matrix, plan, at, seed, anyway, concludes), matrix, sizes, at)
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
    """Verdicts on single data sets are neither tested otherwise nor adjusted: refuses to be asked for it."""
    if test.reads is not SplitScores:
        return
    for word in (word for word, value in given.items() if value is not None):
        raise BadInput(
            f"{test.name} gives a verdict for every pair on every data set, and uses no `{word}=`: "
            f"leave it out, or name a test of all learners, `using='friedman'`"
        )


def read_matrix(source: Any, score: MethodLike | None, better: str | None, by: str | None) -> ScoreMatrix:
    """The scores of any source, checked to be of several learners."""
    if better not in (None, "higher", "lower"):
        raise BadInput(f"better is 'higher' or 'lower', not {better!r}")
    if by is not None and not isinstance(source, Runs):
        raise BadInput("`by=` chooses from runs, and these are scores: leave it out")
    models = [*source.values()] if isinstance(source, Mapping) else []
    paths = [*source] if isinstance(source, list) else [source]  # of several files, which together are one table
    if isinstance(source, Runs):
        choice = scores.choose(default_score_of(source) if score is None else score)
        if better not in (None, choice.better):
            raise BadInput(f"{choice.spelling} is better {choice.better}: leave out `better={better!r}`")
        matrix = matrix_of_runs(source, choice, choice.spelling if score is None else scores.label(score), by)
    elif isinstance(source, ScoreMatrix):
        check_score(score, source.score)
        matrix = source
        if better is not None:
            notes = tuple(note for note in source.notes if note != HIGHER_TAKEN)
            matrix = replace(source, better=better, notes=notes, is_better_known=True)
    elif paths and all(isinstance(one, (str, PathLike)) for one in paths):
        from veracity.readers.read_scores import read_scores

        matrix = read_scores(source, None if score is None else str(score), better)
    elif models and all(isinstance(one, Predictions) and one.kind == "grades" for one in models):
        matrix = matrix_of_grades(source, score, better)
    elif any(isinstance(one, Predictions) for one in models):
        raise BadInput("rank is over several data sets, and these are predictions of one: use compare")
    else:
        from veracity.readers.scores_of_arrays import score_matrix

        matrix = score_matrix(source, better=better, score="score" if score is None else str(score))
    names = matrix.learners
    if len(names) < 2:
        raise BadInput(f"there is nothing to rank: {len(names)} learner; give two or more, one column each")
    for name in names:
        if names.count(name) > 1:
            raise BadInput(f"two learners are called {name!r}: give each a name of its own")
    return matrix


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
    verdict: Verdict = test.with_seed(seed)(matrix).with_least_p
    notes = unique(notes + verdict.notes)
    if verdict.p_value is not None:
        numbers = (verdict.statistic, verdict.degrees, verdict.p_value)
        return Omnibus(test.spelling, *numbers, notes, facts=verdict.facts, letter=test.letter)
    whether = comparisons.choose(first_fit(OF_ALL_LEARNERS, matrix).name)
    omnibus = test_of_all(matrix, whether, seed, anyway)
    says = f"{test.name} is a posterior and no test: {whether} says whether learners differ"
    notes = unique((Note("posterior", "remark", says), *notes, *omnibus.notes))
    return replace(omnibus, notes=notes, probabilities=verdict.probabilities, facts=verdict.facts)


def check_limits(matrix: ScoreMatrix, test: Choice, anyway: bool) -> tuple[Note, ...]:
    """The notes of a test's limits; a refusal for want of learners names those that were left out."""
    try:
        return check(test.limits, matrix, anyway)
    except Refused as why:
        left = [note.says for note in matrix.notes if note.code == NOT_RANKED]
        if not left:
            raise
        raise Refused("; ".join((why.says, *left)), why.code) from None
