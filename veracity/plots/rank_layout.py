"""Where everything of a critical-difference diagram stands, names too, and what pictures of a ranking say of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from veracity.core.index import own_name
from veracity.core.spelling import read
from veracity.findings.ranking import Ranking
from veracity.plots.letters import break_lines, cut, text_width
from veracity.posthoc import posthocs

MOST = 24  # bars that a reader can follow
APART = 0.016  # of the axis, at least between two learners, so that no leg hides another
ROOM = 0.05  # of the axis, at least between two bars of one row, so that they are not read as one
NUMBERS = 8  # steps of the axis that are numbered
Pair = frozenset[str]
Group = tuple[str, ...]  # of learners that cannot be told apart, best first
LONGEST_NAME = 160  # characters of a name
BETWEEN_NAMES = 0.45  # lines between two names
FEWEST = 6.0  # letters of a line, however little room there is


def difference_of(ranking: Ranking) -> str:
    """Return what differences are of: mean ranks of some kind, mean scores, or the score itself."""
    name = own_name("posthocs", read(ranking.judged_by).name)
    return ranking.matrix.score if name is None else posthocs[name].about


def procedure(ranking: Ranking) -> str:
    """Return the test of pairs and the adjustment, or the one that does both, and the level."""
    both = dict.fromkeys((ranking.judged_by, ranking.then))
    return f"{', '.join(both)}, {1 - ranking.level:.2g}"


@dataclass(frozen=True)
class Leg:
    """A learner: its mean rank, the place on the axis where it is drawn, and the side and row of its name."""

    name: str
    rank: float
    at: float
    left: bool
    row: int


@dataclass(frozen=True)
class Join:
    """A bar over learners that cannot be told apart, and the row it lies in.

    Where it passes over a learner that is not of them, or says only who cannot be told from a control, `dots` mark
    those it joins; without dots, it joins all under it.
    """

    members: tuple[str, ...]
    low: float
    high: float
    row: int
    dots: tuple[float, ...] = ()


@dataclass(frozen=True)
class RankLayout:
    """Every two learners that were tested and not told apart lie under a common bar, or are `not_shown`.

    No bar joins two that were told apart.
    """

    axis: tuple[float, float]
    legs: tuple[Leg, ...]  # best first
    joins: tuple[Join, ...]
    control: str | None = None
    critical_difference: float | None = None  # of mean ranks, where the procedure has one
    not_shown: frozenset[Pair] = field(default_factory=frozenset)
    says: str = ""

    @property
    def rows(self) -> int:
        """How many rows the bars take."""
        return 1 + max((join.row for join in self.joins), default=-1)

    @property
    def critical_says(self) -> str:
        """The critical difference in words; with few data sets it may be more than ranks can differ by."""
        critical = self.critical_difference or 0.0
        return f"CD = {critical:.3g}{', beyond the axis' if critical > self.axis[1] - self.axis[0] else ''}"

    @property
    def numbered_ranks(self) -> tuple[int, ...]:
        """The ranks whose numbers stand at the axis: the first, the last, and round ones between with room around."""
        last = len(self.legs)
        step = next(size for size in (1, 2, 5, 10, 20, 50, last) if (last - 1) / size <= NUMBERS)
        between = range(step, last, step)
        return (1, *(rank for rank in between if min(rank - 1, last - rank) > step / 2), last)


def rank_layout(ranking: Ranking) -> RankLayout:
    """The layout of a ranking, from the verdicts on its pairs, which are those of its adjusted p-values."""
    critical = ranking.critical_difference if difference_of(ranking) == "mean ranks" else None
    axis = (1.0, float(len(ranking.average_ranks)))
    wide = axis[1] - axis[0]
    legs = _legs(ranking, min(APART, 1 / len(ranking.average_ranks)) * wide)
    alike = frozenset(frozenset((pair.a, pair.b)) for pair in ranking.pairs if not pair.rejected)
    chosen = _choose_groups([group for group in ranking.groups if len(group) > 1], alike)
    joins = _joins(chosen, {leg.name: leg.at for leg in legs}, ROOM * wide, ranking.control is not None)
    hidden = alike.difference(*map(_pairs, chosen))
    says = _bars_sentence(ranking, any(join.dots for join in joins), len(hidden))
    return RankLayout(axis, legs, joins, ranking.control, critical, hidden, says)


def _legs(ranking: Ranking, gap: float) -> tuple[Leg, ...]:
    """The better half to the left, from the top down; the others to the right, from the bottom up."""
    order = ranking.best_first
    ranks = [ranking.average_ranks[name] for name in order]
    half, last = (len(order) + 1) // 2, len(order) - 1
    return tuple(
        Leg(name, rank, at, number < half, number if number < half else last - number)
        for number, (name, rank, at) in enumerate(zip(order, ranks, _spread(ranks, gap), strict=True))
    )


def _spread(places: Sequence[float], gap: float) -> list[float]:
    """Places in order, moved apart as little to the left as to the right."""
    up, down = list(places), list(places)
    for i in range(1, len(up)):
        up[i] = max(up[i], up[i - 1] + gap)
        down[-1 - i] = min(down[-1 - i], down[-i] - gap)
    return [(one + other) / 2 for one, other in zip(up, down, strict=True)]


def _pairs(group: Group) -> frozenset[Pair]:
    return frozenset(map(frozenset, combinations(group, 2)))


def _choose_groups(groups: Sequence[Group], alike: frozenset[Pair]) -> list[Group]:
    """Groups for bars until every pair has one, those first that join most pairs that have none yet.

    Where bars do not pass over learners that they do not join, each is needed: nothing else joins its two ends.
    """
    joined, left, chosen = [_pairs(group) & alike for group in groups], set(alike), set[int]()
    while left and len(chosen) < MOST:
        best = max(range(len(groups)), key=lambda i: len(joined[i] & left), default=None)
        if best is None or not joined[best] & left:
            break
        chosen.add(best)
        left -= joined[best]
    return [groups[i] for i in sorted(chosen)]


def _joins(chosen: Sequence[Group], at: Mapping[str, float], room: float, controlled: bool) -> tuple[Join, ...]:
    """Bars in as few rows as keep them apart; one that passes over others marks its members by dots."""
    ends: list[float] = []
    joins = []
    for group in sorted(chosen, key=lambda group: at[group[0]]):
        places = tuple(at[name] for name in group)
        row = next((i for i, end in enumerate(ends) if end + room <= places[0]), len(ends))
        ends[row : row + 1] = [places[-1]]
        passes = sum(places[0] <= place <= places[-1] for place in at.values()) > len(group)
        joins.append(Join(group, places[0], places[-1], row, places if controlled or passes else ()))
    return tuple(joins)


def _bars_sentence(ranking: Ranking, dotted: bool, hidden: int) -> str:
    """What the bars mean, and what they leave out."""
    if ranking.omnibus.refused:
        return f"{ranking.omnibus.method} is not valid here: no pair is concluded"
    if not ranking.omnibus.rejects(ranking.level):
        return f"{ranking.omnibus.method} does not reject at {1 - ranking.level:.2g}: no pair is concluded"
    if ranking.control is not None:
        return f"dots: not told from {ranking.control} ({procedure(ranking)})"
    dots = "; a thin bar only its dots" if dotted else ""
    rest = f"; {hidden} such pairs have no bar" if hidden else ""
    return f"a bar joins what is not told apart ({procedure(ranking)}){dots}{rest}"


@dataclass(frozen=True)
class RankName:
    """A learner's name and mean rank, and how many lines its middle stands below the first."""

    leg: Leg
    lines: tuple[str, ...]
    at: float


@dataclass(frozen=True)
class RankNames:
    """The names, the room that they take at each side in sizes of their letters, and all their lines."""

    each: tuple[RankName, ...]
    left: float
    right: float
    deep: float

    @property
    def most_lines(self) -> int:
        return max(len(name.lines) for name in self.each)


def rank_names(layout: RankLayout, room: float) -> RankNames:
    """Break names so that both sides take no more than this room together; a side leaves the other what it spares."""
    left, right = (
        sorted((leg for leg in layout.legs if leg.left is side), key=lambda leg: leg.row) for side in (True, False)
    )
    left_needs, right_needs = (_widest(map(_label, side)) for side in (left, right))
    left_names, left_depth = _place_side(left, min(left_needs, max(room / 2, room - right_needs)))
    right_names, right_depth = _place_side(right, min(right_needs, max(room / 2, room - left_needs)))
    return RankNames(
        each=(*left_names, *right_names),
        left=_widest(line for name in left_names for line in name.lines),
        right=_widest(line for name in right_names for line in name.lines),
        deep=max(left_depth, right_depth),
    )


def _widest(lines: Iterable[str]) -> float:
    return max(map(text_width, lines), default=0.0)


def _label(leg: Leg) -> str:
    name = cut(" ".join(leg.name.split()), LONGEST_NAME)
    return f"{name} ({leg.rank:.2f})" if leg.left else f"({leg.rank:.2f}) {name}"


def _place_side(legs: Sequence[Leg], most: float) -> tuple[list[RankName], float]:
    """Return the names of one side from the top down, in lines of at most so much room, and where it ends."""
    names, end = [], 0.0
    for leg in legs:
        lines = break_lines(_label(leg), max(FEWEST, most))
        names.append(RankName(leg, lines, end + len(lines) / 2))
        end += len(lines) + BETWEEN_NAMES
    return names, end
