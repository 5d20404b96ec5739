"""Effect sizes: a difference in units of its own variation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from veracity.core.catalogue import Catalogue
from veracity.core.entry import Entry
from veracity.core.measurement import Coverage
from veracity.findings.interval import Limits


class Sized(NamedTuple):
    """What a method computes: the effect size and its limits."""

    value: float
    limits: Limits


@dataclass(frozen=True, eq=False, repr=False)
class EffectMethod(Entry):
    """`function(pairs, at, **parameters) -> Sized`, of the scores of two on the same units."""

    kind: ClassVar[str] = "effect size"
    measured: ClassVar[str] = "coverage"
    figures = (Coverage, "veracity.effects")
    plain_types: ClassVar[bool] = True

    span: tuple[float, float] = (-1.0, 1.0)  # in which it lies
    none: float = 0.0  # its value where nothing differs

    def particulars(self) -> dict[str, tuple[str, ...]]:
        low, high = self.span
        return {"Range": (f"{low:g} to {high:g}, {self.none:g} where nothing differs",)}


effect_size = EffectMethod.decorator


effects = Catalogue(__name__, EffectMethod)
