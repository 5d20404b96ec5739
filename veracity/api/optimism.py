"""What tuned learners chose, and how much too good the score is that they chose by."""

from __future__ import annotations

from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.undefined import Undefined
from veracity.records.chosen import Chosen
from veracity.records.optimism import Optimism
from veracity.risk.estimate import Asked, estimated
from veracity.running.runs import Runs
from veracity.scores import scores
from veracity.tables.optimism import OptimismTable


def optimism(runs: Runs, score: Any = None, *, level: float = 0.95, seed: int = 0) -> OptimismTable:
    """For each learner that tunes itself: the nested estimate with its interval, the flat one, and the choices.

    The flat one is the score that the winner won by, averaged over the outer splits. It was chosen for being good, so
    it is too good, the more the more settings there are and the fewer rows; the nested one has seen none of that. Inner
    models train on fewer rows, which works against it: where settings are few, the flat score may be the worse one. The
    score is the one tuned by, so that the two are of one kind.
    """
    rows = []
    for data, learner, by in runs.places():
        try:
            chosen = runs.chosen(learner, data, by)
        except BadInput:
            continue  # it chooses nothing
        rows.append(_optimism(runs, chosen, score, Confidence(level), seed))
    if not rows:
        raise BadInput("none of these learners tunes itself: make one with tuned(learner, grid={...})")
    return OptimismTable(tuple(rows))


def _optimism(runs: Runs, chosen: Chosen, score: Any, at: Confidence, seed: int) -> Optimism:
    asked = chosen.score if score is None else scores.choose(score).spelling
    if not asked:
        raise BadInput(f"by which score {chosen.learner} was tuned is not known: name one, such as score='error'")
    if chosen.score and chosen.score != asked:
        raise BadInput(f"{chosen.learner} was tuned by {chosen.score}: its flat score is of that and not of {asked}")
    run = runs.run(chosen.learner, chosen.data, chosen.by)
    nested = estimated(run, Asked(scores.choose(asked), asked, at, seed=seed))
    return Optimism(nested, chosen, _disagreement(runs, chosen))


def _disagreement(runs: Runs, chosen: Chosen) -> float:
    try:
        return runs.disagreement(chosen.learner, chosen.data, chosen.by)
    except Refused as why:
        return Undefined(str(why))
