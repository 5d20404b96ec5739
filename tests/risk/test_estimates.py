"""What is said of values that are no ordinary numbers."""

import veracity as vc


def test_an_infinite_value_says_why():
    p = vc.predictions([0, 1], proba=[0.2, 0.0], positive=1)
    found = vc.estimate(p, "log_loss")["log_loss"]
    assert found.interval is None
    assert next(note for note in found.notes if note.code == "infinite").says.endswith("was given probability 0")
