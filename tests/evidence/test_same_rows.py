"""Evidence that remembers its rows says the same as evidence that does not."""

import numpy as np
import pytest

from veracity.evidence.make_predictions import predictions
from veracity.evidence.same_rows import SameRows, TrackedEvidence
from veracity.scores import scores

RANDOM = np.random.default_rng(2)
TRUTH = RANDOM.integers(0, 2, 50)
CHANCE = np.round(RANDOM.random(50), 1)
PROBA = RANDOM.dirichlet([1, 1, 1], 50)
BINARY, THREE = predictions(TRUTH, proba=CHANCE, positive=1), predictions(PROBA.argmax(1), proba=PROBA[::-1])
NUMBER = predictions(RANDOM.normal(size=50), number=RANDOM.normal(size=50))


@pytest.mark.parametrize(
    ("score", "p"),
    [("kappa", BINARY), ("auc", BINARY), ("brier", BINARY), ("auc", THREE), ("error", THREE), ("rmse", NUMBER)],
    ids=str,
)
def test_tracked_cells_add_up_to_the_evidence(score, p):
    choice = scores.choose(score)
    tracked = TrackedEvidence.of(choice, p)
    cells = np.bincount(tracked.cell, minlength=tracked.size)
    assert len(tracked.cell) == len(p)
    expected = float(choice.entry.evaluate(choice.entry.gather(p)))
    assert float(choice.entry.evaluate(tracked.evidence.reweigh(cells))) == pytest.approx(expected, abs=1e-12)


def test_values_and_difference():
    same = SameRows.of(scores.choose("error"), BINARY, predictions(TRUTH, label=TRUTH, positive=1))
    assert same.values[1] == 0 and same.difference == same.values[0] > 0
