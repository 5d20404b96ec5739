"""The signed-rank posterior against published draws and a plain double loop."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import veracity as vc
from veracity.comparisons.posteriors import _chances, shares_of_draws

REFERENCE = Path(__file__).parents[1] / "reference"
BAYCOMP = json.loads((REFERENCE / "baycomp_expected.json").read_text())["two_on_multiple_nbc_j48_rope1"]


def rows(name):
    return list(csv.DictReader((REFERENCE / name).read_text().splitlines()))


def test_weka_data_sets():
    scores = [[float(row["j48"]), float(row["nbc"])] for row in rows("weka_accuracies_mean.csv")]
    found = vc.compare(vc.score_matrix(scores), using="signed_rank_posterior(rope=1.0)")
    assert found.probabilities == pytest.approx((0.231, 0.007, 0.762), abs=0.01)
    for printed in BAYCOMP["signed_rank_prints"]:
        assert found.probabilities == pytest.approx(printed, abs=0.01)
    assert "50000 draws with seed 0" in found.notes[0].says


def test_scmamp_agrees_but_for_its_other_prior():
    """scmamp gives the data set seen before weight 1 and more draws to the rope; the winner is the same."""
    known = json.loads((REFERENCE / "scmamp_bayes_expected.json").read_text())["bSignedRank_MC"]
    table = rows("scmamp_kcv_example.csv")
    for row in known[2:]:
        means = [
            [np.mean([float(r[row[side]]) for r in table if r["DB"] == str(number)]) for side in "xy"]
            for number in range(1, 11)
        ]
        found = vc.compare(vc.score_matrix(means), using="signed_rank_posterior(rope=0.01)").probabilities
        assert np.argmax(found) == np.argmax(row["winner_probs"])
        assert found == pytest.approx(row["winner_probs"], abs=0.1)


@pytest.mark.parametrize("rope", [0.0, 1.0, 1.5])
def test_every_pair_of_points(rope):
    """Running totals give what a double loop over all pairs gives, sums at the bound counting half."""
    random = np.random.default_rng(0)
    points = np.sort(random.integers(-4, 5, 9).astype(float))
    weights = random.random((3, 9))
    sums = points[:, None] + points
    for bound, side in ((-2 * rope, 0), (2 * rope, 2)):
        beyond = sums < bound if side == 0 else sums > bound
        share = beyond + (sums == bound) / 2
        expected = np.einsum("ni,nj,ij->n", weights, weights, share)
        assert _chances(weights, points, rope)[side] == pytest.approx(expected)


def test_a_small_case_by_integration():
    """One difference of 1 with weight w ~ Beta(1, 1/2): right wins when 1 - (1 - w)^2 counts more than (1 - w)^2."""
    from scipy import stats

    # rope 0: left has half of (1 - w)^2, right has w^2 + 2 w (1 - w) + half of (1 - w)^2, so right never loses
    assert shares_of_draws(np.array([1.0]), 0.0, 20_000, 0) == pytest.approx((0, 0, 1))
    # rope .75: only the pair of the point with itself lies beyond, so right wins when w^2 > 1/2
    expected = stats.beta(1, 0.5).sf(0.5**0.5)
    assert shares_of_draws(np.array([1.0]), 0.75, 40_000, 0)[2] == pytest.approx(expected, abs=0.01)


def test_no_difference_is_a_draw():
    nothing = vc.score_matrix([[0.3, 0.3]] * 5)
    assert vc.compare(nothing, using="signed_rank_posterior").probabilities == (0.5, 0, 0.5)
    assert vc.compare(nothing, using="signed_rank_posterior(rope=0.1)").probabilities == (0, 1, 0)


def test_seed_and_draws():
    matrix = vc.score_matrix(np.random.default_rng(0).normal(size=(8, 2)))
    first, again, other = (
        vc.compare(matrix, using="signed_rank_posterior(draws=1000)", seed=seed) for seed in (1, 1, 2)
    )
    assert first.probabilities == again.probabilities != other.probabilities
    assert "few-draws" in [note.code for note in first.notes]
    with pytest.raises(vc.BadInput, match="draws must be at least 1"):
        vc.compare(matrix, using="signed_rank_posterior(draws=0)")


def test_turning_the_pair_turns_the_sides():
    d = np.random.default_rng(1).normal(0.3, 1, 12)
    one, other = shares_of_draws(d, 0.2, 40_000, 0), shares_of_draws(-d, 0.2, 40_000, 1)
    assert one == pytest.approx(other[::-1], abs=0.015)
