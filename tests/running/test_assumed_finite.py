"""Learners of scikit-learn give the same to the last bit where numbers of ordinary size are not searched for others."""

import numpy as np
import pytest
from sklearn import config_context

from veracity.learners.seeding import is_plain
from veracity.readers.read_data import data_of
from veracity.records.fit import Fit
from veracity.running.fit_learner import fit_one

ROWS = 60
MADE = np.random.default_rng(0).normal(size=(ROWS, 4)) + (np.arange(ROWS) < ROWS // 2)[:, None]
MADE[np.abs(MADE) < 0.1] = 0
WORLDS = {
    "plain": MADE,
    "large": MADE * 1e29,
    "small": MADE * 1e-29,
    "both": MADE * [1e29, 1e-29, 1.0, 1e15],
    "counts": np.abs(np.rint(3 * MADE)),
    "constant": np.ones((ROWS, 4)),
}
TARGETS = {
    "classifier": [np.arange(ROWS) // (ROWS // 2), np.arange(ROWS) % 3],
    "regressor": [MADE @ [1.0, 2.0, -1.0, 0.5] * scale for scale in (1.0, 1e28, 1e-28)],
}


def plain_learners(kind):
    """All of scikit-learn's own that need to be told nothing."""
    from sklearn.utils import all_estimators  # which imports all of them

    for _, maker in all_estimators(type_filter=kind):
        try:
            learner = maker()
        except TypeError:
            continue
        if is_plain(learner):
            yield learner


def stored_answers(learner, data):
    """All that a store keeps of a fit."""
    fit = Fit("k" * 32, "made", "l", np.arange(0, ROWS, 2), np.arange(1, ROWS, 2), 7)
    outcome = fit_one(learner, data, fit)
    return outcome.status, outcome.reason, [(array.dtype, array.tobytes()) for array in outcome.arrays]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("kind", TARGETS)
def test_nothing_that_is_stored_differs(kind, world):
    number = 0
    for target in TARGETS[kind]:
        data = data_of(WORLDS[world], target, name="made", kind="classes" if kind == "classifier" else "numbers")
        assert data.is_ordinary
        for learner in plain_learners(kind):
            searched = stored_answers(learner, data)
            with config_context(assume_finite=True):
                assert stored_answers(learner, data) == searched, learner
            number += 1
    assert number > 30
