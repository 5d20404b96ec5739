import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from veracity.curves.costs import cost_curve, roc_hull
from veracity.evidence.make_predictions import predictions

SCORES = [0.99, 0.90, 0.85, 0.80, 0.78, 0.70, 0.60, 0.45, 0.40, 0.30, 0.20, 0.15, 0.10, 0.05]
TRUTH = [1, 1, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0]
D = predictions(TRUTH, value=SCORES, positive=1)


def test_example_d_at_one_half():
    found = cost_curve({"model": D}, prior=0.5)
    assert found.facts["x"] == 0.5
    assert found.facts["cost"]["model"] == pytest.approx(0.2083, abs=5e-5)
    (mark,) = found.marks
    assert (mark.x, mark.y, mark.threshold) == (0.5, pytest.approx(0.2083, abs=5e-5), 0.60)
    part = next(part for part in found.facts["stretches"]["model"] if part.x_low <= 0.5 < part.x_high)
    assert (part.fpr, part.tpr) == (0.25, pytest.approx(0.8333, abs=5e-5))


def test_trivial_lines():
    nobody, everybody = cost_curve({"model": D}).guides
    assert nobody.x.tolist() == nobody.y.tolist() == [0, 1]
    assert everybody.y.tolist() == [1, 0]


@given(st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=2, max_size=30), st.floats(0, 1))
def test_curve_is_the_least_cost_over_thresholds(data, x):
    value, truth = (np.array(column) for column in zip(*data, strict=True))
    assume(0 < truth.sum() < len(truth))
    p = predictions(truth.astype(int), value=value.astype(float), positive=1)
    costs = []
    for t in [np.inf, *np.unique(value)]:
        said = value >= t
        costs.append((1 - said[truth].mean()) * x + said[~truth].mean() * (1 - x))
    line = cost_curve({"m": p}).only
    assert np.interp(x, line.x, line.y) == pytest.approx(min(costs), abs=1e-12)
    assert (line.y <= np.minimum(line.x, 1 - line.x) + 1e-12).all()


@given(st.floats(0.01, 0.99), st.floats(0.1, 10), st.floats(0.1, 10))
def test_cost_agrees_with_the_hull(prior, cost_fp, cost_fn):
    hull = roc_hull({"m": D}, prior=prior, cost_fp=cost_fp, cost_fn=cost_fn).facts
    found = cost_curve({"m": D}, prior=prior, cost_fp=cost_fp, cost_fn=cost_fn).facts
    largest = prior * cost_fn + (1 - prior) * cost_fp
    assert found["x"] == pytest.approx(prior * cost_fn / largest)
    assert found["cost"]["m"] * largest == pytest.approx(hull["expected_cost"])


def test_threshold_of_a_point_is_the_one_in_use_to_its_right():
    line = cost_curve({"m": D}).only
    for left, right, threshold in zip(line.x, line.x[1:], line.threshold, strict=False):
        middle = (left + right) / 2
        said = np.array(SCORES) >= threshold
        truth = np.array(TRUTH) == 1
        cost = (1 - said[truth].mean()) * middle + said[~truth].mean() * (1 - middle)
        assert cost == pytest.approx(np.interp(middle, line.x, line.y))


def test_the_cheapest_model_is_named():
    crisp = predictions(TRUTH, label=TRUTH, positive=1)
    found = cost_curve({"curve": D, "perfect": crisp})
    assert found.facts["best"] == "perfect" and found.facts["cost"]["perfect"] == 0
