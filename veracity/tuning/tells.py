"""Whether a learner will tell what the score that chooses is of, seen before any fit."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any

from veracity.core.entry import Choice
from veracity.core.errors import BadInput
from veracity.scores.needs import METHODS, lacking


def check_tells(score: Choice, learner: Any, settings: Iterable[Any] = ()) -> None:
    """Refuse a learner that tells too little, whichever of its settings it has."""
    from sklearn.base import is_regressor

    needed = METHODS.get(score.entry.needs, ())
    if not needed or any(hasattr(one, method) for one in chain((learner,), settings) for method in needed):
        return
    name = type(learner).__name__
    if is_regressor(learner):
        raise BadInput(f"{score} is for classes, but {name} predicts numbers: use score='mse'")
    raise BadInput(lacking(score, name))
