"""Corrections never leave the range of a score."""

import math

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

import veracity as vc
from veracity.risk.entry import Found
from veracity.risk.within import inside
from veracity.scores import scores


@pytest.mark.parametrize(("score", "value", "kept"), [("mse", -0.5, 0.0), ("accuracy", 1.25, 1.0), ("error", 0.4, 0.4)])
def test_moved_to_the_nearest_end_and_said(score, value, kept):
    found = inside(scores.choose(score), Found(value, facts=(("bias", 1.0),)))
    assert found.value == kept and found.facts == (("bias", 1.0),)
    assert [note.code for note in found.notes] == (["clipped"] if kept != value else [])
    assert all(f"gave {value:g}" in note.says for note in found.notes)


def test_undefined_stays_undefined():
    assert math.isnan(inside(scores.choose("mse"), Found(math.nan)).value)


def test_a_loss_is_never_negative(evaluated):
    """A row far away: the models without it are much better on the others, and the jackknife overshoots."""
    features = np.array([[0.0], [1], [2], [3], [40]])
    target = np.array([0.0, 1.1, 1.9, 3.1, 0.5])
    runs = evaluated(LinearRegression(), features, target, ["jackknife", "corrected_kfold(k=2)", "optimism_bootstrap"])
    rows = list(vc.estimate(runs, ["mse", "mae", "rmse"]))
    assert all(row.value >= 0 for row in rows)
