"""What every rule that makes splits declares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from veracity.core.entry import Entry, Parameter
from veracity.core.notes import Note
from veracity.designs.parameters import variant
from veracity.records.design import Split

SplitsAndNotes = Iterator[Split | Note]  # splits in their order, and what the reader should know of them


@dataclass(frozen=True, eq=False, repr=False)
class DesignRule(Entry):
    """A function of rows and a generator that yields splits; its limits are predicates over the rows."""

    kind: ClassVar[str] = "design"

    # of "stratified", "grouped" and "ordered", which brings a gap; the function gets the `Variant` that is in effect
    variants: tuple[str, ...] = ()
    tests_training: bool = False  # whether test rows are training rows by intent
    count: Callable[..., int] = lambda rows, **_: 1  # splits, of rows and all parameters, before any is made
    several_kinds: bool = False  # whether its splits are of kinds that train on different numbers of rows

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those of the function, and the variants with which it deals rows."""
        gap = [Parameter("gap", 0, "int")] if "ordered" in self.variants else []
        return (*super().parameters, *(Parameter(name, "auto", "Auto") for name in self.variants), *gap)

    def __call__(self, *evidence: Any, **arguments: Any) -> Any:
        if evidence and self.variants:
            options = {name: arguments.pop(name, "auto") for name in self.variants}
            evidence = (*evidence, variant(evidence[0], gap=arguments.pop("gap", 0), **options))
        return super().__call__(*evidence, **arguments)


design = DesignRule.decorator  # of `function(rows, random, **parameters)`, which yields splits
