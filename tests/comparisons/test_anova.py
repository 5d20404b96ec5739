"""Repeated-measures analysis of variance: worked example, statsmodels, sphericity."""

import numpy as np
import pytest

from veracity.comparisons import comparisons
from veracity.comparisons.friedman import mauchly, mean_squares, sphericity
from veracity.core.errors import Refused
from veracity.readers.scores_of_arrays import score_matrix

EXAMPLE = np.array(
    [
        (0.84, 0.79, 0.89, 0.43),
        (0.57, 0.78, 0.78, 0.93),
        (0.62, 0.87, 0.88, 0.71),
        (0.95, 0.55, 0.49, 0.72),
        (0.84, 0.67, 0.89, 0.89),
        (0.51, 0.63, 0.98, 0.55),
    ]
)


def asked(name, values):
    return comparisons.choose(name)(score_matrix(values))


def test_a_worked_example():
    found = asked("anova", EXAMPLE)
    assert (found.statistic, found.p_value) == pytest.approx((0.5066, 0.6836), abs=5e-5)
    assert mean_squares(score_matrix(EXAMPLE)).error == pytest.approx(0.03286, abs=5e-6)
    assert dict(found.facts)["epsilon"] == pytest.approx(0.749, abs=5e-4)
    assert asked("anova(correction='greenhouse_geisser')", EXAMPLE).df == pytest.approx(
        (3 * 0.749, 15 * 0.749), abs=0.01
    )


def test_statsmodels_agrees():
    anova = pytest.importorskip("statsmodels.stats.anova")
    pandas = pytest.importorskip("pandas")
    values = np.random.default_rng(1).random((12, 5))
    rows = [(i, j, values[i, j]) for i in range(12) for j in range(5)]
    frame = pandas.DataFrame(rows, columns=["data", "learner", "score"])
    table = anova.AnovaRM(frame, "score", "data", ["learner"]).fit().anova_table
    expected = table["F Value"].iloc[0], table["Pr > F"].iloc[0]
    found = asked("anova", values)
    assert (found.statistic, found.p_value) == pytest.approx(expected)


def test_epsilon_lies_between_its_bounds_and_is_one_under_sphericity():
    random = np.random.default_rng(2)
    values = random.normal(size=(4000, 4))
    assert sphericity(values) == pytest.approx(1, abs=0.01)
    one = np.outer(random.normal(size=50), [0, 0, 0, 1.0])
    assert sphericity(one) == pytest.approx(1 / 3)


def test_mauchly_rejects_at_its_level():
    random = np.random.default_rng(3)
    p = [mauchly(random.normal(size=(20, 4)) + random.normal(size=(20, 1))) for _ in range(1000)]
    assert np.mean(np.array(p) < 0.05) == pytest.approx(0.05, abs=0.02)


def test_unequal_spread_gets_a_caution_unless_corrected():
    random = np.random.default_rng(4)
    values = random.normal(size=(30, 4)) * [0.1, 0.1, 0.1, 5]
    assert asked("anova", values).notes[0].code == "sphericity"
    assert not asked("anova(correction='greenhouse_geisser')", values).notes
    assert "too few data sets" in asked("anova", values[:4]).notes[0].says


def test_differences_that_never_vary_are_refused():
    with pytest.raises(Refused, match="same amount on every data set"):
        asked("anova", np.add.outer([0.1, 0.4, 0.7], [0.0, 0.1, 0.2]))
