"""Some rows of predictions."""

import numpy as np

from veracity import predictions, score
from veracity.evidence.subset import subset

P = predictions(
    ["a", "b", "c", "a"],
    proba=np.eye(3)[[0, 1, 1, 2]] * 0.7 + 0.1,
    rows=[10, 11, 12, 13],
    weights=[1, 2, 3, 4],
    groups=["x", "y", "z", "y"],
    prior=(0.5, 0.3, 0.2),
)


def test_a_mask_and_positions_choose_alike():
    by_mask, by_place = subset(P, np.array([False, True, False, True])), subset(P, np.array([1, 3]))
    for name in ("truth", "proba", "rows", "weights", "groups"):
        assert getattr(by_mask, name).tolist() == getattr(by_place, name).tolist()


def test_classes_and_facts_stay_and_groups_are_numbered_anew():
    part = subset(P, np.array([1, 3]))
    assert part.classes == ("a", "b", "c") and part.prior == P.prior
    assert part.groups.tolist() == [0, 0]
    assert part.rows.tolist() == [11, 13]
    assert score(part, "accuracy") == 2 / 6


def test_what_is_not_there_stays_away():
    part = subset(predictions([1.0, 2, 3], number=[1.0, 2, 5]), np.array([2]))
    assert part.proba is None and part.groups is None
    assert score(part, "mae") == 2
