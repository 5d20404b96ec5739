"""The defaults hold where nobody tuned them: the shipped figures say so, and a fresh simulation agrees."""

import pytest

from bench.defaults.__main__ import areas, cells
from bench.defaults.cell import LARGEST, LEAST, measure
from veracity.comparisons.error_rates import all_error_rates
from veracity.intervals.coverage import all_coverage

CELLS = [pytest.param(area, cell, id=f"{area}: {cell}") for area in areas() for cell in cells(area)]
HOLDING = {(cell.world, cell.rows, cell.by) for area in areas() for cell in cells(area) if cell.expects == "holds"}


def shipped():
    return [row for row in (*all_coverage(), *all_error_rates()) if row.default]


@pytest.mark.parametrize(("area", "cell"), [one for one in CELLS if one.values[1].expects in ("holds", "weak")])
def test_a_cell_has_its_figure(area, cell):
    assert (cell.world, cell.rows, cell.by) in {(row.world, row.rows, row.by) for row in shipped()}


def test_no_shipped_figure_says_that_a_default_does_not_hold():
    for row in shipped():
        if (row.world, row.rows, row.by) not in HOLDING:
            continue
        assert row.trials >= 1000
        if row.noun == "coverage":
            assert row.covered + 2 * row.error >= LEAST, row
        else:
            assert row.rejected - 2 * row.error <= LARGEST, row


@pytest.mark.slow
@pytest.mark.parametrize(("area", "cell"), [one for one in CELLS if not one.values[1].slow])
def test_the_default_holds(area, cell):
    assert not measure(cell, trials=max(1000, cell.trials // 2), seed=1).complaints()
