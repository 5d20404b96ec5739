"""Two fixed models on the same rows by any score: the paired bootstrap and the paired permutation test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite, sqrt
from typing import Any, NamedTuple

import numpy as np

from veracity.comparisons.entry import TestResult, comparison
from veracity.core.confidence import Confidence, PValues
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, caution, refuse, seed_note
from veracity.core.seeds import derive, generator
from veracity.evidence.evidence import Sampling
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import OrderedRows
from veracity.evidence.predictions import Predictions
from veracity.evidence.same_rows import SameRows, TrackedEvidence
from veracity.findings.interval import Limits
from veracity.intervals.bootstrap import NO_INFORMATION, check_draws, corrected_limits, finite_replicates, quantiles
from veracity.intervals.replicates import BATCH, GROUPS, ROWS_PER_CELL, chunks, skewness
from veracity.kernels.bootstrap import add_to_cells, bootstrap_counts, move_rows
from veracity.records.arrays import Array

MANY = 100_000  # rows; fewer are drawn one by one
EACH = 1_000  # rows of either class
REST = 1e-3  # of the variance, that pairs of rows may add beyond what rows do
CELLS = 256  # of each class
BY_CELLS = Note(
    "drawn-by-cells",
    "remark",
    "rows were drawn by cells of rows that do nearly the same to the difference, as there are many: the variance of the"
    f" samples is off by at most {REST:.1%}",
)


class LikeRows(NamedTuple):
    """Rows of one class in cells: how many, what they do to the difference on average, and how that varies."""

    times: Array
    mean: Array
    variance: Array

    @classmethod
    def in_cells(cls, moved: Array) -> LikeRows:
        low, high = float(moved.min()), float(moved.max())
        scale = CELLS / (high - low) if high > low else 0.0
        cell = np.minimum((moved - low) * scale, CELLS - 1).astype(np.int16)
        times, sums, squares = (np.bincount(cell, of_row, CELLS) for of_row in (None, moved, moved * moved))
        met = times > 0
        mean = sums[met] / times[met]
        return cls(times[met], mean, np.maximum(squares[met] / times[met] - mean**2, 0.0))

    @property
    def rows(self) -> int:
        return int(self.times.sum())


@dataclass(frozen=True, eq=False)
class SummedRows:
    """What the rows of each class do to a difference; of a mean all rows are of one."""

    difference: float
    parts: tuple[LikeRows, ...]
    skewness: float  # of what all rows do together
    stratified: bool

    @classmethod
    def of_pair(cls, pair: SameRows, stratified: bool = False) -> SummedRows | None:
        """None where rows are few or not plain, or the difference is no such sum."""
        if len(pair) < MANY or not (pair.first.many_plain and pair.second.many_plain):
            return None
        moved = _moved_by_class(pair, stratified)
        if moved is None:
            return None
        return cls(pair.difference, tuple(map(LikeRows.in_cells, moved)), _skewness(moved), stratified)

    def replicates(self, draws: int, seed: int) -> Array:
        """The difference on `draws` bootstrap samples of the rows."""
        random = generator(seed, "paired bootstrap of sums")
        width = sum(len(part.times) for part in self.parts)
        return np.concatenate([self._replicates(random, number) for _, number in chunks(draws, width)])

    def _replicates(self, random: np.random.Generator, number: int) -> Array:
        found = np.full(number, self.difference)
        for part, drawn in zip(self.parts, self._draw(random, number), strict=True):
            spread = np.sqrt(np.einsum("ij,j->i", drawn, part.variance)) * random.standard_normal(number)
            found += (np.einsum("ij,j->i", drawn, part.mean) + spread) / drawn.sum(1)
        return found

    def _draw(self, random: np.random.Generator, number: int) -> list[Array]:
        """How many rows of each cell are drawn in each sample, class by class."""
        if self.stratified:
            return [random.multinomial(part.rows, part.times / part.rows, size=number) for part in self.parts]
        times = np.concatenate([part.times for part in self.parts])
        drawn = random.multinomial(times.sum(), times / times.sum(), size=number)
        return np.split(drawn, np.cumsum([len(part.times) for part in self.parts])[:-1], axis=1)

    def acceleration(self) -> float:
        """BCa's skewness correction."""
        return self.skewness / 6


def _moved_by_class(pair: SameRows, stratified: bool) -> list[Array] | None:
    """What rows do to the mean of their class, which the difference is the sum of; None where it is not."""
    if pair.areas is not None:
        return _moved_areas(pair)
    if stratified or not pair.score.averages_rows or not isinstance(pair.evidence[0], Losses):
        return None
    first, second = (pair.score.row_values(p) for p in (pair.first, pair.second))
    return [first - second - (first - second).mean()]


def _moved_areas(pair: SameRows) -> list[Array] | None:
    assert pair.areas is not None
    sizes = pair.areas.class_sizes
    if sizes.min() < EACH:
        return None
    influence, is_positive = pair.areas.influence, pair.truth == 1
    moved = [influence[is_positive == own] * (size / len(pair)) for own, size in enumerate(sizes)]
    of_rows = sum(float(np.einsum("i,i->", part, part)) / len(part) ** 2 for part in moved)
    return moved if 1 / float(sizes.prod()) <= REST * of_rows else None


def _skewness(moved: list[Array]) -> float:
    """Of the sum over the means of all classes."""
    squares = sum(float(np.einsum("i,i->", part, part)) / len(part) ** 2 for part in moved)
    cubes = sum(float(np.einsum("i,i,i->", part, part, part)) / len(part) ** 3 for part in moved)
    return cubes / squares**1.5 if squares > 0 else 0.0


INTERVALS = ("percentile", "bca")
FEWEST, FEW_ROWS = 10, 50  # rows below which it is refused, and cautioned
ALIKE = Note("never-differ", "remark", "the models never differ: no evidence either way")
SAME = Note("no-information", "refuse", "every bootstrap sample gives the same difference, so its width would be 0")
CONSTANT = Note(
    "no-information",
    "refuse",
    "every bootstrap sample gives the same difference, so the bootstrap tells nothing: use paired_permutation",
)
STRATIFIED = Note("stratified", "remark", "rows were drawn within classes: the shares of these count as known")
UNDEFINED = refuse(
    "undefined",
    "the score of one of the models is undefined or infinite on these rows, so there is no difference to test",
    lambda pair: not isfinite(pair.difference),
)
TOO_FEW = refuse(
    "few-rows",
    f"fewer than {FEWEST} rows, or groups of rows, are too few to draw from, and equal models would be told apart far"
    " too often: use paired_permutation",
    lambda pair: pair.units < FEWEST,
)
FEW = caution(
    "few-rows",
    f"fewer than {FEW_ROWS} rows, or groups of rows: drawing from them can tell equal models apart more often than it"
    " says, which paired_permutation does not",
    lambda pair: FEWEST <= pair.units < FEW_ROWS,
)


@comparison(
    "Paired bootstrap",
    reads=SameRows,
    cite=("efron1993",),
    assumes=("IID", "FIX", "PAIR", "BIG"),
    limits=(UNDEFINED, TOO_FEW, FEW),
)
def paired_bootstrap(
    pair: SameRows, *, draws: int = 9_999, seed: int = 0, interval: str = "percentile", stratified: bool = False
) -> TestResult:
    """Difference of any score on resampled rows: its interval, and twice the share of samples on the other side of 0.

    Rows are drawn for both models together, whole groups where they come in groups. `interval` is "percentile", or
    "bca", which corrects for bias and skewness.
    Right for many rows of every class; with few, use mcnemar_midp or paired_permutation. `stratified` draws within
    classes, as many rows of each as there are: no sample lacks a class, and the shares of classes count as known, which
    narrows the interval of scores that depend on them. It is right where a rare class leaves scores undefined, or where
    rows were chosen by class.
    Of 100,000 plain rows and more, areas and means of losses are drawn by cells of rows that do nearly the same to the
    difference: mean and variance of the samples stay, but for at most 0.1 % of the variance.
    """
    _check_options(pair, interval, stratified)
    summed = SummedRows.of_pair(pair, stratified)
    joined = JoinedRows.of(pair, stratified) if summed is None else summed
    replicates, notes = finite_replicates(joined.replicates(check_draws(draws), seed), draws)
    notes = tuple(_note_for_two(pair, note, stratified) for note in notes)
    notes += (seed_note(draws, seed), *((STRATIFIED,) if stratified else ()), *((BY_CELLS,) if summed else ()))

    def limits(at: Confidence) -> Limits:
        if interval == "bca":
            return corrected_limits(replicates, pair.difference, joined.acceleration, at)
        return percentile_limits(replicates, at)

    error = float(np.std(replicates, ddof=1)) if len(replicates) > 1 else None
    p = _p_values(pair, replicates)
    return TestResult.from_p_values(None, p, None, pair.difference, standard_error=error, notes=notes, limits=limits)


def _check_options(pair: SameRows, interval: str, stratified: bool) -> None:
    if interval not in INTERVALS:
        raise BadInput(f"paired_bootstrap: interval is one of {', '.join(INTERVALS)}, not {interval!r}")
    if stratified and pair.first.kind != "classes":
        raise BadInput("paired_bootstrap: stratified=True draws within classes, and this target is of numbers")
    if stratified and pair.sampling is not None:
        raise BadInput("paired_bootstrap: stratified=True draws plain rows, and these are weighted or in groups")
    if stratified and interval == "bca":
        raise BadInput("paired_bootstrap: stratified=True has percentile limits alone: leave out `interval='bca'`")


def _note_for_two(pair: SameRows, note: Note, stratified: bool) -> Note:
    """The note in the words of two models, with the way out that there is for them."""
    if note is NO_INFORMATION:
        return ALIKE if pair.difference == 0 else CONSTANT
    if note.code == "undefined-replicates" and not stratified and pair.first.kind == "classes":
        return replace(note, says=f"{note.says}; paired_bootstrap(stratified=True) draws within classes")
    return note


def _p_values(pair: SameRows, replicates: Array) -> PValues:
    near = 1e-12 * max(abs(value) for value in pair.values)  # the same counts may be added up in another order
    below, above = int(np.count_nonzero(replicates <= near)), int(np.count_nonzero(replicates >= -near))
    return PValues((1 + above) / (len(replicates) + 1), (1 + below) / (len(replicates) + 1))


def percentile_limits(replicates: Array, at: Confidence) -> Limits:
    """Quantiles of the replicates, refused where all of them are equal."""
    notes = (SAME,) if len(replicates) == 0 or np.ptp(replicates) == 0 else ()
    return Limits(*quantiles(replicates, at.tail, 1 - at.tail), notes)


class Units(NamedTuple):
    """Rows that are in the same two cells, counted: for labels they are few, whatever the number of rows."""

    first: Array  # cell of each unit
    second: Array
    times: Array  # its rows

    @classmethod
    def of(cls, first: Array, second: Array) -> Units:
        width = int(second.max()) + 1 if len(second) else 1
        code, times = np.unique(first.astype(np.int64) * width + second, return_counts=True)
        return cls(*np.divmod(code, width), times)

    @property
    def rows(self) -> int:
        return int(self.times.sum())

    def draw(self, random: np.random.Generator, seed: int, first: int, number: int) -> Array:
        """How often each unit is drawn in each of so many samples of as many rows as there are."""
        if len(self.times) == self.rows:
            return bootstrap_counts(seed, first, number, self.rows)
        return random.multinomial(self.rows, self.times / self.rows, size=number)

    def cheapest(self) -> Units:
        """The same with every row a unit of its own, where that is quicker to draw from."""
        if len(self.times) * ROWS_PER_CELL <= self.rows:
            return self
        return Units(*(np.repeat(part, self.times) for part in (*self[:2], np.ones_like(self.times))))


class SampledRows(NamedTuple):
    """Rows that are weighted or come in groups, of which whole ones are drawn and swapped."""

    first: Array  # cell of each row
    second: Array
    times: Array  # its weight
    group: Array

    @property
    def rows(self) -> int:
        """Those that can be had one by one: groups."""
        return int(self.group.max()) + 1 if len(self.group) else 0

    def draw(self, random: np.random.Generator, seed: int, first: int, number: int) -> Array:
        """How much each row counts in each of so many samples of as many groups as there are."""
        drawn: Array = bootstrap_counts(seed, first, number, self.rows)
        return drawn[:, self.group] * self.times

    def cheapest(self) -> SampledRows:
        return self


@dataclass(frozen=True, eq=False)
class JoinedRows:
    """Two models' evidence and the units in which their rows can be drawn: all together, or part by part."""

    pair: SameRows
    parts: tuple[Units, ...] | tuple[SampledRows]

    @classmethod
    def of(cls, pair: SameRows, stratified: bool = False) -> JoinedRows:
        """`stratified` makes the rows of each class a part of their own."""
        one, other = pair.tracked
        if pair.sampling is not None:
            return cls(pair, (sampled_rows(pair.sampling, one.cell, other.cell),))
        truth = pair.truth if stratified else np.zeros(len(pair), int)
        rows = [np.flatnonzero(truth == label) for label in np.unique(truth)]
        return cls(pair, tuple(Units.of(one.cell[own], other.cell[own]).cheapest() for own in rows))

    @cached_property
    def units(self) -> Units | SampledRows:
        """Those of all parts, one after the other."""
        if isinstance(self.parts[0], SampledRows):
            return self.parts[0]
        return Units(*(np.concatenate(same) for same in zip(*self.parts, strict=True)))

    def replicates(self, draws: int, seed: int) -> Array:
        """The difference on `draws` bootstrap samples of the rows."""
        return np.concatenate([self.differences(counts) for counts in self._draw(draws, seed)])

    def _draw(self, draws: int, seed: int) -> Iterator[Array]:
        names: list[tuple[int, ...]] = [()] if len(self.parts) == 1 else [(i,) for i in range(len(self.parts))]
        random = [generator(seed, "paired bootstrap of cells", *name) for name in names]
        seeds = [derive(seed, "paired bootstrap of rows", *name) for name in names]
        parts: tuple[Units | SampledRows, ...] = self.parts
        each = list(zip(parts, random, seeds, strict=True))
        for first, number in chunks(draws, max(self._width, len(self.units.times))):
            counts = [part.draw(cells, rows, first, number) for part, cells, rows in each]
            yield counts[0] if len(counts) == 1 else np.hstack(counts)

    @property
    def _width(self) -> int:
        return max(tracked.size for tracked in self.pair.tracked)

    def differences(self, counts: Array) -> Array:
        """The difference when units have other numbers of rows, one for each line of `counts`."""
        one, other = self.pair.tracked
        difference: Array = self._value(one, self.units.first, counts) - self._value(other, self.units.second, counts)
        return difference

    def _value(self, tracked: TrackedEvidence, cell: Array, counts: Array) -> Array:
        out = np.zeros((len(counts), tracked.size), np.int32 if counts.dtype.kind in "iu" else float)
        add_to_cells(counts, cell, out)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Array = self.pair.value(tracked.evidence.reweigh(out))
        return found

    def acceleration(self) -> float:
        """BCa's skewness correction, by leaving out one row of each unit in turn, or groups of units where many."""
        units, times = self.units, self.units.times
        if isinstance(units, Units) and len(times) <= BATCH:
            return skewness(self.differences(times - np.eye(len(times), dtype=int)), times)
        single = units.group if isinstance(units, SampledRows) else np.arange(len(times))
        number = int(single.max()) + 1
        group = (generator(0, "jackknife").permutation(number) % min(number, GROUPS))[single]
        left_out = [self.differences(np.where(group == one, 0, times)[None]) for one in range(min(number, GROUPS))]
        return skewness(np.concatenate(left_out), np.ones(len(left_out)))


def sampled_rows(sampling: Sampling, first: Array, second: Array) -> SampledRows:
    """Each weighted row is a group of its own, where there are no others."""
    group = np.arange(len(first)) if sampling.group is None else sampling.group
    return SampledRows(first, second, sampling.row_weight, group)


ENUMERATED = 20  # rows that differ: up to here all their swaps are tried
WORK = 1_000_000_000  # cells over all those swaps: beyond this they are drawn, as trying all would take minutes
ONE_SCALE = caution(
    "one-scale",
    "decision values are swapped as they are, which asks for one scale: turn those of both models into ranks or"
    " probabilities if they have none in common",
    lambda pair: pair.score.needs == "value" and pair.first.proba is None,
)
WHOLE = "is of all rows at once, so that swapping some rows is not defined: use paired_bootstrap"


@comparison(
    "Paired permutation test",
    reads=SameRows,
    cite=("pitman1937", "bandos2005"),
    assumes=("EXCH", "FIX", "PAIR"),
    limits=(UNDEFINED, ONE_SCALE),
)
def paired_permutation(pair: SameRows, *, draws: int = 9_999, seed: int = 0) -> TestResult:
    """How often swapping the two models' predictions of random rows gives a difference as large as the one seen.

    Exact for any score and any number of rows when predictions of a row could as well have come from the other model.
    Rows that come in groups are swapped group by group. With at most 20 rows or groups that differ all swaps are tried,
    else `draws` of them. The interval is the percentile one of a paired bootstrap, since swapping says nothing about
    the size of a difference.
    """

    def limits(at: Confidence) -> Limits:
        replicates, notes = finite_replicates(JoinedRows.of(pair).replicates(draws, seed), draws)
        return percentile_limits(replicates, at)._replace(notes=(*notes, seed_note(draws, seed)))

    swaps = Swaps.of(pair)
    if swaps.units.rows == 0:
        return TestResult(None, 1.0, estimate=pair.difference, notes=(ALIKE,))
    exact = swaps.units.rows <= ENUMERATED and _outcomes(swaps.units) * swaps.width <= WORK
    found = _by_enumeration(swaps) if exact else _by_draws(swaps, check_draws(draws), seed)
    p, less, greater, undefined = found.tolist()
    facts = () if exact else (("monte_carlo_error", sqrt(p * (1 - p) / draws)),)
    notes = _undefined_notes(undefined) + (() if exact else (seed_note(draws, seed),))
    return TestResult(
        p_value=p, estimate=pair.difference, notes=notes, facts=facts, one_sided=PValues(less, greater), limits=limits
    )


def _undefined_notes(undefined: float) -> tuple[Note, ...]:
    if undefined == 0:
        return ()
    says = f"{undefined:.2%} of the swaps leave the score undefined and count as extreme"
    return (Note("undefined-replicates", "caution" if undefined <= 0.05 else "refuse", says),)


def _which_count(swaps: Swaps, differences: Array) -> Array:
    """Return lines of which differences are as large in size, as low and as high as the one seen, and undefined.

    Rounding does not decide; undefined ones count as extreme everywhere.
    """
    seen, near = swaps.pair.difference, 1e-9 * max(abs(value) for value in swaps.pair.values)
    inside = [np.abs(differences) < abs(seen) - near, differences > seen + near, differences < seen - near]
    return np.stack([*np.logical_not(inside), np.isnan(differences)])


def _by_draws(swaps: Swaps, draws: int, seed: int) -> Array:
    """The p-values (two-sided, less, greater) and the share of undefined differences among random swaps."""
    units = swaps.units.cheapest()
    times = np.zeros(4)
    for number in _draw_swaps(units, draws, seed, swaps.width):
        times += np.count_nonzero(_which_count(swaps, swaps.differences(number, units)), axis=1)
    return np.append((1 + times[:3]) / (draws + 1), times[3] / draws)


def _draw_swaps(units: Units | SampledRows, draws: int, seed: int, width: int) -> Iterator[Array]:
    """How many rows of each unit are swapped."""
    random = generator(seed, "paired permutation")
    single = isinstance(units, SampledRows) or len(units.times) == units.rows
    for _, number in chunks(draws, max(width, len(units.times))):
        if single:
            words = random.integers(0, 256, (number, -(-units.rows // 8)), np.uint8)
            swapped = np.unpackbits(words, axis=1, count=units.rows)
            yield swapped[:, units.group] * units.times if isinstance(units, SampledRows) else swapped
        else:
            yield random.binomial(units.times, 0.5, (number, len(units.times)))


def _outcomes(units: Units | SampledRows) -> int:
    return int(np.prod(_each(units) + 1))


def _each(units: Units | SampledRows) -> Array:
    """How many rows, or groups, there are of each kind that can be swapped."""
    return np.ones(units.rows, int) if isinstance(units, SampledRows) else units.times


def _by_enumeration(swaps: Swaps) -> Array:
    """The same over all swaps, each outcome with its probability."""
    from scipy.special import comb

    units, each, total = swaps.units, _each(swaps.units), np.zeros(4)
    for first, number in chunks(_outcomes(units), max(swaps.width, len(units.times))):
        chosen = np.stack(np.unravel_index(np.arange(first, first + number), each + 1), 1)
        weight = comb(each, chosen).prod(1) / 2.0**units.rows
        rows = chosen[:, units.group] * units.times if isinstance(units, SampledRows) else chosen
        counts = _which_count(swaps, swaps.differences(rows, units))
        total += [float(weight[one].sum()) for one in counts]
    return np.minimum(total, 1.0)


@dataclass(frozen=True, eq=False)
class Swaps:
    """Cells of the first model and of both; units are the rows that differ, from their own cell to the other's."""

    pair: SameRows
    both: TrackedEvidence
    own: Array
    all: Array
    units: Units | SampledRows

    @classmethod
    def of(cls, pair: SameRows) -> Swaps:
        table, rows = stack_models(pair), len(pair)
        both = TrackedEvidence.of(pair.score, table)
        start, end = both.cell[:rows], both.cell[rows:]
        differ = _differing_rows(both, table, rows)
        units: Units | SampledRows
        if pair.sampling is not None:
            own, every, units = _sampled_swaps(pair.sampling, both, differ)
        else:
            total = np.bincount(both.cell, minlength=both.size)
            small = np.min_scalar_type(int(total.max()))  # half the time goes into moving memory
            own, every = np.bincount(start, minlength=both.size).astype(small), total.astype(small)
            units = Units.of(start[differ], end[differ])
        found = cls(pair, both, own, every, units)
        seen = found.differences(np.zeros((1, 0), int), Units.of(start[:0], end[:0]))[0]
        if not np.isclose(seen, pair.difference, rtol=1e-6, atol=1e-9, equal_nan=True):
            raise Refused(f"{pair.score} {WHOLE}", "not-swappable")
        return found

    @property
    def width(self) -> int:
        return self.both.size

    def differences(self, number: Array, units: Units | SampledRows) -> Array:
        """First minus second when so many rows of each unit are swapped, one for each line of `number`."""
        first = np.tile(self.own, (len(number), 1))
        move_rows(number.astype(self.own.dtype, copy=False), units.first, units.second, first)
        with np.errstate(invalid="ignore", divide="ignore"):
            found: Array = self._value(first) - self._value(self.all - first)
        return found

    def _value(self, cells: Array) -> Array:
        found: Array = self.pair.value(self.both.evidence.reweigh(cells))
        return found


def _sampled_swaps(sampling: Sampling, both: TrackedEvidence, differ: Array) -> tuple[Array, Array, SampledRows]:
    """The weight of the first model's cells and of all, and the rows that differ, by groups without gaps."""
    rows = sampled_rows(sampling, *np.split(both.cell, 2))
    group = np.unique(rows.group[differ], return_inverse=True)[1]
    units = SampledRows(rows.first[differ], rows.second[differ], rows.times[differ], group)
    own, other = (np.bincount(cell, rows.times, both.size) for cell in rows[:2])
    return own, own + other, units


def _differing_rows(both: TrackedEvidence, table: Predictions, rows: int) -> Array:
    """The rows on which the models differ in what the score reads; the others never matter."""
    if isinstance(both.evidence, Losses):
        read = both.evidence.columns
    elif isinstance(both.evidence, OrderedRows):
        read = np.asarray(table.proba).reshape(2 * rows, -1)
    else:
        read = both.cell[:, None]
    return (read[:rows] != read[rows:]).any(1)


STACKED = ("value", "number", "loss", "grade", "tries", "passes")


def stack_models(pair: SameRows) -> Predictions:
    """The rows of the first model, then those of the second."""
    first, second = pair.first, pair.second
    if pair.score.needs == "value" and (first.proba is None) != (second.proba is None):
        raise Refused(
            "one model gives probabilities and the other decision values, so there is no scale on which to swap them:"
            " use paired_bootstrap",
            "two-scales",
        )
    weights, groups = (None if part is None else np.tile(part, 2) for part in (first.weights, first.groups))
    stacked: dict[str, Any] = {name: _concatenate(getattr(first, name), getattr(second, name)) for name in STACKED}
    return replace(
        first,
        truth=np.tile(first.truth, 2),
        weights=weights,
        groups=groups,
        label=_concatenate(first.labels(), second.labels()) if "label" in first.offers & second.offers else None,
        proba=_concatenate(_class_probabilities(first), _class_probabilities(second)),
        **stacked,
        rows=None,
        splits=None,
        threshold=None,
    )


def _concatenate(first: Array | None, second: Array | None) -> Array | None:
    return None if first is None or second is None else np.concatenate([first, second])


def _class_probabilities(p: Predictions) -> Array | None:
    """Probabilities with one column per class, whichever way they were given."""
    if p.proba is None:
        return None
    return np.stack([p.probability(c) for c in range(len(p.classes))], 1)
