"""The variance of an area under the ROC curve, in one pass over tied blocks and no memory of its own."""

from __future__ import annotations

from typing import Any

from veracity.kernels.compile import kernel

Array = Any


@kernel
def variance(positives: Array, negatives: Array, all_positives: float, all_negatives: float, area: float) -> float:
    """The sample variance of the placements of each class in the other, over its number of rows, summed."""
    above = 0.0
    below = all_negatives
    of_positives = 0.0
    of_negatives = 0.0
    for b in range(positives.shape[0]):
        here = float(positives[b])
        wide = float(negatives[b])
        beaten = (below - wide / 2) / all_negatives - area
        beating = (above + here / 2) / all_positives - area
        of_positives += here * beaten * beaten
        of_negatives += wide * beating * beating
        above += here
        below -= wide
    of_positives /= (all_positives - 1) * all_positives
    return of_positives + of_negatives / ((all_negatives - 1) * all_negatives)
