"""Is one model, or one learner, really better than another?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from veracity.comparisons import comparisons
from veracity.contests.contest import Contest
from veracity.contests.judge import Question, judge_pair, run_test
from veracity.contests.judge_family import adjust_comparisons
from veracity.contests.make_contest import Source, make_contest
from veracity.contests.of_models import Models
from veracity.contests.pair_plan import check_pair_draws
from veracity.core.confidence import Confidence
from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, Weight
from veracity.core.verb import verb
from veracity.core.words import option, template
from veracity.evidence.predictions import subset
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import Correctness
from veracity.evidence.slice_rows import simultaneous_note, slice_rows
from veracity.findings.comparison import Comparison, Comparisons, Omnibus


@verb
def compare(
    source: Source,
    score: MethodLike | None = None,
    *,
    using: MethodLike | None = None,
    pairs: Iterable[Sequence[str]] | None = None,
    then: MethodLike | None = None,
    interval: MethodLike | None = None,
    level: float = 0.95,
    data: str | None = None,
    by: str | None = None,
    slices: Any = None,
    seed: int = 0,
    anyway: bool = False,
) -> Comparison | Comparisons:
    """Compare two models or learners: difference, interval, p-value and one plain sentence.

    `source` is a mapping of models to predictions, runs, split scores or a matrix of scores. More than two are
    compared in pairs (all, or `pairs`), with p-values adjusted by `then` (holm unless another is named). A test of
    several models together, such as cochran_q, comes before the pairs. `slices` (one label per row) compares models on
    each slice of their rows: p-values are adjusted over all of them, intervals hold together (Bonferroni).
    """
    contest = make_contest(source, score, using, data, by)
    test = comparisons.choose(contest.default if using is None else using)
    question = Question(test, interval, Confidence(level), seed, anyway, using is None)
    number = question.test.entry.compares
    if number != 1 and len(contest.names) < 2:
        alone = ": one_sample(value=...) takes the predictions of one" if isinstance(contest, Models) else ""
        raise BadInput(f"compare needs two models or learners, not {len(contest.names)}{alone}")
    if slices is not None and (number == 0 or isinstance(source, Runs) or not isinstance(contest, Models)):
        what = f"{question.test.entry.name} of all together" if number == 0 else contest.what
        raise BadInput(f"{option('slices')} compares pairs of fixed models by their predictions, not {what}")
    if number == 0:
        return _compare_together(contest, question, pairs, then)
    chosen = [(name, name) for name in contest.names] if number == 1 else contest.pairs(pairs)
    if slices is not None and isinstance(contest, Models):
        return _compare_slices(contest, question, chosen, slices, then)
    check_pair_draws(question.test, len(chosen), anyway)
    each = [judge_pair(contest, question, a, b) for a, b in chosen]
    if len(each) == 1 and pairs is None:
        return each[0]
    return adjust_comparisons(each, then)


def _compare_together(
    contest: Contest, question: Question, pairs: Iterable[Sequence[str]] | None, then: MethodLike | None
) -> Comparisons:
    """A test of all models, and then of the pairs by the default test of two."""
    test = question.test
    if test.entry.reads is not Correctness:
        raise BadInput(
            f"{test.entry.name} orders learners over many data sets: use rank(..., {option('using', str(test))})"
        )
    chosen = contest.pairs(pairs)
    verdict, _, notes = run_test(contest, test, question, *contest.names[:2])
    assert verdict.p_value is not None  # no posterior is of several models together
    omnibus = Omnibus(test.spelling, verdict.statistic, verdict.degrees, verdict.p_value, notes + verdict.notes)
    of_two = replace(question, test=comparisons.choose(contest.default))
    family = adjust_comparisons([judge_pair(contest, of_two, a, b) for a, b in chosen], then)
    return replace(
        family, omnibus=omnibus, notes=(_omnibus_note(omnibus, question.at.level), *omnibus.notes, *family.notes)
    )


def _compare_slices(
    contest: Models, question: Question, pairs: list[tuple[str, str]], slices: Any, then: MethodLike | None
) -> Comparisons:
    """Every pair on every slice as one family; a pair that cannot be compared on a slice does not cost the others."""
    parts, *_ = [slice_rows(slices, "slices", len(p)) for p in contest.models.values()]
    check_pair_draws(question.test, len(pairs) * len(parts), question.anyway)
    level = 1 - question.at.miss / len(parts)
    each: list[Comparison] = []
    refusals: list[tuple[str, BadInput | Refused]] = []
    for label, rows in parts:
        here = contest.on({name: subset(p, rows) for name, p in contest.models.items()}, label)
        for a, b in pairs:
            try:
                one = judge_pair(here, replace(question, at=Confidence(level), by_default=False), a, b)
                each.append(replace(one, level=question.at.level))
            except (BadInput, Refused) as why:
                refusals.append((f"{label}, {a}" if a == b else f"{label}, {a} and {b}", why))
    if not each:
        place, first = refusals[0]
        says = f"no slice can be compared; {place}: {template(first.says)}"
        raise (Refused(says, first.code) if isinstance(first, Refused) else BadInput(says)) from None
    family = adjust_comparisons(each, then, untested=len(refusals))
    left = tuple(Note("left-out", "caution", f"{place}: {template(why.says)}") for place, why in refusals)
    together = simultaneous_note(len(parts), level, question.at.level, "pair")
    usual = (contest.usual.note(contest.number(*pairs[0])),) if question.by_default else ()  # once for all slices
    return replace(family, notes=(together, *left, *family.notes, *usual))


def _omnibus_note(omnibus: Omnibus, level: float) -> Note:
    rejects = omnibus.p_value < 1 - level
    says = "some models differ" if rejects else "not enough to conclude that any models differ, whatever a pair says"
    weight: Weight = "remark" if rejects else "caution"
    return Note("omnibus", weight, f"{omnibus.method}: p = {omnibus.p_value:.3g}, {says}")
