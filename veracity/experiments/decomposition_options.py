"""The types by which a checker tells what `bias_variance` gives: one decomposition, or one for each value."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from veracity.core.arguments import Preparation

if TYPE_CHECKING:
    from veracity.experiments.bias_variance import DrawableWorld
    from veracity.records.plan import ProgressCallback
    from veracity.stores.open_store import StoreLike


class DecompositionOptions(TypedDict, total=False):
    """What `bias_variance` takes besides the parameter whose values are compared."""

    loss: str | None
    kind: str
    draws: int
    by: str
    test: float | int | None
    world: DrawableWorld | None
    rows: int
    seed: int
    workers: int
    store: StoreLike | None
    prepare: Preparation
    progress: bool | ProgressCallback | None
    engine: str
    address: str | None
    timeout: float | None
