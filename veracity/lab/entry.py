"""What every world declares, and how one is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry


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
    return choice.entry.function(**choice.given)
