"""Which learners cannot be told apart: maximal sets without a pair that differs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from veracity.records.arrays import Array

MOST = 1_000  # groups: more than a reader, or a diagram, can hold


def groups(alike: Array) -> tuple[tuple[int, ...], ...] | None:
    """Maximal sets of places of which every two are alike, in the order of their first places; None beyond 1,000.

    `alike` is symmetric; places are in the order of the reader's, best first. By Bron and Kerbosch, with the pivot of
    Tomita, on sets as bits.
    """
    sees = [sum(1 << int(j) for j in np.flatnonzero(row) if j != i) for i, row in enumerate(alike)]
    sets = []
    for members in _maximal(0, (1 << len(sees)) - 1, 0, sees):
        sets.append(tuple(_places(members)))
        if len(sets) > MOST:
            return None
    return tuple(sorted(sets))


def runs(alike: Array) -> tuple[tuple[int, ...], ...]:
    """Maximal runs of neighbouring places of which every two are alike: what remains to be shown of too many groups."""
    spans: list[tuple[int, ...]] = []
    for first in range(len(alike)):
        last = first
        while last + 1 < len(alike) and alike[last + 1, first : last + 1].all():
            last += 1
        if not spans or last > spans[-1][-1]:
            spans.append(tuple(range(first, last + 1)))
    return tuple(spans)


def _maximal(chosen: int, possible: int, excluded: int, sees: list[int]) -> Iterator[int]:
    if not possible and not excluded:
        yield chosen
        return
    pivot = max(_places(possible | excluded), key=lambda v: (sees[v] & possible).bit_count())
    for v in _places(possible & ~sees[pivot]):
        yield from _maximal(chosen | 1 << v, possible & sees[v], excluded & sees[v], sees)
        possible &= ~(1 << v)
        excluded |= 1 << v


def _places(members: int) -> Iterator[int]:
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
