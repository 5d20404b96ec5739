"""Rows dealt at random into parts of given sizes, with classes spread evenly or groups kept whole."""

from __future__ import annotations

from heapq import heapreplace

import numpy as np

from veracity.core.errors import Refused
from veracity.designs.proportional import proportional
from veracity.designs.variants import Variant
from veracity.records.arrays import Array, frozen
from veracity.records.design import Rows


def dealt(rows: Rows, sizes: tuple[int, ...], how: Variant, random: np.random.Generator) -> Array:
    """For each row the part it falls into; groups make sizes approximate, everything else keeps them."""
    if how.grouped and rows.groups is not None:
        return _dealt_groups(rows.groups, sizes, random)
    order = random.permutation(len(rows))
    parts = np.arange(len(sizes), dtype=np.int32)
    if how.stratified and rows.classes is not None:
        table = proportional(_class_sizes(rows.classes, len(sizes)), sizes)
        order = order[np.argsort(_narrow(rows.classes)[order], kind="stable")]
        pattern = np.repeat(np.tile(parts, len(table)), table.ravel())
    else:
        pattern = np.repeat(parts, sizes)
    found = np.empty(len(rows), np.int32)
    found[order] = pattern
    return found


def chosen(these: Array) -> Array:
    """The rows where a mask holds: ascending, read-only."""
    return frozen(np.flatnonzero(these).astype(np.int32))


def _class_sizes(classes: Array, parts: int) -> tuple[int, ...]:
    sizes = np.bincount(classes)
    rarest = int(sizes[sizes > 0].min())
    if rarest < parts:
        raise Refused(
            f"the rarest class has {rarest} row{'s' * (rarest > 1)}, too few for {parts} parts: "
            "use fewer parts, or stratified=False to leave it to chance",
            "rare-class",
        )
    return tuple(sizes.tolist())


def _narrow(classes: Array) -> Array:
    """Codes in 16 bits where they fit, because numpy sorts those in linear time."""
    return classes.astype(np.int16) if classes.max() < 2**15 else classes


def _dealt_groups(groups: Array, sizes: tuple[int, ...], random: np.random.Generator) -> Array:
    """Groups in random order, each to the part filled least so far: none is overfilled by a whole group."""
    number = np.bincount(groups)
    if len(number) < len(sizes):
        raise Refused(f"{len(number)} group(s) cannot fill {len(sizes)} parts: use fewer parts", "few-groups")
    order = random.permutation(len(number))
    filled = [(0.0, part) for part in range(len(sizes))]
    part_of = np.empty(len(number), np.int32)
    for group, rows in zip(order.tolist(), number[order].tolist(), strict=True):
        share, part = filled[0]
        part_of[group] = part
        heapreplace(filled, (share + rows / sizes[part], part))
    return part_of[groups]
