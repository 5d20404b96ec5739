"""Conservative z by hand, and where it stops."""

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.notes import check
from veracity.evidence.score_matrix import Subsamples
from veracity.intervals.resampled import conservative_z

FULL = np.array([0.1, 0.2, 0.3])


def test_by_hand():
    s = Subsamples(FULL, np.array([[0.10, 0.16], [0.20, 0.12]]))  # (0.06^2 + 0.08^2) / (2 x 2) = 0.05^2
    found = conservative_z.function(s, Confidence(0.95))
    assert (found.low, found.high, found.about) == pytest.approx((0.2 - 1.959964 * 0.05, 0.2 + 1.959964 * 0.05, 0.2))


def test_few_pairs_are_a_caution():
    few, enough = (Subsamples(FULL, np.tile([0.1, 0.2], (pairs, 1))) for pairs in (9, 10))
    assert [note.code for note in check(conservative_z.limits, few)] == ["few-pairs"]
    assert check(conservative_z.limits, enough) == ()


@pytest.mark.parametrize(("halves", "code"), [([[0.1, 0.1]], "no-spread"), ([[0.1, np.nan]], "undefined-splits")])
def test_refuses(halves, code):
    with pytest.raises(Refused) as why:
        check(conservative_z.limits, Subsamples(FULL, np.array(halves)))
    assert why.value.code == code
