"""Names along an axis in the place of numbers: side by side where they fit, else turned upright."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from veracity.plots.letters import cut, wide

LONGEST = 20  # characters of a name along an axis
BETWEEN = 0.7  # between two names side by side, in sizes of their letters
UPRIGHT = 1.3  # from one upright name to the next


@dataclass(frozen=True)
class PlaceNames:
    """The names that are shown at 1, 2, ..., and how far down they reach beyond one line, in sizes of the letters."""

    shown: dict[float, str]
    turned: bool = False
    deeper: float = 0.0


def place_names(names: Sequence[str], room: float) -> PlaceNames:
    """Names along an axis of this many sizes of their letters; of more than can be read, every second or third."""
    short = {float(place): cut(" ".join(name.split()), LONGEST) for place, name in enumerate(names, 1)}
    each, widest = room / len(short), max(map(wide, short.values()))
    if widest + BETWEEN <= each:
        return PlaceNames(short)
    step = max(1, math.ceil(UPRIGHT / each))
    return PlaceNames(dict(list(short.items())[::step]), turned=True, deeper=max(0.0, widest - 1))
