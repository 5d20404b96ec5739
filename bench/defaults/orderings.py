"""Scores of orderings with few rows of a class: areas, precision over the list, points of the curve."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import expit

import veracity as vc
from bench.defaults.cell import Cell, Random, interval_cell
from veracity.core.seeds import generator
from veracity.evidence.ordering import Ordering
from veracity.scores import scores
from veracity.scores.entry import value_of, values_on

FEW_OF_A_CLASS = 8  # with fewer Student's quantile and the added rows leave 99 % held, in these as in other worlds
GRID = 200_000  # bins of the line on which the true curve is drawn


@dataclass(frozen=True, eq=False)
class World:
    """Values of two classes by their laws, perhaps rounded, and the share of positive rows."""

    says: str
    positive: Any
    negative: Any
    step: float = 0.0

    @cache  # noqa: B019 - worlds are few and stay
    def truth(self, score: str, share: float, weigh: Callable[[Any], Any] = np.ones_like) -> float:
        """The score of infinitely many rows, perhaps weighted by a function of their value."""
        ends = [law.ppf(q) for law in (self.positive, self.negative) for q in (1e-12, 1 - 1e-12)]
        if self.step:
            edges = np.arange(np.floor(min(ends) / self.step) - 1, np.ceil(max(ends) / self.step) + 2) * self.step
            edges -= self.step / 2
        else:
            edges = np.linspace(min(ends), max(ends), GRID)
        weight = weigh((edges[1:] + edges[:-1]) / 2)
        mass = [(weight * np.diff(law.cdf(edges)))[::-1] for law in (self.positive, self.negative)]
        return float(values_on(scores.choose(score), Ordering(share * mass[0], (1 - share) * mass[1])))

    def sample(self, rows: int, share: float) -> Callable[[Random], vc.Predictions]:
        """Independent rows; those with fewer than two of a class have no interval, and are drawn anew."""

        def draw(random: Random) -> vc.Predictions:
            truth = random.random(rows) < share
            while not 2 <= truth.sum() <= rows - 2:
                truth = random.random(rows) < share
            return vc.predictions(truth.astype(int), value=self.values(random, truth), positive=1)

        return draw

    def values(self, random: Random, truth: Any) -> Any:
        value = np.empty(len(truth))
        for law, rows in ((self.positive, truth), (self.negative, ~truth)):
            value[rows] = law.rvs(rows.sum(), random_state=random)
        return np.round(value / self.step) * self.step if self.step else value


NORMAL = World("normal 1.4 apart", stats.norm(1.4), stats.norm(0))
FAR = World("normal 2.3 apart", stats.norm(2.3), stats.norm(0))
FARTHEST = World("normal 2.7 apart", stats.norm(2.7), stats.norm(0))
NARROW = World("normal 1.9 apart, positives narrow", stats.norm(1.9, 0.6), stats.norm(0))
WIDE = World("normal 1.8 apart, positives wide", stats.norm(1.8, 1.6), stats.norm(0))
BETA = World("beta", stats.beta(3, 1.4), stats.beta(1.2, 2.6))
HEAVY = World("Student t(4) 1.5 apart", stats.t(4, 1.5), stats.t(4))
TIED = World("normal 1.3 apart, rounded", stats.norm(1.3), stats.norm(0), 0.4)
SKEWED = World("exponential, 4 times longer", stats.expon(scale=4), stats.expon())

FEW = ((NORMAL, 150, 0.07), (FAR, 250, 0.08), (WIDE, 150, 0.1), (BETA, 120, 0.25), (TIED, 200, 0.06), (NORMAL, 90, 0.5))
FEWER = ((NORMAL, 100, 0.05), (FARTHEST, 800, 0.025), (NARROW, 300, 0.05), (HEAVY, 600, 0.03), (SKEWED, 500, 0.1))
# the hits of a few rows, or of a short range, have few values: discrete
JUDGED = (
    ("auc", FEW + FEWER, 0.985),
    ("average_precision", FEW + FEWER[1:], 0.985),
    ("gain_area", FEW + FEWER[1:], 0.985),
    ("equal_error_rate", FEW + FEWER, 0.985),
    ("partial_auc", FEW + FEWER[1:3], 1.0),
    ("break_even", FEW, 1.0),
    ("lift_at", FEW, 1.0),
)
COSTS = ((60, 0.1, 0.25, 0.15, 4), (120, 0.06, 0.4, 0.08, 12), (350, 0.04, 0.3, 0.03, 40))
CLASSES = (((0.5, 0.3, 0.2), 1.3, 50), ((0.35, 0.35, 0.3), 2.0, 50), ((0.4, 0.3, 0.2, 0.1), 1.6, 80))


def cells() -> Iterator[Cell]:
    """A cell for every row of orderings."""
    for score, worlds, most in JUDGED:
        for world, rows, share in worlds:
            truth, says = partial(world.truth, score, share), f"{world.says}, {share:.1%} positive"
            most_held = 1.0 if rows * share < FEW_OF_A_CLASS else most
            yield interval_cell(says, score, rows, truth, world.sample(rows, share), most=most_held)
    yield from without()
    yield from of_classes()
    yield from weighted()
    yield from grouped()
    yield from costs()


def without() -> Iterator[Cell]:
    """Nothing can be said of rows that are not ordered, nor of a value that is the best on these very rows."""

    def constant(random: Random) -> vc.Predictions:
        truth = np.concatenate([[0, 1], random.random(48) < 0.3]).astype(int)
        return vc.predictions(truth, value=np.ones(50), positive=1)

    for score in ("auc", "average_precision", "equal_error_rate"):
        yield interval_cell("constant values", score, 50, np.nan, constant, expects="none", code="no-interval")
    for score in ("hull_auc", "max_fbeta"):
        yield interval_cell(NORMAL.says, score, 100, np.nan, NORMAL.sample(100, 0.2), expects="none", code="on-request")


def of_classes() -> Iterator[Cell]:
    """Averages over classes, at few rows."""
    for shares, apart, rows in (
        ((0.5, 0.3, 0.2), 1.3, 50),
        ((0.35, 0.35, 0.3), 2.0, 50),
        ((0.4, 0.3, 0.2, 0.1), 1.6, 80),
    ):
        for score in ("auc", "auc(average='ovo')", "average_precision"):
            truth = partial(in_the_limit, score, shares, apart)
            says = f"{len(shares)} classes, {apart} apart, the smallest {shares[-1]:.0%}"
            yield interval_cell(says, score, rows, truth, several(shares, apart, rows))


@cache
def in_the_limit(score: str, shares: tuple[float, ...], apart: float) -> float:
    """The score of very many rows."""
    return value_of(scores.choose(score), several(shares, apart, 300_000)(generator(0, "truth", *shares)))


def several(shares: tuple[float, ...], apart: float, rows: int) -> Callable[[Random], vc.Predictions]:
    """Each class has a feature of its own, by which it stands out; two rows of each class at least."""
    names = [str(c) for c in range(len(shares))]

    def draw(random: Random) -> vc.Predictions:
        truth = random.choice(len(shares), rows, p=shares)
        while np.bincount(truth, minlength=len(shares)).min() < 2:
            truth = random.choice(len(shares), rows, p=shares)
        odds = random.normal(size=(rows, len(shares)))
        odds[np.arange(rows), truth] += apart
        proba = np.exp(odds - odds.max(1, keepdims=True))
        return vc.predictions([names[c] for c in truth], proba=proba / proba.sum(1, keepdims=True), classes=names)

    return draw


def _steps(value: Any) -> Any:
    return np.where(value > 1, 4.0, np.where(value > 0, 2.0, 1.0))


def _falling(value: Any) -> Any:
    return 0.2 + expit(-value)


def _hyperbolic(value: Any) -> Any:
    return 1 / (0.5 + np.abs(value))


def weighted() -> Iterator[Cell]:
    """Weights that go with the value: with few rows of a class a caution says so, with many it need not."""
    for world, rows, share, weigh, says in (
        (FAR, 260, 0.15, _steps, "weights 1, 2 or 4"),
        (HEAVY, 190, 0.3, _falling, "weights that fall with the value"),
        (SKEWED, 140, 0.35, _hyperbolic, "weights 1 / (1/2 + value)"),
        (TIED, 1600, 0.3, _steps, "weights 1, 2 or 4"),
    ):

        def draw(
            random: Random, world: World = world, weigh: Any = weigh, rows: int = rows, share: float = share
        ) -> vc.Predictions:
            truth = random.random(rows) < share
            value = world.values(random, truth)
            return vc.predictions(truth.astype(int), value=value, positive=1, weights=weigh(value))

        for score in ("auc", "average_precision"):
            told = {"expects": "caution", "code": "weighted-order"} if share * rows < 100 else {}
            truth = partial(world.truth, score, share, weigh)
            yield interval_cell(f"{world.says}, {share:.0%} positive, {says}", score, rows, truth, draw, **told)


def grouped() -> Iterator[Cell]:
    """Groups of unequal size that share a part of their values."""
    spread, share = 0.8, 0.25
    alone = World("", stats.norm(1.4, np.hypot(1, spread)), stats.norm(0, np.hypot(1, spread)))
    for groups, least in ((20, 0), (50, 1)):

        def draw(random: Random, groups: int = groups, least: int = least) -> vc.Predictions:
            group = np.repeat(np.arange(groups), least + random.geometric(0.12, groups))
            truth = random.random(len(group)) < share
            while truth.sum() < 2:
                truth = random.random(len(group)) < share
            value = NORMAL.values(random, truth) + spread * random.normal(size=groups)[group]
            return vc.predictions(truth.astype(int), value=value, positive=1, groups=group)

        for score in ("auc", "average_precision"):
            says = f"{NORMAL.says}, {groups} groups of unequal size"
            yield interval_cell(says, score, 8 * groups, partial(alone.truth, score, share), draw)


def costs() -> Iterator[Cell]:
    """Mean costs where the dear mistake is rare."""
    for rows, share, missed, alarms, dear in COSTS:

        def draw(
            random: Random, rows: int = rows, share: float = share, missed: float = missed, alarms: float = alarms
        ) -> vc.Predictions:
            truth = random.random(rows) < share
            truth[:2] = True, False  # both classes are there
            label = np.where(truth, random.random(rows) >= missed, random.random(rows) < alarms)
            return vc.predictions(truth.astype(int), label=label.astype(int), positive=1, classes=[0, 1])

        positive = (1 + (rows - 2) * share) / rows
        mean = positive * missed * dear + (1 - positive) * alarms
        says = f"{share:.0%} positive, {missed:.0%} missed at {dear}, {alarms:.0%} alarms at 1"
        yield interval_cell(says, f"cost(matrix=((0, 1), ({dear}, 0)))", rows, mean, draw)
