"""One learner on one data set by one design, as the store tells it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import Any

import numpy as np

from veracity.evidence.origin import Origin
from veracity.evidence.predictions import Predictions, subset
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data
from veracity.records.design import Design, SplitPart
from veracity.records.fit import OUTPUTS, Outcome

ROOM = 200_000_000  # bytes of data sets and designs that are remembered


@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """Its predictions and how many splits are missing."""

    data: str
    learner: str
    design: Design
    predictions: Predictions | None  # None when no split succeeded
    truth: Array  # of all rows of the data set, by row number
    failed: int = 0
    absent: int = 0
    reason: str = ""  # why the first failed split failed
    chosen: tuple[str, ...] = ()  # by a learner that tunes itself, in each split, as the store holds it
    seconds: Array | None = None  # (splits, 2): of training and of predicting, NaN where that is not known

    @property
    def complete(self) -> bool:
        return not self.failed and not self.absent

    @cached_property
    def places(self) -> dict[int, slice]:
        """Where the predictions of each split that succeeded lie: always together."""
        p = self.predictions
        if p is None or p.splits is None:
            return {}
        starts = np.flatnonzero(np.diff(p.splits, prepend=-1))
        edges = pairwise([*starts.tolist(), len(p)])
        return {number: slice(*edge) for number, edge in zip(p.splits[starts].tolist(), edges, strict=True)}

    @cached_property
    def times_drawn(self) -> Array:
        """How often the row of each prediction is among the training rows of its split."""
        times, edges = self.design.times_drawn, self.design.test_edges
        if list(self.places) == list(range(len(self.design))):
            return times
        return np.concatenate([times[:0], *(times[edges[number] : edges[number + 1]] for number in self.places)])

    @cached_property
    def train_means(self) -> Array:
        """The mean target of the training rows of each split, for numbers."""
        return np.array([self.truth[split.train].mean() for split in self.design.splits])

    @cached_property
    def fresh(self) -> Run:
        """The run without rows that a split's own model had learned from, unless there are no others."""
        if self.predictions is None or not self.design.tests_trained:
            return self
        if not self.times_drawn.any() or self.times_drawn.all():
            return self
        return replace(self, design=self.design.fresh, predictions=subset(self.predictions, self.times_drawn == 0))

    def __repr__(self) -> str:
        missing = "" if self.complete else f", {self.failed} failed, {self.absent} not run"
        return f"Run({self.learner} on {self.data} by {self.design.name}: {len(self.design)} splits{missing})"


def run_of_predictions(p: Predictions) -> Run:
    """The run that predictions of several models come from, with the rows that are left of it.

    Of a design in parts these are the splits of the first part, as all parts together need the training rows too.
    """
    origin = p.origin
    assert origin is not None and p.splits is not None and p.rows is not None
    design, main = origin.design, np.array(origin.design.main_splits)
    order = np.lexsort((origin.row_numbers(p.rows), p.splits))  # the same whatever the order of the lines
    p = subset(p, order[np.isin(p.splits[order], main)])
    rows, numbers = freeze(origin.row_numbers(np.asarray(p.rows))), np.searchsorted(main, np.asarray(p.splits))
    tests = np.split(rows, np.searchsorted(numbers, np.arange(1, len(main))))
    splits = tuple(
        replace(design.splits[number], test=test, part=SplitPart()) for number, test in zip(main, tests, strict=True)
    )
    name = f"the {len(main)} main splits of {design.name}" if design.splits[0].part else design.name
    main_splits, p = replace(design, name=name, splits=splits), replace(p, rows=rows, splits=freeze(numbers))
    return Run(origin.data, p.name, main_splits, p, origin.truth)


def pool_predictions(
    table: Data, design: Design, keys: Sequence[str], outcomes: Mapping[str, Outcome], name: str
) -> Predictions | None:
    """Return the test rows of all splits that succeeded as one set of predictions; raise LookupError if one lacks."""
    done = [
        (number, split.test, outcomes[key])
        for number, (split, key) in enumerate(zip(design.splits, keys, strict=True))
        if key in outcomes and outcomes[key].status == "done" and outcomes[key].rows is not None
    ]
    if not done:
        return None
    numbers, tests, parts = zip(*done, strict=True)
    splits = np.repeat(np.array(numbers, np.int32), [len(test) for test in tests])
    index = np.concatenate(tests)
    predicted = np.concatenate([part.rows for part in parts])
    of_split = np.repeat(numbers, [len(part.rows) for part in parts])
    at = None
    if not (np.array_equal(predicted, index) and np.array_equal(of_split, splits)):
        there = of_split * design.rows + predicted  # each split behind the one before
        wanted = splits.astype(int) * design.rows + index
        at = np.searchsorted(there, wanted)
        if not np.array_equal(there.take(at, mode="clip"), wanted):
            raise LookupError("a test row was not predicted")
    outputs: dict[str, Any] = {}
    for output in OUTPUTS:
        columns = [getattr(part, output) for part in parts]
        if all(column is not None for column in columns):
            joined = np.concatenate(columns)
            outputs[output] = freeze(joined if at is None else joined[at])
    return predictions_of_splits(table, design, index, splits, outputs, name)


def predictions_of_splits(
    table: Data, design: Design, index: Array, splits: Array, outputs: Mapping[str, Any], name: str
) -> Predictions:
    """What models of the splits of a design said of rows of a data set, with the splits that each row belongs to."""
    return Predictions(
        table.kind,
        freeze(table.truth[index]),
        table.classes,
        table.positive,
        **outputs,
        rows=freeze(index),
        splits=freeze(splits),
        weights=None if table.weights is None else freeze(table.weights[index]),
        groups=None if table.groups is None else freeze(np.unique(table.groups[index], return_inverse=True)[1]),
        name=name,
        origin=Origin(design, table.truth, table.name),
    )


def seconds_of_splits(design: Design, keys: Sequence[str], outcomes: Mapping[str, Outcome]) -> Array:
    """Seconds of training and of predicting in each split, NaN where that is not known.

    A fit that predicted more rows than those of the split took its share of that time for them.
    """
    seconds = np.full((len(keys), 2), np.nan)
    for number, (split, key) in enumerate(zip(design.splits, keys, strict=True)):
        one = outcomes.get(key)
        if one is not None and one.rows is not None:
            share = len(split.test) / max(len(one.rows), 1)
            seconds[number] = one.seconds_fit, one.seconds_predict * share
    return freeze(seconds)


class Memory:
    """Data sets and designs that were read, which no store changes; beyond `room` bytes the least recent ones go."""

    def __init__(self, room: int = ROOM) -> None:
        self.room = room
        self._items: OrderedDict[tuple[str, ...], tuple[Any, int]] = OrderedDict()
        self._lock = Lock()
        self.choosers: dict[tuple[str, str, str], bool] = {}  # whether the learner of a run that was read tunes itself

    def recall(self, place: tuple[str, ...], read: Callable[..., Any]) -> Any:
        """Return what is at a place, read once."""
        with self._lock:
            if place in self._items:
                self._items.move_to_end(place)
                return self._items[place][0]
        item = read(*place)
        with self._lock:
            self._items[place] = item, item.nbytes
            while len(self._items) > 1 and sum(size for _, size in self._items.values()) > self.room:
                self._items.popitem(last=False)
        return item
