import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from veracity.core.confidence import Confidence
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals import intervals
from veracity.intervals.proportions import WHOLE, blaker, clopper_pearson, isaksson, jeffreys, mid_p

ROWS = 25
GRID = np.linspace(0.001, 0.999, 999)


def limits(entry, hits, rows, level=0.95):
    found = entry.function(Proportion(hits, rows), Confidence(level))
    return found.low, found.high


def coverage(entry):
    """The exact chance that the interval holds each share of a grid, over all outcomes of 25 rows."""
    ends = np.array([limits(entry, hits, ROWS) for hits in range(ROWS + 1)])
    inside = (ends[:, :1] <= GRID) & (ends[:, 1:] >= GRID)
    return (binom.pmf(np.arange(ROWS + 1)[:, None], ROWS, GRID) * inside).sum(0)


@pytest.mark.parametrize("entry", [clopper_pearson, blaker], ids=lambda entry: entry.name)
def test_exact_methods_cover_everywhere(entry):
    assert coverage(entry).min() >= 0.95 - 1e-12


@pytest.mark.parametrize("name", ["mid_p", "wilson", "jeffreys", "agresti_coull"])
def test_others_cover_on_average(name):
    assert coverage(intervals[name]).mean() == pytest.approx(0.955, abs=0.012)


def test_wald_does_not():
    assert coverage(intervals["wald"]).mean() < 0.91


def acceptability(hits, rows, shares):
    """Blaker's function of many shares, by enumeration of all outcomes."""
    x = np.arange(rows + 1)[:, None]
    tails = np.minimum(binom.cdf(x, rows, shares), binom.sf(x - 1, rows, shares))
    return binom.pmf(x, rows, shares).sum(0, where=tails <= tails[hits] * (1 + 1e-10))


@pytest.mark.parametrize(("hits", "rows"), [(0, 7), (1, 8), (3, 11), (5, 10), (12, 40), (39, 40)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_blaker_by_enumeration(hits, rows, level):
    grid = np.linspace(0.0005, 0.9995, 3997)
    accepted = grid[acceptability(hits, rows, grid) > 1 - level]
    low, high = limits(blaker, hits, rows, level)
    step = grid[1] - grid[0]
    assert low == pytest.approx(0 if hits == 0 else accepted[0], abs=step)
    assert high == pytest.approx(1 if hits == rows else accepted[-1], abs=step)


@given(rows=st.integers(1, 300), part=st.floats(0, 1), level=st.floats(0.6, 0.999))
def test_blaker_lies_inside_clopper_pearson(rows, part, level):
    hits = round(part * rows)
    (low, high), (outer_low, outer_high) = limits(blaker, hits, rows, level), limits(clopper_pearson, hits, rows, level)
    assert outer_low - 1e-9 <= low <= high <= outer_high + 1e-9


@given(hits=st.integers(1, 99), level=st.floats(0.6, 0.999))
def test_clopper_pearson_tails(hits, level):
    low, high = limits(clopper_pearson, hits, 100, level)
    assert binom.sf(hits - 1, 100, low) == pytest.approx((1 - level) / 2, rel=1e-6)
    assert binom.cdf(hits, 100, high) == pytest.approx((1 - level) / 2, rel=1e-6)


def test_mid_p_tails():
    low, high = limits(mid_p, 7, 30)
    assert binom.sf(7, 30, low) + binom.pmf(7, 30, low) / 2 == pytest.approx(0.025, rel=1e-9)
    assert binom.cdf(6, 30, high) + binom.pmf(7, 30, high) / 2 == pytest.approx(0.025, rel=1e-9)


def test_jeffreys_reaches_the_ends():
    assert limits(jeffreys, 0, 20)[0] == 0 and limits(jeffreys, 20, 20)[1] == 1


def test_blaker_needs_whole_rows():
    assert WHOLE.when(Proportion(3.5, 10)) and WHOLE.when(Proportion(3, 10.5)) and not WHOLE.when(Proportion(3, 10))


@pytest.mark.parametrize("entry", [clopper_pearson, mid_p, jeffreys], ids=lambda entry: entry.name)
def test_fractional_counts_lie_between_whole_ones(entry):
    below, between, above = (limits(entry, hits, 20) for hits in (3, 3.5, 4))
    assert below[0] < between[0] < above[0] and below[1] < between[1] < above[1]


def test_many_rows():
    assert limits(blaker, 3_000_000, 10_000_000) == pytest.approx(
        limits(clopper_pearson, 3_000_000, 10_000_000), abs=1e-6
    )


@pytest.mark.parametrize(("hits", "rows"), [(10**11, 10**12), (3 * 10**11 + 7, 10**12), (10**8, 3 * 10**9)])
def test_blaker_of_more_rows_than_32_bits_count(hits, rows):
    low, high = limits(blaker, hits, rows)
    outer, beyond = limits(clopper_pearson, hits, rows)
    assert outer <= low < hits / rows < high <= beyond
    assert high - low > 0.99 * (beyond - outer)


@pytest.mark.parametrize("method", [clopper_pearson, jeffreys, isaksson])
def test_of_very_many_rows_all_say_what_the_normal_law_says(method):
    hits, rows = 9 * 10**11, 10**12
    half = 1.959964 * math.sqrt(0.9 * 0.1 / rows)
    low, high = limits(method, hits, rows)
    assert (0.9 - low, high - 0.9) == pytest.approx((half, half), rel=1e-3)


def test_blaker_of_few_hits_in_very_many_rows_is_that_of_many():
    many, very_many = (limits(blaker, 5, rows) for rows in (10**8, 10**12))
    assert many[0] * 10**8 == pytest.approx(very_many[0] * 10**12, rel=1e-6)
    assert many[1] * 10**8 == pytest.approx(very_many[1] * 10**12, rel=1e-4)  # 1 less a number next to 1
