"""Two fixed models on different rows."""

from __future__ import annotations

from math import sqrt

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.entry import Known
from veracity.core.normal import two_sided
from veracity.core.notes import Note, caution, refuse
from veracity.evidence.proportion import Shares
from veracity.intervals.independent import NO_ROWS

ALL_ALIKE = Note("no-information", "remark", "all rows of both models are alike: no evidence either way")
SAME_ROWS = refuse(
    "same-rows",
    "both models were tried on the same rows, or some of them, which two_proportion_z takes for different ones: use"
    " mcnemar_midp on the rows that they share, or give row ids if these are others",
    lambda s: s.same,
)
FEW_HITS = caution(
    "few-hits",
    "fewer than 10 rows of one kind: the normal approximation is poor",
    lambda s: min(s.first.hits, s.first.misses, s.second.hits, s.second.misses) < 10,
)


@comparison(
    "Two-proportion z",
    reads=Shares,
    interval="newcombe",
    cite=("dietterich1998",),
    assumes=("IID", "FIX", "BIG"),
    limits=(NO_ROWS, SAME_ROWS, FEW_HITS),
    known=(
        Known({"hits": (12, 20), "rows": (40, 50)}, (-0.9848, 0.3247)),
        Known({"hits": (170, 200), "rows": (1000, 1000)}, (-1.7276, 0.0841)),
    ),
)
def two_proportion_z(s: Shares) -> Verdict:
    """Difference of two shares of different rows over the standard error that they have if they are equal.

    For test sets that share no row. On the same rows it ignores that the models agree on most of them.
    """
    rows = (s.first.rows, s.second.rows)
    pooled = (s.first.hits + s.second.hits) / sum(rows)
    if pooled <= 0 or pooled >= 1:
        return Verdict(0.0, 1.0, None, (ALL_ALIKE, *s.notes), s.difference)
    z = s.difference / sqrt(pooled * (1 - pooled) * sum(1 / m for m in rows))
    return Verdict(z, two_sided(z), None, s.notes, s.difference)
