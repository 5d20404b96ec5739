"""The bars of a critical-difference diagram say exactly what the adjusted p-values say."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import veracity as vc
from veracity.contests.rank import alike_groups
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.comparison import Comparison
from veracity.findings.ranking import Ranking
from veracity.findings.significance import Omnibus
from veracity.plots.letters import text_width
from veracity.plots.rank_layout import APART, FEWEST, MOST, rank_layout, rank_names

LEVEL = 0.95


def pair_of(a, b, p, rejected):
    return Comparison("error", "given", a, b, 0.0, None, p, adjusted_p_value=p, level=LEVEL, may_reject=bool(rejected))


def ranking(p, ranks, control=None, critical=None, judged_by="mean_ranks"):
    """A ranking with these adjusted p-values, learners best first."""
    names = tuple(f"m{i}" for i in range(len(ranks)))
    tested = [
        (a, b) for a, b in combinations(range(len(names)), 2) if control is None or names.index(control) in (a, b)
    ]
    pairs = tuple(pair_of(names[a], names[b], p[a, b], p[a, b] < 1 - LEVEL) for a, b in tested)
    alike = p >= 1 - LEVEL
    if control is None:
        made = tuple(tuple(names[i] for i in group) for group in alike_groups(alike))
    else:
        of = names.index(control)
        made = (tuple(name for i, name in enumerate(names) if i == of or alike[i, of]),)
    matrix = ScoreMatrix(np.zeros((2, len(names))), names, ("x", "y"))
    means = dict(zip(names, ranks, strict=True))
    return Ranking(
        matrix, means, Omnibus("given", 1.0, (), 0.0), pairs, made, judged_by, "holm", LEVEL, control, critical
    )


@st.composite
def symmetric(draw, most=9):
    """p-values of all pairs, any verdicts, transitive or not; and ranks, often tied."""
    k = draw(st.integers(2, most))
    p = np.ones((k, k))
    for i, j in combinations(range(k), 2):
        p[i, j] = p[j, i] = draw(st.sampled_from([0.0, 0.01, 0.0499, 0.05, 0.2, 1.0]))
    ranks = sorted(draw(st.lists(st.integers(2, 2 * k).map(lambda n: n / 2), min_size=k, max_size=k)))
    return p, ranks


@given(symmetric())
@settings(max_examples=150, deadline=None)
def test_two_learners_share_a_bar_exactly_if_their_adjusted_p_value_does_not_reject(made):
    p, ranks = made
    layout = rank_layout(ranking(p, ranks))
    joined = {frozenset(pair) for join in layout.joins for pair in combinations(join.members, 2)}
    alike = {frozenset((f"m{i}", f"m{j}")) for i, j in combinations(range(len(p)), 2) if p[i, j] >= 1 - LEVEL}
    assert joined == alike - layout.not_shown
    assert not layout.not_shown or len(layout.joins) == MOST


@given(symmetric())
@settings(max_examples=150, deadline=None)
def test_what_is_seen_under_a_bar_is_what_it_joins(made):
    layout = rank_layout(ranking(*made))
    gap = APART * (layout.axis[1] - layout.axis[0])
    places = [leg.at for leg in layout.legs]
    assert all(b - a >= gap * 0.999 for a, b in pairwise(places))
    for join in layout.joins:
        under = {leg.name for leg in layout.legs if join.low - gap / 2 <= leg.at <= join.high + gap / 2}
        dotted = {leg.name for leg in layout.legs if leg.at in join.dots}
        assert (dotted if join.dots else under) == set(join.members)
    for a, b in combinations(layout.joins, 2):
        assert a.row != b.row or a.high < b.low or b.high < a.low


@given(symmetric(), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_with_a_control_dots_mark_what_is_not_told_from_it(made, random):
    p, ranks = made
    of = random.randrange(len(p))
    layout = rank_layout(ranking(p, ranks, control=f"m{of}"))
    members = {name for join in layout.joins for name in join.members}
    alike = {f"m{j}" for j in range(len(p)) if j != of and p[of, j] >= 1 - LEVEL}
    assert members == (alike | {f"m{of}"} if alike else set())
    assert all(join.dots for join in layout.joins)


def test_bars_beyond_what_a_reader_can_follow_are_counted_as_not_shown():
    p = np.ones((70, 70))
    for i in range(0, 70, 2):  # learners 0 and 1 differ, 2 and 3, ...: very many maximal sets
        p[i, i + 1] = p[i + 1, i] = 0.0
    names = tuple(f"m{i}" for i in range(70))
    one = ranking(np.ones((70, 70)), list(range(1, 71)))
    pairs = tuple(pair_of(names[a], names[b], p[a, b], p[a, b] == 0) for a, b in combinations(range(70), 2))
    runs = tuple((names[i], names[i + 1]) for i in range(1, 69, 2))
    layout = rank_layout(Ranking(one.matrix, one.average_ranks, one.omnibus, pairs, runs, "wilcoxon", "holm", LEVEL))
    assert len(layout.joins) == MOST
    assert len(layout.not_shown) == 70 * 69 // 2 - 35 - MOST
    assert f"{len(layout.not_shown)} such pairs have no bar" in layout.says


@pytest.mark.parametrize("how", [{}, {"pairs": "mean_ranks", "then": "bergmann_hommel"}, {"then": "nemenyi"}])
def test_the_layout_of_rankings_agrees_with_what_they_print(how):
    random = np.random.default_rng(3)
    values = random.normal(size=(20, 7)) + 0.4 * np.arange(7)
    found = vc.rank(values, **how)
    layout = rank_layout(found)
    joined = {frozenset(pair) for join in layout.joins for pair in combinations(join.members, 2)}
    p = found.p_values()
    alike = {frozenset((found.learners[i], found.learners[j])) for i, j in np.argwhere(p >= 0.05)}
    assert joined == alike and 0 < len(alike) < 21
    assert layout.critical_difference == found.critical_difference


def test_a_difference_of_scores_is_not_drawn_on_the_axis_of_ranks():
    p = np.ones((3, 3))
    assert rank_layout(ranking(p, [1, 2, 3], critical=1.5)).critical_difference == 1.5
    assert rank_layout(ranking(p, [1, 2, 3], critical=1.5, judged_by="tukey")).critical_difference is None


@pytest.mark.parametrize(
    ("k", "numbered"),
    [(2, (1, 2)), (5, (1, 2, 3, 4, 5)), (14, (1, 4, 6, 8, 10, 12, 14)), (30, (1, 5, 10, 15, 20, 25, 30))],
)
def test_the_axis_runs_from_the_first_rank_to_the_last(k, numbered):
    layout = rank_layout(ranking(np.ones((k, k)), [(k + 1) / 2] * k))
    assert layout.axis == (1, k) and layout.numbered_ranks == numbered
    assert all(1 <= leg.at <= k for leg in layout.legs)


def test_a_critical_difference_that_no_ranks_can_have_is_told():
    p = np.ones((3, 3))
    assert rank_layout(ranking(p, [1, 2, 3], critical=1.5)).critical_says == "CD = 1.5"
    assert rank_layout(ranking(p, [1, 2, 3], critical=2.34)).critical_says == "CD = 2.34, beyond the axis"


def test_a_refused_omnibus_test_is_not_said_to_join():
    found = vc.rank([[0.9, 0.1]] * 20, anyway=True)
    assert rank_layout(found).says == "iman_davenport is not valid here: no pair is concluded"


def test_an_omnibus_test_that_does_not_reject_is_told():
    random = np.random.default_rng(0)
    layout = rank_layout(vc.rank(random.normal(size=(12, 4))))
    assert len(layout.joins) == 1 and len(layout.joins[0].members) == 4
    assert "no pair is concluded" in layout.says


NAMES = st.lists(st.text("abc def(=,)_-.", min_size=1, max_size=50), min_size=3, max_size=9, unique=True)


@given(NAMES, st.floats(20, 100))
@settings(max_examples=50, deadline=None)
def test_both_sides_share_the_room(names, room):
    values = np.random.default_rng(0).normal(size=(6, len(names)))
    found = rank_names(rank_layout(vc.rank(vc.score_matrix(values, learners=names))), room)
    assert found.left + found.right <= max(room, 2 * FEWEST) + 1e-9
    assert max(text_width(line) for name in found.each for line in name.lines) <= max(found.left, found.right)
    for left in (True, False):
        side = sorted((name for name in found.each if name.leg.left is left), key=lambda name: name.leg.row)
        assert all(b.at - a.at >= (len(a.lines) + len(b.lines)) / 2 for a, b in pairwise(side))
        assert side[-1].at + len(side[-1].lines) / 2 <= found.deep


def test_a_side_of_short_names_leaves_its_room_to_the_other():
    values = np.random.default_rng(0).normal(size=(20, 4)) / 5 + np.arange(4)
    names = ["a", "b", "a learner with a very long name", "another learner with a long name"]
    found = rank_names(rank_layout(vc.rank(vc.score_matrix(values, learners=names))), 40)
    assert found.left > 20 > found.right and found.most_lines == 1
