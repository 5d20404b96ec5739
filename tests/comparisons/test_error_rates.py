"""What was measured where nothing differs: of tests that exist, as often as it says, and told."""

from pathlib import Path

import pytest

import veracity as vc
from veracity.comparisons import comparisons, error_rates

ROOT = Path(__file__).parents[2]
ON_SPLITS = ("resampled_t", "corrected_t", "kfold_t", "five_by_two_t", "five_by_two_f", "conservative_z")
ON_DATASETS = ("wilcoxon", "sign", "paired_t", "averaged_t")


def test_what_was_measured_is_of_tests_that_exist():
    for row in error_rates._measured():
        comparisons.choose(row.method)
        assert 0 <= row.rejected <= 1 and row.trials >= 1000


@pytest.mark.parametrize("name", ON_SPLITS + ON_DATASETS)
def test_it_is_told(name):
    assert error_rates.of(name)
    page = vc.explain(name)
    assert "Measured error rate" in repr(page) and "simulations" in repr(page)


def test_resampled_t_is_shown_for_what_it_is():
    assert min(row.rejected for row in error_rates.of("resampled_t")) > 0.3
    assert error_rates.worst("resampled_t").rejected == max(row.rejected for row in error_rates.of("resampled_t"))


@pytest.mark.parametrize("name", ["wilcoxon", "sign"])
def test_exact_tests_keep_their_level(name):
    assert all(row.rejected < 0.05 + 3 * row.error for row in error_rates.of(name))


def test_a_row_reads():
    row = error_rates.ErrorRate("sign", "10 data sets", 0.95, 0.02, 1000)
    assert str(row) == "sign, 10 data sets: rejects 2.0% +- 0.4% at .05 (1000 simulations)"
    assert "refused 25.0%" in str(error_rates.ErrorRate("sign", "10 data sets", 0.95, 0.02, 1000, 0.25))
    assert error_rates.of("mcnemar_of_nobody") == () and error_rates.worst("mcnemar_of_nobody") is None


@pytest.mark.slow
def test_the_measurement_can_be_repeated(monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from dataclasses import replace

    from bench import errors

    for world in list(errors.worlds())[:4]:
        for row in errors.measured(replace(world, trials=400)):
            shipped = next(r for r in error_rates.of(row.method) if r.world == row.world)
            assert row.rejected == pytest.approx(shipped.rejected, abs=4 * (row.error + 0.005))
