"""What the lab is asked with, refused in one sentence before anything is simulated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from veracity.core.errors import BadInput
from veracity.designs.parameters import whole_number
from veracity.lab.worlds import World
from veracity.learners.from_text import check_learner

Learner = Callable[[], Any]  # makes something with fit(features, target) and predict(features)


def fresh(learner: Any) -> Any:
    """An unfitted learner."""
    if not callable(learner):
        name = type(learner).__name__
        raise BadInput(f"the lab calls a learner for a fresh one each time: give {name} or lambda: {name}(...)")
    return check_learner(learner())


def check_simulation(world: Any, *learners: Any, **numbers: Any) -> None:
    """Refuse what cannot be simulated."""
    if not isinstance(world, World):
        raise BadInput(f"a world is an object such as TwoGaussians(), not {world!r}")
    for name, number in numbers.items():
        whole_number(name, number)
    for learner in learners:
        fresh(learner)


def names_of(intervals: str | Sequence[str]) -> tuple[str, ...]:
    """One interval or several, by name."""
    found = (intervals,) if isinstance(intervals, str) else tuple(intervals)
    if not found:
        raise BadInput("intervals names no interval: give at least one, such as 'corrected_t'")
    return found


def share(name: str, value: Any) -> float:
    """A number between 0 and 1, such as the size that a test is allowed."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < 1:
        raise BadInput(f"{name} lies between 0 and 1, not {value!r}")
    return float(value)
