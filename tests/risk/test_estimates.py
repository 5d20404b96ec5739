"""What is said of values that are no ordinary numbers."""

import pytest

import veracity as vc


def test_an_infinite_value_says_why():
    p = vc.predictions([0, 1], proba=[0.2, 0.0], positive=1)
    found = vc.estimate(p, "log_loss")["log_loss"]
    assert found.interval is None
    assert next(note for note in found.notes if note.code == "infinite").says.endswith("was given probability 0")


def test_a_threshold_does_not_go_with_numbers():
    with pytest.raises(vc.BadInput, match="threshold"):
        vc.predictions([1.0, 2.0], number=[1.0, 2.5], threshold=0.4)
