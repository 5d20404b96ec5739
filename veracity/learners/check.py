"""What an object must offer to be used as a learner."""

from __future__ import annotations

import inspect
from typing import Any

from veracity.core.errors import BadInput

NEEDED = ("fit", "predict")


def checked(learner: Any, name: str = "", needs: tuple[str, ...] = NEEDED) -> Any:
    """The learner itself, or a sentence that says what it lacks."""
    called = f"learner {name!r}" if name else "the learner"
    if inspect.isclass(learner):
        raise BadInput(f"{called} is the class {learner.__name__}: give an object of it, {learner.__name__}()")
    missing = [method for method in needs if not _has(learner, method)]
    if missing:
        lacks, needed = " and no ".join(missing), " and ".join(needs)
        raise BadInput(f"{called} is a {type(learner).__name__}, which has no {lacks}: {needed} are needed")
    return learner


def _has(learner: Any, method: str) -> bool:
    """A stacked learner can say only after its fit whether it predicts: there its class is believed."""
    return callable(getattr(learner, method, None)) or (method == "predict" and hasattr(type(learner), method))
