from dataclasses import replace

import pytest

from veracity.comparisons import comparisons
from veracity.core.measurement import Coverage, measurements_of, read_measurements
from veracity.intervals import intervals

DEFAULTS = ("wilson", "mean_t", "delong", "f1_exact", "delta", "bca", "square_and_add", "order_statistics", "log_ratio")


def test_what_was_measured_is_of_methods_that_exist():
    for row in read_measurements(Coverage, "veracity.intervals"):
        (intervals if row.method.split("(")[0] in intervals else comparisons).choose(row.method)
        assert 0 <= row.covered <= 1 and 0 < row.level < 1 and (row.enumerated or row.trials >= 300)


OF_LEARNERS = ("corrected_t", "conservative_z", "nested_cv", "loo_bootstrap_se", "cv_wald", "naive_t", "isaksson")


@pytest.mark.parametrize("name", DEFAULTS + OF_LEARNERS)
def test_defaults_were_measured(name):
    assert measurements_of(name, Coverage, "veracity.intervals")


def test_a_row_reads():
    row = Coverage(
        method="wilson", score="error", world="error rate 0.1", rows=50, level=0.95, covered=0.96, trials=1000
    )
    assert row.error == pytest.approx(0.0062, abs=1e-4)
    assert row.what == "coverage at 95% of error" and row.text == "96.0% +- 0.6%"
    learner = replace(row, by="kfold(k=10)", target="all rows", refused=0.25)
    assert learner.setting == "error rate 0.1 by kfold(k=10), risk at all rows"
    assert learner.what == "coverage at 95% of error at all rows" and learner.text == "96.0% +- 0.7%, refused 25.0%"
    some = replace(row, covered=0.9, cautioned=0.2, silent=0.94)
    assert some.text == "90.0% +- 0.9%, cautioned 20.0% (94.0% without a caution)"
    assert some.silent_error == pytest.approx((0.94 * 0.06 / 800) ** 0.5)
    assert replace(some, cautioned=1.0, silent=None).text == "90.0% +- 0.9%, cautioned 100.0%"
    assert some.to_json()["cautioned"] == 0.2 and some.to_json()["silent"] == 0.94


def test_nothing_measured_is_empty():
    assert measurements_of("bound_of_nobody", Coverage, "veracity.intervals") == ()


def test_an_exact_figure_has_no_error():
    row = Coverage(
        method="wilson",
        score="error",
        world="w",
        rows=9,
        level=0.95,
        covered=0.95,
        trials=10,
        enumerated=True,
        worst=0.9,
    )
    assert row.error == 0 and row.text == "95.0%, at worst 90.0%" and row.to_json()["worst"] == 0.9


def test_wald_is_shown_for_what_it_is():
    """Brown, Cai and DasGupta (2001): its coverage jumps about below the level; an exact interval never does."""
    at_40 = {
        row.method: row.covered
        for row in read_measurements(Coverage, "veracity.intervals")
        if (row.world, row.rows) == ("shares(share=0.3)", 40)
    }
    assert (
        at_40["wald"] == 0.9299
        and min(row.worst or row.covered for row in measurements_of("wald", Coverage, "veracity.intervals")) < 0.9
    )
    exact = [
        row
        for row in measurements_of("clopper_pearson", Coverage, "veracity.intervals")
        if row.world.startswith("shares(")
    ]
    assert len(exact) >= 5 and min(row.covered if row.worst is None else row.worst for row in exact) >= 0.95
