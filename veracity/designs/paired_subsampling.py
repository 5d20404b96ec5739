"""Hold-outs on all rows and, beside them, hold-outs inside pairs of disjoint halves."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.designs.entry import Makes, Said, design
from veracity.designs.parts import chosen, dealt, every_class_in
from veracity.designs.sizes import even, held_out, whole
from veracity.designs.streams import stream
from veracity.designs.variants import Variant, variant
from veracity.records.arrays import Array, freeze
from veracity.records.design import Rows, Split

HALVES = 2  # each with a test part and a training part


@design("Paired subsampling", cite=("nadeau2003",), several_kinds=True)
def paired_subsampling(
    rows: Rows,
    random: np.random.Generator,
    *,
    outer: int = 10,
    inner: int = 15,
    test: float = 0.1,
    stratified: Said = "auto",
) -> Makes:
    """Hold-outs on all rows, and `outer` times two disjoint halves with as many hold-outs of that test size in each.

    Two halves share no row, so how far their means lie apart measures the variance that overlapping splits hide.
    Parts are called "full", "half 0 a", "half 0 b", "half 1 a" and so on; `repeat` counts the hold-outs of a part.
    """
    how = variant(rows, stratified)
    sizes, pairs, number = held_out(len(rows), test=test), whole("outer", outer), whole("inner", inner)
    if sizes[0] >= len(rows) // 2:
        raise Refused(
            f"{sizes[0]} test rows leave no training row in halves of {len(rows)} rows: use a smaller test share",
            "empty-part",
        )
    if how.stratified:
        every_class_in(rows, HALVES * 2)
    every = np.arange(len(rows), dtype=np.int32)
    for repeat in range(number):
        yield _holdout(rows, every, sizes[0], how, stream(random, repeat), repeat, "full")
    for pair in range(pairs):
        half = dealt(rows, even(len(rows), HALVES), how, stream(random, pair, 0))
        for side, name in enumerate("ab"):
            members = chosen(half == side)
            for repeat in range(number):
                place = stream(random, pair, 1 + side, repeat)
                yield _holdout(rows, members, sizes[0], how, place, repeat, f"half {pair} {name}")


def _holdout(
    rows: Rows, members: Array, test: int, how: Variant, random: np.random.Generator, repeat: int, part: str
) -> Split:
    inside = Rows(len(members), None if rows.classes is None else rows.classes[members])
    tests = dealt(inside, (test, len(members) - test), how, random) == 0
    return Split(freeze(members[~tests]), freeze(members[tests]), repeat, part=part)
