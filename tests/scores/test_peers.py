"""Agreement with scikit-learn on random rows, for every score that both have."""

import numpy as np
import pytest
from sklearn import metrics

from veracity import predictions, score

SEEDS = [0, 1, 2]
OF_LABELS = {
    "accuracy": metrics.accuracy_score,
    "error": metrics.zero_one_loss,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "kappa": metrics.cohen_kappa_score,
    "mcc": metrics.matthews_corrcoef,
}
OF_ONE_CLASS = {
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "fbeta": metrics.f1_score,
    "jaccard": metrics.jaccard_score,
}
OF_NUMBERS = {
    "mse": metrics.mean_squared_error,
    "rmse": metrics.root_mean_squared_error,
    "mae": metrics.mean_absolute_error,
    "median_absolute_error": metrics.median_absolute_error,
    "r2": metrics.r2_score,
}
AVERAGE = {"macro": "macro", "micro": "micro", "prior": "weighted"}
with_weights = pytest.mark.parametrize("weighted", [False, True])
with_seed = pytest.mark.parametrize("seed", SEEDS)


def drawn(seed, classes, size=150):
    """Truth, tied probabilities and weights (whole numbers, so that every peer treats them alike)."""
    random = np.random.default_rng(seed)
    chance = random.integers(1, 12, (size, classes)).astype(float)
    chance /= chance.sum(1, keepdims=True)
    truth = (chance.cumsum(1) > random.random(size)[:, None]).argmax(1)
    return truth, chance, random.integers(1, 5, size).astype(float)


def options(weight, weighted):
    return ({"weights": weight}, {"sample_weight": weight}) if weighted else ({}, {})


@with_seed
@with_weights
@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("name", OF_LABELS)
def test_scores_of_labels(name, classes, weighted, seed):
    truth, chance, weight = drawn(seed, classes)
    label = chance.argmax(1)
    ours, theirs = options(weight, weighted)
    found = score(predictions(truth, label=label, positive=1, **ours), name)
    assert found == pytest.approx(OF_LABELS[name](truth, label, **theirs))


@with_seed
@with_weights
@pytest.mark.parametrize("name", OF_ONE_CLASS)
def test_scores_of_the_positive_class(name, weighted, seed):
    truth, chance, weight = drawn(seed, 2)
    label = chance.argmax(1)
    ours, theirs = options(weight, weighted)
    found = score(predictions(truth, label=label, positive=1, **ours), name)
    assert found == pytest.approx(OF_ONE_CLASS[name](truth, label, **theirs))


@with_seed
@with_weights
@pytest.mark.parametrize("average", AVERAGE)
@pytest.mark.parametrize("name", OF_ONE_CLASS)
def test_averages_over_classes(name, average, weighted, seed):
    truth, chance, weight = drawn(seed, 4)
    label = chance.argmax(1)
    ours, theirs = options(weight, weighted)
    found = score(predictions(truth, label=label, **ours), f"{name}(average='{average}')")
    assert found == pytest.approx(OF_ONE_CLASS[name](truth, label, average=AVERAGE[average], **theirs))


@with_seed
@pytest.mark.parametrize("beta", [0.5, 2.0])
def test_f_beta(beta, seed):
    truth, chance, _ = drawn(seed, 2)
    found = score(predictions(truth, proba=chance, positive=1), f"fbeta(beta={beta})")
    assert found == pytest.approx(metrics.fbeta_score(truth, chance.argmax(1), beta=beta))


@with_seed
def test_likelihood_ratios(seed):
    truth, chance, _ = drawn(seed, 2)
    p = predictions(truth, proba=chance, positive=1)
    above, below = metrics.class_likelihood_ratios(truth, chance.argmax(1))
    assert score(p, "positive_likelihood_ratio") == pytest.approx(above)
    assert score(p, "negative_likelihood_ratio") == pytest.approx(below)


@with_seed
@with_weights
def test_scores_of_an_ordering(weighted, seed):
    truth, chance, weight = drawn(seed, 2)
    ours, theirs = options(weight, weighted)
    p = predictions(truth, value=chance[:, 1], positive=1, **ours)
    assert score(p, "auc") == pytest.approx(metrics.roc_auc_score(truth, chance[:, 1], **theirs))
    precision = metrics.average_precision_score(truth, chance[:, 1], **theirs)
    assert score(p, "average_precision") == pytest.approx(precision)
    partial = metrics.roc_auc_score(truth, chance[:, 1], max_fpr=0.2, **theirs)
    assert score(p, "partial_auc(max_fpr=0.2, standardised=True)") == pytest.approx(partial)


@with_seed
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("macro_ovr", {"multi_class": "ovr"}),
        ("prior_ovr", {"multi_class": "ovr", "average": "weighted"}),
        ("ovo", {"multi_class": "ovo"}),
    ],
)
def test_areas_over_classes(ours, theirs, seed):
    truth, chance, _ = drawn(seed, 4)
    found = score(predictions(truth, proba=chance), f"auc(average='{ours}')")
    assert found == pytest.approx(metrics.roc_auc_score(truth, chance, **theirs))


@with_seed
@pytest.mark.parametrize("average", ["macro_ovr", "prior_ovr"])
def test_weighted_areas_over_classes(average, seed):
    truth, chance, weight = drawn(seed, 3)
    how = "macro" if average == "macro_ovr" else "weighted"
    expected = [metrics.roc_auc_score(truth == c, chance[:, c], sample_weight=weight) for c in range(3)]
    shares = np.bincount(truth, weight) / weight.sum() if how == "weighted" else np.full(3, 1 / 3)
    found = score(predictions(truth, proba=chance, weights=weight), f"auc(average='{average}')")
    assert found == pytest.approx(np.dot(expected, shares))


@with_seed
@with_weights
@pytest.mark.parametrize("classes", [2, 4])
def test_scores_of_probabilities(classes, weighted, seed):
    truth, chance, weight = drawn(seed, classes)
    ours, theirs = options(weight, weighted)
    p = predictions(truth, proba=chance, positive=1, **ours)
    assert score(p, "log_loss") == pytest.approx(metrics.log_loss(truth, chance, **theirs))
    if classes == 2:
        assert score(p, "brier_half") == pytest.approx(metrics.brier_score_loss(truth, chance[:, 1], **theirs))
    else:
        rows = ((chance - np.eye(classes)[truth]) ** 2).sum(1)
        assert score(p, "brier") == pytest.approx(np.average(rows, weights=weight if weighted else None))


@with_seed
@with_weights
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_scores_of_numbers(name, weighted, seed):
    random = np.random.default_rng(seed)
    truth = random.normal(size=151)
    said = truth + random.normal(size=151)
    weight = random.integers(1, 5, 151).astype(float)
    ours, theirs = options(weight, weighted)
    if name == "median_absolute_error" and weighted:
        rows = np.repeat(np.arange(151), weight.astype(int))
        expected = metrics.median_absolute_error(truth[rows], said[rows])
    else:
        expected = OF_NUMBERS[name](truth, said, **theirs)
    assert score(predictions(truth, number=said, **ours), name) == pytest.approx(expected)


@with_seed
@with_weights
def test_pinball(weighted, seed):
    random = np.random.default_rng(seed)
    truth, said, weight = random.normal(size=(3, 80))
    ours, theirs = options(np.exp(weight), weighted)
    found = score(predictions(truth, number=said, **ours), "pinball(q=0.3)")
    assert found == pytest.approx(metrics.mean_pinball_loss(truth, said, alpha=0.3, **theirs))


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("roc_auc_ovr", {"multi_class": "ovr"}),
        ("roc_auc_ovo", {"multi_class": "ovo"}),
        ("roc_auc_ovr_weighted", {"multi_class": "ovr", "average": "weighted"}),
    ],
)
def test_areas_of_several_classes_by_the_names_of_scikit_learn(name, theirs):
    truth = np.repeat([0, 1, 2], [60, 25, 10])
    chances = np.random.default_rng(0).dirichlet(np.ones(3), size=95) * 0.8 + 0.2 * np.eye(3)[truth]
    assert score(predictions(truth, proba=chances), name) == pytest.approx(
        metrics.roc_auc_score(truth, chances, **theirs)
    )
