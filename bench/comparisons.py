"""Speed of adjusted p-values."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time

import numpy as np
from statsmodels.stats.multitest import multipletests

import veracity as vc
from bench.row import Row, faster, measure, measure_growth


def _pairs(learners: int) -> np.ndarray:
    """P-values of all pairs, some of them small."""
    return np.random.default_rng(0).random(learners * (learners - 1) // 2) ** 3


def _bergmann_hommel(learners: int, aim: float) -> Row:
    p = _pairs(learners)
    job: Callable[[], object] = lambda: vc.adjust(p, "bergmann_hommel")  # noqa: E731
    job()
    ours = measure(job, 5)
    name = f"Bergmann-Hommel of {learners} learners, {len(p)} pairs; the time alone"
    return Row(name, str(ours), "none in Python", ours.best, aim, at_most=True, unit=" s")


def bergmann_hommel_9() -> Row:
    return _bergmann_hommel(9, 0.02)


def bergmann_hommel_14() -> Row:
    return _bergmann_hommel(14, 1.5)


def benjamini_hochberg() -> Row:
    p = np.random.default_rng(1).random(1_000_000) ** 2
    np.testing.assert_allclose(vc.adjust(p, "benjamini_hochberg"), multipletests(p, method="fdr_bh")[1], rtol=1e-12)
    ours = measure_growth(lambda number: vc.adjust(p[:number], "benjamini_hochberg"), len(p), 5, process_time)
    peer = measure(lambda: multipletests(p, method="fdr_bh"), 5, clock=process_time)
    return faster("Benjamini-Hochberg of 10^6 p-values; statsmodels multipletests", ours, peer, 0.8)


def hommel() -> Row:
    p = np.random.default_rng(2).random(4950) ** 2
    np.testing.assert_allclose(vc.adjust(p, "hommel"), multipletests(p, method="hommel")[1], rtol=1e-12)
    ours = measure_growth(lambda number: vc.adjust(p[:number], "hommel"), len(p), 3, process_time)
    peer = measure(lambda: multipletests(p, method="hommel"), 3, clock=process_time)
    return faster("Hommel of the 4,950 pairs of 100 learners; statsmodels multipletests", ours, peer, 1)


ROWS = (bergmann_hommel_9, bergmann_hommel_14, benjamini_hochberg, hommel)
