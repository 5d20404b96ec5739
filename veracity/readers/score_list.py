"""Scores one by one, whatever file they come from, brought into a matrix of data sets and learners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.evidence.score_matrix import ScoreMatrix, SplitScores
from veracity.readers.columns import Columns, numbers
from veracity.readers.guess_columns import Roles
from veracity.records.arrays import Array, freeze

Key = tuple[Any, ...]  # what tells the splits of one data set apart: repeat and fold
SplitPlaces = dict[Key, int]  # the place of each split's score in the list
Cells = dict[tuple[str, str], SplitPlaces]  # by data set and learner


@dataclass(frozen=True, eq=False)
class ScoreList:
    """One score per place of every array; `rows` says where in the file it stands."""

    source: str
    data: Sequence[str]
    learner: Sequence[str]
    value: Array
    rows: Sequence[object]
    keys: Sequence[Key] | None = None  # None: one score per data set and learner
    repeats: Array | None = None
    train: Array | None = None
    test: Array | None = None
    score: str = ""  # what the file calls them, where it does
    sizes: tuple[str, str] = ("train", "test")  # what the columns of sizes would be called
    notes: tuple[Note, ...] = ()

    def matrix(self, score: str, better: str) -> ScoreMatrix:
        """The mean of every data set and learner, with its splits where the file tells their sizes."""
        cells = self._cells()
        datasets, learners = tuple(dict.fromkeys(self.data)), tuple(dict.fromkeys(self.learner))
        order = {name: self._splits(cells, name, learners) for name in datasets}
        values = [[self._mean(cells.get((name, one)), order[name]) for one in learners] for name in datasets]
        notes = self.notes + self._missing_splits(cells, order)
        splits = None
        if self.keys is not None and self.train is None:
            notes += (self._no_sizes(),)
        elif self.keys is not None:
            splits = tuple(
                tuple(self._split_scores(cells.get((name, one)), order[name]) for one in learners) for name in datasets
            )
        return ScoreMatrix(freeze(np.array(values)), learners, datasets, better, score, splits, notes)

    def _cells(self) -> Cells:
        cells: Cells = {}
        keys = [()] * len(self.data) if self.keys is None else self.keys
        for place, (name, learner, key) in enumerate(zip(self.data, self.learner, keys, strict=True)):
            cell = cells.setdefault((name, learner), {})
            if key in cell:
                raise self._same_split(name, learner, key, cell[key], place)
            cell[key] = place
        return cells

    def _same_split(self, name: str, learner: str, key: Key, first: int, place: int) -> BadInput:
        both = f"{self.source}: rows {self.rows[first]} and {self.rows[place]} both score {learner} on {brief(name)}"
        if key:
            return BadInput(f"{both} in the same split ({', '.join(map(str, key))}): each split has one score")
        return BadInput(f"{both}: name the columns that tell splits apart, `repeat=` and `fold=`")

    def _splits(self, cells: Cells, name: str, learners: Sequence[str]) -> SplitPlaces:
        """The splits of a data set, each with a place where its sizes stand; learners must agree on them."""
        splits: SplitPlaces = {}
        for learner in learners:
            for key, place in cells.get((name, learner), {}).items():
                first = splits.setdefault(key, place)
                for sizes in (self.train, self.test):
                    if sizes is not None and sizes[first] != sizes[place]:
                        both = f"{self.source}: rows {self.rows[first]} and {self.rows[place]} are the same split of"
                        of = f"{brief(name)} but of {sizes[first]:g} and {sizes[place]:g} rows"
                        raise BadInput(f"{both} {of}: learners are compared on the same splits")
        return splits

    def _values(self, cell: SplitPlaces, order: SplitPlaces) -> Array:
        return np.array([self.value[cell[key]] if key in cell else np.nan for key in order], float)

    def _mean(self, cell: SplitPlaces | None, order: SplitPlaces) -> float:
        return float("nan") if cell is None else float(self._values(cell, order).mean())

    def _split_scores(self, cell: SplitPlaces | None, order: SplitPlaces) -> SplitScores | None:
        if cell is None:
            return None
        assert self.train is not None and self.test is not None
        at = list(order.values())
        train, test = self.train[at], self.test[at]
        once = test.sum() < 1.5 * (train + test).mean()  # folds of one repeat make up the rows once, hold-outs do not
        unnamed = 0 if once else np.arange(len(at))
        return SplitScores.of(
            self._values(cell, order), train, test, unnamed if self.repeats is None else self.repeats[at]
        )

    def _missing_splits(self, cells: Cells, order: dict[str, SplitPlaces]) -> tuple[Note, ...]:
        """Splits on which some learner of the data set has no score."""
        short = []
        for (name, learner), cell in cells.items():
            lost = int(np.isnan(self._values(cell, order[name])).sum())
            if lost and self.keys is not None:
                short.append(f"{learner} lacks {lost} of {len(order[name])} splits on {brief(name)}")
        if not short:
            return ()
        more = f" (and {len(short) - 3} more)" if len(short) > 3 else ""
        says = f"{'; '.join(short[:3])}{more}: the score there is missing, for a mean over other splits is none"
        return (Note("missing-splits", "caution", says),)

    def _no_sizes(self) -> Note:
        lacks = f"{self.source} has no columns {' and '.join(self.sizes)}, without which nobody knows how much splits"
        way = "give `train=` and `test=`, the name of a column or one number of rows for all splits"
        return Note("no-sizes", "remark", f"{lacks} overlap: {way}")


def scores_of_rows(
    columns: Columns,
    roles: Roles,
    data: Sequence[str],
    learner: Sequence[str],
    value: Array,
    rows: Sequence[int] | None = None,
    **about: Any,
) -> ScoreList:
    """Scores with their splits; `rows` are the rows of the file, from 0, where several scores stand in one."""
    at = np.arange(len(value)) if rows is None else np.asarray(rows)
    train, test = (_sizes(columns, getattr(roles, part), at) for part in ("train", "test"))
    if train is not None and test is not None:
        about |= {"train": train, "test": test}
    if roles.repeat is not None:
        about["repeats"] = np.unique(columns[roles.repeat].astype(str), return_inverse=True)[1][at]
    names = [place + columns.source.first for place in at.tolist()]
    return ScoreList(columns.source.name, data, learner, value, names, _keys(columns, roles, at), **about)


def join_lists(lists: Sequence[ScoreList]) -> ScoreList:
    """The scores of several tables without splits, as if they stood in one."""
    first = lists[0]
    return replace(
        first,
        source=f"{first.source} and {plural(len(lists) - 1, 'more file')}",
        data=[name for each in lists for name in each.data],
        learner=[name for each in lists for name in each.learner],
        value=np.concatenate([each.value for each in lists]),
        rows=[f"{row} of {each.source}" for each in lists for row in each.rows],
        notes=tuple(dict.fromkeys(note for each in lists for note in each.notes)),
    )


def _keys(columns: Columns, roles: Roles, at: Array) -> list[Key] | None:
    """What tells the splits apart; whole numbers are whole, so that 1 and 1.0 are the same fold."""
    parts = [
        [int(cell) if isinstance(cell, float) and cell.is_integer() else cell for cell in columns[name].tolist()]
        for name in (roles.repeat, roles.fold)
        if name is not None
    ]
    return [tuple(part[row] for part in parts) for row in at] if parts else None


def _sizes(columns: Columns, given: Any, at: Array) -> Array | None:
    if given is None:
        return None
    sizes = numbers(columns, given)[at] if isinstance(given, str) else np.full(len(at), float(given))
    wrong = sizes[~(sizes >= 1)]
    if len(wrong):
        raise BadInput(f"{columns.source.name}: a split has {wrong[0]:g} rows by {given!r}; sizes are at least 1")
    return sizes
