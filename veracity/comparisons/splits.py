"""Two learners on the same splits of one data set; the evidence is their differences."""

from __future__ import annotations

import math

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.notes import caution, refuse
from veracity.records.split_scores import SplitScores

ONE_SPLIT = refuse(
    "one-split", "one split says nothing about how splits differ: use a design with several", lambda s: len(s) < 2
)
UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined in some splits, and none is dropped: use fewer folds or a stratified design",
    lambda s: s.undefined > 0,
)
CONSTANT = refuse(
    "no-spread",
    "the difference is the same in all splits and not 0, so its spread says nothing",
    lambda s: s.spread == 0 and s.mean != 0,
)
FEW_SPLITS = caution(
    "few-splits", "fewer than 10 splits: the spread between them is poorly known", lambda s: len(s) < 10
)


@comparison(
    "Corrected resampled t",
    reads=SplitScores,
    cite=("nadeau2003",),
    assumes=("RHO", "NORM"),
    limits=(ONE_SPLIT, UNDEFINED, CONSTANT, FEW_SPLITS),
)
def corrected_t(s: SplitScores) -> Verdict:
    """Student's test of the mean difference over splits, its variance raised because splits share training rows."""
    from scipy.special import stdtr

    df = len(s) - 1
    if s.spread == 0:
        return Verdict(0.0, 1.0, df, difference=s.mean)
    error = s.spread * math.sqrt(1 / len(s) + s.test_share)
    t = s.mean / error
    return Verdict(t, float(2 * stdtr(df, -abs(t))), df, difference=s.mean, standard_error=error)
