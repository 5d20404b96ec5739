"""Paired bootstrap of two fixed models by any score: a row that is drawn is drawn for both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import NamedTuple

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.summed_rows import BY_CELLS, SummedRows
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note, caution, refuse, seed_note
from veracity.core.p_values import PValues
from veracity.core.seeds import derive, generator
from veracity.core.words import option, template
from veracity.evidence.evidence import Sampling
from veracity.evidence.same_rows import SameRows, TrackedEvidence
from veracity.findings.interval import Limits
from veracity.intervals.bootstrap_intervals import (
    NO_INFORMATION,
    check_draws,
    corrected_limits,
    finite_replicates,
    quantiles,
)
from veracity.intervals.replicates import BATCH, GROUPS, ROWS_PER_CELL, chunks, skewness
from veracity.kernels import collapse, draw_rows
from veracity.records.arrays import Array

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
    aliases="bootstrap_test, paired_bootstrap_test",
    keywords="Efron",
)
def paired_bootstrap(
    pair: SameRows, *, draws: int = 9_999, seed: int = 0, interval: str = "percentile", stratified: bool = False
) -> Verdict:
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
    return Verdict.of(None, _p_values(pair, replicates), None, notes, pair.difference, error, limits)


def _check_options(pair: SameRows, interval: str, stratified: bool) -> None:
    if interval not in INTERVALS:
        raise BadInput(f"paired_bootstrap: interval is one of {', '.join(INTERVALS)}, not {interval!r}")
    if stratified and pair.first.kind != "classes":
        raise BadInput("paired_bootstrap: stratified=True draws within classes, and this target is of numbers")
    if stratified and pair.sampling is not None:
        raise BadInput("paired_bootstrap: stratified=True draws plain rows, and these are weighted or in groups")
    if stratified and interval == "bca":
        raise BadInput(
            f"paired_bootstrap: stratified=True has percentile limits alone: leave out {option('interval', 'bca')}"
        )


def _note_for_two(pair: SameRows, note: Note, stratified: bool) -> Note:
    """The note in the words of two models, with the way out that there is for them."""
    if note is NO_INFORMATION:
        return ALIKE if pair.difference == 0 else CONSTANT
    if note.code == "undefined-replicates" and not stratified and pair.first.kind == "classes":
        return replace(note, says=f"{template(note.says)}; paired_bootstrap(stratified=True) draws within classes")
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
            return draw_rows.bootstrap_counts(seed, first, number, self.rows)
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
        drawn: Array = draw_rows.bootstrap_counts(seed, first, number, self.rows)
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
        collapse.add_to_cells(counts, cell, out)
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
