"""A power law through a learning curve."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.findings.experiments import power_law

SIZES = np.array([20, 40, 80, 160, 320, 640])


@given(st.floats(0, 0.5), st.floats(0.1, 5), st.floats(0.2, 1.5))
def test_an_exact_law_is_found(a, b, c):
    law = power_law(SIZES, a + b * SIZES**-c)
    assert law(SIZES) == pytest.approx(a + b * SIZES**-c, abs=1e-4)
    assert law.c == pytest.approx(c, abs=0.01)
    assert law.residual < 1e-4


def test_a_score_that_rises_has_a_negative_slope():
    law = power_law(SIZES, 0.9 - 2 * SIZES**-0.8)
    assert law.b == pytest.approx(-2, rel=0.01)
    assert str(law).startswith("0.9 - 2 n^-0.8")


def test_beyond_twice_the_largest_size_is_a_guess():
    law = power_law(SIZES, 0.1 + SIZES**-0.5)
    assert law.at(1280).notes == ()
    (note,) = law.at(1281).notes
    assert (note.code, note.weight) == ("far-beyond", "caution")
    assert "0.1" in str(law.at(1e6)) and "a guess" in str(law.at(1e6))
    with pytest.raises(vc.BadInput, match="larger than 0"):
        law.at(0)


def test_no_law_without_enough_sizes_or_with_a_straight_line():
    with pytest.raises(vc.BadInput, match="at least 4 sizes, not 3"):
        power_law(SIZES[:3], np.ones(3))
    with pytest.raises(vc.Refused, match="undefined"):
        power_law(SIZES, np.append(np.ones(5), np.nan))
    law = power_law(SIZES, 0.1 + 0.001 * SIZES)
    assert law.notes[0].code == "no-power-law"
    assert str(law) == f"{law.formula}\n  {law.notes[0]}"  # printed, it says so too
