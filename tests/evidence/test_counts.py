"""Confusion matrices: one or many."""

import numpy as np
import pytest

import veracity as vc
from veracity import BadInput, Counts


def test_cells_of_a_class_against_the_rest():
    counts = Counts([[50, 3, 2], [4, 30, 6], [1, 5, 19]], positive=1)
    assert (counts.tp, counts.fn, counts.fp, counts.tn) == (30, 10, 8, 72)
    assert counts.each_against_rest().tp.tolist() == [50, 30, 19]
    assert counts.each_against_rest().pooled().matrix.tolist() == [[219, 21], [21, 99]]


def test_positive_is_a_label_and_never_reorders():
    counts = Counts([[1, 2], [3, 4]], classes=("no", "yes"), positive="yes")
    assert (counts.tp, counts.fn, counts.fp, counts.tn) == (4, 3, 2, 1)


def test_reweighted_cells_keep_leading_axes():
    counts = Counts([[1, 2], [3, 4]], positive=0)
    many = counts.reweigh(np.arange(24).reshape(2, 3, 4))
    assert many.matrix.shape == (2, 3, 2, 2)
    assert many.total.shape == (2, 3)
    assert (counts.reweigh(counts.cells).matrix == counts.matrix).all()


@pytest.mark.parametrize(
    ("matrix", "named", "says"),
    [
        ([[1, 2, 3], [4, 5, 6]], {}, "square with at least two classes"),
        ([[1]], {}, "square with at least two classes"),
        ([[1, -2], [3, 4]], {}, "every cell must be finite and at least 0"),
        ([[1, float("nan")], [3, 4]], {}, "every cell must be finite"),
        ([[1, 2], [3, 4]], {"classes": ("a",)}, "name each of the 2 classes once"),
        ([[1, 2], [3, 4]], {"classes": ("a", "a")}, "name each of the 2 classes once"),
        ([[1, 2], [3, 4]], {"positive": 7}, "the positive class 7 is not among"),
    ],
)
def test_what_is_no_confusion_matrix(matrix, named, says):
    with pytest.raises(BadInput, match=says):
        Counts(matrix, **named)


def test_several_matrices_are_not_scored_as_one():
    with pytest.raises(vc.BadInput, match="these are 3 confusion matrices: score each by itself"):
        vc.score(vc.Counts([[[1, 2], [3, 4]]] * 3), "error")


def test_counts_of_billions_are_read_without_unrolling_them():
    p = vc.predictions([0, 1, 1], label=[0, 1, 0], counts=[10**12, 10**12, 2 * 10**12], positive=1)
    assert vc.estimate(p, "error", interval="wilson").rows[0].value == 0.5
    with pytest.raises(vc.Refused, match="looks at each of 4,000,000,000,000 rows by itself, more than 100,000,000"):
        vc.estimate(p, "error", interval="betting")
    with pytest.raises(vc.BadInput, match=r"counts: more than 2\^53 rows in all"):
        vc.predictions([0, 1], label=[0, 1], counts=[2**64, 1])


def test_of_a_number_of_errors_no_class_is_known_whatever_is_asked():
    """With a positive class named it became a confusion matrix of right and wrong, which has a recall."""
    errors = vc.errors(3, of=9)
    for same in (errors.with_positive(1), type(errors).of_arrays(errors.matrix[None], errors.classes).pooled()):
        assert vc.score(same, "error") == pytest.approx(1 / 3)
        with pytest.raises(BadInput, match="recall cannot be had from a number of errors alone"):
            vc.score(same, "recall")
