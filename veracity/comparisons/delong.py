"""DeLong's test of two areas under the ROC curve on the same rows."""

from __future__ import annotations

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.normal import two_sided
from veracity.evidence.same_rows import SameRows
from veracity.intervals.delong_difference import DELONG, areas


@comparison("DeLong's test", interval="delong_difference", **DELONG)
def delong_test(pair: SameRows) -> Verdict:
    """Difference of two areas under the ROC curve over its standard error, which knows that rows agree.

    For two classes. Models that order the rows alike have equal areas and nothing to test.
    """
    difference, error = areas(pair)
    if not error > 0:
        return Verdict(0.0, 1.0, None, (), difference)
    z = difference / error
    return Verdict(z, two_sided(z), None, (), difference, error)
