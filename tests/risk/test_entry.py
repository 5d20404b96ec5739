"""Corrections never leave the range of a score."""

import math

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.risk import PointEstimate
from veracity.risk.resampling_estimators import clipped_to_range
from veracity.scores import scores


@pytest.mark.parametrize(("score", "value", "kept"), [("mse", -0.5, 0.0), ("accuracy", 1.25, 1.0), ("error", 0.4, 0.4)])
def test_moved_to_the_nearest_end_and_said(score, value, kept):
    found = clipped_to_range(scores.choose(score), PointEstimate(value, facts=(("bias", 1.0),)))
    assert found.value == kept and found.facts == (("bias", 1.0),)
    assert [note.code for note in found.notes] == (["clipped"] if kept != value else [])
    assert all(f"gave {value:g}" in note.says for note in found.notes)


def test_undefined_stays_undefined():
    assert math.isnan(clipped_to_range(scores.choose("mse"), PointEstimate(math.nan)).value)


def test_a_loss_is_never_negative(evaluated):
    """Here leaving out a row mostly makes the others harder to fit, and the jackknife takes too much away: -0.1."""
    features = np.random.default_rng(12).normal(size=(20, 2))
    row = vc.estimate(evaluated(KNeighborsClassifier(3), features, np.tile([0, 1], 10), "jackknife"), "error")["error"]
    assert row.value == 0 and dict(row.facts)["bias"] == pytest.approx(0.3)
    assert "the correction gave -0.1, which error cannot be" in next(n.says for n in row.notes if n.code == "clipped")
