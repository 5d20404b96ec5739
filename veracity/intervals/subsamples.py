"""The interval for a learner from pairs of disjoint halves of the rows."""

from __future__ import annotations

import math

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.notes import caution, refuse
from veracity.evidence.split_scores import Subsamples
from veracity.findings.interval import Limits
from veracity.intervals.entry import interval

UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined in some splits, and none is dropped: test more rows, by='paired_subsampling(test=0.3)'",
    lambda s: bool(np.isnan(s.full).any() or np.isnan(s.halves).any()),
)
NO_SPREAD = refuse(
    "no-spread", "both halves of every pair have the same score, so they say nothing", lambda s: s.variance == 0
)
FEW_PAIRS = caution(
    "few-pairs",
    "fewer than 10 pairs of halves: how far halves lie apart is poorly known, use paired_subsampling(outer=10)",
    lambda s: len(s.halves) < 10,
)


@interval(
    "Conservative z",
    reads=Subsamples,
    answers="learner",
    cite=("nadeau2003",),
    assumes=("IID", "NORM"),
    limits=(UNDEFINED, NO_SPREAD, FEW_PAIRS),
)
def conservative_z(s: Subsamples, at: Confidence) -> Limits:
    """Normal interval for the mean over splits, its variance measured between halves of the rows that share none.

    Half the rows vary more than all of them, so the interval is wider than it need be. It reads the splits of
    paired_subsampling, which costs (2 outer + 1) inner fits, and any score.
    """
    half = at.z * math.sqrt(s.variance)
    return Limits(s.mean - half, s.mean + half, about=s.mean)
