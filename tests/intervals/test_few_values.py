"""The score interval of a mean cost: Wilson's for two values, the likeliest shares by another way for more."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import veracity as vc
from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.evidence.interval_evidence import FewValues, Proportion
from veracity.intervals.compute import attach_interval
from veracity.intervals.confusion_matrix import _variance, mean_score
from veracity.intervals.proportions import wilson

SHARES = [((40, 8, 2), 0.6), ((40, 8, 2), 0.2), ((40, 8, 0), 2.0), ((30, 0, 0), 0.4)]
COST = "cost(matrix=((0, 1), (5, 0)))"


def limits(values, counts, at=None):
    return mean_score.function(FewValues(np.array(values, float), np.array(counts, float)), at or Confidence())


@pytest.mark.parametrize(("hits", "rows"), [(0, 20), (3, 20), (20, 20), (1, 29), (81, 263)])
@pytest.mark.parametrize("side", ["two", "upper"])
def test_two_values_are_wilson(hits, rows, side):
    at = Confidence(0.9, side)
    found = limits([0, 1], [rows - hits, hits], at)
    assert found[:2] == pytest.approx(wilson.function(Proportion(hits, rows), at)[:2], abs=1e-9)


@pytest.mark.parametrize(("counts", "mean"), SHARES)
def test_the_likeliest_shares_by_another_way(counts, mean):
    values, counts = np.array([0.0, 1.0, 5.0]), np.array(counts, float)
    bound = [{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": lambda p: p @ values - mean}]
    best = minimize(
        lambda p: -(counts * np.log(np.maximum(p, 1e-300)))[counts > 0].sum(),
        np.full(3, 1 / 3),
        bounds=[(0, 1)] * 3,
        constraints=bound,
        options={"ftol": 1e-14, "maxiter": 1000},
    )
    expected = best.x @ (values - mean) ** 2
    assert _variance(FewValues(values, counts), mean) == pytest.approx(expected, rel=1e-3)


@given(st.lists(st.integers(0, 30), min_size=3, max_size=5).filter(any), st.floats(0.1, 10))
def test_limits_hold_the_mean_and_turn_with_the_values(counts, scale):
    values = scale * np.arange(len(counts)) ** 2
    x = FewValues(values, np.array(counts, float))
    found = limits(values, counts)
    assert values[0] <= found.low <= x.mean + 1e-9 and x.mean - 1e-9 <= found.high <= values[-1]
    turned = limits(-values[::-1], counts[::-1])
    assert (-turned.high, -turned.low) == pytest.approx((found.low, found.high), abs=1e-6 * scale)


def test_default_of_a_cost():
    p = vc.predictions([1] * 10 + [0] * 90, label=[0] * 3 + [1] * 7 + [1] * 10 + [0] * 80, positive=1)
    row = vc.estimate(p, COST).rows[0]
    assert row.value == 0.25 and row.interval.method == "mean_score"
    assert row.interval.low < 0.25 < row.interval.high < 5


def test_refusals(counted, of_rows):
    with pytest.raises(Refused, match="costs the same"):
        attach_interval(counted("cost(matrix=((1, 1), (1, 1)))", [[5, 1], [2, 9]]), "mean_score", Confidence())
    with pytest.raises(Refused, match="is no mean"):
        attach_interval(counted("kappa", [[5, 1], [2, 9]]), "mean_score", Confidence())
    weighted = of_rows(COST, [0, 1] * 5, label=[0, 1, 1, 1, 0] * 2, weights=np.arange(1, 11))
    with pytest.raises(Refused, match="plain rows"):
        attach_interval(weighted, "mean_score", Confidence())
