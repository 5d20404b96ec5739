"""Rows dealt at random into parts of given sizes, with classes spread evenly or groups kept whole."""

from __future__ import annotations

from heapq import heapreplace

import numpy as np

from veracity.core.errors import Refused
from veracity.core.words import plural
from veracity.designs.proportional import proportional
from veracity.designs.variants import Variant
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows


def dealt(rows: Rows, sizes: tuple[int, ...], how: Variant, random: np.random.Generator) -> Array:
    """For each row the part it falls into; groups make sizes approximate, everything else keeps them."""
    if how.grouped and rows.groups is not None:
        enough_groups(rows, len(sizes))
        return _dealt_groups(rows.groups, sizes, random)
    order = random.permutation(len(rows))
    parts = np.arange(len(sizes), dtype=np.int32)
    if how.stratified and rows.classes is not None:
        every_class_in(rows, len(sizes))
        table = proportional(tuple(np.bincount(rows.classes).tolist()), sizes)
        order = order[np.argsort(_narrow(rows.classes)[order], kind="stable")]
        pattern = np.repeat(np.tile(parts, len(table)), table.ravel())
    else:
        pattern = np.repeat(parts, sizes)
    found = np.empty(len(rows), np.int32)
    found[order] = pattern
    return found


def chosen(these: Array) -> Array:
    """The rows where a mask holds: ascending, read-only."""
    return freeze(np.flatnonzero(these).astype(np.int32))


def most_parts(rows: Rows, how: Variant) -> int:
    """Into how many parts the rows can be dealt: none may be empty or, where classes are spread, lack one."""
    if how.grouped and rows.groups is not None:
        return int(rows.groups.max()) + 1
    return _rarest(rows)[1] if how.stratified and rows.classes is not None else len(rows)


def every_class_in(rows: Rows, parts: int, way: str = "") -> None:
    """Refuse rows of which some class cannot be in each of so many parts; `way` is a way out that comes first."""
    code, number = _rarest(rows)
    if number < parts:
        label = f" {rows.labels[code]!r}" if rows.labels else ""
        who = f"the rarest class{label}{' of ' * bool(rows.name)}{rows.name}"
        has = f"{plural(number, 'row')}, too few for {parts} parts"
        other = "leave its rows out" if len(np.unique(np.asarray(rows.classes))) > 2 else "collect more rows of it"
        raise Refused(f"{who} has {has}: {way}{other}", "rare-class")


def _rarest(rows: Rows) -> tuple[int, int]:
    """The code of the rarest class that there is, and how many rows it has."""
    sizes = np.bincount(np.asarray(rows.classes))
    code = int(np.where(sizes > 0, sizes, len(rows) + 1).argmin())
    return code, int(sizes[code])


def enough_groups(rows: Rows, parts: int) -> None:
    """Refuse fewer groups than parts."""
    number = int(np.asarray(rows.groups).max()) + 1
    if number < parts:
        way = f"use at most {number}" if number > 1 else "more groups are needed"
        raise Refused(f"{plural(number, 'group')} cannot fill {parts} parts: {way}", "few-groups")


def _narrow(classes: Array) -> Array:
    """Codes in 16 bits where they fit, because numpy sorts those in linear time."""
    return classes.astype(np.int16) if classes.max() < 2**15 else classes


def _dealt_groups(groups: Array, sizes: tuple[int, ...], random: np.random.Generator) -> Array:
    """Groups in random order, each to the part filled least so far: none is overfilled by a whole group."""
    number = np.bincount(groups)
    order = random.permutation(len(number))
    filled = [(0.0, part) for part in range(len(sizes))]
    part_of = np.empty(len(number), np.int32)
    for group, rows in zip(order.tolist(), number[order].tolist(), strict=True):
        share, part = filled[0]
        part_of[group] = part
        heapreplace(filled, (share + rows / sizes[part], part))
    return part_of[groups]
