"""The classic pair of validation curves, as the manual shows it."""

import runpy
from pathlib import Path

import numpy as np
import pytest

PAIR = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "polynomials.py"))


def medians(found):
    return np.median(found, axis=2)


def test_ten_rows_of_rising_degree():
    training, test = medians(PAIR["by_degree"](10))
    assert (np.diff(training) < 0).all() and training[9] < 1e-12
    assert test.argmin() == 3
    assert test[3] == pytest.approx(0.15, abs=0.02)
    assert 1 < test[6] < 6
    assert test[9] > 1000


def test_a_hundred_rows_of_rising_degree():
    _, test = medians(PAIR["by_degree"](100))
    assert test[:3].min() > 0.25
    assert test[3:].min() > 0.095 and test[3:].max() < 0.102


def test_a_rising_penalty_is_the_mirror_image():
    training, test = medians(PAIR["by_penalty"](10))
    at = PAIR["LOG_PENALTIES"]
    assert (np.diff(training) > 0).all()
    assert at[test.argmin()] in (-12.5, -10, -7.5)
    assert test.min() == pytest.approx(0.18, abs=0.02)
    assert test[0] > 1000 and test[-1] > 0.3


def test_weights_solve_the_penalised_equations():
    x, y = PAIR["rows"](12, 3, 5)
    features = x[..., None] ** np.arange(5)
    for one, target, found in zip(features, y, PAIR["weights"](features, y, 0.01), strict=True):
        assert found == pytest.approx(np.linalg.solve(one.T @ one + 0.01 * np.eye(5), one.T @ target))
