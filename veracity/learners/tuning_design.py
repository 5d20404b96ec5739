"""Learners that tune themselves, told by which design to do so where they do not say it themselves."""

from __future__ import annotations

from typing import Any

from veracity.core.errors import BadInput
from veracity.learners.seeding import unfitted_copy


def tuning_parts(learner: Any) -> dict[str, Any]:
    """The parts that tune themselves, however deep, by their names; the learner itself has none."""
    inside = learner.get_params(deep=True) if hasattr(learner, "get_params") else {}
    return {name: part for name, part in {"": learner, **inside}.items() if getattr(part, "tunes", False) is True}


def with_inner_design(learner: Any, inner: str) -> Any:
    """The learner with the inner design of a nested one in every part that tunes itself.

    Such a part says so by `tunes = True` and has a parameter `by`, which may not say otherwise; all others are the
    learner itself, unchanged.
    """
    places = _places_to_set(learner, inner) if inner else []
    return unfitted_copy(learner).set_params(**dict.fromkeys(places, inner)) if places else learner


def _places_to_set(learner: Any, inner: str) -> list[str]:
    """The names of the parameters to be set, however deep; refuses a design that one has of its own."""
    tuning = {name: part.by for name, part in tuning_parts(learner).items()}
    other = next((by for by in tuning.values() if by is not None and str(by) != inner), None)
    if other is not None:
        raise BadInput(
            f"a nested design says inner={inner}, and the tuned learner by={other!s}: leave out the learner's own, or "
            "use the outer design alone"
        )
    return [f"{name}__by" if name else "by" for name, by in tuning.items() if by is None]
