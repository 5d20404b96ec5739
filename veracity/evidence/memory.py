"""What was read of a store and does not change there: data sets and designs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from veracity.records.data import Data
from veracity.records.design import Design

ROOM = 200_000_000  # bytes of data sets and designs that are remembered


class Memory:
    """Data sets and designs that were read, which no store changes; where room is short the oldest are read again."""

    def __init__(self) -> None:
        self.held: dict[tuple[str, ...], tuple[Any, int]] = {}
        self.choosers: dict[tuple[str, str, str], bool] = {}  # whether the learner of a run that was read tunes itself

    def recall(self, place: tuple[str, ...], read: Callable[..., Any]) -> Any:
        """What is at a place, read once."""
        known = self.held.get(place)
        if known is not None:
            return known[0]
        item = read(*place)
        self.held[place] = (item, _size(item))
        while sum(size for _, size in list(self.held.values())) > ROOM and len(self.held) > 1:
            self.held.pop(next(iter(self.held)), None)
        return item


def _size(item: Data | Design) -> int:
    """Bytes of the arrays of a data set without features, or of a design."""
    if isinstance(item, Data):
        arrays = [item.truth, item.weights, item.groups, item.time]
    else:
        arrays = [rows for split in item.splits for rows in (split.train, split.test, split.validation)]
    return sum(array.nbytes for array in arrays if array is not None)
