"""What a learner's fit takes besides features and target."""

from __future__ import annotations

import inspect
from typing import Any

OFFERED = ("sample_weight", "groups", "time")


def taken(learner: Any) -> dict[str, str]:
    """For each of sample_weight, groups and time that the learner's fit names, the keyword to pass it by."""
    if _is_pipeline(learner):
        step, last = learner.steps[-1]
        return {name: f"{step}__{keyword}" for name, keyword in taken(last).items()}
    try:
        names = inspect.signature(learner.fit).parameters
    except (TypeError, ValueError, AttributeError):
        return {}
    return {name: name for name in OFFERED if name in names}


def _is_pipeline(learner: Any) -> bool:
    return hasattr(learner, "steps") and type(learner).__module__ == "sklearn.pipeline"
