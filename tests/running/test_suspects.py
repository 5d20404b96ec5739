"""A fit is guilty after its process died twice while it was alone, and not before."""

import numpy as np
import pytest

from veracity.records.fit import Fit
from veracity.running.suspects import DEATHS, STARTS, Suspects


@pytest.fixture
def two_suspects():
    rows = np.arange(3)
    suspects = Suspects()
    suspects.accuse([Fit(key, "data", "learner", rows, rows, 7) for key in "ab"])
    return suspects


def test_two_deaths_alone_are_guilt(two_suspects):
    assert DEATHS == 2
    assert not two_suspects.convict(begun=True)
    assert two_suspects.convict(begun=True)
    two_suspects.acquit()
    assert two_suspects.first.key == "b" and not two_suspects.convict(begun=True)


def test_one_death_from_outside_is_none(two_suspects):
    assert not two_suspects.convict(begun=True)
    two_suspects.acquit()  # it landed when it was tried again
    two_suspects.acquit()
    assert not two_suspects


def test_a_process_that_died_before_it_came_to_the_fit_says_little(two_suspects):
    verdicts = [two_suspects.convict(begun=False) for _ in range(STARTS)]
    assert verdicts == [False] * (STARTS - 1) + [True]
    assert not two_suspects.convict(begun=True)  # counted apart
