"""What every world declares, and how one is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from veracity.core.entry import Entry


@dataclass(frozen=True, eq=False, repr=False)
class WorldRule(Entry):
    """`function(**parameters)` makes a world, a frozen description from which anything can be drawn."""

    kind: ClassVar[str] = "world"
    plain_types: ClassVar[bool] = True


world = WorldRule.decorator  # of a class of worlds, under the name that is typed
