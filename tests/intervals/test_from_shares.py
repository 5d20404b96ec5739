import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.evidence.interval_evidence import Proportion
from veracity.intervals.compute import attach_default, attach_interval
from veracity.intervals.confusion_matrix import f1_from_jaccard, ratio_distance

EXAMPLE = [[40, 10], [20, 130]]


def test_f1_of_the_jaccard_index(counted):
    assert f1_from_jaccard(counted("jaccard", EXAMPLE).value) == pytest.approx(counted("fbeta", EXAMPLE).value)


@pytest.mark.parametrize("score", ["fbeta(beta=2)", "fbeta(average='macro')"])
def test_only_f1_of_one_class(counted, score):
    with pytest.raises(Refused, match="F1 \\(beta=1\\) of one class"):
        attach_interval(counted(score, EXAMPLE), "f1_exact", Confidence())


def test_only_for_f1(counted):
    with pytest.raises(Refused, match="an interval for fbeta, not for kappa"):
        attach_interval(counted("kappa", EXAMPLE), "f1_exact", Confidence())


def test_of_names_an_interval_of_a_share(counted):
    found = attach_interval(counted("fbeta", EXAMPLE), "f1_exact(of='wilson')", Confidence())
    assert found.method == "f1_exact(of='wilson')"
    with pytest.raises(BadInput, match="an interval for a share of rows"):
        attach_interval(counted("fbeta", EXAMPLE), "f1_exact(of='delong')", Confidence())


def test_no_true_negatives_needed(counted):
    few, many = (
        attach_interval(counted("fbeta", [[40, 10], [20, rest]]), "f1_exact", Confidence()) for rest in (0, 10**6)
    )
    assert (few.low, few.high) == (many.low, many.high)


def test_perfect_f1_keeps_a_lower_bound(counted):
    found = attach_interval(counted("fbeta", [[30, 0], [0, 70]]), "f1_exact", Confidence(0.95, "lower"))
    assert found.low == pytest.approx(f1_from_jaccard(0.05 ** (1 / 30))) and found.high == 1


def test_weighted_rows_are_refused(of_rows):
    m = of_rows("fbeta", [0, 1, 1, 0], label=[0, 1, 0, 1], positive=1, weights=[1, 2, 3, 4])
    with pytest.raises(Refused, match="use delta or bca"):
        attach_interval(m, "f1_exact", Confidence())


def test_score_ratio_limits_are_rejected_at_the_level(counted):
    """Miettinen and Nurminen 1985: at a limit the score statistic is the normal quantile."""
    m = counted("positive_likelihood_ratio", [[3, 2], [9, 36]])
    found = attach_interval(m, "score_ratio", Confidence())
    above, below = Proportion(3, 5), Proportion(9, 45)
    assert ratio_distance(above, below, found.low) == pytest.approx(1.959964, abs=1e-5)
    assert ratio_distance(above, below, found.high) == pytest.approx(-1.959964, abs=1e-5)


def test_score_ratio_maximises_the_likelihood():
    above, below, ratio = Proportion(3, 5), Proportion(9, 45), 1.7
    rate = np.linspace(1e-6, 1 / ratio - 1e-6, 400_001)
    likelihood = 3 * np.log(ratio * rate) + 2 * np.log(1 - ratio * rate) + 9 * np.log(rate) + 36 * np.log(1 - rate)
    best = rate[likelihood.argmax()]
    variance = ratio * best * (1 - ratio * best) / 5 + ratio**2 * best * (1 - best) / 45
    expected = (3 / 5 - ratio * 9 / 45) / np.sqrt(variance * 50 / 49)
    assert ratio_distance(above, below, ratio) == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("matrix", [[[5, 0], [9, 36]], [[0, 5], [9, 36]]])
def test_score_ratio_answers_where_a_rate_is_nought(counted, matrix):
    for score in ("positive_likelihood_ratio", "negative_likelihood_ratio"):
        m = counted(score, matrix)
        found = attach_interval(m, "score_ratio", Confidence())
        assert found.low <= m.value <= found.high and found.width > 0.1


THREE = [[50, 3, 2], [4, 30, 6], [1, 5, 19]]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("recall", "balanced_accuracy"),
        ("recall(average='micro')", "accuracy"),
        ("recall(average='prior')", "accuracy"),
        ("fbeta(average='micro')", "accuracy"),
    ],
)
def test_one_interval_for_one_number(counted, one, other):
    first, second = (attach_default(counted(score, THREE), Confidence())[0] for score in (one, other))
    assert (first.low, first.high) == pytest.approx((second.low, second.high))


def test_macro_f1_adds_distances_by_their_correlation(counted):
    """The influence of a cell on the F1 of each class as printed by Takahashi and others 2022."""
    matrix = np.array(THREE, float)
    s, right = matrix.sum(0) + matrix.sum(1), np.diag(matrix)
    f = 2 * right / s
    each = [np.zeros((3, 3)) for _ in range(3)]
    for c, psi in enumerate(each):
        psi[c, :] -= f[c] / s[c]
        psi[:, c] -= f[c] / s[c]
        psi[c, c] += 2 / s[c]
    together = np.array([[(matrix * one * other).sum() for one in each] for other in each])
    alike = together / np.sqrt(np.outer(np.diag(together), np.diag(together)))
    ends = [
        attach_interval(counted("jaccard", [[h, a - h], [0, 9]]), "clopper_pearson", Confidence())
        for h, a in zip(right, s - right, strict=True)
    ]
    low, high = (np.array([f1_from_jaccard(getattr(end, side)) for end in ends]) for side in ("low", "high"))
    found = attach_interval(counted("fbeta", THREE), "square_and_add", Confidence())
    below, above = (np.sqrt(gap @ alike @ gap) / 3 for gap in (f - low, high - f))
    assert (found.low, found.high) == pytest.approx((f.mean() - below, f.mean() + above), rel=1e-5)


@pytest.mark.parametrize(
    ("score", "matrix", "of"),
    [
        ("youden", [[40, 10], [20, 130]], "wilson"),
        ("balanced_accuracy", [[40, 10], [20, 130]], "wilson"),
        ("balanced_accuracy", THREE, "mid_p"),
        ("precision", THREE, "mid_p"),
        ("youden", THREE, "mid_p"),
        ("fbeta", THREE, "clopper_pearson"),
    ],
)
def test_limits_that_are_added_where_none_are_named(counted, score, matrix, of):
    m = counted(score, matrix)
    usual, named = (attach_interval(m, f"square_and_add{by}", Confidence()) for by in ("", f"(of={of!r})"))
    other = attach_interval(m, "square_and_add(of='jeffreys')", Confidence())
    assert (usual.low, usual.high) == (named.low, named.high) != (other.low, other.high)


def test_square_and_add_says_what_it_is_not_for(counted):
    with pytest.raises(Refused, match="neither a sum nor an average of rates"):
        attach_interval(counted("kappa", THREE), "square_and_add", Confidence())
