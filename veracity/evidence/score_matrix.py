"""Scores of learners: one per split of a design, with the sizes of the splits, or one per data set, for rankings."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Real
from typing import ClassVar, NamedTuple

import numpy as np

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.suggest import suggest
from veracity.records.arrays import TIE, Array, as_numbers, freeze, mid_ranks
from veracity.tables.cells import full_names, short_names

UNEQUAL = 1.5  # times as many rows
MAX_DEGREES = 15  # splits of the same rows tell no more of the variance, however many they are


def corrected_error(sd: float, splits: float, test_to_train: float) -> float:
    """Standard error of a mean over splits that share training rows (Nadeau and Bengio 2003)."""
    return sd * math.sqrt(1 / splits + test_to_train)


def conservative_error(sd: float, splits: float, test_to_train: float, tested_share: float, repeats: float) -> float:
    """Standard error of the same mean as if there were one repeat: the variance does not fall with their number."""
    return sd * math.sqrt(1 / splits + test_to_train + (1 - 1 / repeats) * tested_share)


def conservative_degrees(splits: int) -> int:
    """Degrees of freedom of that standard error."""
    return min(splits - 1, MAX_DEGREES)


class LossTraits(NamedTuple):
    """What the losses of single rows tell beyond the scores of splits; None where they do not."""

    skewness: float | None  # of their mean
    between_models: float | None  # the share of their variance that lies between models which tried the same row
    spread_away: float = 0.0  # variance that splits would have beyond theirs, were classes not spread evenly over them
    trained_away: float = 0.0  # as much of it as comes by training rows; infinite where that cannot be seen

    @classmethod
    def of(cls, rows: Array, losses: Array) -> LossTraits:
        """From the loss of each trial and the number of the row that was tried."""
        times = np.bincount(rows)
        tried = np.maximum(times, 1)  # a row that nobody tried loses nothing
        away = losses - losses.mean()
        squares = float(away @ away)
        if not 0 < squares < math.inf:
            return UNKNOWN
        skewness = math.sqrt(len(away)) * float(away**2 @ away) / squares**1.5
        within = squares - float((np.bincount(rows, away) ** 2 / tried).sum())
        different = np.count_nonzero(times)
        again = len(away) - different
        between = within / again / (squares / (len(away) - 1)) if again else None
        return cls(skewness / math.sqrt(different), between)

    def with_classes(self, losses: Array, truth: Array, splits: Array) -> LossTraits:
        """With the variance of class shares, which a sample has and splits with the shares of the sample do not show.

        It is that of the mean of as many rows as a split tests, each of which loses what its class does on average,
        less what the splits have of it.
        """
        if not np.isfinite(losses).all():  # what a row lost without end has no variance
            return self
        lost = (np.bincount(truth, losses) / np.maximum(np.bincount(truth), 1))[truth]  # by its class, on average
        every = np.bincount(splits)
        tested = every[every > 0]
        shown = np.bincount(splits, lost)[every > 0] / tested
        due = float(lost.var() * np.mean(1 / tested))
        return self._replace(spread_away=max(due - float(shown.var(ddof=1)), 0.0) if len(tested) > 1 else 0.0)


UNKNOWN = LossTraits(None, None)


@dataclass(frozen=True, eq=False)
class SplitScores:
    """Scores of the splits in order, NaN where a split has none; make one with `SplitScores.of`.

    Attributes
    ----------
    values
        A score for each split; NaN where there is none.
    train
        Training rows of each split.
    test
        Test rows of each split.
    repeats
        The repeat of each split.
    losses
        What is known of the losses of single rows.
    chance
        The score of whoever knows nothing, where that does not depend on class shares; else None.
    estimate
        The value of the estimator, which intervals are laid about; None for the mean over splits.
    between
        What a test of them tells apart, in words.
    design
        The design that makes such splits.
    label
        The predicted class of each row.

    Examples
    --------
    >>> vc.split_scores({"a": [0.8, 0.9], "b": [0.7, 0.7]}, train=90, test=10, k=2).learners["a"].values
    array([0.8, 0.9])
    """

    label: ClassVar[str] = "scores of splits"
    between: ClassVar[str] = "scores of two learners on the same splits of one data set"
    design: ClassVar[str] = "repeated_kfold(k=10, repeats=10)"

    values: Array  # (splits,)
    train: Array  # rows that trained, per split
    test: Array  # rows tested, per split
    repeats: Array  # which repeat of the design each split belongs to
    losses: LossTraits = UNKNOWN
    chance: float | None = None  # the score of whoever knows nothing, where that is no matter of class shares
    estimate: float | None = None  # the value of the estimator, where rows or counts of the splits were pooled

    @classmethod
    def of(cls, values: object, train: object, test: object, repeats: object = 0) -> SplitScores:
        """From anything array-like; sizes and repeats are one number or one per split."""
        scores = as_numbers(values, "split scores").astype(float)
        if scores.ndim != 1 or not len(scores):
            raise BadInput(f"split scores are one number per split, not an array of shape {scores.shape}")
        parts = []
        for part in (train, test, repeats):
            numbers = np.asarray(part) if isinstance(part, Real) else as_numbers(part, "sizes and repeats of splits")
            if numbers.ndim and len(numbers) != len(scores):
                says = f"there are {len(scores)} splits but {len(numbers)} sizes or repeats"
                raise BadInput(f"{says}: give one number or one per split")
            parts.append(freeze(np.broadcast_to(numbers, (len(scores),))))
        if not min(parts[0].min(), parts[1].min()) >= 1:
            raise BadInput("every split has at least one training row and one test row")
        trained, tested, repeat = parts
        return cls(freeze(scores), trained, tested, repeat)

    def __len__(self) -> int:
        return len(self.values)

    def __sub__(self, other: SplitScores) -> SplitScores:
        """The differences of two learners on the same splits, which is checked."""
        if not all(np.array_equal(getattr(self, one), getattr(other, one)) for one in ("train", "test", "repeats")):
            raise BadInput("the two learners were not tried on the same splits: evaluate them together, by one design")
        with np.errstate(invalid="ignore"):  # infinite minus infinite is NaN: no score
            apart = self.values - other.values
        close = np.abs(apart) <= TIE * np.maximum(np.abs(self.values), np.abs(other.values))
        apart[close & np.isfinite(apart)] = 0.0
        estimate = None
        if self.estimate is not None and other.estimate is not None:
            estimate = self.estimate - other.estimate
            estimate = 0.0 if abs(estimate) <= TIE * max(abs(self.estimate), abs(other.estimate)) else estimate
        return SplitScores(freeze(apart), self.train, self.test, self.repeats, estimate=estimate)

    @cached_property
    def _ends(self) -> tuple[float, float]:
        """The smallest and the largest score, NaN when a split has none."""
        return float(self.values.min()), float(self.values.max())

    @cached_property
    def finite(self) -> bool:
        """Whether every split has a score, and none is infinite."""
        return not len(self) or (math.isfinite(self._ends[0]) and math.isfinite(self._ends[1]))

    @cached_property
    def _centred(self) -> tuple[Array, float]:
        """How far each split is from their mean, and the sum of the squares of that."""
        away = self.values - self.values.mean()
        return away, float(away @ away)

    @cached_property
    def mean(self) -> float:
        """Mean over splits, 0 where only rounding keeps it off; NaN when one has no score, for none is dropped."""
        found, (low, high) = float(self.values.mean()), self._ends
        return 0.0 if abs(found) <= TIE * max(abs(low), abs(high)) < math.inf else found

    @property
    def centre(self) -> float:
        """The value that an interval is laid about: that of the estimator, or the mean over splits."""
        return self.mean if self.estimate is None else self.estimate

    @cached_property
    def spread(self) -> float:
        """Sample standard deviation over splits, exactly 0 where only rounding tells the scores apart."""
        low, high = self._ends
        if len(self) < 2 or not math.isfinite(high - low):
            return math.nan
        if high - low <= TIE * max(abs(low), abs(high)):
            return 0.0
        return math.sqrt(self._centred[1] / (len(self) - 1))

    @property
    def standard_error(self) -> float:
        """Standard error of corrected_t; NaN where a split has no score."""
        return corrected_error(self.spread, len(self), self.test_share)

    @cached_property
    def test_share(self) -> float:
        """Rows tested over rows trained, summed over splits: 1/(k-1) for k folds of any sizes."""
        return float(self.test.sum() / self.train.sum())

    @cached_property
    def tested_share(self) -> float:
        """Rows tested over rows tested or trained, summed over splits: 1/k for k folds of any sizes."""
        tested = self.test.sum()
        return float(tested / (tested + self.train.sum()))

    @cached_property
    def rounds(self) -> int:
        """How many repeats there are; each hold-out is one."""
        return len(np.unique(self.repeats))

    @cached_property
    def unequal(self) -> bool:
        """Whether some split trained on half as many rows again as another, as where training sets grow in time."""
        return sizes_differ(self.train)

    @cached_property
    def skewness(self) -> float:
        """Third moment of the scores over the cube of their spread, 0 where they have none."""
        if not self.spread > 0:
            return 0.0
        away, squares = self._centred
        return math.sqrt(len(self)) * float((away * away) @ away) / squares**1.5

    def subset(self, which: Array) -> SplitScores:
        """Return some of the splits."""
        values, train, test, repeats = (part[which] for part in (self.values, self.train, self.test, self.repeats))
        return replace(self, values=freeze(values), train=freeze(train), test=freeze(test), repeats=freeze(repeats))

    @property
    def undefined(self) -> int:
        """How many splits have no score."""
        return 0 if self.finite else int(np.isnan(self.values).sum())


def sizes_differ(sizes: Array | list[int]) -> bool:
    """Whether sizes of training sets differ by more than folds that do not come out even."""
    return bool(np.max(sizes) >= UNEQUAL * np.min(sizes))


@dataclass(frozen=True, eq=False, repr=False)
class SplitTable:
    """The split scores of each learner.

    Attributes
    ----------
    learners
        Split scores by learner.
    better
        'higher' or 'lower'.
    score
        The score by its own name.
    independent
        Whether every split had fresh rows.
    label
        The predicted class of each row.

    Examples
    --------
    >>> vc.split_scores({"a": [0.8, 0.9], "b": [0.7, 0.7]}, train=90, test=10, k=2).score
    'score'
    """

    label: ClassVar[str] = "scores of two learners on splits of their own"

    learners: Mapping[str, SplitScores]
    better: str = "higher"
    score: str = "score"
    independent: bool = False  # every split trained and tested on rows of its own, drawn afresh from the population

    def only(self, *learners: str) -> SplitTable:
        """Some of the learners, in this order."""
        return replace(self, learners={name: self.learners[name] for name in learners})

    def __repr__(self) -> str:
        splits = len(next(iter(self.learners.values())))
        return f"SplitTable({', '.join(self.learners)}: {splits} splits of {self.score})"


@dataclass(frozen=True, eq=False)
class Subsamples:
    """Scores, or differences of scores: of the splits of all rows, and the means inside the two halves of each pair."""

    label: ClassVar[str] = "scores of pairs of halves"
    between: ClassVar[str] = "scores on the splits of paired_subsampling"
    design: ClassVar[str] = "paired_subsampling(outer=10, inner=15)"

    full: Array  # (splits,)
    halves: Array  # (pairs, 2)

    @property
    def mean(self) -> float:
        return float(self.full.mean())

    @property
    def variance(self) -> float:
        """Of the mean: half the mean squared difference between the halves of a pair."""
        return float(((self.halves[:, 0] - self.halves[:, 1]) ** 2).mean() / 2)


ROUNDING = 1e-15  # no difference below this share of the largest score is told from 0

HIGHER_TAKEN = Note("better-taken", "caution", "higher scores are taken to be better: give `better='lower'` for errors")


@dataclass(frozen=True, eq=False, repr=False)
class ScoreMatrix:
    """One row per data set, one column per learner, NaN where a score is missing.

    Attributes
    ----------
    values
        Scores, data sets x learners; NaN where one is missing.
    learners
        Names of the learners, or learners by name.
    datasets
        Names of the data sets.
    better
        'higher' or 'lower'.
    score
        The score by its own name.
    splits
        The scores of splits behind each cell, if they are known.
    notes
        What a reader should know: cautions and remarks.
    taken
        Which cells are means of some splits alone.
    absent
        Who has no score at all, and why.
    without_splits
        Why tests of split scores cannot read the splits that were made, if so.
    is_better_known
        Whether it was said, or a name told, which scores are better; else the higher are taken.
    label
        The predicted class of each row.
    missing
        Whether any score is missing.

    Examples
    --------
    >>> table = vc.score_matrix([[0.8, 0.7, 0.6], [0.9, 0.8, 0.7], [0.7, 0.6, 0.5], [0.9, 0.7, 0.8]], ["a", "b", "c"])
    >>> table.learners
    ('a', 'b', 'c')
    """

    label: ClassVar[str] = "scores of learners on several data sets"

    values: Array  # (data sets, learners)
    learners: tuple[str, ...]
    datasets: tuple[str, ...]
    better: str = "higher"
    score: str = "score"
    splits: tuple[tuple[SplitScores | None, ...], ...] | None = None  # of each cell, where tests can read them
    notes: tuple[Note, ...] = ()  # what was seen where the scores come from
    taken: Array | None = None  # where a value stands in for a missing score
    absent: tuple[tuple[str, str], ...] = ()  # learners that were left out for want of any score, and why
    without_splits: str = ""  # why tests of split scores cannot read the splits that were made
    is_better_known: bool = True  # said, or told by a name; else the higher is taken

    def __len__(self) -> int:
        return len(self.datasets)

    @property
    def missing(self) -> int:
        return int(np.isnan(self.values).sum())

    @property
    def absent_phrase(self) -> str:
        """The learners that were left out, to be told behind an answer; empty where there are none."""
        if not self.absent:
            return ""
        has, is_left = ("has", "is") if len(self.absent) == 1 else ("have", "are")
        names = ", ".join(name for name, _ in self.absent)
        return f"; {names} {has} no {self.score} and {is_left} left out"

    @property
    def measured_values(self) -> Array:
        """The scores themselves, NaN where there is none, whatever stands in for it."""
        return self.values if self.taken is None else np.where(self.taken, np.nan, self.values)

    @cached_property
    def ranks(self) -> Array:
        """Mid-ranks within each data set, 1 = best; an infinite score is worst, a missing one has no rank."""
        return freeze(mid_ranks(self.values if self.better == "lower" else -self.values))

    @property
    def average_ranks(self) -> Array:
        """Mean rank of each learner over the data sets where it has one."""
        return np.nanmean(self.ranks, axis=0)

    @cached_property
    def difference(self) -> Array:
        """First minus second, of two learners; what rounding alone keeps from 0 is 0, as is infinite minus infinite.

        A difference is held against the scores that it comes from, for one data set may be of another scale.
        """
        if len(self.learners) != 2:
            raise BadInput(f"a difference is of two learners, not of {len(self.learners)}: choose two with only(a, b)")
        first, second = self.values.T
        size = np.where(np.isfinite(self.values), np.abs(self.values), 0.0)
        return freeze(rounded_difference(first, second, size.T))

    @property
    def mean_difference(self) -> float:
        """Over the data sets; NaN of none, or of infinities of both signs."""
        with np.errstate(invalid="ignore"):
            return float(self.difference.mean()) if len(self) else math.nan

    @property
    def wins(self) -> tuple[int, int, int]:
        """Data sets on which the first of two learners is better, equal, worse."""
        better = -self.difference if self.better == "lower" else self.difference
        return int((better > 0).sum()), int((better == 0).sum()), int((better < 0).sum())

    @verb
    def column(self, learner: str) -> int:
        """The place of a learner, by its name or as tables print it."""
        return self.learners.index(self.learner(learner))

    @verb
    def learner(self, typed: str) -> str:
        """The name of a learner, from that, from what tables print of it, or from its number there: "(2)"."""
        name = self.find(typed)
        if name is not None:
            return name
        if typed in dict(self.absent):
            raise BadInput(f"{typed} has no {self.score} and is left out: {dict(self.absent)[typed]}")
        raise BadInput(f"there is no learner called {typed!r}: {suggest(typed, self.learners)}")

    def find(self, typed: str) -> str | None:
        """The same, or None where there is no such learner."""
        if typed in self.learners:
            return typed
        for forms in (short_names(self.learners, always=True), full_names(self.learners, always=True)):
            for name, form in forms.items():
                if typed in (str(form), str(form).partition(" ")[0]):
                    return name
        return None

    def only(self, *learners: str) -> ScoreMatrix:
        """Return the columns of some learners, in this order."""
        return self._part(range(len(self)), [self.column(learner) for learner in learners])

    def on(self, *datasets: str) -> ScoreMatrix:
        """Return the rows of some data sets, in this order."""
        for name in datasets:
            if name not in self.datasets:
                raise BadInput(f"there is no data set called {name!r}: {suggest(name, self.datasets)}")
        return self._part([self.datasets.index(name) for name in datasets], range(len(self.learners)))

    def complete(self) -> ScoreMatrix:
        """Return the data sets on which every learner has a score."""
        every = np.flatnonzero(~np.isnan(self.values).any(axis=1)).tolist()
        return self._part(every, range(len(self.learners)))

    def _part(self, rows: Sequence[int], columns: Sequence[int]) -> ScoreMatrix:
        at = np.ix_(rows, columns)
        return replace(
            self,
            values=freeze(self.values[at]),
            learners=tuple(self.learners[j] for j in columns),
            datasets=tuple(self.datasets[i] for i in rows),
            splits=None if self.splits is None else tuple(tuple(self.splits[i][j] for j in columns) for i in rows),
            taken=None if self.taken is None else freeze(self.taken[at]),
        )

    @property
    def standard_errors(self) -> Array | None:
        """Of every score, from its splits, with their overlap allowed for; None where no score has any."""
        if self.splits is None:
            return None
        errors = np.array([[math.nan if cell is None else cell.standard_error for cell in row] for row in self.splits])
        return None if not errors.size or not (errors > 0).any() else np.where(errors > 0, errors, math.nan)

    def __repr__(self) -> str:
        holes = f", {self.missing} missing" if self.missing else ""
        return f"ScoreMatrix({len(self.datasets)} data sets x {len(self.learners)} learners of {self.score}{holes})"


def rounded_difference(first: Array, second: Array, size: Array) -> Array:
    """Return first minus second, 0 where only rounding tells them apart; `size` (2, rows) has their sizes."""
    same = first == second
    found: Array = np.where(same, 0.0, first - np.where(same, 0.0, second))
    found[np.abs(found) <= np.maximum(TIE * size.max(axis=0), ROUNDING * size.max(initial=0.0))] = 0.0
    return found
