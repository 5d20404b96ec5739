import numpy as np
import pytest

from veracity.evidence.counts import Counts
from veracity.scores import scores
from veracity.scores.entry import numeric_influence

SKEWED = [[9_000_000, 300, 2], [4_000, 95_000, 6], [1, 2, 6]]
WHOLE = ["error", "accuracy", "balanced_accuracy", "balanced_error", "kappa", "mcc"]
AVERAGED = ["fbeta", "precision", "specificity", "youden", "lift", "jaccard", "positive_likelihood_ratio"]
COST = "cost(matrix=((0, 1, 4), (2, 0, 1), (5, 2, 0)))"


def by_exact_differences(choice, counts):
    """A thousandth of a row more and less of each cell: enough for small counts."""
    cells = counts.cells
    slope = np.empty(cells.size)
    for place in range(cells.size):
        step = np.zeros(cells.size)
        step[place] = 1e-3
        ends = [choice.evaluate(counts.reweigh(cells + sign * step)) for sign in (1, -1)]
        slope[place] = (ends[0] - ends[1]) / 2e-3
    return cells.sum() * slope - (slope * cells).sum()


@pytest.mark.parametrize("matrix", [[[50, 3, 2], [4, 30, 6], [1, 5, 19]], [[5, 1, 1], [2, 7, 1], [1, 3, 4]]])
@pytest.mark.parametrize(
    "name", [*WHOLE, COST, *(f"{name}(average='{by}')" for name in AVERAGED for by in ("macro", "micro", "prior"))]
)
def test_matches_differences(name, matrix):
    choice, counts = scores.choose(name), Counts(matrix)
    found = choice.influence_of(counts)
    assert found == pytest.approx(by_exact_differences(choice, counts), rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("positive", [0, 1, 2])
@pytest.mark.parametrize("name", AVERAGED)
def test_one_class_of_several(name, positive):
    choice = scores.choose(f"{name}(average='none')")
    counts = Counts([[50, 3, 2], [4, 30, 6], [1, 5, 19]], positive=positive)
    found = choice.influence_of(counts)
    assert found == pytest.approx(by_exact_differences(choice, counts), rel=1e-5, abs=1e-6)


def test_rare_class_among_millions():
    """Macro F1 by Takahashi's formula: a step measured by all rows would have emptied the third class."""
    share = np.array(SKEWED) / np.sum(SKEWED)
    size = share.sum(0) + share.sum(1)
    f1 = 2 * np.diag(share) / size
    expected = (2 * np.eye(3) / size - (f1 / size)[:, None] - f1 / size) / 3
    found = scores["fbeta"].influence_of(Counts(SKEWED))
    assert found == pytest.approx(expected.ravel(), rel=1e-5)


def test_empty_cell_has_none():
    found = numeric_influence(lambda cells: cells[..., 0] / cells.sum(-1), np.array([3.0, 0.0, 1.0]))
    assert found == pytest.approx([0.25, 0.0, -0.75], abs=1e-8)


def test_thousand_classes():
    random = np.random.default_rng(0)
    matrix = np.diag(random.integers(5, 50, 1_000)) + random.poisson(0.01, (1_000, 1_000))
    counts = Counts(matrix)
    for name in (*WHOLE, "fbeta", "recall"):
        assert (scores[name].influence_of(counts) * counts.cells).sum() == pytest.approx(0, abs=1e-3)


def test_hits_and_rows_of_the_denominator():
    counts = Counts([[1, 1, 1], [1, 1, 1], [1, 1, 1]], positive=1)
    right = np.eye(3, dtype=int)
    hits, of = (part.reshape(3, 3).tolist() for part in scores["error"].share_cells(counts))
    assert hits == (1 - right).tolist() and of == [[1] * 3] * 3
    hits, of = (part.reshape(3, 3).tolist() for part in scores["recall"].share_cells(counts, average="none"))
    assert hits == [[0] * 3, [0, 1, 0], [0] * 3] and of == [[0] * 3, [1] * 3, [0] * 3]
    hits, of = (part.reshape(3, 3).tolist() for part in scores["precision"].share_cells(counts, average="none"))
    assert hits == [[0] * 3, [0, 1, 0], [0] * 3] and of == [[0, 1, 0]] * 3
    hits, of = (part.reshape(3, 3).tolist() for part in scores["recall"].share_cells(counts, average="micro"))
    assert hits == right.tolist() and of == [[1] * 3] * 3
