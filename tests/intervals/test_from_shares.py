import pytest

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.intervals.attach import attach_interval
from veracity.intervals.from_shares import f1_from_jaccard

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
