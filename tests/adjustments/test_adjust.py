"""The verb `adjust`: shapes, missing p-values, and what is refused."""

import numpy as np
import pytest

import veracity as vc
from veracity.adjustments.adjust import hochberg

NAN = np.nan
THREE = np.array([[NAN, 0.004, 0.02], [0.004, NAN, 0.3], [0.02, 0.3, NAN]])


def test_the_example_of_the_interface():
    found = vc.adjust([0.01, 0.04, 0.03], "holm")
    assert isinstance(found, np.ndarray) and found.tolist() == pytest.approx([0.03, 0.06, 0.06])


def test_an_entry_does_as_well_as_its_name():
    assert (vc.adjust([0.01, 0.04], hochberg) == vc.adjust([0.01, 0.04], "hochberg")).all()


@pytest.mark.parametrize("using", ["holm", "shaffer", "bergmann_hommel"])
def test_a_matrix_counts_each_pair_once(using):
    found = vc.adjust(THREE, using)
    assert found.shape == (3, 3) and np.isnan(np.diagonal(found)).all()
    assert found[np.triu_indices(3, 1)] == pytest.approx(vc.adjust([0.004, 0.02, 0.3], using))
    assert (found.T[np.triu_indices(3, 1)] == found[np.triu_indices(3, 1)]).all()


def test_any_other_array_is_one_family():
    p = np.array([[0.01, 0.02, 0.03], [0.04, 0.05, 0.06]])
    assert (vc.adjust(p, "holm") == vc.adjust(p.ravel(), "holm").reshape(2, 3)).all()


def test_the_input_is_not_changed():
    p = np.array([0.01, NAN, 0.03])
    vc.adjust(p, "bonferroni")
    assert p[2] == 0.03


def test_missing_ones_leave_the_family_with_a_note():
    found = vc.adjust([0.01, NAN, 0.04, None], "bonferroni")
    assert found == pytest.approx([0.02, NAN, 0.08, NAN], nan_ok=True)
    assert [note.code for note in found.notes] == ["missing-p"]
    assert "2 of 4 p-values missing (the first is number 2)" in found.notes[0].says
    assert np.isnan(vc.adjust([NAN], "holm")).all()


def test_the_diagonal_of_pairs_is_not_read():
    filled = np.where(np.isnan(THREE), 1.0, THREE)
    assert vc.adjust(filled, "shaffer") == pytest.approx(vc.adjust(THREE, "shaffer"), nan_ok=True)


@pytest.mark.parametrize(
    ("p", "using", "says"),
    [
        ([0.1, 1.2], "holm", "number 2 is 1.2"),
        ([[0.1, 0.2], [-0.1, 0.3]], "holm", "row 2, column 1 is -0.1"),
        ([0.1, np.inf], "holm", "number 2 is inf"),
        ([], "holm", "at least one"),
        (0.1, "holm", "in a list or an array, not 0.1"),
        (["a"], "holm", "row 0 holds 'a', which is not a number"),
        ([0.1] * 4, "shaffer", "4 p-values are not those of all pairs.*3 learners have 3 pairs, 4 have 6"),
        ([[0.1, 0.2, 0.3]], "shaffer", "not shape 1 x 3"),
        ([[NAN, 0.1], [0.2, NAN]], "shaffer", "not symmetric: row 1, column 2 is 0.1, but row 2, column 1 is 0.2"),
        ([[1, 0.1], [0.1, 1]], "holm", "needs NaN on its diagonal"),
        ([0.1], "holms", "no adjustment called 'holms': did you mean holm"),
        ([0.1], "holm(k=2)", "holm has no parameter 'k'"),
    ],
)
def test_bad_input_is_named(p, using, says):
    with pytest.raises(vc.BadInput, match=says):
        vc.adjust(p, using)


def test_the_catalogue_lists_and_explains_them():
    assert len(vc.catalogue("adjustments")) >= 14
    assert "controls the family-wise error" in repr(vc.explain("holm"))
    assert vc.explain("benjamini_hochberg").to_json()["controls"] == "false discovery rate"
