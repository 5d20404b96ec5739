"""Paired permutation test of two fixed models by any score."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

import numpy as np

from veracity.comparisons.bootstrap import ALIKE, drawn, percentiles
from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.joined import UNDEFINED, Joined, Units
from veracity.comparisons.swaps import Swaps
from veracity.core.confidence import Confidence
from veracity.core.notes import Note, caution
from veracity.core.seeds import generator
from veracity.evidence.same_rows import SameRows
from veracity.findings.interval import Limits
from veracity.intervals.bootstrap import checked, finite
from veracity.intervals.resampling import chunks
from veracity.records.arrays import Array

ENUMERATED = 20  # rows that differ: up to here all their swaps are tried
WORK = 1_000_000_000  # cells over all those swaps: beyond this they are drawn, as trying all would take minutes
SCALE = caution(
    "one-scale",
    "decision values are swapped as they are, which asks for one scale: turn those of both models into ranks or"
    " probabilities if they have none in common",
    lambda pair: pair.score.entry.needs == "value" and pair.first.proba is None,
)


@comparison(
    "Paired permutation test",
    reads=SameRows,
    cite=("pitman1937", "bandos2005"),
    assumes=("EXCH", "FIX", "PAIR"),
    limits=(UNDEFINED, SCALE),
)
def paired_permutation(pair: SameRows, *, draws: int = 9_999, seed: int = 0) -> Verdict:
    """How often swapping the two models' predictions of random rows gives a difference as large as the one seen.

    Exact for any score and any number of rows when predictions of a row could as well have come from the other model.
    With at most 20 rows that differ all swaps are tried, else `draws` of them. The interval is the percentile one of a
    paired bootstrap, since swapping says nothing about the size of a difference.
    """

    def limits(at: Confidence) -> Limits:
        found, notes = finite(Joined.of(pair).replicates(draws, seed), draws)
        return percentiles(found, at)._replace(notes=(*notes, drawn(draws, seed)))

    swaps = Swaps.of(pair)
    if swaps.units.rows == 0:
        return Verdict(None, 1.0, None, (ALIKE,), pair.difference)
    exact = swaps.units.rows <= ENUMERATED and _outcomes(swaps.units) * swaps.width <= WORK
    p, undefined = _enumerated(swaps) if exact else _drawn(swaps, checked(draws), seed)
    facts = () if exact else (("monte_carlo_error", sqrt(p * (1 - p) / draws)),)
    notes = _told(undefined) + (() if exact else (drawn(draws, seed),))
    return Verdict(None, p, None, notes, pair.difference, limits=limits, facts=facts)


def _told(undefined: float) -> tuple[Note, ...]:
    if undefined == 0:
        return ()
    says = f"{undefined:.2%} of the swaps leave the score undefined and count as extreme"
    return (Note("undefined-replicates", "caution" if undefined <= 0.05 else "refuse", says),)


def _extreme(swaps: Swaps, found: Array) -> Array:
    """Whether each difference is at least as large as the one seen, rounding aside; undefined ones count as such."""
    seen, near = abs(swaps.pair.difference), 1e-9 * max(abs(value) for value in swaps.pair.values)
    return ~(np.abs(found) < seen - near)


def _drawn(swaps: Swaps, draws: int, seed: int) -> tuple[float, float]:
    """The p-value and the share of undefined differences among random swaps."""
    units = swaps.units.cheapest()
    extreme = undefined = 0
    for number in _random(units, draws, seed, swaps.width):
        found = swaps.differences(number, units)
        extreme += int(np.count_nonzero(_extreme(swaps, found)))
        undefined += int(np.count_nonzero(np.isnan(found)))
    return (1 + extreme) / (draws + 1), undefined / draws


def _random(units: Units, draws: int, seed: int, width: int) -> Iterator[Array]:
    """How many rows of each unit are swapped."""
    random = generator(seed, "paired permutation")
    single = len(units.times) == units.rows
    for _, number in chunks(draws, max(width, len(units.times))):
        if single:
            words = random.integers(0, 256, (number, -(-units.rows // 8)), np.uint8)
            yield np.unpackbits(words, axis=1, count=units.rows)
        else:
            yield random.binomial(units.times, 0.5, (number, len(units.times)))


def _outcomes(units: Units) -> int:
    return int(np.prod(units.times + 1))


def _enumerated(swaps: Swaps) -> tuple[float, float]:
    """The same over all swaps, each outcome with its probability."""
    from scipy.special import comb

    units, extreme, undefined = swaps.units, 0.0, 0.0
    for first, number in chunks(_outcomes(units), swaps.width):
        chosen = np.stack(np.unravel_index(np.arange(first, first + number), units.times + 1), 1)
        weight = comb(units.times, chosen).prod(1) / 2.0**units.rows
        found = swaps.differences(chosen, units)
        extreme += float(weight[_extreme(swaps, found)].sum())
        undefined += float(weight[np.isnan(found)].sum())
    return min(1.0, extreme), undefined
