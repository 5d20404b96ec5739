"""Standard errors from influence values of ordering scores, against the spread of bootstrap replicates."""

import numpy as np
import pytest

from veracity.evidence.interval_evidence import Linear

SCORES = [
    "auc",
    "average_precision",
    "partial_auc(max_fpr=0.2)",
    "gain_area",
    "lift_at(fraction=0.2)",
    "equal_error_rate",
    "break_even",
]


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("tied", [False, True], ids=["distinct", "tied"])
def test_plain_rows(ordered, two_classes, score, tied):
    truth, chance = two_classes(2000, seed=4, tied=tied)
    m = ordered(score, chance, truth)
    spread = m.replicates(2000, 1).std()
    assert m.view(Linear).standard_error == pytest.approx(spread, rel=0.1)


@pytest.mark.parametrize("score", ["auc", "average_precision", "lift_at(fraction=0.2)"])
def test_grouped_rows(of_rows, two_classes, score):
    truth, chance = two_classes(1500, seed=2)
    group = np.random.default_rng(0).integers(0, 300, 1500)
    m = of_rows(score, truth, proba=chance, positive=1, groups=group)
    spread = m.replicates(1000, 1).std()
    assert m.view(Linear).standard_error == pytest.approx(spread, rel=0.15)


@pytest.mark.parametrize("average", ["macro_ovr", "prior_ovr", "ovo"])
def test_several_classes(of_rows, average):
    random = np.random.default_rng(3)
    proba = random.dirichlet([1, 1, 1], 600)
    truth = (proba.cumsum(1) < random.random((600, 1))).sum(1)
    m = of_rows(f"auc(average='{average}')", truth, proba=proba)
    assert m.view(Linear).standard_error == pytest.approx(m.replicates(600, 1).std(), rel=0.1)
