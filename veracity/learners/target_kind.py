"""Which kind of target learners are meant for, by what they say of themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

SAY = ("__sklearn_tags__", "_estimator_type")  # how learners tell, in newer and older versions of scikit-learn


def target_kind(learners: Iterable[Any]) -> Literal["classes", "numbers"] | None:
    """Numbers if every learner is a regressor, classes if every one is a classifier; nothing if they differ."""
    kinds = {_kind_of(learner) for learner in learners}
    return kinds.pop() if len(kinds) == 1 else None


def _kind_of(learner: Any) -> Literal["classes", "numbers"] | None:
    if not any(hasattr(learner, word) for word in SAY):
        return None
    from sklearn.base import is_classifier, is_regressor

    try:
        return "numbers" if is_regressor(learner) else "classes" if is_classifier(learner) else None
    except Exception:  # whatever a learner of one's own does when asked, it can still be fitted
        return None
