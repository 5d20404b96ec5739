"""Rows that only say whether a model was right: nothing tells whether two models share them."""

import numpy as np
import pytest

import veracity as vc


def models(rows=50, ids=(None, None)):
    right = [np.arange(rows) % 5 > 0, np.arange(rows) % 7 > 2]
    return {name: vc.predictions(correct=one, rows=of) for name, one, of in zip("ab", right, ids, strict=True)}


def test_files_of_equal_length_are_compared_as_different_rows_with_a_caution():
    found = vc.compare(models(), "error", using="two_proportion_z")
    assert found.p_value < 1 and found.interval is not None
    (note,) = [note for note in found.notes if note.code == "other-rows"]
    assert note.weight == "caution" and "mcnemar_midp" in note.says


def test_ids_tell_whether_rows_are_shared():
    apart = vc.compare(models(ids=(np.arange(50), np.arange(50) + 50)), "error", using="two_proportion_z")
    assert "other-rows" not in {note.code for note in apart.notes}
    assert apart.p_value == vc.compare(models(), "error", using="two_proportion_z").p_value
    with pytest.raises(vc.Refused, match="same rows"):
        vc.compare(models(ids=(np.arange(50), np.arange(50))), "error", using="two_proportion_z")


def test_a_truth_that_is_alike_still_tells_the_same_rows():
    truth = np.arange(50) % 2
    told = {name: vc.predictions(truth, label=(truth + shift) % 2) for name, shift in (("a", 0), ("b", truth))}
    with pytest.raises(vc.Refused, match="same rows"):
        vc.compare(told, "error", using="two_proportion_z")
