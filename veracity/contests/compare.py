"""Is one model, or one learner, really better than another?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from veracity.adjustments.adjust import adjust_family
from veracity.adjustments.family import Family
from veracity.comparisons import comparisons
from veracity.comparisons.entry import Verdict
from veracity.contests.contest import Contest
from veracity.contests.judge import Question, judge_pair, run_test
from veracity.contests.judge_family import adjustment, family_notes
from veracity.contests.make_contest import make_contest
from veracity.contests.of_models import Models
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.core.notes import Note, Weight
from veracity.evidence.correctness import Correctness
from veracity.findings.comparison import Comparison
from veracity.findings.comparisons import Comparisons
from veracity.findings.standing import Omnibus


def compare(
    source: Any,
    score: Any = None,
    *,
    using: Any = None,
    pairs: Any = None,
    then: Any = None,
    interval: Any = None,
    level: float = 0.95,
    data: str | None = None,
    by: str | None = None,
    seed: int = 0,
    anyway: bool = False,
) -> Comparison | Comparisons:
    """Compare two models or learners: difference, interval, p-value and one plain sentence.

    `source` is a mapping of models to predictions, runs, split scores or a matrix of scores. More than two are
    compared in pairs (all, or `pairs`), with p-values adjusted by `then` (holm unless another is named). A test of
    several models together, such as cochran_q, comes before the pairs.
    """
    found = make_contest(source, score, using, data, by)
    question = Question(comparisons.choose(using or found.default), interval, Confidence(level), seed, anyway)
    if question.test.entry.compares != 1 and len(found.names) < 2:
        alone = ": one_sample(value=...) takes the predictions of one" if isinstance(found, Models) else ""
        raise BadInput(f"compare needs two models or learners, not {len(found.names)}{alone}")
    if question.test.entry.compares == 0:
        return _compare_together(found, question, pairs, then)
    asked = _pairs_to_judge(found, pairs, question)
    each = [judge_pair(found, question, a, b) for a, b in asked]
    if len(each) == 1 and pairs is None:
        return each[0]
    return _adjust(each, then)


def _pairs_to_judge(found: Contest, pairs: Any, question: Question) -> list[tuple[str, str]]:
    if question.test.entry.compares == 1:
        return [(name, name) for name in found.names]
    return found.pairs(pairs)


def _compare_together(found: Contest, question: Question, pairs: Any, then: Any) -> Comparisons:
    """A test of all models, and then of the pairs by the default test of two."""
    test = question.test
    if test.entry.reads is not Correctness:
        raise BadInput(f"{test.entry.name} orders learners over many data sets: use rank(..., using={str(test)!r})")
    asked = found.pairs(pairs)
    verdict, _, notes = run_test(found, test, question, *found.names[:2])
    omnibus = _omnibus(test, verdict, notes)
    each = [judge_pair(found, replace(question, test=comparisons.choose(found.default)), a, b) for a, b in asked]
    family = _adjust(each, then)
    told = (_omnibus_note(omnibus, question.at.level), *omnibus.notes)
    return replace(family, omnibus=omnibus, notes=told + family.notes)


def _omnibus(test: Choice, verdict: Verdict, notes: tuple[Note, ...]) -> Omnibus:
    assert verdict.p_value is not None  # no posterior is of several models together
    df = verdict.df if isinstance(verdict.df, tuple) else () if verdict.df is None else (verdict.df,)
    return Omnibus(test.spelling, verdict.statistic, df, verdict.p_value, notes + verdict.notes)


def _omnibus_note(omnibus: Omnibus, level: float) -> Note:
    rejects = omnibus.p_value < 1 - level
    says = "some models differ" if rejects else "not enough to conclude that any models differ, whatever a pair says"
    weight: Weight = "remark" if rejects else "caution"
    return Note("omnibus", weight, f"{omnibus.method}: p = {omnibus.p_value:.3g}, {says}")


def _adjust(each: list[Comparison], then: Any) -> Comparisons:
    """Several comparisons as one family: their p-values adjusted together."""
    if all(one.p_value is None for one in each):  # posteriors make no claims that add up
        if then is not None:
            raise BadInput("posterior probabilities are not adjusted: leave out then=")
        return Comparisons(tuple(each))
    method = adjustment(then, each[0].claims)
    values, notes = adjust_family(_p_values(each, method), method)
    rows = tuple(replace(one, adjusted_p_value=float(value)) for one, value in zip(each, values, strict=True))
    return Comparisons(rows, (*notes, *family_notes(len(rows), method, comparisons.choose(each[0].using).entry)))


def _p_values(each: list[Comparison], method: Choice) -> Family:
    """The p-values, and which two learners each one is of."""
    names = list(dict.fromkeys(name for one in each for name in (one.a, one.b)))
    first, second = (
        np.array([names.index(name) for name in side]) for side in zip(*((one.a, one.b) for one in each), strict=True)
    )
    if method.entry.pairs and len({frozenset((one.a, one.b)) for one in each}) < len(each):
        raise BadInput(f"{method.entry.name} reads every pair once: leave out those that are named twice")
    return Family(np.array([one.p_value for one in each], float), first, second)
