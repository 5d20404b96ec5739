"""Paired permutation against brute force over all swaps, McNemar's exact test, and its own level under the null."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.comparisons.mcnemar import mcnemar_exact
from veracity.comparisons.paired_resampling import JoinedRows, Swaps, _by_draws, paired_permutation
from veracity.core.errors import Refused
from veracity.core.notes import check
from veracity.evidence.make_predictions import predictions
from veracity.evidence.same_rows import Pairs, SameRows
from veracity.scores import scores
from veracity.scores.own import per_counts

SCORES = ["error", "kappa", "auc", "average_precision", "brier", "median_absolute_error", "rmse", "fbeta"]


def models(kind, rows=9, seed=0, digits=1):
    random = np.random.default_rng(seed)
    if kind in ("median_absolute_error", "rmse"):
        truth = random.normal(size=rows)
        return truth, "number", [np.round(truth + random.normal(size=rows), digits) for _ in range(2)]
    truth = np.arange(rows) % 2
    chances = [np.clip(np.round(0.3 + 0.4 * truth + 0.3 * random.normal(size=rows), digits), 0, 1) for _ in range(2)]
    return truth, "proba", chances


def pair(score, truth, field, said):
    given = {} if field == "number" else {"positive": 1}
    return SameRows.of(scores.choose(score), *(predictions(truth, **{field: one}, **given) for one in said))


def by_hand(score, truth, field, said):
    """Every way to swap the predictions of some rows, each scored from its own predictions."""
    seen = abs(pair(score, truth, field, said).difference)
    found = []
    for swap in product((False, True), repeat=len(truth)):
        found.append(abs(pair(score, truth, field, [np.where(swap, *said[::s]) for s in (1, -1)]).difference))
    return np.mean(~(np.array(found) < seen - 1e-9))


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("seed", [0, 1])
def test_all_swaps_equal_brute_force(score, seed):
    given = models(score, seed=seed)
    found = paired_permutation.function(pair(score, *given))
    assert found.p_value == pytest.approx(by_hand(score, *given), abs=1e-9)
    assert found.facts == ()  # nothing was drawn


@pytest.mark.parametrize("score", ["error", "auc", "brier"])
def test_drawn_swaps_are_near_all_swaps(score):
    swaps = Swaps.of(pair(score, *models(score, rows=16)))
    exact = paired_permutation.function(swaps.pair).p_value
    drawn, *_, undefined = _by_draws(swaps, 4_000, 0)
    assert undefined == 0
    assert drawn == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4_000) + 1e-3)


@given(st.integers(0, 9), st.integers(0, 9))
def test_of_accuracy_it_is_mcnemar_exact(b, c):
    right = np.repeat([1, 1, 0, 0], [4, b, c, 3]), np.repeat([1, 0, 1, 0], [4, b, c, 3])
    truth = np.arange(len(right[0])) % 2
    said = [np.where(one, truth, 1 - truth) for one in right]
    found = paired_permutation.function(pair("accuracy", truth, "label", said))
    assert found.p_value == pytest.approx(mcnemar_exact.function(Pairs(4, b, c, 3)).p_value)


@settings(max_examples=20)
@given(st.integers(0, 1_000), st.sampled_from(SCORES))
def test_order_of_models_and_rows_does_not_matter(seed, score):
    truth, field, said = models(score, seed=seed)
    found = paired_permutation.function(pair(score, truth, field, said))
    turned = paired_permutation.function(pair(score, truth, field, said[::-1]))
    order = np.random.default_rng(seed).permutation(len(truth))
    moved = paired_permutation.function(pair(score, truth[order], field, [one[order] for one in said]))
    assert found.p_value == pytest.approx(turned.p_value) == pytest.approx(moved.p_value)
    assert found.estimate == pytest.approx(-turned.estimate) == pytest.approx(moved.estimate)


def test_labels_of_many_rows_are_swapped_by_cell():
    """Ten thousand rows in a handful of units: drawn p-values stay near those of McNemar."""
    random = np.random.default_rng(3)
    truth = random.integers(0, 3, 10_000)
    said = [np.where(random.random(10_000) < share, truth, (truth + 1) % 3) for share in (0.80, 0.788)]
    same = pair_of_labels("error", truth, said)
    swaps = Swaps.of(same)
    assert len(swaps.units.times) <= 6 < swaps.units.rows
    expected = mcnemar_exact.function(Pairs.of(same.first, same.second)).p_value
    assert paired_permutation.function(same).p_value == pytest.approx(expected, abs=0.015)


def pair_of_labels(score, truth, said):
    return SameRows.of(scores.choose(score), *(predictions(truth, label=one) for one in said))


def test_a_difference_is_never_given_probability_zero():
    truth = np.arange(60) % 2
    same = pair("error", truth, "label", [truth, 1 - truth])
    found = paired_permutation.function(same, draws=99)
    assert found.p_value == pytest.approx(1 / 100)
    assert dict(found.facts)["monte_carlo_error"] > 0


def test_identical_predictions():
    truth, field, said = models("auc")
    found = paired_permutation.function(pair("auc", truth, field, [said[0], said[0]]))
    assert found.p_value == 1 and found.notes[0].code == "never-differ"


def test_probabilities_are_not_swapped_with_values():
    truth, _, said = models("auc")
    one, other = predictions(truth, proba=said[0], positive=1), predictions(truth, value=said[1], positive=1)
    with pytest.raises(Refused, match="no scale on which to swap"):
        paired_permutation.function(SameRows.of(scores.choose("auc"), one, other))


def test_scores_whose_bins_depend_on_all_rows_are_refused():
    truth, field, said = models("brier", rows=60, digits=3)
    with pytest.raises(Refused, match="is of all rows at once"):
        paired_permutation.function(pair("calibration_error(bins=5, strategy='count')", truth, field, said))


def test_one_class_is_refused_by_a_sentence():
    said = [[1, 2, 3, 4], [2, 1, 3, 4]]
    models = [predictions(np.ones(4, int), value=one, classes=[0, 1], positive=1) for one in said]
    same = SameRows.of(scores.choose("auc"), *models)
    with pytest.raises(Refused, match="undefined or infinite"):
        check(paired_permutation.limits, same)


def rejections(score, rows, repeats, draws):
    """How often two equally good models are told apart at the 5 % level."""
    found = 0
    for seed in range(repeats):
        truth, field, said = models(score, rows, seed, digits=3)
        found += paired_permutation.function(pair(score, truth, field, said), draws=draws).p_value <= 0.05
    return found / repeats


def test_level_under_the_null():
    assert 0.02 <= rejections("auc", 60, 300, 199) <= 0.09


@pytest.mark.slow
@pytest.mark.parametrize("score", ["auc", "brier", "error"])
def test_level_under_the_null_is_close(score):
    assert 0.03 <= rejections(score, 80, 2_000, 399) <= 0.062


@per_counts("Odds ratio", better="higher", range=(0, np.inf), one_class=True)
def odds_ratio(c):
    with np.errstate(divide="ignore", invalid="ignore"):
        return c.tp * c.tn / (c.fp * c.fn)


def test_scores_that_swaps_make_infinite_on_both_sides_are_undefined():
    """Each model errs once on either class; two of 16 swaps give one the false positives, the other the misses."""
    truth = np.repeat([0, 1], 6)
    said = [np.where(np.isin(np.arange(12), wrong), 1 - truth, truth) for wrong in ((0, 6), (1, 7))]
    same = SameRows.of(odds_ratio.choose(), *(predictions(truth, label=one, positive=1) for one in said))
    note = paired_permutation.function(same).notes[0]
    assert (note.code, note.says[:6]) == ("undefined-replicates", "12.50%")
    assert np.isfinite(JoinedRows.of(same).replicates(50, 0)).sum() < 50
