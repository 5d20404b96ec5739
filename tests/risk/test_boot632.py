"""The .632 and .632+ bootstrap: printed numbers, pure noise, and never out of bounds."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import veracity as vc
from veracity.risk.resampling_estimators import weigh


@pytest.mark.parametrize(
    ("apparent", "out", "chance", "overfitting", "weight", "value"),
    [
        (0.0, 0.5, 0.5, 1.0, 1.0, 0.5),
        (0.0, 0.45, 0.5, 0.9, 0.9450, 0.4252),
        (0.10, 0.20, 0.48, 0.2632, 0.6998, 0.1700),
        (0.20, 0.15, 0.5, 0.0, 0.632, 0.1684),
        (0.0, 0.7, 0.5, 1.0, 1.0, 0.5),  # more wrong than chance: cut off there
        (0.5, 0.6, 0.4, 0.0, 0.632, 0.368 * 0.5 + 0.632 * 0.4),  # worse than chance on its own rows
    ],
)
def test_printed_examples(apparent, out, chance, overfitting, weight, value):
    found = weigh(apparent, out, chance)
    assert found == pytest.approx((value, weight, overfitting), abs=5e-5)
    mirrored, _, mirrored_overfitting = weigh(1 - apparent, 1 - out, 1 - chance, "higher")
    assert mirrored == pytest.approx(1 - found[0])
    assert mirrored_overfitting == pytest.approx(found[2])


shares = st.floats(0, 1)


@given(shares, shares, shares)
def test_never_below_zero_nor_above_chance_and_between_what_it_is_made_of(apparent, out, chance):
    value, weight, overfitting = weigh(apparent, out, chance)
    assert 0 <= overfitting <= 1 and 0.632 <= weight <= 1 + 1e-15
    cut = min(out, chance)
    assert min(apparent, cut) - 1e-12 <= value <= max(apparent, cut) + 1e-12
    if apparent <= chance:
        assert value <= chance + 1e-12
    if apparent <= cut:
        assert apparent - 1e-12 <= value


def test_infinite_and_undefined_parts():
    assert weigh(0.5, math.inf, math.inf)[0] == math.inf
    assert weigh(0.5, 0.7, math.inf)[1:] == (0.632, 0.0)
    assert math.isnan(weigh(0.5, math.nan, 1.0)[0])


@pytest.fixture(scope="module")
def noise(evaluated):
    """1-nearest-neighbour where there is nothing to learn."""
    random = np.random.default_rng(5)
    features, target = random.normal(size=(100, 5)), np.tile([0, 1], 50)
    by = ["boot632(draws=200)", "boot632plus(draws=200)", "loo_bootstrap(draws=200)", "resubstitution"]
    return evaluated(KNeighborsClassifier(n_neighbors=1), features, target, by, positive=1)


def test_pure_noise(noise):
    est = vc.estimate(noise, "error")
    plus, plain = est["boot632plus(draws=200)"], est["boot632(draws=200)"]
    out = est["loo_bootstrap(draws=200)"].value
    assert est["resubstitution"].value == 0
    assert plus.value == pytest.approx(0.5, abs=0.06)
    assert plain.value == pytest.approx(0.632 * out) and plain.value < 0.36
    assert "remembers" in {note.code for note in plain.notes}
    assert dict(plus.facts) == pytest.approx(
        {
            "R": min(out, 0.5) / 0.5,
            "weight": 0.632 / (1 - 0.368 * min(out, 0.5) / 0.5),
            "no_information": 0.5,
            "resubstitution": 0.0,
            "loo_bootstrap": out,
        }
    )
    assert plus.answers == "mean risk of the procedure trained on all rows"
    assert plus.of_learner()["R"] == dict(plus.facts)["R"]


def test_higher_is_better_mirrored(noise):
    by = "boot632plus(draws=200)"
    error, accuracy = vc.estimate(noise, "error")["error", by], vc.estimate(noise, "accuracy")["accuracy", by]
    assert accuracy.value == pytest.approx(1 - error.value)
    assert dict(accuracy.facts)["weight"] == pytest.approx(dict(error.facts)["weight"])


@pytest.mark.parametrize("score", ["auc", "fbeta", "mcc"])
def test_scores_that_are_no_means_are_told_to_be_an_analogy(noise, score):
    found = vc.estimate(noise, score)[score, "boot632plus(draws=200)"]
    assert "by-analogy" in {note.code for note in found.notes}
    assert ("over-draws" in {note.code for note in found.notes}) == (score == "auc")
    chance, apparent = dict(found.facts)["no_information"], dict(found.facts)["resubstitution"]
    assert chance - 1e-12 <= found.value <= apparent


def test_groups_and_weights(evaluated):
    random = np.random.default_rng(1)
    features, groups = random.normal(size=(60, 2)), np.repeat(np.arange(20), 3)
    target = (features[:, 0] + random.normal(size=60) > 0).astype(int)
    weights = random.random(60) + 0.5
    runs = evaluated(GaussianNB(), features, target, "boot632plus(draws=50)", groups=groups, weights=weights)
    run = runs.run()
    for split in run.design.splits:
        if str(split.part) != "resubstitution":
            assert not np.isin(groups[split.test], groups[split.train]).any()
    p, found = run.predictions, vc.estimate(runs, "error")["error"]
    out = run.times_drawn == 0
    wrong, row = (p.label != p.truth)[out], p.rows[out]
    each = np.bincount(row, wrong, 60) / np.bincount(row, minlength=60)
    assert dict(found.facts)["loo_bootstrap"] == pytest.approx(np.average(each, weights=weights))
    own = ~out
    share = np.average(target, weights=weights)
    said = np.average(p.label[own], weights=weights)
    assert dict(found.facts)["no_information"] == pytest.approx(share * (1 - said) + (1 - share) * said)
    assert dict(found.facts)["resubstitution"] == pytest.approx(
        np.average((p.label != p.truth)[own], weights=weights[p.rows[own]])
    )
