"""What every adjustment declares."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from veracity.core.entry import Entry


@dataclass(frozen=True, eq=False, repr=False)
class Adjustment(Entry):
    """A function of a family of p-values, all present, that gives each its adjusted value."""

    kind: ClassVar[str] = "adjustment"
    plain_types: ClassVar[bool] = True

    controls: str = "family-wise error"
    pairs: bool = False  # whether it needs to know which p-value belongs to which two learners

    def cells(self) -> dict[str, str]:
        return {"controls": self.controls}

    def particulars(self) -> dict[str, tuple[str, ...]]:
        reads = "p-values of all pairs of some learners" if self.pairs else "any p-values"
        return {"Reads": (f"{reads}; controls the {self.controls}",)}

    def facts(self) -> dict[str, str]:
        return self.cells()


def adjustment(title: str, **fields: Any) -> Callable[[Callable[..., Any]], Adjustment]:
    """Make `function(family, **parameters) -> adjusted` an adjustment."""
    return lambda function: Adjustment(function, title, **fields)
