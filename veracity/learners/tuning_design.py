"""Learners that tune themselves, told by which design to do so where they do not say it themselves."""

from __future__ import annotations

from typing import Any

from veracity.learners.seeding import unfitted_copy


def with_inner_design(learner: Any, inner: str) -> Any:
    """The learner with the inner design of a nested one in every part that tunes itself by none of its own.

    Such a part says so by `tunes = True` and has a parameter `by`; all others are the learner itself, unchanged.
    """
    places = _open_parameters(learner) if inner else []
    return unfitted_copy(learner).set_params(**dict.fromkeys(places, inner)) if places else learner


def _open_parameters(learner: Any) -> list[str]:
    """The names of the parameters to be set, however deep."""
    if not hasattr(learner, "get_params"):
        return []
    parts = {"": learner, **learner.get_params(deep=True)}
    tuning = [name for name, part in parts.items() if getattr(part, "tunes", False) is True and part.by is None]
    return [f"{name}__by" if name else "by" for name in tuning]
