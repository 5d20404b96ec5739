"""A design that is made already."""

import pytest

import veracity as vc
from veracity.designs.make_design import make_design
from veracity.records.design import Rows


def test_a_design_that_is_made_already_stays():
    ready = make_design("kfold(k=3)", Rows(12), 0)
    assert make_design(ready, Rows(12), 5) is ready


def test_a_design_of_other_rows_is_refused():
    ready = make_design("kfold(k=3)", Rows(12), 0)
    with pytest.raises(vc.BadInput, match=r"kfold\(k=3\) was made for 12 rows, and here are 13"):
        make_design(ready, Rows(13), 0)
