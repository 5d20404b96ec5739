"""Whether a learner will tell what the score that chooses is of, seen before any fit."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.learners.target_kind import meant_for
from veracity.scores.needs import METHODS, lacking


def check_tells(score: Choice, learner: Any, settings: Iterable[Any] = ()) -> None:
    """Refuse a learner of another kind of target, and one that tells too little, whichever of its settings it has."""
    name, meant, entry = type(learner).__name__, meant_for([learner]), score.entry
    if meant is not None and not entry.suits(meant):
        instead = "mse" if meant == "numbers" else "error"
        raise BadInput(f"{score} is for {entry.target_kind}, but {name} predicts {meant}: use score={instead!r}")
    needed = METHODS.get(entry.needs, ())
    if needed and not any(_may_tell(one, method) for one in chain((learner,), settings) for method in needed):
        raise BadInput(lacking(score, name))


def _may_tell(learner: Any, method: str) -> bool:
    """Whether it has the method, or may have it once fitted, as a learner of learners makes some of them in the fit."""
    steps = getattr(learner, "steps", None)
    if steps:
        return _may_tell(steps[-1][1], method)
    return hasattr(learner, method) or (hasattr(type(learner), method) and _of_learners(learner))


def _of_learners(learner: Any) -> bool:
    """Whether learners are among its parameters, which shows in parameters of theirs."""
    return any("__" in name for name in learner.get_params())
