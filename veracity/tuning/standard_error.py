"""How sure the mean score of a setting is, which the rule of one standard error asks for.

No design makes it vanish: more repeats of the same rows say more about chance in the splits, not about other rows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from veracity.records.arrays import Array
from veracity.records.design import Split


def between_splits(values: Sequence[float], splits: Sequence[Split]) -> float:
    """From the scores of inner splits; undefined for a single one, or with an infinite one.

    Folds: their standard deviation over the root of their number (Breiman et al. 1984), in each repeat by itself; over
    repeats the root of the mean square. Draws of which each is a repeat of its own, as hold-outs and the bootstrap,
    overlap in the rows that they test and train on: the standard deviation times the root of 1/draws + test/training
    rows (Nadeau & Bengio 2003), where a row that was drawn twice trains once.
    """
    scores, repeats = np.array(values), np.array([split.repeat for split in splits])
    each = [scores[repeats == repeat] for repeat in np.unique(repeats)]
    if len(scores) == 1 or not np.isfinite(scores).all():
        return math.nan
    if len(each) == len(scores):
        overlap = sum(len(split.test) for split in splits) / sum(split.learned_from for split in splits)
        return float(scores.std(ddof=1) * math.sqrt(1 / len(scores) + overlap))
    return math.sqrt(np.mean([folds.var(ddof=1) / len(folds) for folds in each]))


def between_rows(losses: Array, rows: Array) -> float:
    """From the losses of rows: of one that was tested several times the mean, so that each row counts once."""
    row = np.unique(rows, return_inverse=True)[1]
    each = np.bincount(row, losses) / np.bincount(row)
    if not np.isfinite(each).all():
        return math.nan
    return float(each.std(ddof=1) / math.sqrt(len(each)))
