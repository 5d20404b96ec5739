"""A design that is made already."""

import pytest

import veracity as vc
from veracity.designs.make import make
from veracity.records.design import Rows


def test_a_design_that_is_made_already_stays():
    ready = make("kfold(k=3)", Rows(12), 0)
    assert make(ready, Rows(12), 5) is ready


def test_a_design_of_other_rows_is_refused():
    ready = make("kfold(k=3)", Rows(12), 0)
    with pytest.raises(vc.BadInput, match=r"kfold\(k=3\) was made for 12 rows, and here are 13"):
        make(ready, Rows(13), 0)
