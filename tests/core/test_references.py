"""The table of works: sorted, and every one with a year that its key repeats."""

import re

import pytest

from veracity.core.references import REFERENCES


def test_keys_are_in_order():
    assert list(REFERENCES) == sorted(REFERENCES)


@pytest.mark.parametrize("key", REFERENCES)
def test_the_year_of_the_key_is_that_of_the_work(key):
    year = re.search(r"(\d{4})", key)
    assert year is not None
    assert f"({year[1]})" in REFERENCES[key]
