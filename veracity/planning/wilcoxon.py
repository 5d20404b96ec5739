"""Power of Wilcoxon's signed-rank test over data sets, by simulation."""

from __future__ import annotations

import numpy as np

from veracity.comparisons.signed_ranks import law
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.seeds import generator
from veracity.planning.entry import power_of
from veracity.planning.student import positive, spans

MOST = 200  # data sets: up to here the null law of the test is exact


@power_of(
    "Wilcoxon signed ranks over data sets, simulated",
    span=spans,
    most=MOST,
    beyond="ask paired_t, which needs about 5 % fewer",
    cite=("wilcoxon1945",),
    assumes=("DSI", "SYM"),
)
def wilcoxon(
    datasets: int, difference: float, at: Confidence, *, sd: float, draws: int = 10_000, seed: int = 0
) -> float:
    """Share of simulated collections of data sets, with normal differences, on which the exact test concludes.

    `sd` is the standard deviation of the differences over data sets. The result depends on `draws`; its Monte-Carlo
    error is told with it.
    """
    positive("sd", sd)
    positive("draws", draws)
    if datasets > MOST:
        raise BadInput(f"wilcoxon is simulated for up to {MOST} data sets, not {datasets}: ask paired_t")
    cut = largest_sum(datasets, at)
    if cut < 0:
        return 0.0
    normal = generator(seed, "power of wilcoxon", datasets).standard_normal((draws, datasets))
    shifted = normal + difference / sd
    ranks = np.argsort(np.argsort(np.abs(shifted), axis=1), axis=1) + 1
    plus = np.where(shifted > 0, ranks, 0).sum(axis=1)
    return float((np.minimum(plus, datasets * (datasets + 1) // 2 - plus) <= cut).mean())


def largest_sum(datasets: int, at: Confidence) -> int:
    """The largest smaller sum of ranks at which the test concludes, -1 if none does."""
    most = datasets * (datasets + 1) // 2
    below = np.cumsum(law(np.arange(1, datasets + 1), most))
    return int(np.searchsorted(below, at.tail * (1 + 1e-12), side="right")) - 1
