"""Groups of learners that cannot be told apart, and the bars that show them."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from veracity.contests.rank import alike_groups, alike_runs


@st.composite
def graphs(draw):
    k = draw(st.integers(1, 7))
    alike = np.eye(k, dtype=bool)
    for i, j in itertools.combinations(range(k), 2):
        alike[i, j] = alike[j, i] = draw(st.booleans())
    return alike


@given(graphs())
def test_groups_are_the_maximal_sets_without_a_pair_that_differs(alike):
    k = len(alike)
    sets = [s for n in range(1, k + 1) for s in itertools.combinations(range(k), n) if alike[np.ix_(s, s)].all()]
    maximal = sorted(s for s in sets if not any(set(s) < set(other) for other in sets))
    assert alike_groups(alike) == tuple(maximal)


@given(graphs())
def test_two_share_a_group_exactly_if_they_are_alike(alike):
    found = alike_groups(alike)
    for i, j in itertools.combinations(range(len(alike)), 2):
        assert any(i in group and j in group for group in found) == alike[i, j]


@given(st.lists(st.floats(0, 10), min_size=1, max_size=9), st.floats(0, 5))
def test_one_critical_difference_makes_every_group_a_run(ranks, critical):
    ordered = np.sort(ranks)
    alike = np.abs(ordered[:, None] - ordered) <= critical
    assert alike_groups(alike) == alike_runs(alike)


def test_more_groups_than_anybody_reads():
    alike = ~np.kron(np.eye(12, dtype=bool), np.ones((3, 3), bool)) | np.eye(36, dtype=bool)
    assert alike_groups(alike) is None  # 3 to the 12th
    assert all(alike[np.ix_(run, run)].all() for run in alike_runs(alike))
