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
    def in_cells(cls, influence: Array) -> LikeRows:
        low, high = float(influence.min()), float(influence.max())
        scale = CELLS / (high - low) if high > low else 0.0
        cell = np.minimum((influence - low) * scale, CELLS - 1).astype(np.int16)
        times, sums, squares = (np.bincount(cell, of_row, CELLS) for of_row in (None, influence, influence * influence))
        met = times > 0
        mean = sums[met] / times[met]
        return cls(times[met], mean, np.maximum(squares[met] / times[met] - mean**2, 0.0))


@dataclass(frozen=True, eq=False)
class SummedRows:
    """What the rows of each class do to a difference; of a mean all rows are of one."""

    difference: float
    parts: tuple[LikeRows, ...]
    skewness: float  # of what all rows do together
    stratified: bool

    @classmethod
    def of_pair(cls, pair: SameRows, stratified: bool = False) -> SummedRows | None:
        """Return None where rows are few or not plain, or the difference is no such sum."""
        if len(pair) < MANY or not (pair.first.many_plain and pair.second.many_plain):
            return None
        parts = _influence_by_class(pair, stratified)
        if parts is None:
            return None
        squares = sum(float(np.einsum("i,i->", part, part)) / len(part) ** 2 for part in parts)
        cubes = sum(float(np.einsum("i,i,i->", part, part, part)) / len(part) ** 3 for part in parts)
        skew = cubes / squares**1.5 if squares > 0 else 0.0
        return cls(pair.difference, tuple(map(LikeRows.in_cells, parts)), skew, stratified)

    def replicates(self, draws: int, seed: int) -> Array:
        """Return the difference on `draws` bootstrap samples of the rows."""
        random = generator(seed, "paired bootstrap of sums")
        of_class = [part.times for part in self.parts]
        every, ends = np.concatenate(of_class), np.cumsum([len(times) for times in of_class])
        replicates = []
        for _, number in chunks(draws, len(every)):
            if self.stratified:
                drawn = [random.multinomial(times.sum(), times / times.sum(), size=number) for times in of_class]
            else:
                drawn = np.split(random.multinomial(every.sum(), every / every.sum(), size=number), ends[:-1], axis=1)
            values = np.full(number, self.difference)
            for part, times in zip(self.parts, drawn, strict=True):
                spread = np.sqrt(np.einsum("ij,j->i", times, part.variance)) * random.standard_normal(number)
                values += (np.einsum("ij,j->i", times, part.mean) + spread) / times.sum(1)
            replicates.append(values)
        return np.concatenate(replicates)

    def acceleration(self) -> float:
        """Return BCa's skewness correction."""
        return self.skewness / 6


def _influence_by_class(pair: SameRows, stratified: bool) -> list[Array] | None:
    """Return what rows do to the mean of their class, which the difference is the sum of; None where it is not."""
    if pair.areas is None:
        if stratified or not pair.score.averages_rows or not isinstance(pair.evidence[0], Losses):
            return None
        first, second = (pair.score.row_values(p) for p in (pair.first, pair.second))
        return [first - second - (first - second).mean()]
    sizes = pair.areas.class_sizes
    if sizes.min() < EACH:
        return None
    influence, is_positive = pair.areas.influence, pair.truth == 1
    parts = [influence[is_positive == own] * (size / len(pair)) for own, size in enumerate(sizes)]
    of_rows = sum(float(np.einsum("i,i->", part, part)) / len(part) ** 2 for part in parts)
    return parts if 1 / float(sizes.prod()) <= REST * of_rows else None


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
    if interval not in INTERVALS:
        raise BadInput(f"paired_bootstrap: interval is one of {', '.join(INTERVALS)}, not {interval!r}")
    if stratified and pair.first.kind != "classes":
        raise BadInput("paired_bootstrap: stratified=True draws within classes, and this target is of numbers")
    if stratified and pair.sampling is not None:
        raise BadInput("paired_bootstrap: stratified=True draws plain rows, and these are weighted or in groups")
    if stratified and interval == "bca":
        raise BadInput("paired_bootstrap: stratified=True has percentile limits alone: leave out `interval='bca'`")
    summed = SummedRows.of_pair(pair, stratified)
    joined = JoinedRows.of(pair, stratified) if summed is None else summed
    replicates, notes = finite_replicates(joined.replicates(check_draws(draws), seed), draws)
    notes = tuple(_note_for_two(pair, note, stratified) for note in notes)
    notes += (seed_note(draws, seed), *((STRATIFIED,) if stratified else ()), *((BY_CELLS,) if summed else ()))

    def limits(at: Confidence) -> Limits:
        if interval == "bca":
            return corrected_limits(replicates, pair.difference, joined.acceleration, at)
        return percentile_limits(replicates, at)

    near = 1e-12 * max(abs(value) for value in pair.values)  # the same counts may be added up in another order
    below, above = int(np.count_nonzero(replicates <= near)), int(np.count_nonzero(replicates >= -near))
    p = PValues((1 + above) / (len(replicates) + 1), (1 + below) / (len(replicates) + 1))
    error = float(np.std(replicates, ddof=1)) if len(replicates) > 1 else None
    return TestResult.from_p_values(None, p, None, pair.difference, standard_error=error, notes=notes, limits=limits)


def _note_for_two(pair: SameRows, note: Note, stratified: bool) -> Note:
    """Return the note in the words of two models, with the way out that there is for them."""
    if note is NO_INFORMATION:
        return ALIKE if pair.difference == 0 else CONSTANT
    if note.code == "undefined-replicates" and not stratified and pair.first.kind == "classes":
        return replace(note, says=f"{note.says}; paired_bootstrap(stratified=True) draws within classes")
    return note


def percentile_limits(replicates: Array, at: Confidence) -> Limits:
    """Quantiles of the replicates, refused where all of them are equal."""
    notes = (SAME,) if len(replicates) == 0 or np.ptp(replicates) == 0 else ()
    return Limits(*quantiles(replicates, at.tail, 1 - at.tail), notes)


class Units(NamedTuple):
    """What is drawn and swapped: rows in the same two cells, counted, as they are few for labels; or weighted rows."""

    first: Array  # cell of each unit
    second: Array
    times: Array  # its rows; of weighted or grouped rows the weight of each
    group: Array | None = None  # of weighted or grouped rows, of which whole groups are drawn and swapped

    @classmethod
    def of(cls, first: Array, second: Array) -> Units:
        width = int(second.max()) + 1 if len(second) else 1
        code, times = np.unique(first.astype(np.int64) * width + second, return_counts=True)
        return cls(*np.divmod(code, width), times)

    @classmethod
    def of_sampling(cls, sampling: Sampling, first: Array, second: Array) -> Units:
        """Make each weighted row a group of its own, where there are no others."""
        group = np.arange(len(first)) if sampling.group is None else sampling.group
        return cls(first, second, sampling.row_weight, group)

    @property
    def rows(self) -> int:
        """How many rows, or groups, can be had one by one."""
        if self.group is None:
            return int(self.times.sum())
        return int(self.group.max()) + 1 if len(self.group) else 0

    @property
    def is_single(self) -> bool:
        """Whether each row, or group, is a unit of its own."""
        return self.group is not None or len(self.times) == self.rows

    @property
    def swappable(self) -> Array:
        """How many rows, or groups, there are of each kind."""
        return self.times if self.group is None else np.ones(self.rows, int)

    def weigh(self, times: Array) -> Array:
        """Return how much each unit counts when its rows, or its group, are had so many times."""
        return times if self.group is None else times[:, self.group] * self.times

    def draw(self, random: np.random.Generator, seed: int, first: int, number: int) -> Array:
        """Return how much each unit counts in each of so many samples of as many rows, or groups, as there are."""
        if self.is_single:
            return self.weigh(bootstrap_counts(seed, first, number, self.rows))
        return random.multinomial(self.rows, self.times / self.rows, size=number)

    def cheapest(self) -> Units:
        """Return the same with every row a unit of its own, where that is quicker to draw from."""
        if self.is_single or len(self.times) * ROWS_PER_CELL <= self.rows:
            return self
        return Units(*(np.repeat(part, self.times) for part in (self.first, self.second, np.ones_like(self.times))))


@dataclass(frozen=True, eq=False)
class JoinedRows:
    """Two models' evidence and the units in which their rows can be drawn: all together, or part by part."""

    pair: SameRows
    parts: tuple[Units, ...]

    @classmethod
    def of(cls, pair: SameRows, stratified: bool = False) -> JoinedRows:
        """Return all rows; `stratified` makes those of each class a part of their own."""
        one, other = pair.tracked
        if pair.sampling is not None:
            return cls(pair, (Units.of_sampling(pair.sampling, one.cell, other.cell),))
        truth = pair.truth if stratified else np.zeros(len(pair), int)
        rows = [np.flatnonzero(truth == label) for label in np.unique(truth)]
        return cls(pair, tuple(Units.of(one.cell[own], other.cell[own]).cheapest() for own in rows))

    @cached_property
    def units(self) -> Units:
        """Those of all parts, one after the other."""
        if len(self.parts) == 1:
            return self.parts[0]
        return Units(*(np.concatenate(same) for same in zip(*(part[:3] for part in self.parts), strict=True)))

    def replicates(self, draws: int, seed: int) -> Array:
        """Return the difference on `draws` bootstrap samples of the rows."""
        return np.concatenate([self.differences(counts) for counts in self._draw(draws, seed)])

    def _draw(self, draws: int, seed: int) -> Iterator[Array]:
        """Yield how much each unit counts in each sample, in chunks of samples."""
        names: list[tuple[int, ...]] = [()] if len(self.parts) == 1 else [(i,) for i in range(len(self.parts))]
        streams = [
            (part, generator(seed, "paired bootstrap of cells", *name), derive(seed, "paired bootstrap of rows", *name))
            for part, name in zip(self.parts, names, strict=True)
        ]
        width = max(*(tracked.size for tracked in self.pair.tracked), len(self.units.times))
        for first, number in chunks(draws, width):
            counts = [part.draw(random, own_seed, first, number) for part, random, own_seed in streams]
            yield counts[0] if len(counts) == 1 else np.hstack(counts)

    def differences(self, counts: Array) -> Array:
        """Return the difference when units have other numbers of rows, one for each line of `counts`."""
        one, other = self.pair.tracked
        first, second = self._value(one, self.units.first, counts), self._value(other, self.units.second, counts)
        return _subtract(first, second)

    def _value(self, tracked: TrackedEvidence, cell: Array, counts: Array) -> Array:
        out = np.zeros((len(counts), tracked.size), np.int32 if counts.dtype.kind in "iu" else float)
        add_to_cells(counts, cell, out)
        return _values_of(self.pair, tracked, out)

    def acceleration(self) -> float:
        """Return BCa's skewness correction, leaving out one row of each unit in turn, or groups of units where many."""
        units, times = self.units, self.units.times
        if units.group is None and len(times) <= BATCH:
            return skewness(self.differences(times - np.eye(len(times), dtype=int)), times)
        single = np.arange(len(times)) if units.group is None else units.group
        number = int(single.max()) + 1
        group = (generator(0, "jackknife").permutation(number) % min(number, GROUPS))[single]
        left_out = [self.differences(np.where(group == one, 0, times)[None]) for one in range(min(number, GROUPS))]
        return skewness(np.concatenate(left_out), np.ones(len(left_out)))


def _values_of(pair: SameRows, tracked: TrackedEvidence, cells: Array) -> Array:
    """Return the score of each line of weights of the cells, which may be undefined."""
    with np.errstate(invalid="ignore", divide="ignore"):
        values: Array = pair.value(tracked.evidence.reweigh(cells))
    return values


def _subtract(first: Array, second: Array) -> Array:
    """Return the differences of scores; one of two infinite scores is undefined."""
    with np.errstate(invalid="ignore"):
        difference: Array = first - second
    return difference


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
    units = swaps.units
    if units.rows == 0:
        return TestResult(None, 1.0, estimate=pair.difference, notes=(ALIKE,))
    exact = units.rows <= ENUMERATED and int(np.prod(units.swappable + 1)) * swaps.both.size <= WORK
    p_values = _by_enumeration(swaps) if exact else _by_draws(swaps, check_draws(draws), seed)
    p, less, greater, undefined = p_values.tolist()
    facts = () if exact else (("monte_carlo_error", sqrt(p * (1 - p) / draws)),)
    notes = () if exact else (seed_note(draws, seed),)
    if undefined:
        says = f"{undefined:.2%} of the swaps leave the score undefined and count as extreme"
        notes = (Note("undefined-replicates", "caution" if undefined <= 0.05 else "refuse", says), *notes)
    return TestResult(
        p_value=p, estimate=pair.difference, notes=notes, facts=facts, one_sided=PValues(less, greater), limits=limits
    )


def _which_count(swaps: Swaps, differences: Array) -> Array:
    """Return lines of which differences are as large in size, as low and as high as the one seen, and undefined.

    Rounding does not decide; undefined ones count as extreme everywhere.
    """
    seen, near = swaps.pair.difference, 1e-9 * max(abs(value) for value in swaps.pair.values)
    inside = [np.abs(differences) < abs(seen) - near, differences > seen + near, differences < seen - near]
    return np.stack([*np.logical_not(inside), np.isnan(differences)])


def _by_draws(swaps: Swaps, draws: int, seed: int) -> Array:
    """Return the p-values (two-sided, less, greater) and the share of undefined differences among random swaps."""
    units, random, times = swaps.units.cheapest(), generator(seed, "paired permutation"), np.zeros(4)
    for _, number in chunks(draws, max(swaps.both.size, len(units.times))):
        if units.is_single:
            words = random.integers(0, 256, (number, -(-units.rows // 8)), np.uint8)
            swapped = units.weigh(np.unpackbits(words, axis=1, count=units.rows))
        else:
            swapped = random.binomial(units.times, 0.5, (number, len(units.times)))
        times += np.count_nonzero(_which_count(swaps, swaps.differences(swapped, units)), axis=1)
    return np.append((1 + times[:3]) / (draws + 1), times[3] / draws)


def _by_enumeration(swaps: Swaps) -> Array:
    """Return the same over all swaps, each outcome with its probability."""
    from scipy.special import comb

    units, total = swaps.units, np.zeros(4)
    most = units.swappable
    for first, number in chunks(int(np.prod(most + 1)), max(swaps.both.size, len(units.times))):
        chosen = np.stack(np.unravel_index(np.arange(first, first + number), most + 1), 1)
        weight = comb(most, chosen).prod(1) / 2.0**units.rows
        counts = _which_count(swaps, swaps.differences(units.weigh(chosen), units))
        total += [float(weight[one].sum()) for one in counts]
    return np.minimum(total, 1.0)


@dataclass(frozen=True, eq=False)
class Swaps:
    """Cells of the first model and of both; units are the rows that differ, from their own cell to the other's."""

    pair: SameRows
    both: TrackedEvidence
    own: Array
    all: Array
    units: Units

    @classmethod
    def of(cls, pair: SameRows) -> Swaps:
        table, rows = stack_models(pair), len(pair)
        both = TrackedEvidence.of(pair.score, table)
        start, end = both.cell[:rows], both.cell[rows:]
        differ = _differing_rows(both, table, rows)
        if pair.sampling is not None:
            sampled = Units.of_sampling(pair.sampling, start, end)
            own, other = (np.bincount(cell, sampled.times, both.size) for cell in (start, end))
            every = own + other
            assert sampled.group is not None
            group = np.unique(sampled.group[differ], return_inverse=True)[1]  # numbered without gaps
            units = Units(start[differ], end[differ], sampled.times[differ], group)
        else:
            total = np.bincount(both.cell, minlength=both.size)
            small = np.min_scalar_type(int(total.max()))  # half the time goes into moving memory
            own, every = np.bincount(start, minlength=both.size).astype(small), total.astype(small)
            units = Units.of(start[differ], end[differ])
        swaps = cls(pair, both, own, every, units)
        seen = swaps.differences(np.zeros((1, 0), int), Units.of(start[:0], end[:0]))[0]
        if not np.isclose(seen, pair.difference, rtol=1e-6, atol=1e-9, equal_nan=True):
            raise Refused(f"{pair.score} {WHOLE}", "not-swappable")
        return swaps

    def differences(self, number: Array, units: Units) -> Array:
        """Return first minus second when so many rows of each unit are swapped, one for each line of `number`."""
        first = np.tile(self.own, (len(number), 1))
        move_rows(number.astype(self.own.dtype, copy=False), units.first, units.second, first)
        swapped = _values_of(self.pair, self.both, self.all - first)
        return _subtract(_values_of(self.pair, self.both, first), swapped)


def _differing_rows(both: TrackedEvidence, table: Predictions, rows: int) -> Array:
    """Return the rows on which the models differ in what the score reads; the others never matter."""
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
    first, second = both = pair.first, pair.second
    if pair.score.needs == "value" and (first.proba is None) != (second.proba is None):
        raise Refused(
            "one model gives probabilities and the other decision values, so there is no scale on which to swap them:"
            " use paired_bootstrap",
            "two-scales",
        )

    def join(one: Array | None, other: Array | None) -> Array | None:
        return None if one is None or other is None else np.concatenate([one, other])

    proba = [None if p.proba is None else np.stack([p.probability(c) for c in range(len(p.classes))], 1) for p in both]
    changed: dict[str, Any] = {name: join(getattr(first, name), getattr(second, name)) for name in STACKED}
    changed |= {"proba": join(*proba), "weights": join(first.weights, first.weights)}
    changed |= {"label": join(first.labels(), second.labels()) if "label" in first.offers & second.offers else None}
    changed |= {"groups": join(first.groups, first.groups), "truth": np.tile(first.truth, 2)}
    return replace(first, **changed, rows=None, splits=None, threshold=None)
