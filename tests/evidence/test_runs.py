"""Runs remember the data sets and designs that they have read, and never what was predicted."""

from dataclasses import replace

import numpy as np
import pytest

from veracity.evidence.runs import Runs
from veracity.records.data import Data
from veracity.records.design import Design, Split

SPLIT = Split(np.arange(2, 6), np.arange(2))


class Store:
    """Counts what is read."""

    where = "here"

    def __init__(self):
        self.reads = []

    def data(self, name):
        self.reads.append(name)
        return Data(name, None, "numbers", np.arange(6.0))

    def design(self, data, name):
        self.reads.append((data, name))
        return Design(name, 0, 6, (SPLIT,))

    def study(self):
        return {}

    def answers(self, data, by, learners):
        self.reads.append("answers")
        return ((learner, ("key",), {}) for learner in learners)


@pytest.fixture
def runs():
    return Runs(Store(), ["a", "b"], ["holdout"], ["nb", "tree"])


def test_data_and_designs_are_read_once_and_predictions_each_time(runs):
    for learner in ("nb", "tree", "nb"):
        assert runs.run(learner, "a").absent == 1
    assert runs.kind("a") == "numbers" and runs.tests_once("a", "holdout")
    assert runs.store.reads == ["a", ("a", "holdout"), *["answers"] * 3]


def test_copies_share_what_was_read(runs):
    one = replace(runs, names=["a"])
    assert one.data("a") is runs.data("a") and runs.store.reads == ["a"]
    assert Runs(runs.store, ["a"], [], []).data("a") is not one.data("a")


def test_what_was_read_first_goes_when_room_is_short(runs):
    runs.memory.room = 60  # bytes: one data set of 48
    assert [runs.data(name).name for name in ("a", "a", "b", "b", "a")] == ["a", "a", "b", "b", "a"]
    assert runs.store.reads == ["a", "b", "a"]
