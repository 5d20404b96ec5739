"""What may I use here, how does it behave on data like mine, and what would make the answer possible?"""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any

import numpy as np

from veracity.advice.designs import Plan, advise_on_designs
from veracity.advice.questions import advise_on_comparisons, advise_on_estimates, advise_on_ranking
from veracity.contests.score_sources import matrix_of_runs
from veracity.core.arguments import Advised, verb
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput
from veracity.core.suggest import nearest
from veracity.evidence.counts import Counts
from veracity.evidence.looks import uncounted
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import Pairs
from veracity.evidence.score_matrix import ScoreMatrix, SplitTable
from veracity.findings.advice import Advice
from veracity.records.data import Data
from veracity.scores import scores
from veracity.scores.default import default_score, default_score_of
from veracity.studies.evaluate import evaluate_data
from veracity.studies.study import Study, StudyPlan

QUESTIONS = {
    "estimate": "how good one model or learner is",
    "compare": "whether one is better than another",
    "rank": "which learners are better over several data sets",
}
USUAL = Confidence()
SOURCES = "predictions, counts, runs, split scores, a matrix of scores, a study or its plan"


@verb
def advise(
    source: Advised,
    question: str | None = None,
    score: MethodLike | None = None,
    *,
    difference: float | None = None,
    by: str | None = None,
    fit_seconds: float | None = None,
    budget: float | None = None,
    level: float = 0.95,
    seed: int = 0,
) -> Advice:
    """Every method that could answer a question here: use, with care or no, why, and what was measured of it.

    `source` is evidence (predictions by model, counts, split scores, a matrix of scores), runs, or what is still to be
    run: a study or its plan. `question` is "estimate", "compare" or "rank", by default what the source is for. Each
    method is tried by the verb that would use it, on what is given: one that is refused is "no", one that comes with a
    caution "care". Nothing of this counts as a question asked of a store.

    Of a study it says which design to choose: fits and seconds (one fit of each learner is timed, unless `fit_seconds`
    says how long it takes; `budget` is how many seconds all may take), how its usual interval or test was measured to
    behave, and which difference it can show. With `difference`, the difference of interest, it says whether that can be
    found here, and what it takes.

    Parameters
    ----------
    source
        Predictions by model, counts, runs, split scores, a matrix of scores, a study or its plan.
    question
        "estimate", "compare" or "rank"; by default what the source is for.
    score
        A score by its name, such as 'error', or your own; the default of the target unless said.
    difference
        The difference of interest: whether it can be found here, and what it takes.
    by
        The design, where runs have several.
    fit_seconds
        Of a study: how long one fit takes; without it one of each learner is timed.
    budget
        Of a study: how many seconds all fits may take.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> vc.advise(vc.pairs(n01=9, n10=22, of=1000)).rows[0].name
    'mcnemar_midp'
    """
    at = Confidence(level)
    if question is not None and question not in QUESTIONS:
        near = nearest(question, QUESTIONS) or QUESTIONS
        raise BadInput(f"`question=` is {' or '.join(near)}, not {question!r}")
    _check_difference(difference)
    if isinstance(source, (Study, StudyPlan)):
        asked = _question_before_run(source, question)  # a wrong question is told before anything is fitted
        if fit_seconds is not None and not fit_seconds > 0:
            raise BadInput(f"`fit_seconds=` is how long a fit takes, larger than 0, not {fit_seconds:g}")
        seconds = _time_fits(_setup(source), seed) if fit_seconds is None else fit_seconds
        return advise_before_run(source, asked, score, at, seed, difference, seconds, budget)
    for word, value in (("fit_seconds", fit_seconds), ("budget", budget)):
        if value is not None:
            raise BadInput(f"`{word}=` is of what is still to be run, and this was: leave it out")
    evidence: Any = source
    if isinstance(source, (str, PathLike)):  # a table of scores
        from veracity.readers.read_scores import read_scores

        evidence = read_scores(source)
    is_known = isinstance(evidence, (Predictions, Counts, Runs, ScoreMatrix, SplitTable, Pairs))
    if not is_known and not (isinstance(evidence, Mapping) and evidence):
        raise BadInput(f"advise reads {SOURCES}, not {type(evidence).__name__}")
    asked = question or _question_of(evidence)
    if by is not None and not isinstance(evidence, Runs):
        raise BadInput("`by=` chooses from runs, and these are none: leave it out")
    if asked == "rank":
        if isinstance(evidence, Runs):
            choice = _score(evidence, score)
            evidence = matrix_of_runs(uncounted(evidence), choice, choice.spelling, by)
        if not isinstance(evidence, ScoreMatrix):
            raise BadInput("rank is over several data sets, and these are of one: give `question='compare'`")
        return advise_on_ranking(evidence, at, seed, difference)
    if asked == "compare":
        return advise_on_comparisons(evidence, score, at, seed, difference, by)
    if isinstance(evidence, (ScoreMatrix, SplitTable, Pairs)):
        kind = type(evidence).__name__
        raise BadInput(f"{kind} holds scores or pairs, and an estimate is of predictions or runs: compare")
    return advise_on_estimates(evidence, _score(evidence, score), at, seed)


def _check_difference(difference: float | None) -> None:
    if difference is not None and not (np.isfinite(difference) and difference != 0):
        raise BadInput(f"`difference=` is a difference of interest other than 0, not {difference:g}")


def _question_of(source: Any) -> str:
    """Return the question that evidence is most likely for."""
    if isinstance(source, ScoreMatrix):
        return "rank" if len(source.learners) > 2 else "compare"
    if isinstance(source, Runs):
        if len(source.learner_names) == 1:
            return "estimate"
        return "rank" if len(source.names) > 1 and len(source.learner_names) > 2 else "compare"
    if isinstance(source, (SplitTable, Pairs)) or (isinstance(source, Mapping) and len(source) > 1):
        return "compare"
    return "estimate"


def _score(source: Any, score: MethodLike | None) -> Choice:
    if score is not None:
        return scores.choose(score)
    if isinstance(source, Runs):
        return scores.choose(next(iter(source.asked_scores), None) or default_score_of(source))
    one = next(iter(source.values())) if isinstance(source, Mapping) else source
    return scores.choose(default_score(getattr(one, "kind", "classes")))


def advise_before_run(
    study: Study | StudyPlan,
    question: str | None = None,
    score: MethodLike | None = None,
    at: Confidence = USUAL,
    seed: int = 0,
    difference: float | None = None,
    fit_seconds: float | None = None,
    budget: float | None = None,
) -> Advice:
    """Return which design to choose, without a fit; the largest data set stands for all."""
    _check_difference(difference)
    setup = _setup(study)
    asked, table = _question_before_run(study, question), max(setup.data.values(), key=len)
    own = next(iter(getattr(study, "scores", ())), None) if score is None else score
    choice = scores.choose(default_score(table.kind) if own is None else own)
    plan = Plan(table, len(setup.learners), len(setup.data), fit_seconds, budget)
    return advise_on_designs(plan, asked, choice, at, seed, difference)


def _setup(study: Study | StudyPlan) -> Any:
    return study.setup if isinstance(study, StudyPlan) else study


def _question_before_run(study: Study | StudyPlan, question: str | None) -> str:
    learners = list(_setup(study).learners)
    asked = question or ("estimate" if len(learners) == 1 else "compare")
    if asked != "estimate" and len(learners) < 2:
        raise BadInput(f"{asked} is of two learners or more, and the study has {learners[0]} alone: add one")
    return asked


def _time_fits(study: Any, seed: int) -> float | None:
    """Return the mean seconds of a fit on nine tenths of the rows; None where no learner can be made or fitted."""
    table: Data = max(study.data.values(), key=len)
    by = "test_file" if table.test is not None else "holdout(test=0.1)"
    try:
        runs = evaluate_data(table, dict(study.learners), by, seed=seed, progress=False)
    except BadInput:
        return None
    times = [np.nansum(run.seconds) for run in runs if run.seconds is not None and not np.isnan(run.seconds).all()]
    return float(np.mean(times)) if times else None
