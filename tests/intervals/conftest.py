"""Small builders that the tests of intervals share."""

import json
from pathlib import Path

import numpy as np
import pytest

from veracity.evidence.counts import Counts
from veracity.evidence.make_predictions import predictions
from veracity.evidence.ordering import Ordering
from veracity.intervals.scored import Scored
from veracity.scores import scores

REFERENCE = Path(__file__).parent.parent / "reference"


@pytest.fixture(scope="session")
def reference():
    """A published JSON file by its name."""
    return lambda name: json.loads((REFERENCE / name).read_text())


@pytest.fixture(scope="session")
def ovarian():
    """The columns of the ovarian data of DeLong 1988."""
    return np.genfromtxt(REFERENCE / "delong1988_ovarian_sas.csv", delimiter=",", names=True)


@pytest.fixture(scope="session")
def counted():
    """A score of a confusion matrix; of two classes, the first one is positive."""

    def measure(score, matrix, positive=None):
        classes = tuple(range(len(matrix)))
        return Scored(scores.choose(score), Counts(matrix, classes, 0 if len(matrix) == 2 else positive))

    return measure


@pytest.fixture(scope="session")
def ordered():
    """A score of one ordering of rows."""
    return lambda score, value, truth: Scored(
        scores.choose(score), Ordering.of(np.asarray(value, float), np.asarray(truth) == 1)
    )


@pytest.fixture(scope="session")
def of_rows():
    """A score of predictions of any kind."""

    def measure(score, *truth, **said):
        choice = scores.choose(score)
        return Scored(choice, choice.gather(predictions(*truth, **said)))

    return measure


@pytest.fixture(scope="session")
def two_classes():
    """Truth and probabilities of rows of two overlapping classes, with tied values."""

    def draw(rows, seed=0, tied=True):
        random = np.random.default_rng(seed)
        truth = (random.random(rows) < 0.3).astype(int)
        chance = 1 / (1 + np.exp(1 - 1.5 * truth - random.normal(size=rows)))
        return truth, np.round(chance, 2) if tied else chance

    return draw
