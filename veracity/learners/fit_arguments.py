"""What a learner's fit takes besides features and target."""

from __future__ import annotations

import inspect
from functools import lru_cache
from typing import Any

OFFERED = ("sample_weight", "groups", "time", "rows", "positive", "validation", "validation_weight")


def fit_keywords(learner: Any) -> dict[str, str]:
    """For each thing offered that the learner's fit names, the keyword to pass it by."""
    if is_pipeline(learner):
        step, last = learner.steps[-1]
        return {name: f"{step}__{keyword}" for name, keyword in fit_keywords(last).items()}
    fit = getattr(learner, "fit", None)
    return {name: name for name in _parameters(getattr(fit, "__func__", fit))}


@lru_cache(maxsize=256)
def _parameters(fit: Any) -> tuple[str, ...]:
    """Read once for every class, as reading a signature takes longer than some fits."""
    try:
        names = inspect.signature(fit).parameters
    except (TypeError, ValueError):
        return ()
    return tuple(name for name in OFFERED if name in names)


def is_pipeline(learner: Any) -> bool:
    """Whether this is scikit-learn's chain of transformers with a learner at its end."""
    return hasattr(learner, "steps") and type(learner).__module__ == "sklearn.pipeline"


def last_step(model: Any) -> Any:
    """Return the learner at the end of a pipeline; any other learner is that itself."""
    while is_pipeline(model):
        model = model.steps[-1][1]
    return model
