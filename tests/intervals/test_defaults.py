import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.intervals import intervals
from veracity.intervals.compute import DEFAULTS, attach_default, default_rule

EXAMPLE = [[40, 10], [20, 130]]
THREE = [[50, 3, 2], [4, 30, 6], [1, 5, 19]]
DEFAULT_OF_COUNTS = [
    ("error", EXAMPLE, "wilson"),
    ("recall", EXAMPLE, "wilson"),
    ("recall", THREE, "square_and_add"),
    ("fbeta(average='micro')", THREE, "wilson"),
    ("fbeta(average='macro')", THREE, "square_and_add"),
    ("fbeta", EXAMPLE, "f1_exact"),
    ("fbeta(beta=2)", EXAMPLE, "delta_half"),
    ("kappa", THREE, "delta_half"),
    ("cost(matrix=((0, 1), (5, 0)))", EXAMPLE, "mean_score"),
    ("youden", EXAMPLE, "square_and_add"),
    ("balanced_accuracy", THREE, "square_and_add"),
    ("youden", THREE, "square_and_add"),
    ("negative_likelihood_ratio", THREE, "square_and_add"),
    ("positive_likelihood_ratio", THREE, "delta"),
    ("negative_likelihood_ratio", EXAMPLE, "score_ratio"),
]


def test_many_classes(counted):
    matrix = np.full((51, 51), 1) + 20 * np.eye(51)
    assert attach_default(counted("kappa", matrix), Confidence())[0].method == "delta"


@pytest.mark.parametrize(("score", "matrix", "method"), DEFAULT_OF_COUNTS)
def test_counts(counted, score, matrix, method):
    assert attach_default(counted(score, matrix), Confidence())[0].method == method


@pytest.mark.parametrize(("shift", "rows"), [(1.0, 400), (3.0, 400), (1.0, 40)])
def test_auc(ordered, shift, rows):
    truth = np.arange(rows) % 2
    value = shift * truth + np.random.default_rng(0).normal(size=rows)
    assert attach_default(ordered("auc", value, truth), Confidence())[0].method == "delta_logit"


def test_perfect_auc(ordered):
    assert (
        attach_default(ordered("auc", np.arange(80), np.arange(80) >= 40), Confidence())[0].method == "concordant_pairs"
    )


@pytest.mark.parametrize(
    ("score", "method"),
    [("average_precision", "delta_logit"), ("partial_auc", "delta_logit"), ("equal_error_rate", "equal_rates")],
)
def test_other_orderings(ordered, two_classes, score, method):
    truth, chance = two_classes(200)
    assert attach_default(ordered(score, chance, truth), Confidence())[0].method == method


@pytest.mark.parametrize(
    ("score", "method"),
    [("mae", "hall_t"), ("rmse", "hall_t"), ("r2", "jackknife_t"), ("median_absolute_error", "order_statistics")],
)
def test_numbers(of_rows, score, method):
    random = np.random.default_rng(0)
    m = of_rows(score, random.normal(size=50), number=random.normal(size=50))
    assert attach_default(m, Confidence())[0].method == method


@pytest.mark.parametrize(
    ("score", "method"),
    [("error", "wilson"), ("fbeta", "delta"), ("kappa", "delta"), ("auc", "delta_logit"), ("brier", "hall_t")],
)
@pytest.mark.parametrize("how", ["weights", "groups"])
def test_weighted_and_grouped_rows(of_rows, two_classes, score, method, how):
    truth, chance = two_classes(200)
    given = {"weights": np.arange(1, 201)} if how == "weights" else {"groups": np.arange(200) // 5}
    m = of_rows(score, truth, proba=chance, positive=1, **given)
    assert attach_default(m, Confidence())[0].method == method


def test_the_table_reads():
    rows = [(rule.where, rule.name or "none", rule.why) for rule in DEFAULTS]
    assert len(rows) == len(DEFAULTS)
    assert ("fbeta(beta=1) of one class, plain rows", "f1_exact") in [row[:2] for row in rows]
    assert all(name in intervals for _, name, _ in rows if name not in ("own", "none"))


def test_there_is_always_a_rule(of_rows):
    m = of_rows("mae", [1.0, 2.0], number=[1.0, 3.0])
    assert default_rule(m).name == "hall_t"
