"""Coverage, enumerated where all that can happen is known, simulated elsewhere, held against sums by hand."""

import json
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, norm
from sklearn.naive_bayes import GaussianNB

import veracity as vc
from veracity import lab
from veracity.cli.main import cli
from veracity.core.errors import Refused
from veracity.lab import NearestMean, Shares, TwoGaussians, coverage
from veracity.lab.coverage import interval_of_evidence
from veracity.lab.measuring import Task

BINOMIAL = ("wald", "wilson", "wilson_cc", "agresti_coull", "clopper_pearson", "mid_p", "jeffreys", "blaker")


def test_wald_by_hand():
    """Brown, Cai and DasGupta (2001): its coverage jumps about below the level."""
    found = coverage("shares(share=0.3)", methods="wald", rows=40)[0]
    errors = np.arange(1, 40)  # of 0 and 40 its width is 0, and it is refused
    share = errors / 40
    half = norm.ppf(0.975) * np.sqrt(share * (1 - share) / 40)
    weights = binom.pmf(errors, 40, 0.3) / binom.pmf(errors, 40, 0.3).sum()
    held = (share - half <= 0.3) & (share + half >= 0.3)
    assert found.coverage == pytest.approx(weights[held].sum(), abs=1e-12)
    assert found.low_misses == pytest.approx(weights[share - half > 0.3].sum(), abs=1e-12)
    assert (found.error, found.trials, found.fits, found.enumerated) == (0.0, 41, 0, True)
    assert found.coverage < 0.93


def test_samples_without_an_interval_are_told():
    """Without a word, wald would seem to hold 99.7 %: it has no interval where no row errs, and would miss there."""
    found = coverage("shares(share=0.1)", methods=("wilson", "wald"), rows=20)
    assert found[1].refused == pytest.approx(0.9**20 + 0.1**20)
    assert "refused" in found.table().titles and found.table().texts[1][7] == f"{0.9**20:.4f}"
    (note,) = found.to_json()["notes"]
    assert (note["code"], note["weight"]) == ("refused-samples", "caution") and note["says"].startswith("wald: ")
    assert "refused" not in coverage("shares(share=0.1)", methods="wilson", rows=20).table().titles


@given(st.integers(2, 12), st.floats(0.01, 0.99))
def test_clopper_pearson_never_falls_below_its_level(rows, share):
    found = coverage(Shares(share=share), methods="clopper_pearson", rows=rows, level=0.9)[0]
    assert found.coverage >= 0.9 - 1e-9
    assert found.coverage + found.low_misses + found.high_misses == pytest.approx(1)


def test_every_binomial_interval_is_enumerated():
    found = coverage("shares(share=0.1)", methods=BINOMIAL, rows=[10, 30])
    assert [(row.method, row.rows) for row in found] == [(name, rows) for rows in (10, 30) for name in BINOMIAL]
    exact = {row.method: row for row in found if row.rows == 30}
    assert exact["clopper_pearson"].width > exact["mid_p"].width
    assert all(0.5 < row.coverage <= 1 for row in found)


def test_simulation_agrees_with_enumeration():
    class Drawn(Shares):
        def outcomes(self, rows):
            return iter(())

    drawn = coverage(Drawn(share=0.2), methods="wilson", rows=25, trials=2000)[0]
    exact = coverage(Shares(share=0.2), methods="wilson", rows=25)[0]
    assert drawn.coverage == pytest.approx(exact.coverage, abs=4 * drawn.error)
    assert not drawn.enumerated and drawn.trials == 2000 and drawn.error > 0


@pytest.mark.parametrize(
    ("world", "score"), [("normal_values(distance=1.5, positives=0.3)", "auc"), ("normal_errors(bias=0.5)", "mae")]
)
def test_a_world_tells_the_truth_of_its_scores(world, score):
    place = lab.worlds.choose(world).entry.function(**lab.worlds.choose(world).given)
    value = vc.score(place.draw(400_000, np.random.default_rng(0)), score)
    assert value == pytest.approx(place.truth(score), abs=0.005)


def test_heavy_errors_have_the_variance_of_student_t():
    place = lab.HeavyErrors(df=8.0)
    assert vc.score(place.draw(400_000, np.random.default_rng(0)), "mse") == pytest.approx(8 / 6, abs=0.02)


def test_mean_t_is_too_short_for_heavy_errors():
    found = coverage("heavy_errors(df=3)", methods="mean_t", rows=30, trials=300)[0]
    assert found.coverage + 3 * found.error < 0.95
    assert found.high_misses > found.low_misses  # the risk is underrated where no large error was seen


def test_a_learner_is_held_against_the_risk_of_its_models():
    found = coverage(
        "two_gaussians(features=5)", NearestMean, by="kfold(k=5)", methods="corrected_t", rows=40, trials=60
    )
    assert found[0].fits == 300 and found[0].by == "kfold(k=5)"
    assert 0.85 < found[0].coverage <= 1 and 0.8 < found[0].at_all <= 1
    same = coverage(TwoGaussians(features=5), NearestMean, by="kfold(k=5)", methods="corrected_t", rows=40, trials=60)
    assert same[0] == found[0]


def test_the_risk_of_a_learner_without_a_closed_form():
    near, far = (lab.learner_risk(TwoGaussians(distance=2.0), GaussianNB, rows, draws=200) for rows in (100, 8))
    assert TwoGaussians(distance=2.0).best < near < far
    assert near == pytest.approx(norm.cdf(-1), abs=0.02)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"world": "sharks"}, "there is no world called 'sharks'"),
        ({"world": 7}, "the world 7 is none"),
        ({"world": "shares(share=2)"}, "share lies between 0 and 1, not 2"),
        ({"world": "two_gaussians"}, "gives rows to learn from: name a `learner=`"),
        ({"learner": NearestMean}, "gives the evidence of a model: leave out `learner=`"),
        ({"methods": ()}, "`methods=` names nothing"),
        ({"methods": 3}, "`methods=` names nothing"),
        ({"rows": ()}, "`rows=` names no number of rows"),
        ({"rows": None}, "rows must be a whole number, not None"),
        ({"methods": "wold"}, "there is no interval called 'wold'"),
        ({"rows": 0}, "rows must be at least 1"),
        ({"score": "auc"}, "this world knows the value of error, accuracy, not of auc"),
    ],
)
def test_bad_input(arguments, says):
    given = {"world": "shares", "methods": "wilson", "rows": 10, **arguments}
    with pytest.raises(vc.VeracityError, match=says):
        coverage(given.pop("world"), given.pop("learner", None), **given)


def test_an_interval_that_never_answers_says_why():
    with pytest.raises(
        Refused, match="delong was refused on every sample: delong is an interval for auc, not for error"
    ):
        coverage("shares", methods="delong", rows=10)


def run(*words):
    return CliRunner().invoke(cli, ["lab", "coverage", *words])


def test_the_command_line_gives_the_same():
    words = ("--world", "shares(share=0.3)", "--method", "wald", "--method", "wilson", "--rows", "40")
    found = json.loads(run(*words, "--json").output)
    assert found == coverage("shares(share=0.3)", methods=["wald", "wilson"], rows=[40]).to_json()
    names = {"method", "world", "rows", "level", "coverage", "error", "low_misses", "high_misses", "width", "trials"}
    assert names | {"fits"} <= set(found["rows"][0])
    assert "0.9299" in run(*words).output


def test_the_command_line_fits_a_learner():
    words = ("--world", "pure_noise", "--method", "corrected_t", "--rows", "20", "--trials", "5", "--by", "kfold(k=2)")
    learner = ("--learner", "sklearn.dummy:DummyClassifier")
    row = json.loads(run(*words, *learner, "--json").output)["rows"][0]
    assert (row["fits"], row["by"], row["trials"]) == (10, "kfold(k=2)", 5)
    assert "name a --learner" in run(*words).output
    assert "--world and --method and --rows are needed, once or several times, as in" in run().output
    assert "--rows is needed" in run("--world", "shares", "--method", "wald").output


@pytest.mark.parametrize(
    ("kind", "score", "method"),
    [
        (lab.NormalErrors, "mse", "percentile(draws=200)"),
        (lab.Confusion, "f1", "percentile(draws=200)"),
        (lab.TwoLosses, "mean", "paired_bootstrap(draws=200)"),
    ],
)
def test_each_sample_has_draws_of_its_own(kind, score, method):
    class Same(kind):
        def draw(self, rows, random):
            return super().draw(rows, np.random.default_rng(0))

    how = {"rows": 60, "score": score, "methods": (method,), "seed": 0, "ask_of": interval_of_evidence}
    limits = np.array(Task(world=Same(), name="same", **how).ask(range(4))["answers"])
    assert np.isfinite(limits).all() and len(np.unique(limits[:, 0], axis=0)) > 1


def test_the_curve_of_coverage_shows_the_level_and_what_misses_it():
    """The axis begins where the lowest lies, and no higher than .8."""
    found = coverage("shares(share=0.1)", methods=["wald", "wilson"], rows=[200, 900])
    near, far = found.curve(), replace(found, rows=(replace(found[0], coverage=0.42), *found.rows[1:])).curve()
    (level,) = near.guides
    assert level.name == "level 0.95" and level.x.tolist() == [200, 900] and set(level.y) == {0.95}
    assert near.y_range == (0.8, 1.0) and far.y_range == (0.4, 1.0)
