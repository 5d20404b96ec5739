"""The variance of an area under the ROC curve, in two passes over tied blocks and no memory of its own."""

from __future__ import annotations

from typing import Any

from veracity.kernels.compile import kernel

Array = Any


@kernel
def area_and_variance(positives: Array, negatives: Array) -> tuple[float, float]:
    """AUC, and the sample variance of the placement values of each class over its number of rows, summed."""
    all_positives = 0.0
    all_negatives = 0.0
    pairs = 0.0
    for b in range(positives.shape[0]):
        here = float(positives[b])
        pairs += negatives[b] * (all_positives + here / 2)
        all_positives += here
        all_negatives += negatives[b]
    area = pairs / (all_positives * all_negatives)
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
    variance = of_positives / (all_positives - 1) / all_positives + of_negatives / (all_negatives - 1) / all_negatives
    return area, variance
