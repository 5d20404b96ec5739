"""Many training sets and one set of test rows, as a design: each draw is a split."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import derive, generator
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data
from veracity.records.design import Design, Split

HALF = 0.5  # of the rows that are not tested, in each subsample
WAYS = ("bootstrap", "subsample")


def resampled(data: Data, test: Array, draws: int, by: str, seed: int) -> Design:
    """Training sets drawn from the rows that are not tested: as many with replacement, or half of them without."""
    if by not in WAYS:
        raise BadInput(f"by is {' or '.join(map(repr, WAYS))}, not {by!r}")
    if data.groups is not None or data.time is not None:
        raise Refused(
            "training sets are drawn row by row: rows with groups or in time order are not independent", "rows"
        )
    pool = np.setdiff1d(np.arange(len(data)), test)
    splits = []
    for draw in range(draws):
        random = generator(seed, "bias and variance", by, draw)
        bootstrap = by == "bootstrap"
        size = len(pool) if bootstrap else max(1, round(HALF * len(pool)))
        train = np.sort(random.choice(pool, size, replace=bootstrap))
        splits.append(Split(freeze(train.astype(np.int32)), freeze(test), repeat=draw))
    return Design(f"{draws} training sets by {by}", seed, len(data), tuple(splits))


def fresh_draws(world: Any, rows: int, test: int, draws: int, seed: int) -> tuple[Any, Any, Design]:
    """Fresh training sets of a world beneath each other, then its test rows."""
    sizes = [rows] * draws + [test]
    parts = [world.draw(size, derive(seed, "world", number) % 2**32) for number, size in enumerate(sizes)]
    features, target = (np.concatenate([np.asarray(part[side]) for part in parts]) for side in (0, 1))
    if len(target) != sum(sizes) or len(features) != sum(sizes):
        raise BadInput(f"the world drew {len(target)} rows where {sum(sizes)} were asked for")
    every = np.arange(len(target), dtype=np.int32)
    splits = tuple(
        Split(freeze(every[first * rows : (first + 1) * rows]), freeze(every[draws * rows :]), repeat=first)
        for first in range(draws)
    )
    return features, target, Design(f"{draws} fresh training sets of {rows} rows", seed, len(target), splits)
