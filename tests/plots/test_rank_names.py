"""Names beside a diagram keep to their room and to their order."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import veracity as vc
from veracity.plots.letters import wide
from veracity.plots.rank_layout import rank_layout
from veracity.plots.rank_names import FEWEST, rank_names

NAMES = st.lists(st.text("abc def(=,)_-.", min_size=1, max_size=50), min_size=3, max_size=9, unique=True)


@given(NAMES, st.floats(20, 100))
@settings(max_examples=50, deadline=None)
def test_both_sides_share_the_room(names, room):
    values = np.random.default_rng(0).normal(size=(6, len(names)))
    found = rank_names(rank_layout(vc.rank(vc.score_matrix(values, learners=names))), room)
    assert found.left + found.right <= max(room, 2 * FEWEST) + 1e-9
    assert max(wide(line) for name in found.each for line in name.lines) <= max(found.left, found.right)
    for left in (True, False):
        side = sorted((name for name in found.each if name.leg.left is left), key=lambda name: name.leg.row)
        assert all(b.at - a.at >= (len(a.lines) + len(b.lines)) / 2 for a, b in pairwise(side))
        assert side[-1].at + len(side[-1].lines) / 2 <= found.deep


def test_a_side_of_short_names_leaves_its_room_to_the_other():
    values = np.random.default_rng(0).normal(size=(20, 4)) / 5 + np.arange(4)
    names = ["a", "b", "a learner with a very long name", "another learner with a long name"]
    found = rank_names(rank_layout(vc.rank(vc.score_matrix(values, learners=names))), 40)
    assert found.left > 20 > found.right and found.most_lines == 1
