"""The ideal z: only of scores on fresh rows, and only when that is said."""

import numpy as np
import pytest

import veracity as vc
from veracity.comparisons.resampled_t import ideal_z


def table(first, second, independent=True):
    return vc.split_scores({"a": first, "b": second}, train=90, test=10, independent=independent)


def test_by_hand():
    found = vc.compare(table([0.1, 0.3, 0.5], [0.2, 0.2, 0.5]), using="ideal_z")
    error = np.sqrt((0.04 + 0.03) / 3)
    assert found.difference == pytest.approx(0.0, abs=1e-12)
    assert (found.interval.high - found.interval.low) / 2 == pytest.approx(1.959964 * error, rel=1e-6)


def test_refused_unless_the_splits_are_said_to_be_independent():
    with pytest.raises(vc.Refused, match="independent=True"):
        vc.compare(table([0.1, 0.3], [0.2, 0.2], independent=False), using="ideal_z")


def test_without_spread():
    assert ideal_z.function(table([0.1, 0.1], [0.1, 0.1])).p_value == 1
    with pytest.raises(vc.Refused, match="neither learner's score varies"):
        vc.compare(table([0.1, 0.1], [0.2, 0.2]), using="ideal_z")


def test_it_keeps_its_level():
    random = np.random.default_rng(0)
    both = random.normal(size=(1000, 2, 40))
    rejected = np.mean([ideal_z.function(table(*pair)).p_value < 0.05 for pair in both])
    assert rejected == pytest.approx(0.05, abs=0.025)
