"""Which tests may compare two models or learners here, each tried on what there is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from veracity.advice.attempt import advice_on, attempt, draws_too_often, make_advice, not_tried
from veracity.advice.nearest_figures import Situation
from veracity.advice.resolution import resolution, with_resolution
from veracity.comparisons import comparisons
from veracity.comparisons.entry import Test
from veracity.comparisons.stated_value import Effect
from veracity.contests.compare import Question, judge_pair, run_test
from veracity.contests.score_sources import Learners, Matrix, Tables, make_contest
from veracity.contests.sources import Contest, CountedModels, CountedPairs, Models
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.evidence.looks import uncounted
from veracity.evidence.runs import Runs
from veracity.evidence.same_rows import Correctness
from veracity.findings.advice import Advice, MethodAdvice

FIRST = 3  # pairs on which methods are tried
MARGIN = 0.01  # a difference that does not matter, where nobody says
COUNTING = ("mcnemar_midp",)  # default tests without a standard error
STATED = 0.5  # a value to hold one model against
ALONE = (
    "there is one model, and nothing to compare it with: predict the same rows with another, or hold it against a"
    " known value, `using='one_sample(value=0.5)'`"
)


def advise_on_comparisons(
    source: Any, score: MethodLike | None, at: Confidence, seed: int, difference: float | None, by: str | None
) -> Advice:
    """Every test of two models or learners, and of one against a stated value."""
    contests = _contests(source, score, by)
    first = contests[0]
    pairs = first.pairs(None) if len(first.names) > 1 else [(first.names[0], first.names[0])]
    here, alone = situation(first), len(first.names) < 2
    rows: list[MethodAdvice] = []
    for choice in _candidates(first, alone, difference):
        entry: Test = choice.entry
        if draws_too_often(choice, here.rows):
            rows.append(not_tried(choice, here.rows, here))
            continue
        contest = next((one for one in contests if entry.reads in one.gives()), first)
        ask = Question(choice, None, at, seed)
        judge = _notes_together if entry.compares == 0 else _notes
        found = attempt(partial(judge, contest, ask, *pair) for pair in pairs[: FIRST if entry.compares else 1])
        rows.append(advice_on(choice, found, situation(contest), entry.name == first.default and not alone))
    few = Note("first-few", "remark", f"tried on the first {FIRST} of {len(pairs)} pairs")
    notes = (few,) if len(pairs) > FIRST else ()
    found_advice = make_advice("compare", rows, first.usual.why, notes, ALONE if alone else "")
    return found_advice if alone else with_resolution(found_advice, resolution(first, *pairs[0], at), difference)


def _contests(source: Any, score: MethodLike | None, by: str | None) -> list[Contest]:
    """One, or of several data sets two: their scores together, and the splits of the first."""
    if not isinstance(source, Runs) or len(source.names) == 1:
        return [make_contest(_source(source), score, None, None, by)]
    found: list[Contest] = []
    runs = uncounted(source)
    for using, data in ((None, None), ("corrected_t", runs.names[0])):
        try:
            found.append(make_contest(runs, score, using, data, by))
        except Refused:
            if using is not None and not found:
                raise
    return found if len(source.names) >= 6 else found[::-1]


def _source(source: Any) -> Any:
    return uncounted(source) if isinstance(source, Runs) else source


def _candidates(contest: Contest, alone: bool, difference: float | None) -> Iterator[Choice]:
    """The tests of this question, with an example of what each must be told."""
    margin = MARGIN if difference is None else abs(difference)
    for entry in comparisons:
        if entry.compares == 1:
            if alone:
                yield entry.choose(value=STATED)
        elif entry.compares == 0:
            if entry.reads is Correctness and len(contest.names) > 2:
                yield entry.choose()
        elif entry.reads is Effect:
            inner = "paired_loss_t" if contest.default in COUNTING else contest.default  # which has a standard error
            yield entry.choose(margin=margin, of=inner)
        elif not alone:
            yield entry.choose()


def _notes(contest: Contest, ask: Question, a: str, b: str) -> tuple[Note, ...]:
    return judge_pair(contest, ask, a, b).all_notes


def _notes_together(contest: Contest, ask: Question, a: str, b: str) -> tuple[Note, ...]:
    verdict, _, notes = run_test(contest, ask.test, ask, a, b)
    return notes + verdict.notes


def situation(contest: Contest) -> Situation:
    """What the worlds nearest to a contest are like."""
    if isinstance(contest, Learners):
        design = next(iter(contest.runs.values())).design
        return Situation(design.rows, contest.score, design.name)
    if isinstance(contest, Matrix):
        return Situation(score=contest.score, learners=len(contest.names), datasets=len(contest.matrix))
    if isinstance(contest, Tables):
        splits = next(iter(contest.table.learners.values()))
        return Situation(int(splits.train[0] + splits.test[0]), contest.score, f"{splits.rounds} rounds of splits")
    if isinstance(contest, Models):
        one = next(iter(contest.models.values()))
        return Situation(len(one), contest.score, grouped=one.groups is not None or one.weights is not None)
    if isinstance(contest, CountedPairs):
        return Situation(int(contest.pairs_of_rows.rows or 0), contest.score)
    assert isinstance(contest, CountedModels)
    return Situation(score=contest.score)
