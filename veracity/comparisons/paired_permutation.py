"""Paired permutation test of two fixed models by any score: a row that is swapped lends each the other's answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.paired_bootstrap import (
    ALIKE,
    UNDEFINED,
    JoinedRows,
    SampledRows,
    Units,
    percentile_limits,
    sampled_rows,
)
from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.notes import Note, caution, seed_note
from veracity.core.p_values import PValues
from veracity.core.seeds import generator
from veracity.evidence.evidence import Sampling
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import OrderedRows
from veracity.evidence.predictions import Predictions
from veracity.evidence.same_rows import SameRows, TrackedEvidence
from veracity.findings.interval import Limits
from veracity.intervals.bootstrap_intervals import check_draws, finite_replicates
from veracity.intervals.replicates import chunks
from veracity.kernels import collapse
from veracity.records.arrays import Array

ENUMERATED = 20  # rows that differ: up to here all their swaps are tried
WORK = 1_000_000_000  # cells over all those swaps: beyond this they are drawn, as trying all would take minutes
SCALE = caution(
    "one-scale",
    "decision values are swapped as they are, which asks for one scale: turn those of both models into ranks or"
    " probabilities if they have none in common",
    lambda pair: pair.score.entry.needs == "value" and pair.first.proba is None,
)
WHOLE = "is of all rows at once, so that swapping some rows is not defined: use paired_bootstrap"


@comparison(
    "Paired permutation test",
    reads=SameRows,
    cite=("pitman1937", "bandos2005"),
    assumes=("EXCH", "FIX", "PAIR"),
    limits=(UNDEFINED, SCALE),
    aliases="randomisation_test, approximate_randomisation, paired_randomisation, permutation_of_predictions",
    keywords="Fisher-Pitman",
)
def paired_permutation(pair: SameRows, *, draws: int = 9_999, seed: int = 0) -> Verdict:
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
        return Verdict(None, 1.0, None, (ALIKE,), pair.difference)
    exact = swaps.units.rows <= ENUMERATED and _outcomes(swaps.units) * swaps.width <= WORK
    found = _by_enumeration(swaps) if exact else _by_draws(swaps, check_draws(draws), seed)
    p, less, greater, undefined = found.tolist()
    facts = () if exact else (("monte_carlo_error", sqrt(p * (1 - p) / draws)),)
    notes = _undefined_notes(undefined) + (() if exact else (seed_note(draws, seed),))
    one_sided = PValues(less, greater)
    return Verdict(None, p, None, notes, pair.difference, limits=limits, facts=facts, one_sided=one_sided)


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
        collapse.move_rows(number.astype(self.own.dtype, copy=False), units.first, units.second, first)
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
    if pair.score.entry.needs == "value" and (first.proba is None) != (second.proba is None):
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
