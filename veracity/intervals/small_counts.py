"""An interval for scores of small confusion matrices, where cells may be empty and bootstrap samples undefined."""

from __future__ import annotations

from math import sqrt

from veracity.core.confidence import Confidence
from veracity.core.notes import caution
from veracity.evidence.counts import Counts
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval
from veracity.intervals.from_shares import PLAIN
from veracity.intervals.scored import Scored
from veracity.intervals.skewed import PLAIN_SCALE, SCALES
from veracity.kernels.block_influence import moments

SMOOTHED = ("kappa", "mcc", "lift", "fbeta")
ADDED = 2.0  # rows, spread evenly over the cells: half a row in each cell of two classes
LEAST = 20
FEW = caution(
    "few-rows", f"fewer than {LEAST} rows: the interval says little", lambda m: m.evidence.cells.sum() < LEAST
)


@interval(
    "Delta method with half a row in each cell",
    reads=Scored,
    only=SMOOTHED,
    cite=("agresti1998", "hampel1974"),
    assumes=("IID", "FIX", "BIG"),
    limits=(PLAIN, FEW),
)
def delta_half(m: Scored, at: Confidence) -> Limits:
    """The delta method on the score's own scale, after half a row was added to each cell of two classes.

    With more classes the same two rows are spread over all cells; a score of one class reads two, it and the rest. It
    answers also where a cell is empty and bootstrap samples lose a class. Correlations are taken by Fisher's
    transformation, lift by its logarithm, F by its logit.
    """
    assert isinstance(m.evidence, Counts)
    read = m.score.part_read(m.evidence)
    counts = read.reweigh(read.cells + ADDED / read.cells.size)
    value = float(m.evaluate(counts))
    scale = SCALES.get(m.score.entry.range, PLAIN_SCALE)
    total, first, second, _ = moments(counts.cells, m.score.influence_of(counts))
    half = at.z * sqrt((second / total - (first / total) ** 2) / total) * scale.slope(value)
    low, high = sorted((scale.back(scale.there(value) - half), scale.back(scale.there(value) + half)))
    return Limits(min(low, m.value), max(high, m.value))
