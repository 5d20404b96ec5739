"""Rom's critical values and the levels at which they reject."""

import json
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest

from veracity.adjustments.adjust import adjust, critical_values
from veracity.core.errors import BadInput

CONTROL = json.loads((Path(__file__).parents[1] / "reference" / "gh2008_expected.json").read_text("utf-8"))[
    "control_1NN_quade"
]


def exact(size, level):
    """The recursion in fractions, the largest p-value first."""
    a, found = Fraction(level), []
    for i in range(1, size + 1):
        powers = sum((a**j for j in range(1, i)), Fraction(0))
        found.append(a if i == 1 else (powers - sum(comb(i, j) * found[j] ** (i - j) for j in range(1, i - 1))) / i)
    return [float(value) for value in found]


def test_printed_critical_values():
    assert critical_values(4, 0.05) == pytest.approx([0.0127, 0.0169, 0.025, 0.05], abs=5e-5)


@pytest.mark.parametrize("level", [1e-9, 0.05, 0.5, 0.999])
def test_the_recursion_in_fractions(level):
    assert critical_values(14, level)[::-1] == pytest.approx(exact(14, level), rel=1e-12)


@pytest.mark.parametrize("size", [59, 60, 101, 300])
def test_many_values_lie_between_hochberg_and_sidak(size):
    places = np.arange(size, 0, -1)
    found = critical_values(size, 0.05)
    assert (0.05 / places <= found * (1 + 1e-12)).all()
    assert (found <= -np.expm1(np.log1p(-0.05) / places) * (1 + 1e-12)).all()
    assert size * found[0] == pytest.approx(-np.log1p(-0.05), rel=2 / size)


@pytest.mark.parametrize("name", ["holland", "finner", "li"])
def test_a_control_against_four(name):
    learners = list(CONTROL["raw"])
    found = adjust([CONTROL["raw"][learner] for learner in learners], name)
    assert found == pytest.approx([CONTROL[name][learner] for learner in learners], abs=5e-7)


def test_rom_steps_up():
    found = adjust(list(CONTROL["raw"].values()), "rom")
    assert found == pytest.approx([0.2181, 0.2181, 0.2181, 0.7090], abs=5e-5)


def test_the_adjusted_value_is_the_level_that_just_rejects():
    p = np.sort(np.random.default_rng(3).random(30)) ** 3
    found = adjust(p, "rom")
    for place, level in enumerate(found):
        assert (p[place:] <= critical_values(30, level * (1 + 1e-9))[place:]).any()
        assert (p[place:] > critical_values(30, level * (1 - 1e-9))[place:]).all()


@pytest.mark.parametrize("size", [2, 70])
def test_zeros_and_ones_among_the_p_values(size):
    p = np.array([0.0, 5e-324, *np.full(size - 2, 0.4)])
    p[-1] = 1.0 if size > 2 else p[-1]
    found = adjust(p, "rom")
    assert found[0] == 0
    assert np.isfinite(found).all()


def test_the_ratio_form_decides_alike_at_its_level():
    random = np.random.default_rng(4)
    for _ in range(50):
        p = random.random(6) ** 3
        assert ((adjust(p, "rom") <= 0.05) == (adjust(p, "rom(alpha=0.05)") <= 0.05)).all()


@pytest.mark.parametrize(
    ("alpha", "says"), [("0", "a level between 0 and 1"), ("1.5", "a level"), ("'x'", "a number"), ("True", "a number")]
)
def test_a_level_that_is_none(alpha, says):
    with pytest.raises(BadInput, match=f"rom: alpha (is|must be) {says}"):
        adjust([0.1, 0.2], f"rom(alpha={alpha})")
