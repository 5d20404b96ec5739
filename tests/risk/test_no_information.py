"""The score without information against the double loop over all pairs of a truth and a prediction."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veracity.core.errors import Refused
from veracity.evidence.predictions import Predictions, subset
from veracity.risk import resampling_estimators as module
from veracity.risk.resampling_estimators import no_information
from veracity.scores import scores
from veracity.scores.entry import value_of
from veracity.scores.own import per_row


def of_classes(rows=14, classes=3, weighted=False, seed=0):
    random = np.random.default_rng(seed)
    proba = random.dirichlet(np.ones(classes), rows).round(2) + 0.01
    proba /= proba.sum(1, keepdims=True)
    truth = np.concatenate([np.arange(classes), random.integers(0, classes, rows - classes)])
    prior = tuple(np.full(classes, 1 / classes))
    weights = random.random(rows) + 0.1 if weighted else None
    positive = 1 if classes == 2 else None
    return Predictions(
        "classes", truth, tuple(range(classes)), positive, proba.argmax(1), proba, weights=weights, prior=prior
    )


def of_numbers(rows=15, weighted=False, seed=0):
    random = np.random.default_rng(seed)
    weights = random.random(rows) + 0.1 if weighted else None
    return Predictions(
        "numbers",
        random.normal(size=rows).round(1),
        number=random.normal(1, 2, rows).round(1),
        weights=weights,
        train_mean=0.3,
    )


def brute(choice, p):
    """Every truth beside every prediction, as rows of their own."""
    rows = len(p)
    i, j = np.divmod(np.arange(rows * rows), rows)
    weight = np.ones(rows) if p.weights is None else p.weights
    return value_of(choice, replace(subset(p, j), truth=p.truth[i], weights=weight[i] * weight[j]))


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize(
    "name",
    ["error", "accuracy", "fbeta", "mcc", "kappa", "balanced_error", "precision", "brier", "log_loss", "auc",
     "average_precision", "calibration_error", "kb_information"],
)  # fmt: skip
def test_scores_of_classes(name, classes, weighted):
    p, choice = of_classes(classes=classes, weighted=weighted), scores.choose(name)
    assert no_information(choice, p) == pytest.approx(brute(choice, p), abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    "name",
    ["mse", "rmse", "mae", "pinball(q=0.2)", "r2", "correlation", "relative_squared_error", "relative_absolute_error",
     "median_absolute_error", "root_relative_squared_error(baseline='train')"],
)  # fmt: skip
def test_scores_of_numbers(name, weighted):
    p, choice = of_numbers(weighted=weighted), scores.choose(name)
    assert no_information(choice, p) == pytest.approx(brute(choice, p), abs=1e-12)


def test_shares_of_six_and_seven_tenths():
    truth, label = np.repeat([0, 1], [6, 4]), np.repeat([0, 1], [7, 3])
    p = Predictions("classes", truth, (0, 1), label=label)
    assert no_information(scores.choose("error"), p) == pytest.approx(0.46)


def test_the_area_under_the_curve_is_one_half_and_the_precision_the_prevalence():
    p = of_classes(classes=2, rows=40)
    assert no_information(scores.choose("auc"), p) == pytest.approx(0.5)
    assert no_information(scores.choose("average_precision"), p) == pytest.approx((p.truth == 1).mean())


def test_an_own_loss_goes_through_all_pairs_in_chunks(monkeypatch):
    @per_row("Wide of the mark", needs="number", better="lower")
    def wide(p):
        return (np.abs(p.number - p.truth) > 1).astype(float)

    p = of_numbers(rows=40, weighted=True)
    whole = brute(wide.choose(), p)
    monkeypatch.setattr(module, "CHUNK", 100)
    assert no_information(wide.choose(), p) == pytest.approx(whole)
    monkeypatch.setattr(module, "MOST", 1000)
    with pytest.raises(Refused, match=r"40\^2 pairs .* use loo_bootstrap or boot632"):
        no_information(wide.choose(), p)


def test_a_score_that_is_no_mean_needs_all_pairs_at_once(monkeypatch):
    monkeypatch.setattr(module, "CHUNK", 100)
    with pytest.raises(Refused, match="median_absolute_error without information"):
        no_information(scores.choose("median_absolute_error"), of_numbers())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=12), st.sampled_from([0.0, 1e7])
)
def test_absolute_errors_by_sorting(pairs, far):
    truth, number = np.array(pairs, float).T + far
    p = Predictions("numbers", truth, number=number)
    assert no_information(scores.choose("mae"), p) == pytest.approx(np.abs(truth[:, None] - number).mean(), abs=1e-8)
