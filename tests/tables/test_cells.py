"""Four significant digits, the limits to the same place."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from veracity.core.missing import Undefined
from veracity.tables.cells import Number, align_decimals, cell_text, machine_value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.857, "0.8570"),
        (0.01234567, "0.01235"),
        (1.0, "1.000"),
        (12.3456, "12.35"),
        (1234.56, "1235"),
        (-0.25, "-0.2500"),
        (0.0, "0"),
        (1.23e-9, "1.230e-09"),
        (1.5e12, "1.500e+12"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
        (math.nan, "undefined"),
        (Undefined("no rows"), "undefined"),
    ],
)
def test_a_number_has_four_significant_digits(value, text):
    assert str(align_decimals(value)[0]) == text


def test_limits_are_written_to_the_place_of_the_value():
    assert [str(n) for n in align_decimals(0.0123, 0.00071, 0.4)] == ["0.01230", "0.00071", "0.4000"]


@given(st.lists(st.floats(-9999, 9999), min_size=1, max_size=4))
def test_no_number_has_more_than_four_significant_digits(numbers):
    for text in map(str, align_decimals(*numbers)):
        digits = text.partition("e")[0].lstrip("-").replace(".", "").lstrip("0")
        assert len(digits) <= 4, text


def test_a_small_difference_gives_its_limits_no_more_digits():
    assert [str(n) for n in align_decimals(0.0004167, -0.1041667, 0.0403333)] == ["0.0004167", "-0.1042", "0.04033"]


def test_a_value_of_zero_takes_the_place_of_its_limits():
    assert [str(n) for n in align_decimals(0.0, 0.0, 0.0711)] == ["0.00000", "0.00000", "0.07110"]


def test_no_negative_zero():
    assert str(Number(-0.00001, 2)) == "0.00"


def test_missing_limits_stay_missing():
    assert align_decimals(0.5, None, None)[1:] == (None, None)


@pytest.mark.parametrize(
    ("cell", "text"),
    [(None, ""), ("a", "a"), (3, "3"), (3.0, "3"), (0.95, "0.95"), (12.5, "12.50"), (math.nan, "undefined")],
)
def test_free_cells(cell, text):
    assert cell_text(cell) == text


def test_machines_get_all_digits_and_infinite_numbers_as_such():
    assert machine_value(Number(1 / 3, 2)) == 1 / 3
    assert machine_value(Number(math.inf, 2)) == math.inf and machine_value(-math.inf) == -math.inf
    assert machine_value(math.nan) is None
    assert machine_value("text") == "text"


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (-0.0, "0"),
        (1e300, "1.000e+300"),
        (-1.5e30, "-1.500e+30"),
        (1e14, "100000000000000"),
        (12.0, "12"),
        (0.25, "0.25"),
    ],
)
def test_a_cell_is_no_longer_than_its_digits(number, text):
    assert cell_text(number) == cell_text(np.float64(number)) == text
