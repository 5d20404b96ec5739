"""Tests of splits planned by the name of a design, rows for learners, and power drawn against the size."""

import numpy as np
import pytest
from click.testing import CliRunner

import veracity as vc
from veracity.cli.main import cli
from veracity.planning.power import power_curve


def test_a_design_says_splits_and_sizes():
    told = {"sd": 0.03, "power": 0.8}
    named = vc.power("corrected_t", by="repeated_kfold(k=10, repeats=10)", **told)
    assert named.difference == vc.power("corrected_t", splits=100, train=9, test=1, **told).difference
    assert named.splits == 100
    assert vc.power("conservative_t", by="repeated_holdout(repeats=15, test=0.2)", rows=500, **told).splits == 15


@pytest.mark.parametrize(
    ("test", "given", "says"),
    [
        ("corrected_t", {"splits": 3}, "`by=` says what `splits=` says too"),
        ("mcnemar", {"discordant": 0.1}, "`by=` is a design for tests of splits, corrected_t or conservative_t"),
        ("corrected_t", {"rows": 1}, "`rows=` is a whole number from 2"),
        ("corrected_t", {"by": "kfolds"}, "kfold"),
    ],
)
def test_a_design_that_does_not_fit_is_one_sentence(test, given, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.power(test, **{"by": "kfold(k=10)", "sd": 0.03, "power": 0.8, **given})


def simulated(splits, sd, difference, rho, test, trials):
    """How often a test of splits concludes on normal differences of equal correlation."""
    random, concluded = np.random.default_rng(5), 0
    for _ in range(trials):
        d = difference + sd * (rho**0.5 * random.normal() + (1 - rho) ** 0.5 * random.normal(size=splits))
        both = vc.split_scores({"a": d, "b": np.zeros(splits)}, train=900, test=100, k=10, repeats=splits // 10)
        concluded += vc.compare(both, using=test).p_value < 0.05
    return concluded / trials


@pytest.mark.parametrize("trials", [150, pytest.param(2500, marks=pytest.mark.slow)])
def test_the_power_of_a_corrected_t_is_that_of_correlated_splits(trials):
    sd, difference = 0.03, 0.025  # of splits with the correlation that the test corrects for
    found = vc.power("corrected_t", by="repeated_kfold(k=10, repeats=2)", difference=difference, sd=sd / 0.9**-0.5)
    share = simulated(20, sd, difference, 0.1, "corrected_t", trials)
    assert found.power == pytest.approx(share, abs=4 * (0.25 / trials) ** 0.5)


def test_rows_for_two_learners_are_those_of_the_spread_that_rows_make():
    found = vc.power("conservative_t_rows", difference=0.03, discordant=0.1, power=0.8)
    sd = ((0.1 - 0.03**2) * 10 / found.rows) ** 0.5
    same = vc.power("conservative_t", by="repeated_kfold(k=10, repeats=10)", difference=0.03, sd=sd)
    assert found.power == pytest.approx(same.power) and found.rows > 2 * 870  # splits share rows: McNemar's needs fewer
    with pytest.raises(vc.BadInput, match="cannot differ on more rows"):
        vc.power("conservative_t_rows", difference=0.2, discordant=0.1, power=0.8)


@pytest.mark.parametrize(
    ("test", "given"),
    [
        ("mcnemar", {"difference": 0.03, "discordant": 0.1, "power": 0.8}),
        ("sign", {"datasets": 15, "win": 0.8}),
        ("corrected_t", {"splits": 10, "train": 9, "test": 1, "sd": 0.03, "power": 0.8}),
        ("wilcoxon", {"datasets": 12, "difference": 0.02, "sd": 0.03, "draws": 500}),
    ],
)
def test_a_curve_of_power_goes_through_the_answer(test, given):
    answer = vc.power(test, **given)
    chart = power_curve(answer)
    mark, line = chart.marks[0], chart.lines[0]
    assert np.interp(mark.x, line.x, line.y) == pytest.approx(answer.power, abs=0.04)
    assert mark.of == line.name and len({one.name for one in chart.lines}) == len(chart.lines)
    assert all(one.y.min() >= 0 and one.y.max() <= 1 for one in chart.lines)


def test_curves_are_drawn_in_python_and_on_the_command_line(tmp_path):
    answer = vc.power("mcnemar", difference=0.03, discordant=0.1, power=0.8)
    axes = vc.plot(answer)
    assert axes.get_xlabel() == "rows"
    with pytest.raises(vc.BadInput, match="already made"):
        vc.plot(answer, "roc")
    asked = "power mcnemar --difference 0.03 --discordant 0.10 --power 0.8 --out"
    done = CliRunner().invoke(cli, [*asked.split(), str(tmp_path / "curve.svg")])
    assert done.exit_code == 0 and "<svg" in (tmp_path / "curve.svg").read_text()
