"""Before anything is run: the power of a test, and the width of an interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry

MANY = 10**9  # of rows or data sets: nobody has more


@dataclass(frozen=True, eq=False, repr=False)
class PowerOf(Entry):
    """`function(size, effect, at, **parameters) -> power`, the chance that the test concludes."""

    kind: ClassVar[str] = "power"
    plain_types: ClassVar[bool] = True

    size: str = "datasets"  # what is to be had: rows, groups, datasets or splits
    effect: str = "difference"
    span: Callable[[dict[str, Any]], tuple[float, float]] = lambda _: (0.0, 1.0)  # effects between which power rises
    least: int = 2  # the smallest size
    most: int = MANY  # the largest size worth asking for
    beyond: str = ""  # what to do where even that is not enough
    jagged: bool = False  # whether power may fall when the size grows by one, as counts make it; reads many sizes then

    def cells(self) -> dict[str, str]:
        return {"parameters": ", ".join((self.size, self.effect, "power", *map(str, self.parameters)))}


@dataclass(frozen=True, eq=False, repr=False)
class WidthOf(Entry):
    """`function(rows, at, **parameters) -> width`, the expected width of an interval."""

    kind: ClassVar[str] = "width"
    plain_types: ClassVar[bool] = True

    least: int = 1  # the fewest rows
    remark: str = ""  # what is meant by expected

    def cells(self) -> dict[str, str]:
        return {"parameters": ", ".join(("rows", "width", *map(str, self.parameters)))}


power_of, width_of = PowerOf.decorator, WidthOf.decorator
powers = Catalogue(__name__, PowerOf)
widths = Catalogue(__name__, WidthOf)
