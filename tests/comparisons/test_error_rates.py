"""What was measured where nothing differs: of tests that exist, as often as it says, and told."""

from dataclasses import replace
from pathlib import Path

import pytest

import veracity as vc
from veracity.comparisons import comparisons
from veracity.comparisons.entry import all_error_rates, error_rates_of, worst_error_rate
from veracity.core.measurement import ErrorRate

ROOT = Path(__file__).parents[2]
ON_SPLITS = ("resampled_t", "corrected_t", "kfold_t", "five_by_two_t", "five_by_two_f", "conservative_z")
ON_DATASETS = ("wilcoxon", "sign", "paired_t", "averaged_t")


def test_what_was_measured_is_of_tests_that_exist():
    for row in all_error_rates():
        comparisons.choose(row.method)
        assert 0 <= row.rejected <= 1 and (row.enumerated or row.trials >= 60)


@pytest.mark.parametrize("name", ON_SPLITS + ON_DATASETS)
def test_it_is_told(name):
    assert error_rates_of(name)
    page = vc.explain(name)
    assert "Measured error rate" in repr(page) and "simulations" in repr(page)


def test_resampled_t_is_shown_for_what_it_is():
    assert min(row.rejected for row in error_rates_of("resampled_t")) > 0.3
    assert worst_error_rate("resampled_t").rejected == max(row.rejected for row in error_rates_of("resampled_t"))


@pytest.mark.parametrize("name", ["wilcoxon", "sign"])
def test_exact_tests_keep_their_level(name):
    assert all(row.rejected <= 0.05 + 3 * row.error for row in error_rates_of(name))


def test_a_row_reads():
    row = ErrorRate(method="sign", world="10 data sets", level=0.95, rejected=0.02, trials=1000)
    assert str(row) == "sign, 10 data sets: rejects 2.0% +- 0.4% at .05 (1000 simulations)"
    assert "refused 25.0%" in str(replace(row, refused=0.25))
    assert row.what == "error rate at .05 where nothing differs" and row.text == "2.0% +- 0.4%"
    power = replace(row, noun="power", rejected=0.8, rows=30, spread=0.02)
    assert str(power) == "sign, 10 data sets, n = 30: power 80.0% +- 2.0% at .05 (1000 simulations)"
    assert power.what == "power at .05"
    of_rows = replace(row, splits="10 folds", rows=200, world="nearest mean")
    assert of_rows.setting == "10 folds of 200 rows, nearest mean"
    assert error_rates_of("mcnemar_of_nobody") == () and worst_error_rate("mcnemar_of_nobody") is None


@pytest.mark.slow
def test_the_measurement_can_be_repeated(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from bench import errors

    for world in list(errors.worlds())[:4]:
        for row in errors.measure(replace(world, trials=400), seed=1):
            shipped = next(r for r in error_rates_of(row.method) if r.setting == row.setting)
            assert row.rejected == pytest.approx(shipped.rejected, abs=4 * (row.error + 0.005))
