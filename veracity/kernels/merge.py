"""Merging the sorted values of two classes into tied blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

from veracity.kernels.compile import kernel

Array = Any
NOTHING = np.empty(0, np.int64)
COMPACT_ABOVE = 20_000_000  # blocks: above this, counts are kept in the smallest integers that hold them


def blocks(positives: Array, negatives: Array, keep_values: bool = True) -> tuple[Array, Array, Array | None]:
    """Rows of each class per distinct value, highest first, from two ascending arrays: counted first, then written."""
    number, largest = merge(positives, negatives, NOTHING, NOTHING, positives[:0])
    kind = np.int64 if number < COMPACT_ABOVE else np.min_scalar_type(int(largest))
    of_positives, of_negatives = np.empty(number, kind), np.empty(number, kind)
    values = np.empty(number if keep_values else 0, np.result_type(positives, negatives))
    merge(positives, negatives, of_positives, of_negatives, values)
    return of_positives, of_negatives, values if keep_values else None


@kernel
def merge(
    positives: Array, negatives: Array, of_positives: Array, of_negatives: Array, values: Array
) -> tuple[int, int]:
    """How many distinct values there are and the most rows of one class at one; writes what it is given room for."""
    i, j = len(positives) - 1, len(negatives) - 1
    number, largest = 0, 0
    while i >= 0 or j >= 0:
        value = positives[i] if j < 0 or (i >= 0 and positives[i] > negatives[j]) else negatives[j]
        hits, alarms = 0, 0
        while i >= 0 and positives[i] == value:
            i -= 1
            hits += 1
        while j >= 0 and negatives[j] == value:
            j -= 1
            alarms += 1
        if len(of_positives) > 0:
            of_positives[number] = hits
            of_negatives[number] = alarms
        if len(values) > 0:
            values[number] = value
        number += 1
        largest = max(largest, hits, alarms)
    return number, largest
