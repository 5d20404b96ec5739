"""Whether several chains of a sampler have forgotten where they started."""

from __future__ import annotations

import numpy as np

from veracity.records.arrays import Array

CONVERGED = 1.01


def split_r_hat(chains: Array) -> float:
    """Spread between half chains against spread within them, of one number drawn in each row; 1 when they agree.

    Draws are ranked together and taken as normal scores first, so that heavy tails do no harm.
    """
    from scipy.special import ndtri

    number = chains.shape[1] // 2
    halves = np.concatenate([chains[:, :number], chains[:, -number:]])
    ranks = np.empty(halves.size)
    ranks[np.argsort(halves, axis=None, kind="stable")] = np.arange(1, halves.size + 1)
    scores = ndtri((ranks - 0.375) / (halves.size + 0.25)).reshape(halves.shape)
    within = float(scores.var(axis=1, ddof=1).mean())
    between = float(scores.mean(axis=1).var(ddof=1))
    return float(np.sqrt((number - 1) / number + between / within))
