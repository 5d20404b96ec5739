"""A world that knows its own truth: fresh training sets, and what is best at every row."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from veracity.records.arrays import Array


@runtime_checkable
class World(Protocol):
    """Anything that can draw rows. What it knows beyond that makes the parts of a loss exact.

    For squared loss, `mean(X)` is the expected target of each row and `noise` the variance of targets around it, one
    number or a function of X. For 0-1 loss, `chances(X)` has one column for each of the sorted classes.
    """

    def draw(self, rows: int, seed: int) -> tuple[Any, Any]:
        """Features and targets of so many fresh rows."""


def noise_of(world: Any, features: Any) -> Array | float:
    """The variance of targets around their mean, for each row or for all."""
    noise: Any = world.noise(features) if callable(world.noise) else float(world.noise)
    return noise
