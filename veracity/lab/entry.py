"""What every world declares, and how one is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.core.errors import BadInput

LEARNERS, EFFECTS, WITH_EFFECT = "`learners=`", "`effects=`", "`effects=0.1`"


@dataclass(frozen=True, eq=False, repr=False)
class WorldRule(Entry):
    """`function(**parameters)` makes a world, a frozen description from which anything can be drawn."""

    kind: ClassVar[str] = "world"
    plain_types: ClassVar[bool] = True


world = WorldRule.decorator  # of a class of worlds, under the name that is typed
worlds: Catalogue[WorldRule] = Catalogue("veracity.lab", WorldRule)


def make_world(text: str) -> Any:
    """The world that a text stands for."""
    choice = worlds.choose(text)
    return choice.function()


def check_between(name: str, value: Any, low: float, high: float, open_ends: bool = False) -> None:
    """Refuse a parameter of a world outside of its bounds."""
    inside = isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high
    if not inside or (open_ends and value in (low, high)):
        raise BadInput(f"{name} lies between {low:g} and {high:g}, not {value!r}")
