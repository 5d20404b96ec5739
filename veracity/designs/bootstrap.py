"""Designs that train on as many rows as there are: drawn with replacement, or all of them."""

from __future__ import annotations

import numpy as np

from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.designs.deal_rows import rows_where, stream
from veracity.designs.entry import SplitsAndNotes, design
from veracity.designs.parameters import Variant, whole_number
from veracity.records.arrays import freeze
from veracity.records.design import Rows, Split


@design("Bootstrap", variants=("grouped",), count=lambda rows, draws, **_: draws, cite=("efron1979", "efron1983"))
def bootstrap(rows: Rows, random: np.random.Generator, how: Variant, *, draws: int = 200) -> SplitsAndNotes:
    """As many rows as there are, drawn with replacement, train; the rows never drawn, about 37 %, test.

    With groups known, whole groups are drawn. A draw that leaves out nothing is drawn again, and a note counts those.
    """
    groups = rows.groups if how.grouped else None
    number = len(rows) if groups is None else int(groups.max(initial=-1)) + 1
    if number < 2:
        raise Refused("a bootstrap needs at least 2 rows or groups, so that one can be left out", "too-few-parts")
    again = 0
    for draw in range(whole_number("draws", draws)):
        place = stream(random, draw)
        times = np.ones(number, np.int64)  # how often each is drawn
        again -= 1
        while times.all():
            times = np.bincount(place.integers(0, number, number), minlength=number)
            again += 1
        each = times if groups is None else times[groups]
        train = np.repeat(np.arange(len(rows), dtype=np.int32), each)
        yield Split(freeze(train), rows_where(each == 0), repeat=draw)
    if again:
        yield Note("redrawn", "remark", f"{again} bootstrap draw(s) left no row to test and were drawn again")


@design("Resubstitution", cite=("efron1983",), tests_training=True)
def resubstitution(rows: Rows, random: np.random.Generator) -> SplitsAndNotes:
    """All rows train and the same rows test."""
    if len(rows) < 1:
        raise Refused("there is no row to train on", "empty-part")
    every = freeze(np.arange(len(rows), dtype=np.int32))
    yield Split(every, every)
