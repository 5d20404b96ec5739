"""Aligned ranks and Quade: printed answers, false non-ties, and what must not matter."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.comparisons import comparisons
from veracity.comparisons.friedman import mid_ranks
from veracity.core.errors import BadInput
from veracity.readers.scores_of_arrays import score_matrix

REFERENCE = Path(__file__).parents[1] / "reference"
GARCIA = np.loadtxt(REFERENCE / "gh2008_accuracy.csv", delimiter=",", skiprows=1, usecols=range(1, 6))
EXAMPLE = [
    (0.84, 0.79, 0.89, 0.43),
    (0.57, 0.78, 0.78, 0.93),
    (0.62, 0.87, 0.88, 0.71),
    (0.95, 0.55, 0.49, 0.72),
    (0.84, 0.67, 0.89, 0.89),
    (0.51, 0.63, 0.98, 0.55),
]


def asked(name, values, better="higher"):
    return comparisons.choose(name)(score_matrix(values, better=better))


@pytest.mark.parametrize(
    ("name", "values", "statistic"),
    [
        ("aligned_ranks", EXAMPLE, 1.5877),
        ("aligned_ranks(convention='scmamp')", EXAMPLE, 1.5863),
        ("quade", EXAMPLE, 0.5043),
        ("aligned_ranks", GARCIA, 41.7292),
        ("aligned_ranks(convention='scmamp')", GARCIA, 41.7284),
        ("quade", GARCIA, 10.9434),
        ("quade(convention='scmamp')", GARCIA, 10.8018),
    ],
)
def test_printed_statistics(name, values, statistic):
    assert asked(name, values).statistic == pytest.approx(statistic, abs=5e-5)


def test_printed_p_values():
    assert asked("quade", EXAMPLE).p_value == pytest.approx(0.6851, abs=5e-5)
    assert asked("quade(convention='scmamp')", GARCIA).p_value == pytest.approx(1.772e-7, rel=3e-4)


def test_rounding_makes_no_false_differences():
    values = np.array([0.1 + 0.2, 0.3, 0.7 - 0.4, 0.5])
    assert mid_ranks(values, 1.0).tolist() == [2, 2, 2, 4]
    shifted = np.array([(0.1, 0.2, 0.4), (0.3, 0.4, 0.6), (1.1, 1.2, 1.4)])  # alike but for a shift
    assert asked("aligned_ranks", shifted).statistic == pytest.approx(6)
    assert asked("quade", shifted).p_value == pytest.approx(1 / 36)


@pytest.mark.parametrize("name", ["aligned_ranks", "quade", "anova"])
@given(st.integers(0, 10_000))
def test_order_names_shifts_and_units_do_not_matter(name, seed):
    random = np.random.default_rng(seed)
    values = random.integers(0, 9, (7, 4)) / 8 + np.eye(7, 4) / 3
    p = asked(name, values).p_value
    assert asked(name, values[random.permutation(7)]).p_value == pytest.approx(p)
    assert asked(name, values[:, random.permutation(4)]).p_value == pytest.approx(p)
    assert asked(name, values + random.integers(0, 3, (7, 1))).p_value == pytest.approx(p)
    assert asked(name, values * 100).p_value == pytest.approx(p)
    assert asked(name, 1 - values, "lower").p_value == pytest.approx(p)


@pytest.mark.parametrize("name", ["aligned_ranks", "quade"])
def test_an_unknown_convention(name):
    with pytest.raises(BadInput, match=f"{name}: convention is 'exact' or 'scmamp', not 'R'"):
        asked(f"{name}(convention='R')", EXAMPLE)
