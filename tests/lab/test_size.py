"""Size and power, enumerated where all that can happen is known, held against sums by hand and known answers."""

import itertools
import json
import math

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import binom, binomtest, friedmanchisquare

import veracity as vc
from veracity.cli.main import cli
from veracity.core.errors import BadInput
from veracity.lab import DataSets, NearestMean, NearestRow, PValues, power, size


def test_mcnemar_by_hand():
    """A sum over all divisions of the rows, each rejected or not by the binomial law."""
    (found,) = size("two_models(share=0.2, discordant=0.3)", methods="mcnemar_exact", rows=12)
    by_hand = 0.0
    for first, second in itertools.product(range(13), repeat=2):
        if first + second <= 12:
            chance = math.comb(12, first) * math.comb(12 - first, second) * 0.15 ** (first + second)
            p_value = binomtest(first, first + second).pvalue if first + second else 1.0
            by_hand += (p_value <= 0.05) * chance * 0.7 ** (12 - first - second)
    assert found.rejected == pytest.approx(by_hand, abs=1e-12) and found.enumerated and found.error == 0


def test_mcnemars_forms_are_ordered():
    """Fagerland, Lydersen and Laake (2013): the exact test is conservative, mid-p near its level, z above."""
    methods = ("mcnemar", "mcnemar_exact", "mcnemar_midp", "mcnemar_z")
    found = {row.method: row.rejected for row in size("two_models(discordant=0.4)", methods=methods, rows=40)}
    assert found["mcnemar_exact"] < found["mcnemar_midp"] <= found["mcnemar_z"] and found["mcnemar"] < 0.05
    assert 0.04 < found["mcnemar_midp"] < 0.05


def test_sign_and_wilcoxon_of_few_data_sets():
    """Wilcoxon of 8: 10 of 256 signs have a rank sum of at most 3 or as few the other way; sign: 0 or 8 of one sign."""
    wilcoxon, sign = size("equal_orders(learners=2)", methods=("wilcoxon", "sign"), rows=8)
    assert (wilcoxon.rejected, sign.rejected) == (10 / 256, 2 / 256)


def test_friedman_of_few_data_sets():
    plain, exact = size("equal_orders(learners=3)", methods=("friedman", "friedman(exact=True)"), rows=3)
    tables = itertools.product(itertools.permutations(range(3)), repeat=3)
    by_scipy = np.mean([friedmanchisquare(*np.array(table).T).pvalue <= 0.05 for table in tables])
    assert plain.rejected == pytest.approx(by_scipy) and exact.rejected <= 0.05


def test_simulation_agrees_with_enumeration():
    exact = size("equal_orders(learners=2)", methods="sign", rows=9)[0]
    drawn = size("data_sets(learners=2)", methods="sign", rows=9, trials=400)[0]
    assert exact.enumerated and not drawn.enumerated
    assert drawn.rejected == pytest.approx(exact.rejected, abs=4 * drawn.error)
    by_hand = 2 * binom.cdf(1, 9, 0.5)
    assert exact.rejected == pytest.approx(by_hand)


def test_tests_that_are_told_apart():
    """Resampled t far above its level; corrected t at it where the correlation is what it takes it to be."""
    methods = ("resampled_t", "corrected_t", "conservative_t")
    found = size("splits(repeats=5)", methods=methods, rows=100, trials=120, anyway=True)
    assert found[0].rejected > 0.4 and found[1].rejected < 0.12 and found[2].rejected <= found[1].rejected


def test_families():
    """Nemenyi holds its family-wise error where others differ; single tests at .05 do not."""
    world = DataSets(learners=5, effect=3.0)
    methods = ("nemenyi", "mean_ranks then bonferroni", "mean_ranks then benjamini_hochberg")
    found = size(world, methods=methods, rows=15, trials=120)
    assert [row.what for row in found] == ["family-wise error", "family-wise error", "false discovery rate"]
    assert max(row.rejected - 3 * row.error for row in found) <= 0.05
    real = power(world, methods=methods, rows=15, trials=60)
    assert {row.what for row in real} == {"power"} and real[1].rejected <= real[2].rejected


def test_adjustments_of_independent_tests():
    """Sidak is exact there, Bonferroni a little below: 1 - .95 and 1 - (1 - .05/10)^10."""
    sidak, bonferroni = size(PValues(tests=10), methods=("sidak", "bonferroni"), rows=1, trials=1500)
    assert sidak.rejected == pytest.approx(0.05, abs=4 * sidak.error)
    assert bonferroni.rejected <= sidak.rejected
    (hochberg,) = size(PValues(tests=20, real=10), methods="benjamini_hochberg", rows=1, trials=700)
    assert hochberg.rejected == pytest.approx(0.025, abs=4 * hochberg.error)  # the share of nulls times the level


def test_power_grows_with_the_effect():
    found = power("two_models(discordant=0.2)", methods="mcnemar_midp", rows=30, effects=[0.05, 0.1, 0.15])
    assert [row.effect for row in found] == [0.05, 0.1, 0.15]
    assert found[0].rejected < found[1].rejected < found[2].rejected
    assert found[1].world == "two_models(discordant=0.2, effect=0.1)"


def test_equivalence_is_false_at_its_margin():
    methods = ("tost(margin=0.5, of='paired_loss_t')", "non_inferiority(margin=0.5, of='paired_loss_t')")
    for row in size("two_losses(effect=0.5)", methods=methods, rows=40, trials=250):
        assert row.rejected == pytest.approx(0.05, abs=4 * row.error)


def test_one_model_against_its_own_value():
    (found,) = size("shares(share=0.3)", methods="one_sample(value=0.3)", rows=40)
    assert found.rejected == pytest.approx(binom.cdf(6, 40, 0.3)) and binom.cdf(7, 40, 0.3) > 0.05


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda: size("sharks", methods="wilcoxon", rows=5), "there is no world called 'sharks'"),
        (lambda: size("two_models", methods="mcnemar", rows=5, trials=0), "trials must be at least 1, not 0"),
        (lambda: size("two_models", methods="mcnemar", rows=()), "`rows=` names no number of rows"),
        (lambda: size("two_models", methods=(), rows=5), "`methods=` names nothing"),
        (lambda: power("two_models", methods="mcnemar", rows=5), "power needs an effect, `effects=0.1`, or ask size"),
        (lambda: power("two_models", methods="mcnemar", rows=5, effects=[]), "`effects=` names none"),
        (lambda: power("shares", methods="one_sample(value=0.3)", rows=5, effects=0.1), "nothing can differ"),
        (lambda: size("two_models(effect=0.1)", methods="mcnemar", rows=5), "there it has power, and no size"),
        (lambda: size("two_models", methods="friedman", rows=5), "friedman orders learners over many data sets"),
        (lambda: size("two_losses", methods="mcnemar", rows=5), "a test of right and wrong rows compares error"),
        (lambda: size("data_sets", methods="mcnemar", rows=5), "4 learners over data sets, which mcnemar does not"),
        (lambda: size("data_sets", methods="bolm", rows=5), "'bolm' is no test of learners over data sets"),
        (lambda: size("p_values", methods="shaffer", rows=5), "reads the pairs of learners"),
        (lambda: size("shares", methods="mcnemar", rows=5), "this world is of one model: ask one_sample"),
        (lambda: size("pure_noise", methods="corrected_t", rows=20), "name two `learners=` to compare, not 0"),
        (lambda: size("two_models", (1, 2), methods="mcnemar", rows=5), "the lab calls a learner"),
        (lambda: size("splits", methods="resampled_t", rows=50, trials=3), "resampled_t was refused on every sample"),
        (lambda: size("splits", methods="corrected_t", rows=5), "10 folds need 20 rows or more, not 5"),
    ],
)
def test_bad_input(ask, says):
    with pytest.raises(vc.VeracityError, match=says) as told:
        ask()
    assert "\n" not in str(told.value)


def run(*words):
    return CliRunner().invoke(cli, ["lab", *words])


def test_the_command_line_gives_the_same(tmp_path):
    words = ("--world", "two_models(discordant=0.3)", "--method", "mcnemar", "--method", "mcnemar_midp", "--rows", "20")
    found = json.loads(run("size", *words, "--json").output)
    assert found == size("two_models(discordant=0.3)", methods=["mcnemar", "mcnemar_midp"], rows=20).to_json()
    names = {"method", "world", "rows", "level", "what", "rejected", "error", "trials", "fits", "effect", "refused"}
    assert names <= set(found["rows"][0])
    picture = tmp_path / "power.png"
    told = run("power", *words, "--effect", "0.1", "--effect", "0.2", "--out", str(picture))
    assert told.exit_code == 0 and picture.stat().st_size > 5000, told.output
    assert "power needs an effect, --effect 0.1, or ask size" in run("power", *words).output
    assert "--world and --method and --rows are needed" in run("size").output
    assert "name two --learner" in run("size", "--world", "pure_noise", "--method", "corrected_t", "--rows", "9").output


def test_the_curve_of_power():
    found = power("data_sets(learners=3)", methods=["holm", "friedman"], rows=[5, 9], effects=[1, 3], trials=20)
    curve = found.curve()
    assert [line.name for line in curve.lines] == [f"{m}, {n} rows" for n in (5, 9) for m in ("holm", "friedman")]
    assert curve.lines[0].x.tolist() == [1, 3] and (curve.lines[0].low <= curve.lines[0].y).all()
    along_rows = power("data_sets(learners=3, effect=2)", methods="holm", rows=[9, 5], trials=20).curve()
    assert along_rows.lines[0].x.tolist() == [5, 9] and along_rows.lines[0].name == "holm"
    assert along_rows.title == "Power at 0.05" and along_rows.y_range == (0, 1) and not along_rows.guides


def test_the_curve_of_false_claims_shows_the_level_that_is_allowed():
    curve = size("two_models(share=0.2, discordant=0.1)", methods="mcnemar_midp", rows=[20, 60], level=0.9).curve()
    (allowed,) = curve.guides
    assert allowed.name == "allowed 0.1" and allowed.x.tolist() == [20, 60] and set(allowed.y) == {0.1}
    assert curve.y_range == (0, 0.2)


def test_a_posterior_on_splits_claims_by_its_probabilities():
    how = {"rows": 40, "trials": 12, "by": "kfold(k=5)"}
    tests = ("correlated_t_posterior(rope=0)", "corrected_t")
    sure, rejected = size("pure_noise", [NearestMean, NearestRow], methods=tests, level=0.6, **how)
    assert sure.rejected > rejected.rejected > 0, "of a flat prior more than .6 on one side is p below .8"


def test_learners_of_one_risk_have_size_and_others_power():
    how = {"methods": "corrected_t", "by": "kfold(k=5)", "rows": 40, "trials": 4}
    both = [NearestMean, NearestRow]
    with pytest.raises(BadInput, match="there tests have power, and no size"):
        size("two_gaussians(distance=2, features=5)", both, **how)
    with pytest.raises(BadInput, match="so that none is known to be there"):
        power("pure_noise", both, **how)
    assert power("two_gaussians(distance=2, features=5)", both, **how)[0].what == "power"


def test_what_has_no_effect_is_not_real():
    with pytest.raises(BadInput, match="power needs an effect"):
        power("p_values(real=4)", methods="holm", rows=5, effects=0.0)
    assert PValues(real=4, effect=0.0).null.all() and (~PValues(real=4).null).sum() == 4
    with pytest.raises(BadInput, match="leave out splits or missing"):
        DataSets(splits=5, missing=0.5)
