"""Two learners on pairs of disjoint halves of one data set."""

from __future__ import annotations

import math

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.normal import two_sided
from veracity.core.notes import caution, refuse
from veracity.evidence.split_scores import Subsamples

UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined or infinite in some splits, and none is dropped: use larger test parts",
    lambda s: not (np.isfinite(s.full).all() and np.isfinite(s.halves).all()),
)
CONSTANT = refuse(
    "no-spread",
    "the halves of every pair differ by the same amount, so their spread says nothing: use corrected_t",
    lambda s: s.variance == 0 and s.mean != 0,
)
FEW_PAIRS = caution(
    "few-pairs", "fewer than 10 pairs of halves: the variance is poorly known", lambda s: len(s.halves) < 10
)


@comparison(
    "Conservative z",
    reads=Subsamples,
    cite=("nadeau2003",),
    assumes=("NORM",),
    limits=(UNDEFINED, CONSTANT, FEW_PAIRS),
)
def conservative_z(s: Subsamples) -> Verdict:
    """The mean difference over splits of all rows against its spread between disjoint halves of them.

    Halves share no row, so their spread hides nothing; but learners in them train on fewer rows, so it overstates the
    variance and the test rejects less often than its level says. It reads the design paired_subsampling.
    """
    error = math.sqrt(s.variance)
    if error == 0:
        return Verdict(0.0, 1.0, difference=s.mean)
    z = s.mean / error
    return Verdict(z, two_sided(z), difference=s.mean, standard_error=error)
