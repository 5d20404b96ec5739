"""The correlated t posterior against theory, scmamp and baycomp."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.comparisons.resampled_t import corrected_t, correlated_t_posterior
from veracity.evidence.score_matrix import SplitScores

REFERENCE = Path(__file__).parents[1] / "reference"
TEN = [0.02, 0.04, -0.01, 0.03, 0.05, 0.00, 0.02, 0.03, 0.01, 0.01]
BAYCOMP = json.loads((REFERENCE / "baycomp_expected.json").read_text())


def test_ten_differences():
    found = correlated_t_posterior.function(SplitScores.of(TEN, 90, 10), rope=0.01)
    assert found.probabilities == pytest.approx((0.0030, 0.1289, 0.8681), abs=5e-5)


@pytest.mark.parametrize(
    "known", json.loads((REFERENCE / "scmamp_bayes_expected.json").read_text())["bCorrelatedTtest_rho.1_rope.01"]
)
def test_scmamp(known):
    rows = csv.DictReader((REFERENCE / "scmamp_kcv_example.csv").read_text().splitlines())
    both = [(float(row[known["x"]]), float(row[known["y"]])) for row in rows if int(row["DB"]) == known["DB"]]
    first, second = np.transpose(both)
    table = vc.split_scores({"x": first, "y": second}, train=90, test=10, k=10, repeats=10)
    found = vc.compare(table, using="correlated_t_posterior(rope=0.01)").probabilities
    assert found == pytest.approx([known["left"], known["rope"], known["right"]], abs=5e-8)


@pytest.mark.parametrize("known", BAYCOMP["correlated_t_statistics_unit_tests"])
def test_baycomp_location_and_scale(known):
    d = np.subtract(known["y"], known["x"])  # baycomp subtracts the first from the second
    folds = len(d) // known["runs"]
    s = SplitScores.of(d, folds - 1, 1, np.arange(len(d)) // folds)
    assert (s.mean, s.standard_error**2, len(s) - 1) == pytest.approx((known["mean"], known["var"], known["df"]))


@pytest.mark.parametrize("known", BAYCOMP["posterior_probs_var0"])
def test_no_spread_is_a_point_mass(known):
    found = correlated_t_posterior.function(SplitScores.of([known["mean"]] * 5, 4, 1), rope=known["rope"])
    left, inside, right = found.probabilities
    assert ((left, right) if len(known["p"]) == 2 else (left, inside, right)) == tuple(known["p"])
    assert found.notes[0].code == "no-spread"


def test_a_rope_is_not_negative():
    for rope in (-0.1, float("nan"), float("inf")):
        with pytest.raises(vc.BadInput, match="rope must be 0 or more"):
            correlated_t_posterior.function(SplitScores.of(TEN, 90, 10), rope=rope)


@given(st.lists(st.integers(-20, 20), min_size=2, max_size=20).filter(lambda d: len(set(d)) > 1), st.integers(0, 9))
def test_probabilities_add_up_and_mirror(d, rope):
    one, other = (
        correlated_t_posterior.function(SplitScores.of(sign * np.array(d), 90, 10), rope=float(rope)).probabilities
        for sign in (1.0, -1.0)
    )
    assert sum(one) == pytest.approx(1)
    assert one == pytest.approx(other[::-1])


def test_without_a_rope_it_is_the_one_sided_corrected_t():
    s = SplitScores.of(TEN, 90, 10)
    left, inside, _ = correlated_t_posterior.function(s).probabilities
    assert inside == 0 and left == pytest.approx(corrected_t.function(s).p_value / 2)


def test_without_a_rope_nothing_is_said_of_practical_equality():
    splits = vc.split_scores({"a": np.arange(10.0), "b": np.zeros(10)}, train=90, test=10, k=10)
    assert "practically" not in str(vc.compare(splits, using="correlated_t_posterior"))
    assert "that they are practically equal" in str(vc.compare(splits, using="correlated_t_posterior(rope=1)"))


def test_a_posterior_over_data_sets_is_of_most_of_them():
    m = vc.score_matrix(np.random.default_rng(0).random((9, 2)))
    assert "that it is mostly higher" in str(vc.compare(m, using="sign_posterior(rope=0.1)"))


def test_a_posterior_that_is_refused_and_computed_anyway_says_so():
    m = vc.score_matrix([[1.0, 0.5]])
    assert str(vc.compare(m, using="sign_posterior", anyway=True)).endswith("not valid here and decides nothing.")
