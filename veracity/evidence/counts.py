"""The confusion matrix, one or many at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from veracity.core.arguments import Column, Label, Table, verb
from veracity.core.errors import BadInput
from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.labels import LABELS, as_labels
from veracity.records.arrays import Array, as_numbers, freeze

RIGHT_WRONG = ("right", "wrong")  # the classes of rows of which no more is known


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Counts(Evidence):
    """Rows of truth i (row) predicted j (column), in the order of `classes`; leading axes hold many matrices.

    Attributes
    ----------
    matrix
        Counts of truth x prediction, in the order of classes; leading axes hold many matrices.
    classes
        The classes in their order.
    positive
        The class that scores of one class are about.
    cells
        The weight of each cell, on the last axis.
    correct
        Rows predicted right.
    fn
        Positive rows predicted negative.
    fp
        Negative rows predicted positive.
    label
        The predicted class of each row.
    order
        Classes as they were given.
    sampling
        Weights and groups of the rows, if there are any.
    tn
        Negative rows predicted negative.
    total
        All rows.
    tp
        Positive rows predicted positive.

    Examples
    --------
    >>> vc.score(vc.Counts([[40, 10], [20, 130]], classes=["ill", "well"], positive="ill"), "recall")
    0.8
    """

    label: ClassVar[str] = "a confusion matrix"

    matrix: Array
    classes: tuple[Any, ...]
    positive: int | None = None
    sampling: Sampling | None = None
    order: Callable[[], Array] | None = None  # the cell of each plain row, one after the other, where rows are known

    def __init__(self, matrix: Table, classes: Column = None, positive: Label = None) -> None:
        """Read a matrix in hand, such as a published one; `positive` is a label, classes not named are 0, 1, ..."""
        array = as_numbers(matrix, "a confusion matrix").astype(float)
        if array.ndim < 2 or array.shape[-1] != array.shape[-2] or array.shape[-1] < 2:
            raise BadInput(f"a confusion matrix is square with at least two classes, not of shape {array.shape}")
        if not np.isfinite(array).all() or (array < 0).any():
            raise BadInput("a confusion matrix holds counts: every cell must be finite and at least 0")
        labels = tuple(range(array.shape[-1])) if classes is None else tuple(as_labels(classes, "classes").tolist())
        if len(labels) != array.shape[-1] or len(set(labels)) != len(labels):
            raise BadInput(f"name each of the {array.shape[-1]} classes once, not {list(labels)}")
        if positive is not None and (not isinstance(positive, LABELS) or positive not in labels):
            raise BadInput(f"the positive class {positive!r} is not among the classes {list(labels)}")
        self._fill(freeze(array), labels, None if positive is None else labels.index(positive))

    @classmethod
    def of_arrays(
        cls,
        matrix: Array,
        classes: tuple[Any, ...],
        positive: int | None = None,
        sampling: Sampling | None = None,
        order: Callable[[], Array] | None = None,
    ) -> Counts:
        """From what is known to be right; `positive` is a place among the classes."""
        counts = cls.__new__(cls)
        counts._fill(matrix, classes, positive, sampling, order)
        return counts

    def _fill(self, *parts: Any) -> None:
        for field, part in zip(fields(self), (*parts, None, None), strict=False):
            object.__setattr__(self, field.name, part)

    def with_positive(self, positive: int) -> Counts:
        """The same counts with the class at another place looked for."""
        return Counts.of_arrays(self.matrix, self.classes, positive, self.sampling, self.order)

    @property
    def cells(self) -> Array:
        return self.matrix.reshape((*self.matrix.shape[:-2], -1))

    def reweigh(self, cells: Array) -> Counts:
        size = len(self.classes)
        matrix = cells.reshape((*cells.shape[:-1], size, size)).astype(float)  # products of whole counts would overflow
        return Counts.of_arrays(matrix, self.classes, self.positive)

    @property
    def total(self) -> Array:
        return self.matrix.sum((-2, -1))

    @property
    def correct(self) -> Array:
        return np.trace(self.matrix, axis1=-2, axis2=-1)

    @property
    def of_truth(self) -> Array:
        """Rows of each true class."""
        return self.matrix.sum(-1)

    @property
    def of_prediction(self) -> Array:
        """Rows predicted to be of each class."""
        return self.matrix.sum(-2)

    @property
    def _positive_class(self) -> int:
        if self.positive is None:
            raise BadInput(f"name the positive class: `positive=` one of {list(self.classes)}")
        return self.positive

    @property
    def tp(self) -> Array:
        return self.matrix[..., self._positive_class, self._positive_class]

    @property
    def fn(self) -> Array:
        return self.of_truth[..., self._positive_class] - self.tp

    @property
    def fp(self) -> Array:
        return self.of_prediction[..., self._positive_class] - self.tp

    @property
    def tn(self) -> Array:
        of_truth, of_prediction = (one[..., self._positive_class] for one in (self.of_truth, self.of_prediction))
        return self.total - of_truth - of_prediction + self.tp

    def each_against_rest(self) -> Counts:
        """Return two-class matrices on a new last leading axis, one per class, that class being the positive one."""
        tp = np.diagonal(self.matrix, axis1=-2, axis2=-1)
        fn, fp = self.of_truth - tp, self.of_prediction - tp
        tn = self.total[..., None] - tp - fn - fp
        both = np.stack([tn, fp, fn, tp], -1).reshape((*tp.shape, 2, 2))
        return Counts.of_arrays(both, ("rest", "class"), 1)

    def one_against_rest(self) -> Counts:
        """Return the two-class matrix of the named positive class."""
        each = self.each_against_rest()
        return Counts.of_arrays(each.matrix[..., self._positive_class, :, :], each.classes, each.positive)

    def pooled(self) -> Counts:
        """The sum over the last leading axis."""
        return type(self).of_arrays(self.matrix.sum(-3), self.classes, self.positive)

    def __repr__(self) -> str:
        matrix = self.matrix.astype(np.int64) if np.array_equal(self.matrix, np.floor(self.matrix)) else self.matrix
        looked_for = "" if self.positive is None else f", positive={self.classes[self.positive]!r}"
        return f"Counts({matrix.tolist()}, classes={list(self.classes)}{looked_for})"


class Errors(Counts):
    """How many rows were predicted right and wrong, as if all were of one class: which one is not known."""

    label: ClassVar[str] = "a number of errors"

    def __init__(self, wrong: float, right: float) -> None:
        super().__init__([[right, wrong], [0, 0]], RIGHT_WRONG)

    def with_positive(self, positive: int) -> Counts:
        """The same: nothing is known of classes, so none can be looked for."""
        return self

    def __repr__(self) -> str:
        return f"errors({self.total - self.correct:g}, of={self.total:g})"


@verb
def errors(number: float, *, of: int) -> Errors:
    """So many errors `of` so many rows; a rate between 0 and 1, such as a published one, is of whole rows too.

    `estimate(errors(12, of=40), "error")` and `compare({"a": errors(12, of=40), "b": errors(8, of=50)}, "error")`.

    Parameters
    ----------
    number
        How many rows were wrong, or the error rate.
    of
        How many rows there were.

    Examples
    --------
    >>> print(vc.estimate(vc.errors(12, of=40), "error")["error"])
    error 0.3 [0.1807, 0.4543] (95% wilson)
    """
    check_rows(of)
    if 0 < number < 1:
        rate, digits = number, -int(Decimal(str(number)).as_tuple().exponent)
        number = round(rate * of)  # the whole number that was rounded to a rate
        if abs(number / of - rate) > 0.5000001 * 10.0**-digits:
            says = f"no whole number of {of} rows is a rate of {rate:g}: {number} are {number / of:.4g}"
            raise BadInput(f"{says}; check the number of rows, or give more digits")
    if number != round(number) or not 0 <= number <= of:
        raise BadInput(f"{number:g} errors of {of}: give a whole number from 0 to {of}, or a rate between 0 and 1")
    return Errors(number, of - number)


def check_rows(of: int) -> None:
    """Refuse a number of rows below 1."""
    if of < 1:
        raise BadInput(f"`of=` is how many rows there were: at least 1, not {of}")
