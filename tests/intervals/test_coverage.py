from dataclasses import replace
from pathlib import Path

import pytest

from veracity.comparisons import comparisons
from veracity.intervals import intervals
from veracity.intervals.coverage import Coverage, all_coverage, coverage_of

ROOT = Path(__file__).parents[2]
DEFAULTS = ("wilson", "mean_t", "delong", "f1_exact", "delta", "bca", "square_and_add", "order_statistics", "log_ratio")


def test_what_was_measured_is_of_methods_that_exist():
    for row in all_coverage():
        (intervals if row.method.split("(")[0] in intervals else comparisons).choose(row.method)
        assert 0 <= row.covered <= 1 and 0 < row.level < 1 and row.trials >= 300


OF_LEARNERS = ("corrected_t", "conservative_z", "nested_cv", "loo_bootstrap_se", "cv_wald", "naive_t", "isaksson")


@pytest.mark.parametrize("name", DEFAULTS + OF_LEARNERS)
def test_defaults_were_measured(name):
    assert coverage_of(name)


def test_a_row_reads():
    row = Coverage(
        method="wilson", score="error", world="error rate 0.1", rows=50, level=0.95, covered=0.96, trials=1000
    )
    assert str(row) == "wilson of error, error rate 0.1, 50 rows: held 96.0% at 95%"
    assert row.error == pytest.approx(0.0062, abs=1e-4)
    assert row.what == "coverage at 95% of error" and row.text == "96.0% +- 0.6%"
    learner = replace(row, by="kfold(k=10)", target="all rows", refused=0.25)
    assert learner.setting == "error rate 0.1 by kfold(k=10), risk at all rows"
    assert learner.what == "coverage at 95% of error at all rows" and learner.text == "96.0% +- 0.7%, refused 25.0%"
    some = replace(row, covered=0.9, cautioned=0.2, silent=0.94)
    assert some.text == "90.0% +- 0.9%, cautioned 20.0% (94.0% without a caution)"
    assert str(some).endswith("held 90.0% at 95%, cautioned 20.0% (94.0% without a caution)")
    assert some.silent_error == pytest.approx((0.94 * 0.06 / 800) ** 0.5)
    assert replace(some, cautioned=1.0, silent=None).text == "90.0% +- 0.9%, cautioned 100.0%"
    assert some.to_json()["cautioned"] == 0.2 and some.to_json()["silent"] == 0.94


def test_nothing_measured_is_empty():
    assert coverage_of("vc_bound") == ()


def test_wald_is_shown_for_what_it_is():
    assert min(row.covered for row in coverage_of("wald")) < 0.9


WORLDS = {
    "wilson": lambda c: c.shares(500, 0.1),
    "mean_t": lambda c: c.losses(200, ("mean_t",)),
    "delong": lambda c: c.curves("auc", 500, 1.0, c.NORMAL.cdf(0.5**0.5), ("delong",), 1500),
    "f1_exact": lambda c: c.matrices("fbeta", 300, [[40, 10], [20, 130]], ("f1_exact(of='wilson')",), 1500),
    "delta": lambda c: c.curves(
        "average_precision", 1000, 1.0, c.in_the_limit("average_precision", 1.0), ("delta",), 800
    ),
    "bca": lambda c: c.matrices("kappa", 200, c.TABLE, ("bca(draws=999)",), 800),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_defaults_hold_the_truth_as_often_as_they_say(name, monkeypatch):
    monkeypatch.syspath_prepend(ROOT)
    from bench import coverage as measuring

    row = next(row for row in measuring.measure(WORLDS[name](measuring)) if row.method.startswith(name))
    assert row.refused == 0
    assert row.covered == pytest.approx(0.95, abs=0.008 + 3 * row.error)
