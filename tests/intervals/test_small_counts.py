"""Half a row in each cell makes small confusion matrices answer."""

import numpy as np
import pytest

from veracity.core.confidence import Confidence
from veracity.intervals.compute import attach_default, attach_interval

SCALES = {
    "kappa": (np.arctanh, np.tanh),
    "mcc": (np.arctanh, np.tanh),
    "lift": (np.log, np.exp),
    "fbeta(beta=2)": (lambda x: np.log(x / (1 - x)), lambda x: 1 / (1 + np.exp(-x))),
}


@pytest.mark.parametrize("score", SCALES)
def test_by_hand(counted, score):
    """The delta method by differences of the smoothed score."""
    there, back = SCALES[score]
    cells = np.array([3.0, 2, 4, 41]) + 0.5
    value = counted(score, cells.reshape(2, 2)).value
    slope = [
        (there(counted(score, (cells + 1e-4 * one).reshape(2, 2)).value) - there(value)) / 1e-4 for one in np.eye(4)
    ]
    half = 1.959963984540054 * np.sqrt((cells * np.square(slope)).sum() - (cells @ slope) ** 2 / cells.sum())
    found = attach_interval(counted(score, [[3, 2], [4, 41]]), "delta_half", Confidence())
    assert (found.low, found.high) == pytest.approx((back(there(value) - half), back(there(value) + half)), rel=1e-3)


@pytest.mark.parametrize("matrix", [[[1, 4], [0, 45]], [[5, 0], [0, 45]], [[0, 5], [5, 40]], [[2, 3], [8, 37]]])
@pytest.mark.parametrize("score", ["kappa", "mcc", "lift", "fbeta(beta=2)"])
def test_it_always_answers_and_holds_the_value(counted, score, matrix):
    m = counted(score, matrix)
    found = attach_default(m, Confidence())[0]
    assert found.method == "delta_half" and found.low <= m.value <= found.high and found.width > 0.01


def test_three_rows_are_few(counted):
    found = attach_default(counted("kappa", [[1, 1], [0, 1]]), Confidence())[0]
    assert "few-rows" in {note.code for note in found.notes if note.weight == "caution"}
