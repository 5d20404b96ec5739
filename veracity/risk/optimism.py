"""What tuned learners chose, and how much too good the score is that they chose by."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from veracity.core.arguments import verb
from veracity.core.confidence import Confidence
from veracity.core.entry import MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError, ask_each
from veracity.core.missing import Undefined
from veracity.core.notes import Note
from veracity.evidence.runs import Runs
from veracity.findings.estimates import Estimate, Estimates
from veracity.findings.optimism import Optimism, OptimismRow
from veracity.records.choices import Choices
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.scores import scores

TUNED = "make one with `vc.tuned(learner, grid={...})`"


@verb
def optimism(runs: Runs, score: MethodLike | None = None, *, level: float = 0.95, seed: int = 0) -> Optimism:
    """For each learner that tunes itself: the nested estimate with its interval, the flat one, and the choices.

    The flat one is the score that the winner won by, averaged over the outer splits. It was chosen for being good, so
    it is too good, the more the more settings there are and the fewer rows; the nested one has seen none of that. Inner
    models train on fewer rows, which works against it: where settings are few, the flat score may be the worse one. The
    score is the one tuned by, so that the two are of one kind. A learner of which that is not known costs its own row.
    """
    if not isinstance(runs, Runs):
        raise BadInput(f"optimism is of runs, not {type(runs).__name__}: evaluate a learner made with tuned(...)")
    ask = partial(_optimism_row, runs, score=score, at=Confidence(level), seed=seed)
    rows, refusals = ask_each(_choices(runs), ask)
    if not rows and not refusals:
        raise BadInput(f"none of these learners tunes itself: {TUNED}")
    if not rows:
        raise refusals[0][1]
    lost = ((f"{chosen.learner} on {chosen.data} by {chosen.by}", why) for chosen, why in refusals)
    return Optimism(tuple(rows), tuple(Note("left-out", "caution", f"{place}: {why.says}") for place, why in lost))


def tuning_optimism(runs: Runs, estimates: Estimates, *, level: float = 0.95, seed: int = 0) -> Optimism:
    """The same beside estimates, of which those of the score tuned by are taken; empty where no learner chooses.

    Where that score is not known, as of a learner of one's own, the first estimate stands alone.
    """
    rows = []
    for chosen in _choices(runs):
        nested = _nested_estimate(runs, chosen, estimates, Confidence(level), seed)
        if nested is not None:
            rows.append(_row(runs, chosen, nested))
    return Optimism(tuple(rows))


def _nested_estimate(runs: Runs, chosen: Choices, estimates: Estimates, at: Confidence, seed: int) -> Estimate | None:
    place = (chosen.data, chosen.learner, chosen.by)
    own = [row for row in estimates if (row.data, row.learner, row.by) == place]
    if same := [row for row in own if row.score == chosen.score]:
        return same[0]
    try:
        return _estimate(runs, chosen, chosen.score, at, seed)
    except VeracityError:
        return own[0] if own else None


def _choices(runs: Runs) -> Iterator[Choices]:
    """Of every run whose learner chooses."""
    for data, learner, by in runs.places():
        if runs.chooses(learner, data, by):
            yield runs.chosen(learner, data, by)


def _optimism_row(runs: Runs, chosen: Choices, score: MethodLike | None, at: Confidence, seed: int) -> OptimismRow:
    asked = chosen.score if score is None else scores.choose(score).spelling
    if not asked:
        raise BadInput(f"by which score {chosen.learner} was tuned is not known: name one, such as `score='error'`")
    if chosen.score and chosen.score != asked:
        raise BadInput(f"{chosen.learner} was tuned by {chosen.score}: its flat score is of that and not of {asked}")
    return _row(runs, chosen, _estimate(runs, chosen, asked, at, seed))


def _estimate(runs: Runs, chosen: Choices, score: str, at: Confidence, seed: int) -> Estimate:
    run = runs.run(chosen.learner, chosen.data, chosen.by)
    return estimate_run(run, EstimateRequest(scores.choose(score), score, at, seed=seed))


def _row(runs: Runs, chosen: Choices, nested: Estimate) -> OptimismRow:
    try:
        disagreement = runs.disagreement(chosen.learner, chosen.data, chosen.by)
    except Refused as why:
        disagreement = Undefined(why.says)
    return OptimismRow(nested, chosen, disagreement)
