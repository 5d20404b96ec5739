"""What a permutation test says: the add-one p-value, ties, failures, infinities."""

import json

import numpy as np
import pytest

import veracity as vc
from veracity.findings.experiments import PermutationTest


def held(value, null, better="lower", kind="labels"):
    return PermutationTest("nb", "error", "kfold(k=10)", kind, value, np.array(null, float), better)


@pytest.mark.parametrize(
    ("value", "null", "better", "as_good"),
    [
        (0.2, [0.1, 0.2, 0.3, 0.4], "lower", 2),
        (0.2, [0.1, 0.2, 0.3, 0.4], "higher", 3),
        (0.1 + 0.2, [0.3, 0.3, 0.4], "lower", 2),  # equal but for rounding
        (0.2, [0.3, np.nan, 0.4], "lower", 1),  # a draw that failed speaks against the learner
        (0.2, [0.3, np.inf, np.inf], "lower", 0),
        (np.inf, [0.3, np.inf, 0.4], "lower", 3),
    ],
)
def test_at_least_as_good(value, null, better, as_good):
    found = held(value, null, better)
    assert found.as_good == as_good
    assert found.p_value == (1 + as_good) / (1 + len(null))


def test_it_is_never_zero_and_its_error_is_told():
    found = held(0.1, np.full(999, 0.5))
    assert found.p_value == 0.001
    assert found.error == pytest.approx(np.sqrt(0.001 * 0.999 / 999))
    assert found.difference == pytest.approx(-0.4)


def test_one_sentence():
    found = held(0.1, np.full(99, 0.5))
    assert str(found) == repr(found)
    says = "The error of nb is 0.1, and 0.5 on average over 99 draws with shuffled labels; p = 0.01 (+- 0.01): "
    assert str(found) == says + "features tell something of the target."
    weak = held(0.5, np.full(99, 0.5), kind="within_class")
    assert "not enough to conclude that the learner uses how features go together" in str(weak)


def test_json_has_no_number_that_json_lacks():
    said = held(0.1, [0.5, np.nan, np.inf]).to_json()
    assert json.loads(json.dumps(said, allow_nan=False))["null"] == [0.5, None, None]


def test_a_small_p_value_is_not_rounded_to_the_decimals_of_a_large_score():
    (cells,) = held(58.29, np.full(999, 77.34)).table().texts
    assert cells[:3] == ("58.29", "77.34", "-19.05") and cells[5] == "999"
    assert float(cells[3]) == 0.001 and float(cells[4]) == pytest.approx(0.001, rel=0.01)


@pytest.mark.parametrize(
    ("value", "null"),
    [(0.1, np.linspace(0.4, 0.6, 99)), (0.5, np.full(9, 0.5)), (0.2, [np.nan, np.inf, 0.5]), (np.inf, [0.4, 0.5])],
)
def test_the_picture_holds_every_draw_and_the_data_as_it_is(value, null):
    found = held(value, null)
    chart = found.curve()
    bars, *here = chart.lines
    assert bars.y.sum() == np.isfinite(null).sum() and bars.style == "bars"
    assert [line.x.tolist() for line in here] == ([[value, value]] if np.isfinite(value) else [])
    assert chart.title == f"Permutation test: p = {found.p_value:.3g}"
    assert len(vc.plot(found).get_lines()) >= len(here)
