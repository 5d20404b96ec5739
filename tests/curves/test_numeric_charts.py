import numpy as np
import pytest

from veracity.core.errors import BadInput
from veracity.curves.regression import error_distribution, predicted_actual, residuals
from veracity.evidence.make_predictions import predictions

ACTUAL, SAID = [3, 5, 2, 7], [2.5, 5, 4, 8]
G = predictions(ACTUAL, number=SAID)


def test_predicted_against_actual():
    found = predicted_actual({"m": G})
    assert found.only.x.tolist() == ACTUAL and found.only.y.tolist() == SAID
    (diagonal,) = found.guides
    assert diagonal.x.tolist() == diagonal.y.tolist() == [2, 8]


def test_residuals_are_actual_minus_predicted():
    found = residuals({"m": G})
    assert found.only.x.tolist() == SAID
    assert found.only.y.tolist() == [0.5, 0, -2, -1]
    assert found.facts["errors"]["m"].mean == pytest.approx(0.625)
    assert found.facts["errors"]["m"].quantiles[2] == 0.5


def test_distribution_adds_to_one_over_bars_shared_by_models():
    worse = predictions(ACTUAL, number=[0, 0, 0, 0.5])
    found = error_distribution({"m": G, "worse": worse}, bins=5)
    assert found.facts["edges"] == pytest.approx(np.linspace(-6.5, 2, 6))
    assert all(line.y.sum() == pytest.approx(1) for line in found.lines)
    assert found.lines[0].x.tolist() == found.lines[1].x.tolist()
    assert found.lines[1].y.tolist() == pytest.approx([0.5, 0, 0.5, 0, 0])  # errors -6.5, -5, -3, -2


def test_bars_follow_the_spread_and_are_not_too_many():
    random = np.random.default_rng(1)
    truth = random.normal(size=10_000)
    found = error_distribution({"m": predictions(truth, number=truth + random.normal(size=10_000))})
    widths = np.diff(found.facts["edges"])
    assert widths[0] == pytest.approx(2 * 1.349 / 10_000 ** (1 / 3), rel=0.1)
    heavy = error_distribution({"m": predictions(truth, number=truth + random.standard_cauchy(10_000))})
    assert len(heavy.only.x) <= 200


def test_weights_count_as_repeats():
    weighted = predictions(ACTUAL, number=SAID, weights=[1.0, 2, 3, 4])
    repeated = predictions(np.repeat(ACTUAL, [1, 2, 3, 4]), number=np.repeat(SAID, [1, 2, 3, 4]))
    one, other = (error_distribution({"m": p}, bins=4) for p in (weighted, repeated))
    assert one.only.y == pytest.approx(other.only.y)
    assert one.facts["errors"]["m"].mean == pytest.approx(other.facts["errors"]["m"].mean)


def test_exact_predictions_have_one_bar():
    found = error_distribution({"m": predictions(ACTUAL, number=ACTUAL)})
    assert found.only.x.tolist() == [0] and found.only.y.tolist() == [1]


@pytest.mark.parametrize("kind", [predicted_actual, residuals, error_distribution])
def test_classes_are_refused(kind):
    with pytest.raises(BadInput, match="number="):
        kind({"m": predictions([0, 1], label=[0, 1])})


def test_bins_are_whole():
    with pytest.raises(BadInput, match="bins"):
        error_distribution({"m": G}, bins=0)
