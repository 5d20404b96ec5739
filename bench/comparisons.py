"""Speed of adjusted p-values."""

from __future__ import annotations

from time import process_time

import numpy as np
from statsmodels.stats.multitest import multipletests

import veracity as vc
from bench.row import Row, alone, faster, measure, measure_growth


def _pairs(learners: int) -> np.ndarray:
    """P-values of all pairs, some of them small."""
    return np.random.default_rng(0).random(learners * (learners - 1) // 2) ** 3


def bergmann_hommel() -> list[Row]:
    """One series: each further learner makes about three times as many sets of pairs."""
    p = {learners: _pairs(learners) for learners in (6, 9, 12, 14)}

    def job(learners: int) -> object:
        return vc.adjust(p[learners], "bergmann_hommel")

    rows = []
    for learners, smaller, aim in ((9, (6,), 0.02), (14, (9, 12), 1.5)):
        job(learners)
        ours = measure_growth(job, learners, 5, process_time, smaller, "learners")
        name = f"Bergmann-Hommel of {learners} learners, {len(p[learners])} pairs; processor time alone"
        rows.append(alone(name, ours, aim, "none in Python"))
    return rows


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


ROWS = (bergmann_hommel, benjamini_hochberg, hommel)
