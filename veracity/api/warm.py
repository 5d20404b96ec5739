"""Loops compiled ahead of the first large table, which would wait for them otherwise."""

from __future__ import annotations

from time import perf_counter

import numpy as np

from veracity.contests.compare import compare
from veracity.evidence.make_predictions import predictions
from veracity.evidence.sort_rows import MANY_ROWS
from veracity.risk.estimates import scorecard


def compile_loops() -> float:
    """Seconds taken: scorecards of plain and of weighted rows, of values, and two models compared on the same rows.

    What is compiled is kept on disk, beside the installed package or in the folder that NUMBA_CACHE_DIR names.
    """
    start = perf_counter()
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, MANY_ROWS)
    chance = np.clip(0.4 * truth + 0.6 * random.random(MANY_ROWS), 0, 1)
    plain = predictions(truth, proba=chance, positive=1)
    values = predictions(truth, value=chance, positive=1)
    weighted = predictions(truth, proba=chance, positive=1, weights=chance + 1)
    for one in (plain, values, weighted):
        scorecard(one)
    other = predictions(truth, proba=(chance + random.random(MANY_ROWS)) / 2, positive=1)
    for score in ("error", "auc", "brier"):
        compare({"one": plain, "other": other}, score)
    return perf_counter() - start
