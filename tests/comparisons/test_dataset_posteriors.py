"""The sign posterior: exact numbers against baycomp's prints, draws and closed forms."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import veracity as vc
from veracity.comparisons.posteriors import chance_larger, chances_largest

REFERENCE = Path(__file__).parents[1] / "reference"
BAYCOMP = json.loads((REFERENCE / "baycomp_expected.json").read_text())


def weka():
    rows = list(csv.DictReader((REFERENCE / "weka_accuracies_mean.csv").read_text().splitlines()))
    return vc.score_matrix([[float(row["j48"]), float(row["nbc"])] for row in rows], learners=["j48", "nbc"])


def test_weka_data_sets():
    found = vc.compare(weka(), using="sign_posterior(rope=1.0)")
    assert dict(found.facts) == {"left": 18, "inside": 15, "right": 21}
    assert found.probabilities == pytest.approx((0.265, 0.134, 0.601), abs=5e-4)
    for printed in BAYCOMP["two_on_multiple_nbc_j48_rope1"]["sign_test_prints"]:
        assert found.probabilities == pytest.approx(printed, abs=0.01)


@pytest.mark.parametrize("rope", [0, 1, 2, 3, 4, 5, 100])
def test_counts_of_baycomp(rope):
    known = BAYCOMP["sign_test_dirichlet_counts"]
    matrix = vc.score_matrix(np.stack([known["y"], known["x"]], axis=1))
    facts = dict(vc.compare(matrix, using=f"sign_posterior(rope={rope})").facts)
    assert [facts["left"], facts["inside"], facts["right"]] == known["prior0"][f"rope{rope}"]


@pytest.mark.parametrize("weights", [(18, 16, 21), (3, 1, 0.5), (1, 200, 190), (2000, 1, 1990), (0, 4, 5)])
def test_draws_agree(weights):
    random = np.random.default_rng(0)
    drawn = np.stack([random.standard_gamma(w, 200_000) for w in weights])
    shares = np.bincount(drawn.argmax(axis=0), minlength=3) / 200_000
    assert chances_largest(*weights) == pytest.approx(shares, abs=0.005)


def test_closed_forms():
    assert chances_largest(5, 5, 5) == pytest.approx((1 / 3,) * 3)
    assert chances_largest(0, 7, 0) == (0, 1, 0)
    assert chances_largest(3, 1, 0) == pytest.approx((7 / 8, 1 / 8, 0))  # P(Beta(3, 1) > 1/2)
    assert chance_larger(3, 1) == pytest.approx((7 / 8, 0, 1 / 8))
    assert (
        chance_larger(0, 0) == (0.5, 0, 0.5) and chance_larger(0, 2) == (0, 0, 1) and chance_larger(2, 0) == (1, 0, 0)
    )


@given(st.tuples(*[st.integers(0, 300)] * 3).filter(any))
def test_probabilities_add_up_and_mirror(weights):
    found = chances_largest(*weights)
    assert sum(found) == pytest.approx(1)
    assert found == pytest.approx(chances_largest(*weights[::-1])[::-1])
