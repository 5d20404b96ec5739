"""Every threshold that tells rows apart, with its confusion matrix; and whether two sets of rows are the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.counts import Counts
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array

CHUNK = 1_000_000  # matrices made at once, to bound memory
Scale = Literal["proba", "value"]


@dataclass(frozen=True, eq=False)
class Thresholds:
    """Infinity, which selects nobody, then the distinct values downwards; true and false positives at each."""

    at: Array
    tp: Array
    fp: Array
    classes: tuple[Any, ...]
    positive: int

    @classmethod
    def of(cls, p: Predictions) -> Thresholds:
        o = on_scale(p, scale_of(p)).ordering
        if o.values is None:
            raise BadInput("the values were not kept for lack of memory, so there are no thresholds: give fewer rows")
        return cls(np.concatenate([[np.inf], o.values]), o.tp, o.fp, p.classes, p.named_positive)

    def __len__(self) -> int:
        return len(self.at)

    def confusions(self) -> Iterator[Counts]:
        """The confusion matrices of all thresholds in order, many at a time."""
        for start in range(0, len(self), CHUNK):
            yield self._counts(slice(start, start + CHUNK))

    def _counts(self, part: slice) -> Counts:
        tp, fp = self.tp[part], self.fp[part]
        matrix = np.empty((len(tp), 2, 2))
        yes, no = self.positive, 1 - self.positive
        matrix[:, yes, yes], matrix[:, yes, no] = tp, self.tp[-1] - tp
        matrix[:, no, yes], matrix[:, no, no] = fp, self.fp[-1] - fp
        return Counts(matrix, self.classes, self.positive)


def scale_of(p: Predictions) -> Scale:
    """What a threshold cuts: probabilities where there are any, else decision values."""
    if p.kind != "classes" or not p.binary:
        raise BadInput("a threshold separates two classes: these predictions are of another kind")
    if p.proba is None and p.value is None:
        raise BadInput("a threshold needs probabilities or decision values to cut: give proba= or value=")
    return "value" if p.proba is None else "proba"


def on_scale(p: Predictions, scale: Scale) -> Predictions:
    """The predictions with only what a threshold on this scale cuts; refused where that is missing."""
    if getattr(p, scale) is None:
        raise BadInput(f"the threshold was chosen on {scale}=, which these predictions do not hold")
    if p.proba is None or p.value is None:
        return p
    return replace(p, value=None) if scale == "proba" else replace(p, proba=None)


def same_rows(a: Predictions, b: Predictions) -> bool:
    """Whether two predictions are of the same rows: by their ids, or because truth and predictions are identical."""
    if a is b or (a.rows is not None and b.rows is not None and _same_ids(a.rows, b.rows)):
        return True
    columns = ("truth", "proba", "value")
    return len(a) == len(b) and all(_identical(getattr(a, column), getattr(b, column)) for column in columns)


def shared_rows(a: Predictions, b: Predictions) -> int:
    """How many row ids of b are also in a; 0 where ids are missing."""
    if a.rows is None or b.rows is None:
        return 0
    return len(np.intersect1d(_sortable(a.rows), _sortable(b.rows)))


def _same_ids(a: Array, b: Array) -> bool:
    return len(a) == len(b) and np.array_equal(np.sort(_sortable(a)), np.sort(_sortable(b)))


def _sortable(ids: Array) -> Array:
    return ids.astype(str) if ids.dtype.kind == "O" else ids


def _identical(a: Array | None, b: Array | None) -> bool:
    if a is None or b is None:
        return a is b
    return a is b or bool(np.array_equal(a, b))
