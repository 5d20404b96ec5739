"""What a study cannot answer, told before its first fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from veracity.comparisons import comparisons
from veracity.contests.rank import OF_ALL_LEARNERS, plan_pairs
from veracity.contests.score_sources import from_split_scores
from veracity.core.entry import Choice, first_fit
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores, SplitTable
from veracity.learners.from_text import Unseen
from veracity.records.data import Data
from veracity.records.design import Design
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.scores.entry import METHODS, missing_output, needed_output
from veracity.studies.parse import as_tuple
from veracity.tuning.wrapper import may_have

Designs = Mapping[str, Sequence[Design]]


def foresee_scores(data: Mapping[str, Data], learners: Mapping[str, Any], asked: Sequence[Any]) -> tuple[Note, ...]:
    """A caution for each score that some learner, or every data set, cannot have; refuses where none can be had."""
    choices = [scores.choose(name) for name in asked]
    reasons: dict[str, None] = {}
    some = not choices
    for choice in choices:
        suited = [table for table in data.values() if choice.suits(table.kind)]
        if not suited:
            reasons[_other_target(choice)] = None
        for classes in dict.fromkeys(len(table.classes) for table in suited):
            missing = [name for name, learner in learners.items() if not _tells(learner, choice, classes)]
            some |= len(missing) < len(learners)
            if missing:
                reasons[missing_output(choice, missing, classes)] = None
    if not some:
        raise BadInput(f"nothing was fitted, as no learner can have any of the scores: {next(iter(reasons))}")
    return tuple(Note("score-undefined", "caution", why) for why in reasons)


def _other_target(choice: Choice) -> str:
    return f"{choice} is for a target of {choice.target_kind}, which no data set here has"


def _tells(learner: Any, choice: Choice, classes: int) -> bool:
    """Whether a learner has, or may have once fitted, what a score of so many classes needs."""
    needed = METHODS.get(needed_output(choice, classes), ())
    return not needed or isinstance(learner, Unseen) or any(may_have(learner, method) for method in needed)


def foresee_questions(
    data: Mapping[str, Data], learners: Mapping[str, Any], designs: Designs, questions: Mapping[str, Any]
) -> Iterator[Note]:
    """A caution for each question that no data set, or not every one, can answer, whatever the fits will find."""
    usual = default_score(*(table.kind for table in data.values()))
    asked = ((verb, one, name) for verb, one in questions.items() for name in as_tuple(one.get("score") or usual))
    for verb, question, score in asked:
        choice = scores.choose(score)
        by = f" by {score}" if isinstance(question.get("score"), list) else ""
        suited = [name for name, table in data.items() if choice.suits(table.kind)]
        fewest = min((len(data[name].classes) for name in suited), default=2)
        able = [name for name, learner in learners.items() if _tells(learner, choice, fewest)]
        try:
            if not suited:
                raise BadInput(_other_target(choice))
            if len(designs[suited[0]]) > 1:
                raise BadInput("questions are asked of one design, and this study has several: leave one")
            matrix = _pretend(choice, suited, able, designs)
            refused = _foresee_ranking(matrix, question) if verb == "rank" else _foresee_pairs(matrix, question)
        except (BadInput, Refused) as why:
            refused = {"": why.says}
        for where, why_not in refused.items():
            on = f" on {where}" if where else ""
            yield Note("not-answerable", "caution", f"the question {verb}{by} cannot be answered{on}: {why_not}")


def _pretend(choice: Choice, data: Sequence[str], learners: Sequence[str], designs: Designs) -> ScoreMatrix:
    """Scores of the shape that the study will have, of numbers that are nobody's: what they lack, no fit will bring."""
    random = np.random.default_rng(0)
    splits = []
    for design in (designs[name][0] for name in data):
        of = [design.splits[number] for number in design.main_splits]
        rows = [split.learned_from for split in of], [len(split.test) for split in of], [split.repeat for split in of]
        splits.append(tuple(SplitScores.of(random.random(len(of)), *rows) for _ in learners))
    values = np.array([[cell.mean for cell in row] for row in splits]).reshape(len(data), len(learners))
    return ScoreMatrix(values, tuple(learners), tuple(data), choice.better, choice.spelling, tuple(splits))


def _foresee_ranking(matrix: ScoreMatrix, question: Mapping[str, Any]) -> dict[str, str]:
    """Why a ranking cannot be had, by data set where its test looks at each by itself."""
    if len(matrix.learners) < 2:
        raise BadInput(f"{len(matrix.learners)} learner can have {matrix.score}, and ranking takes two or more")
    test = comparisons.choose(question.get("using") or first_fit(OF_ALL_LEARNERS, matrix).name)
    if test.reads is SplitScores:
        return _refusals(matrix, test, next(combinations(matrix.learners, 2)))
    if len(matrix) < 2:
        raise BadInput("one data set says nothing about others: ask for a comparison")
    plan_pairs(matrix, question.get("pairs"), question.get("then"), question.get("control"), False)
    check(test.limits, matrix)
    return {}


def _foresee_pairs(matrix: ScoreMatrix, question: Mapping[str, Any]) -> dict[str, str]:
    """Why pairs cannot be compared, by data set."""
    asked = [tuple(pair) for pair in question.get("pairs") or combinations(matrix.learners, 2)]
    pairs = [pair for pair in asked if set(pair) <= set(matrix.learners)]
    if not pairs:
        raise BadInput(f"of no pair both can have {matrix.score}")
    if question.get("using") is None:
        return {}
    test = comparisons.choose(question["using"])
    test.check_alternative(question.get("alternative"))
    if test.reads is ScoreMatrix:
        check(test.limits, matrix.only(*pairs[0]))
        return {}
    return _refusals(matrix, test, pairs[0])


def _refusals(matrix: ScoreMatrix, test: Choice, pair: tuple[str, ...]) -> dict[str, str]:
    """What a test of splits says of each data set's design, by one pair; the same for all is said once."""
    assert matrix.splits is not None
    refused = {}
    for data, cells in zip(matrix.datasets, matrix.splits, strict=True):
        there = {name: cell for name, cell in zip(matrix.learners, cells, strict=True) if cell is not None}
        source = from_split_scores(SplitTable(there, matrix.better, matrix.score))
        if test.reads not in source.evidence:
            continue  # what else there may be is seen when it is there
        try:
            check(test.limits, source.read(test.entry, *pair))
        except Refused as why:
            refused[data] = why.says
    if len(refused) == len(matrix) and len(set(refused.values())) == 1:
        return {"": next(iter(refused.values()))}
    return refused
