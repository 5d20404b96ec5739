"""Losses: per-row quantities whose means make a score, in a known range, and of models that left rows out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import ClassVar, NamedTuple

import numpy as np

from veracity.core.notes import Note
from veracity.evidence.evidence import Evidence, Sampling
from veracity.evidence.row_sums import Columns, Gaps
from veracity.records.arrays import Array, freeze, ratio


@dataclass(frozen=True, eq=False)
class Losses(Evidence):
    """One row of `columns` per row of data, and how often or how heavily each counts."""

    label: ClassVar[str] = "losses of rows"
    lacks: ClassVar[str] = "is not a score of per-row losses"

    columns: Array  # (rows, columns)
    weight: Array | None = None  # (..., rows); None counts each row once
    sampling: Sampling | None = None
    rarer: float = inf  # rows that are not of the most frequent class, where the target is of classes
    classes: int = 0  # of the target, none where it is numbers
    smallest: float = inf  # rows of the rarest class that has any

    @property
    def cells(self) -> Array:
        return np.ones(len(self.columns)) if self.weight is None else self.weight

    @property
    def width(self) -> int:
        """How many columns there are."""
        return int(self.columns.shape[1])

    def reweigh(self, cells: Array) -> Losses:
        return Losses(self.columns, cells)

    @property
    def rows(self) -> float:
        if self.sampling is not None:
            return super().rows
        return float(len(self.columns) if self.weight is None else self.weight.sum())

    @cached_property
    def means(self) -> Array:
        """Weighted mean of each column, on the last axis."""
        if self.weight is None:
            return self.columns.mean(0)
        return self.weight @ self.columns / self.weight.sum(-1)[..., None]


class SummedLosses(Losses):
    """Losses of many plain rows of which sums are known; the columns are written when somebody asks for them."""

    summed: Columns | Gaps

    def __init__(self, summed: Columns | Gaps, about: Losses, write: Callable[[], Array]) -> None:
        """`about` has no rows and says what else is known of them."""
        self.__dict__.update(about.__dict__, summed=summed, _write=write)
        del self.__dict__["columns"]

    @cached_property
    def columns(self) -> Array:
        return np.asarray(self.__dict__["_write"]())

    @property
    def width(self) -> int:
        return self.summed.width

    @property
    def rows(self) -> float:
        return self.summed.rows

    @cached_property
    def means(self) -> Array:
        return self.columns.mean(0) if isinstance(self.summed, Gaps) else self.summed.means


@dataclass(frozen=True, eq=False)
class Bounded:
    """Losses scaled to 0..1 and the range they came from."""

    label: ClassVar[str] = "a mean of bounded losses"
    lacks: ClassVar[str] = "is not a mean of losses in a known range, so this bound does not hold for it"

    losses: Array
    low: float = 0.0
    high: float = 1.0
    notes: tuple[Note, ...] = ()
    ordered: bool = True  # whether the losses stand in the order of the rows, which counts alone do not know

    @property
    def rows(self) -> int:
        return len(self.losses)

    @property
    def mean(self) -> float:
        return float(self.losses.mean())

    @property
    def variance(self) -> float:
        return float(np.var(self.losses, ddof=1))

    def back(self, scaled: float) -> float:
        """A limit on the 0..1 scale in the score's own units."""
        return self.low + (self.high - self.low) * scaled


@dataclass(frozen=True, eq=False)
class Apparent(Bounded):
    """Losses of rows that may have trained the model, for bounds that hold for all models it was chosen from."""

    label: ClassVar[str] = "a mean of bounded losses, also of training rows"

    answers: str = ""


@dataclass(frozen=True, eq=False)
class FoldLosses:
    """Losses and folds of all rows, once for each repeat of k-fold cross-validation."""

    label: ClassVar[str] = "losses of folds"
    design: ClassVar[str] = "kfold(k=10)"
    of_means: ClassVar[bool] = True

    losses: Array  # (repeats, rows)
    folds: Array  # (repeats, rows): a number of its own for every fold of every repeat
    answers: str = ""  # the risk that their mean estimates
    disagreement: float | None = None  # of the models of different repeats, where they predict classes

    @property
    def repeats(self) -> int:
        return len(self.losses)

    @property
    def rows(self) -> int:
        return self.losses.shape[1]

    @property
    def mean(self) -> float:
        return float(self.losses.mean())

    @property
    def smallest_fold(self) -> int:
        return int(np.unique(self.folds, return_counts=True)[1].min())

    @property
    def leaves_one_out(self) -> bool:
        """Whether every fold is one row."""
        return len(np.unique(self.folds)) == self.folds.size

    def variance(self) -> float:
        """Of one loss around the mean of its repeat, divided by the number of rows."""
        return float(self.losses.var(1).mean())

    def variance_within(self) -> float:
        """The mean over folds of the sample variance of the losses inside."""
        _, fold, size = np.unique(self.folds.ravel(), return_inverse=True, return_counts=True)
        losses = self.losses.ravel()
        mean = np.bincount(fold, losses) / size
        return float(np.mean(np.bincount(fold, (losses - mean[fold]) ** 2) / (size - 1)))


@dataclass(frozen=True, eq=False)
class NestedLosses:
    """Losses by repeat: `outer` under the model without the row's fold, `inner` under those without one more fold."""

    label: ClassVar[str] = "losses of pairs of folds"
    design: ClassVar[str] = "nested_cv_bates(k=10, repeats=50)"
    of_means: ClassVar[bool] = True

    folds: Array  # (repeats, rows), from 0
    outer: Array  # (repeats, rows)
    inner: Array  # (repeats, rows, folds): by the other fold left out, NaN at the row's own
    answers: str = "mean risk of the procedure trained on all rows"

    @property
    def repeats(self) -> int:
        return len(self.outer)

    @property
    def rows(self) -> int:
        return self.outer.shape[1]

    @property
    def k(self) -> int:
        return self.inner.shape[2]

    @cached_property
    def smallest_fold(self) -> int:
        return int(min(np.bincount(folds, minlength=self.k).min() for folds in self.folds))

    @cached_property
    def mean(self) -> float:
        """Over all losses of models that left out two folds."""
        return float(np.nanmean(self.inner))

    @cached_property
    def spread(self) -> float:
        """Sample standard deviation of these losses, exactly 0 where all are equal."""
        losses = self.inner[~np.isnan(self.inner)]
        return float(losses.std(ddof=1)) if np.ptp(losses) != 0 else 0.0

    @cached_property
    def squared_error(self) -> float:
        """How far the cross-validation of the other folds lies from a fold's own risk, squared, on average.

        A fold's mean loss is its risk plus noise, whose variance is taken off.
        """
        inside = np.nanmean(self.inner, 1)  # the rows of a fold have no loss of leaving out that fold too
        errors = []
        for repeat, fold in np.ndindex(self.repeats, self.k):
            losses = self.outer[repeat, self.folds[repeat] == fold]
            errors.append((inside[repeat, fold] - losses.mean()) ** 2 - losses.var(ddof=1) / len(losses))
        return float(np.mean(errors))


class Draw(NamedTuple):
    """The rows drawn, each as often as it was, the rows left out and what those lost."""

    drawn: Array
    left_out: Array
    losses: Array


@dataclass(frozen=True, eq=False)
class DrawnLosses:
    """For each row its mean loss where left out, and how its times drawn go with the loss of the draws."""

    label: ClassVar[str] = "losses of bootstrap draws"
    design: ClassVar[str] = "loo_bootstrap(draws=1000)"
    of_means: ClassVar[bool] = True

    each: Array  # (rows,), NaN for a row that no draw left out
    times_out: Array  # (rows,)
    covariance: Array  # (rows,): sum over draws of (times drawn - its mean) x (summed loss / rows)
    draws: int

    @classmethod
    def of(cls, rows: int, draws: Iterable[Draw]) -> DrawnLosses:
        """One pass over the draws."""
        lost, out, times, joint = np.zeros((4, rows))
        number, total = 0, 0.0
        for draw in draws:
            count = np.bincount(draw.drawn, minlength=rows)
            summed = float(draw.losses.sum()) / rows
            lost[draw.left_out] += draw.losses
            out[draw.left_out] += 1
            times += count
            joint += count * summed
            total += summed
            number += 1
        return cls(freeze(ratio(lost, out)), freeze(out), freeze(joint - times * total / number), number)

    @property
    def rows(self) -> int:
        return len(self.each)

    @property
    def mean(self) -> float:
        return float(self.each.mean())
