"""The rows most wrong."""

import math

import numpy as np
import pytest

import veracity as vc

P = vc.predictions(
    ["ham", "spam", "spam", "ham"], proba=[0.9, 0.2, 0.99, 0.1], positive="spam", rows=["a", "b", "c", "d"]
)


def test_probabilities_by_log_loss():
    found = vc.worst(P, 2)
    assert found.loss == "log loss" and found.of == 4
    assert [(r.row, r.index, r.truth, r.said) for r in found.rows] == [("a", 0, "ham", "spam"), ("b", 1, "spam", "ham")]
    assert [r.loss for r in found.rows] == pytest.approx([-math.log(0.1), -math.log(0.2)])
    assert [r.probability for r in found.rows] == pytest.approx([0.1, 0.2])


def test_numbers_by_absolute_error():
    found = vc.worst(vc.predictions([1.0, 2, 3], number=[1.5, 9, 0]), 2)
    assert [(r.row, r.truth, r.said, r.loss) for r in found.rows] == [(1, 2, 9, 7), (2, 3, 0, 3)]


def test_values_by_how_far_they_are_on_the_wrong_side():
    p = vc.predictions([1, 0, 1, 0], value=[-2.0, 3, 1, -1], positive=1)
    assert [(r.index, r.said, r.loss) for r in vc.worst(p, 3).rows] == [(1, 3, 3), (0, -2, 2), (2, 1, -1)]
    cut = vc.predictions([1, 0, 1, 0], value=[-2.0, 3, 1, -1], positive=1, threshold=2.0)
    assert [(r.index, r.said, r.loss) for r in vc.worst(cut, 2).rows] == [(0, 0, 4), (1, 1, 1)]


def test_labels_that_are_wrong_in_their_own_order():
    p = vc.predictions([0, 1, 1, 0], label=[0, 0, 1, 1])
    assert [(r.index, r.truth, r.said) for r in vc.worst(p).rows] == [(1, 1, 0), (3, 0, 1)]
    assert len(vc.worst(vc.predictions([0, 1], label=[0, 1]))) == 0


def test_equal_losses_keep_the_order_of_rows():
    p = vc.predictions(np.zeros(500), number=np.tile([1.0, 2.0], 250))
    assert [r.index for r in vc.worst(p, 4).rows] == [1, 3, 5, 7]


def test_more_than_all_rows_gives_all():
    assert len(vc.worst(P, 100)) == 4


@pytest.mark.parametrize("classes", [2, 3])
def test_the_largest_losses_by_brute_force(classes):
    random = np.random.default_rng(classes)
    chance = random.dirichlet(np.ones(classes), 200)
    truth = random.integers(0, classes, 200)
    found = vc.worst(vc.predictions(truth, proba=chance), 15)
    assert [r.index for r in found.rows] == np.argsort(chance[np.arange(200), truth])[:15].tolist()


def test_prints_as_a_table():
    text = repr(vc.worst(P, 2))
    assert "the 2 most wrong of 4 rows" in text
    assert "log loss" in text and "2.303" in text and "probability of the truth" in text
    assert "ham" in vc.worst(P, 2).to_markdown()


def test_infinite_losses_come_first():
    p = vc.predictions([1, 1, 0], proba=[0.5, 0.0, 0.5], positive=1)
    assert vc.worst(p, 1).rows[0].loss == math.inf
    assert "inf" in repr(vc.worst(p, 1))


@pytest.mark.parametrize("rows", [0, -1, 2.5, True])
def test_a_wrong_number_of_rows(rows):
    with pytest.raises(vc.BadInput, match=r"rows(=`)? (is|must be) a whole number"):
        vc.worst(P, rows)


def test_positive_unlabelled_rows_cannot_be_called_wrong():
    p = vc.predictions([1, 0], proba=[0.5, 0.5], positive=1, labelled="positives")
    with pytest.raises(vc.Refused, match="worst needs the true negatives"):
        vc.worst(p)
