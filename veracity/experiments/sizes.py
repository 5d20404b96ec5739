"""The same splits with fewer training rows: nested subsets of each training part, tested on the same rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import generator
from veracity.designs.facts import design_facts, design_parts
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data
from veracity.records.design import Design, Split

NEEDS = "use a design such as kfold(k=10), repeated_kfold or holdout"


def check_cuttable(design: Design) -> None:
    """Only splits of one kind, whose training rows are each there once and not tested, can be cut shorter."""
    if len(design_parts(design)) > 1:
        raise Refused(
            f"{design.name} has splits of several kinds, which cannot all be cut to one size: {NEEDS}", "parts"
        )
    if any(len(np.unique(split.train)) < len(split.train) for split in design.splits):
        raise Refused(f"{design.name} draws training rows more than once, so they have no subset: {NEEDS}", "drawn")
    if design_facts(design).tests_training:
        raise Refused(f"{design.name} tests rows that it trains on: {NEEDS}", "tests-training")


def counted(sizes: Any, most: int) -> list[int]:
    """Numbers of training rows, ascending; a share such as 0.5 is of the `most` that every split has."""
    given = list(sizes) if isinstance(sizes, Iterable) and not isinstance(sizes, str) else [sizes]
    if not given:
        raise BadInput("sizes names no size: give numbers of training rows, or shares such as 0.5")
    return sorted({_rows(size, most) for size in given})


def _rows(size: Any, most: int) -> int:
    if isinstance(size, (float, np.floating)) and 0 < size <= 1:
        return max(1, round(float(size) * most))
    if isinstance(size, bool) or not hasattr(size, "__index__") or int(size) < 1:
        raise BadInput(f"a size is a number of training rows, or a share of them in (0, 1], not {size!r}")
    if int(size) > most:
        raise BadInput(f"the size {int(size)} is more than the {most} training rows that every split has")
    return int(size)


def smallest_training(design: Design) -> int:
    return min(len(split.train) for split in design.splits)


def shortened(design: Design, data: Data, sizes: Sequence[int], seed: int) -> list[Design]:
    """The design at each size. The same split at a smaller size trains on a part of the rows of a larger one."""
    orders = [_order(split.train, data, seed, number) for number, split in enumerate(design.splits)]
    _every_class(orders, data, sizes)
    return [_cut(design, orders, size) for size in sizes]


def _cut(design: Design, orders: list[Array], size: int) -> Design:
    splits = zip(design.splits, orders, strict=True)
    cut = tuple(replace(split, train=freeze(np.sort(order[:size]).astype(np.int32))) for split, order in splits)
    return replace(design, name=f"{design.name} trained on {size} rows", splits=cut)


def on_training(design: Design) -> Design:
    """The same models, tested on the rows that they were trained on."""
    splits = tuple(_on_training(split) for split in design.splits)
    return replace(design, name=f"{design.name}, tested on the training rows", splits=splits)


def _on_training(split: Split) -> Split:
    return replace(split, test=freeze(np.unique(split.train)), validation=None)


def _order(train: Array, data: Data, seed: int, number: int) -> Array:
    """Training rows in the order in which they are taken: at random, but each class in its share at every size.

    With groups, group by group; in time order the latest first, as these are what a shorter history would hold.
    """
    rows: Array = generator(seed, "sizes", number).permutation(train)
    if data.time is not None:
        return rows[np.argsort(-data.time[rows], kind="stable")]
    if data.groups is not None:
        _, first, group = np.unique(data.groups[rows], return_index=True, return_inverse=True)
        return rows[np.argsort(first[group], kind="stable")]
    if data.kind == "numbers":
        return rows
    return rows[np.argsort(_share_before(data.truth[rows]), kind="stable")]


def _share_before(classes: Array) -> Array:
    """For each row, how much of its class lies before it, half of itself included."""
    share = np.empty(len(classes))
    for code in np.unique(classes):
        members = np.flatnonzero(classes == code)
        share[members] = (np.arange(len(members)) + 0.5) / len(members)
    return share


def _every_class(orders: list[Array], data: Data, sizes: Sequence[int]) -> None:
    """Refuse sizes at which some training part misses a class that the whole part shows."""
    if data.kind != "classes":
        return
    least = 1 + max(int(np.unique(data.truth[order], return_index=True)[1].max()) for order in orders)
    if sizes[0] < least:
        says = f"the size {sizes[0]} is too small to show all {len(data.classes)} classes in every training part"
        raise Refused(f"{says}: {_way_out(least, min(map(len, orders)))}", "class-missing")


def _way_out(least: int, most: int) -> str:
    """Where training parts differ in size, as in time, the smallest may be too small for what another one needs."""
    if least <= most:
        return f"begin with {least} rows"
    return f"that takes {least} rows, and every split has only {most}: use by='holdout', which has one training part"
