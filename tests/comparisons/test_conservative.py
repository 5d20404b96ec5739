"""The conservative z of paired halves, by hand and from runs."""

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.comparisons.resampled_t import conservative_z
from veracity.core.notes import check
from veracity.evidence.score_matrix import Subsamples


def test_by_hand():
    s = Subsamples(np.array([0.1, 0.3]), np.array([[0.1, 0.3], [0.2, 0.2]]))
    found = conservative_z.function(s)
    assert found.standard_error == pytest.approx(0.1)  # root of (.04 + 0) / (2 x 2)
    assert (found.estimate, found.statistic, found.p_value) == pytest.approx((0.2, 2.0, 0.0455), abs=1e-5)


def test_limits():
    few = Subsamples(np.array([0.1, 0.3]), np.array([[0.1, 0.3], [0.2, 0.2]]))
    assert [note.code for note in check(conservative_z.limits, few)] == ["few-pairs"]
    with pytest.raises(vc.Refused, match="spread says nothing"):
        check(conservative_z.limits, Subsamples(np.array([0.1]), np.full((10, 2), 0.1)))
    with pytest.raises(vc.Refused, match="undefined"):
        check(conservative_z.limits, Subsamples(np.array([np.nan]), np.full((10, 2), 0.1)))
    assert conservative_z.function(Subsamples(np.zeros(3), np.zeros((10, 2)))).p_value == 1


def test_from_runs_of_its_design_only():
    random = np.random.default_rng(0)
    y = np.arange(60) % 2
    features = random.normal(size=(60, 2)) + y[:, None]
    learners = {"nb": GaussianNB(), "knn": KNeighborsClassifier(1)}
    runs = vc.evaluate(learners, features, y, by="paired_subsampling(outer=3, inner=2)", seed=1)
    found = vc.compare(runs, "error")
    assert found.using == "conservative_z" and 0 <= found.p_value <= 1 and found.interval is not None
    assert "few-pairs" in [note.code for note in found.notes]
    other = vc.evaluate(learners, features, y, by="kfold(k=3)", seed=1)
    with pytest.raises(vc.Refused, match="paired_subsampling"):
        vc.compare(other, "error", using="conservative_z")
    with pytest.raises(vc.Refused, match="splits share rows"):
        vc.compare(other, "error", using="ideal_z")
