import numpy as np
import pytest

from veracity.core.arguments import matches_type, types_in_words
from veracity.core.errors import BadInput
from veracity.intervals import intervals
from veracity.scores import scores


@pytest.mark.parametrize(
    ("named", "value", "expected"),
    [
        ("float", 1, True),
        ("float", np.float32(1), True),
        ("float", "1", False),
        ("float", True, False),
        ("int", np.int64(3), True),
        ("int", 2.5, False),
        ("bool", True, True),
        ("bool", 1, False),
        ("str", "a", True),
        ("str", scores["auc"].choose(), True),
        ("float | None", None, True),
        ("float | None", "x", False),
        ("tuple[float, ...]", "anything", True),
    ],
)
def test_suits(named, value, expected):
    assert matches_type(named, value) is expected


def test_said():
    assert types_in_words("float | None") == "a number or None"


@pytest.mark.parametrize("asked", ["fbeta(beta='x')", "lift_at(fraction=None)", "partial_auc(standardised=1)"])
def test_scores_refuse_other_types(asked):
    with pytest.raises(BadInput, match="must be"):
        scores.choose(asked)


def test_intervals_refuse_other_types():
    with pytest.raises(BadInput, match="bca: draws must be a whole number, not 'x'"):
        intervals.choose("bca(draws='x')")
