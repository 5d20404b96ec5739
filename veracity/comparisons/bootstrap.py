"""Paired bootstrap of two fixed models by any score."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.joined import UNDEFINED, Joined
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.same_rows import SameRows
from veracity.findings.interval import Limits
from veracity.intervals.bootstrap import NO_INFORMATION, checked, corrected_limits, finite, quantiles
from veracity.records.arrays import Array

INTERVALS = ("percentile", "bca")
ALIKE = Note("never-differ", "remark", "the models never differ: no evidence either way")
SAME = Note("no-information", "refuse", "every bootstrap sample gives the same difference, so its width would be 0")
CONSTANT = Note(
    "no-information",
    "refuse",
    "every bootstrap sample gives the same difference, so the bootstrap tells nothing: use paired_permutation",
)
STRATIFIED = Note("stratified", "remark", "rows were drawn within classes: the shares of these count as known")


@comparison(
    "Paired bootstrap",
    reads=SameRows,
    cite=("efron1993",),
    assumes=("IID", "FIX", "PAIR", "BIG"),
    limits=(UNDEFINED,),
)
def paired_bootstrap(
    pair: SameRows, *, draws: int = 9_999, seed: int = 0, interval: str = "percentile", stratified: bool = False
) -> Verdict:
    """Difference of any score on resampled rows: its interval, and twice the share of samples on the other side of 0.

    Rows are drawn for both models together. `interval` is "percentile", or "bca", which corrects for bias and skewness.
    Right for many rows of every class; with few, use mcnemar_midp or paired_permutation. `stratified` draws within
    classes, as many rows of each as there are: no sample lacks a class, and the shares of classes count as known, which
    narrows the interval of scores that depend on them. It is right where a rare class leaves scores undefined, or where
    rows were chosen by class.
    """
    _asked(pair, interval, stratified)
    joined = Joined.of(pair, stratified)
    found, notes = finite(joined.replicates(checked(draws), seed), draws)
    notes = tuple(_instead(pair, note, stratified) for note in notes)
    notes += (drawn(draws, seed), *((STRATIFIED,) if stratified else ()))

    def limits(at: Confidence) -> Limits:
        if interval == "bca":
            return corrected_limits(found, pair.difference, joined.acceleration, at)
        return percentiles(found, at)

    error = float(np.std(found, ddof=1)) if len(found) > 1 else None
    return Verdict(None, _p_value(pair, found), None, notes, pair.difference, error, limits)


def _asked(pair: SameRows, interval: str, stratified: bool) -> None:
    if interval not in INTERVALS:
        raise BadInput(f"paired_bootstrap: interval is one of {', '.join(INTERVALS)}, not {interval!r}")
    if stratified and pair.first.kind != "classes":
        raise BadInput("paired_bootstrap: stratified=True draws within classes, and this target is of numbers")
    if stratified and interval == "bca":
        raise BadInput("paired_bootstrap: stratified=True has percentile limits alone: leave out interval='bca'")


def _instead(pair: SameRows, note: Note, stratified: bool) -> Note:
    """The note in the words of two models, with the way out that there is for them."""
    if note is NO_INFORMATION:
        return ALIKE if pair.difference == 0 else CONSTANT
    if note.code == "undefined-replicates" and not stratified and pair.first.kind == "classes":
        return replace(note, says=f"{note.says}; paired_bootstrap(stratified=True) draws within classes")
    return note


def _p_value(pair: SameRows, found: Array) -> float:
    near = 1e-12 * max(abs(value) for value in pair.values)  # the same counts may be added up in another order
    below, above = np.count_nonzero(found <= near), np.count_nonzero(found >= -near)
    return min(1.0, 2 * (1 + min(below, above)) / (len(found) + 1))


def percentiles(found: Array, at: Confidence) -> Limits:
    """Quantiles of the replicates, refused where all of them are equal."""
    notes = (SAME,) if len(found) == 0 or np.ptp(found) == 0 else ()
    return Limits(*quantiles(found, at.tail, 1 - at.tail), notes)


def drawn(draws: int, seed: int) -> Note:
    """Random numbers are never used in silence."""
    return Note("seed", "remark", f"{draws} draws with seed {seed}")
