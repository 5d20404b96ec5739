"""The defaults hold where nobody tuned them: the shipped figures say so, and a fresh simulation agrees."""

import itertools

import pytest

from bench.defaults.__main__ import areas, cells
from bench.defaults.cell import LARGEST, LEAST, NEARLY_ALL, Answer, Cell, measure
from veracity.comparisons.error_rates import all_error_rates
from veracity.intervals.coverage import all_coverage

CELLS = [pytest.param(area, cell, id=f"{area}: {cell}") for area in areas() for cell in cells(area)]
EXPECTED = {(cell.world, cell.score, cell.rows, cell.by): cell.expects for area in areas() for cell in cells(area)}


def shipped():
    return [row for row in (*all_coverage(), *all_error_rates()) if row.default]


@pytest.mark.parametrize(
    ("area", "cell"), [one for one in CELLS if one.values[1].expects in ("holds", "cautioned", "weak")]
)
def test_a_cell_has_its_figure(area, cell):
    assert (cell.world, cell.rows, cell.by) in {(row.world, row.rows, row.by) for row in shipped()}


def within(row, figure, error):
    return figure + 2 * error >= LEAST if row.noun == "coverage" else figure - 2 * error <= LARGEST


def test_no_shipped_figure_says_that_a_default_does_not_hold():
    """Where it does not in all samples, it does in those without a caution, or nearly all have one."""
    for row in shipped():
        expected = EXPECTED[row.world, row.score, row.rows, row.by]
        if expected not in ("holds", "cautioned"):
            continue
        assert row.trials >= 1000
        silent = row.silent is not None and within(row, row.silent, row.silent_error)
        cautioned = expected == "cautioned" and (silent or row.cautioned >= NEARLY_ALL)
        assert within(row, row.figure, row.error) or cautioned, row


def answers(*kinds):
    """A cell whose samples hold or not, with a caution or without, in turn."""
    turn = itertools.cycle(kinds)
    return Cell("made up", "error", 10, lambda _: Answer(*next(turn)), expects="cautioned", trials=1000)


HELD, MISSED, CAUTIONED = (True, "m", frozenset()), (False, "m", frozenset()), (False, "m", frozenset({"c"}), True)


def test_a_cautioned_cell_is_judged_by_what_is_said_without_a_caution():
    found = measure(answers(*[HELD] * 19, *[CAUTIONED] * 20, MISSED))
    assert (found.figure, found.cautioned, found.silent_figure) == (0.475, 0.5, 0.95) and not found.complaints()
    assert "cautioned 0.500, without 0.9500" in str(found)
    assert measure(answers(*[HELD] * 8, MISSED, CAUTIONED)).complaints() == [
        "without a caution it holds 0.889 +- 0.010"
    ]
    assert measure(answers(*[HELD] * 8, MISSED)).complaints()  # a caution that never comes excuses nothing
    assert not measure(answers(*[CAUTIONED] * 97, *[MISSED] * 3)).complaints()


@pytest.mark.slow
@pytest.mark.parametrize(("area", "cell"), [one for one in CELLS if not one.values[1].slow])
def test_the_default_holds(area, cell):
    assert not measure(cell, trials=max(1000, cell.trials // 2), seed=1).complaints()
