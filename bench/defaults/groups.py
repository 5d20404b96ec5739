"""Rows in groups of unequal size, and weighted rows: shares, means and areas."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from math import sqrt
from typing import Any

import numpy as np
from scipy.special import expit
from scipy.stats import norm

import veracity as vc
from bench.defaults.cell import Cell, Random, interval_cell

SIZES = {
    "10 groups, the j-th of 90 / j rows": np.ceil(90 / np.arange(1, 11)).astype(int),
    "30 groups, the j-th of 120 / j rows": np.ceil(120 / np.arange(1, 31)).astype(int),
    "30 groups of 7 or 28 rows": np.tile([7, 28], 15),
}
TWO_HOLD_MOST = np.r_[[275, 275], np.full(25, 3)]
RARE = {
    "30 groups of 4 to 40 rows": np.linspace(4, 40, 30).astype(int),
    "34 groups of 3, 12 or 50 rows": np.repeat([3, 12, 50], [15, 12, 7]),
}
SPREAD, APART = 0.6, 1.2


def _wrong(sizes: Any, share: float, alike: float, random: Random) -> vc.Predictions:
    """Each group has its own share of errors, by a beta law whose rows correlate by `alike`."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    scale = 1 / alike - 1
    wrong = random.random(len(group)) < random.beta(share * scale, (1 - share) * scale, len(sizes))[group]
    return vc.predictions(np.zeros(len(group), int), label=wrong.astype(int), classes=[0, 1], groups=group)


def _rarely_wrong(sizes: Any, middle: float, spread: float, random: Random) -> vc.Predictions:
    """Each group has its own share of errors, by a normal law on the logit scale."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    chance = expit(middle + spread * random.normal(size=len(sizes)))
    wrong = (random.random(len(group)) < chance[group]).astype(int)
    return vc.predictions(np.zeros(len(group), int), label=wrong, classes=[0, 1], groups=group)


@cache
def _rarely(middle: float, spread: float) -> float:
    """The mean of that law."""
    at, weight = np.polynomial.hermite_e.hermegauss(80)
    return float(weight @ expit(middle + spread * at) / weight.sum())


def _sizes_of_errors(sizes: Any, random: Random) -> vc.Predictions:
    """Errors of exponential size around a mean that each group has by itself, of mean 1."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    loss = random.exponential(size=len(group)) * random.gamma(4, 1 / 4, len(sizes))[group]
    return vc.predictions(loss, number=np.zeros(len(group)), groups=group)


def _values(sizes: Any, random: Random) -> vc.Predictions:
    """Two normal classes; each group shifts all its values."""
    group = np.repeat(np.arange(len(sizes)), sizes)
    truth = random.random(len(group)) < 0.4
    value = APART * truth + random.normal(size=len(group)) + SPREAD * random.normal(size=len(sizes))[group]
    return vc.predictions(truth.astype(int), value=value, positive=1, groups=group)


def _weighted(rows: int, heavy: float, random: Random) -> vc.Predictions:
    """Rows were chosen by their chance of being positive, and weigh the inverse; the chances are right."""
    found = random.random((40 * rows, 2))
    chance, weight = found[:, 0], 1 / (0.1 + 0.9 * found[:, 0] ** 2)
    chosen = np.flatnonzero(found[:, 1] * weight < 1)[:rows]
    chance, weight = chance[chosen], weight[chosen]
    if heavy:
        weight[0] = heavy * weight.sum()
    truth = (random.random(rows) < chance).astype(int)
    return vc.predictions(truth, proba=chance, positive=1, weights=weight)


def cells() -> Iterator[Cell]:
    """Default intervals with groups and weights."""
    area = float(norm.cdf(APART / sqrt(2 * (1 + SPREAD**2))))
    for world, sizes in SIZES.items():
        add: Callable[..., Cell] = partial(_cell, sizes, most=1.0)
        yield add(f"{world}, correlation .1", "error", 0.22, partial(_wrong, sizes, 0.22, 0.1))
        yield add(f"{world}, correlation .4", "error", 0.22, partial(_wrong, sizes, 0.22, 0.4))
        if len(sizes) < 30:
            yield add(f"{world}, rare errors", "error", 0.06, partial(_wrong, sizes, 0.06, 0.25))
        yield add(f"{world}, skewed errors", "mae", 1.0, partial(_sizes_of_errors, sizes))
    for world, sizes in RARE.items():
        for middle, spread in ((-3.2, 1.0), (-2.7, 0.6)):
            says, truth = f"{world}, rare errors, logits of spread {spread}", _rarely(middle, spread)
            yield _cell(sizes, says, "error", truth, partial(_rarely_wrong, sizes, middle, spread), most=1.0)
    sizes = SIZES["30 groups of 7 or 28 rows"]
    yield _cell(sizes, "30 groups of 7 or 28 rows, shifted values", "auc", area, partial(_values, sizes))
    for score, truth, draw in (
        ("error", 0.3, partial(_wrong, TWO_HOLD_MOST, 0.3, 0.2)),
        ("mae", 1.0, partial(_sizes_of_errors, TWO_HOLD_MOST)),
    ):
        world = "27 groups, two with 88 % of the rows"
        yield _cell(TWO_HOLD_MOST, world, score, truth, draw, expects="caution", code="few-groups")
    for rows in (60, 150):
        for score, truth in (("error", 0.25), ("brier", 1 / 3), ("log_loss", 0.5)):
            draw = partial(_weighted, rows, 0.0)
            yield interval_cell("weights by the score", score, rows, truth, draw, trials=10_000)  # near the limit
    for score, truth in (("error", 0.25), ("brier", 1 / 3)):
        draw, fields = partial(_weighted, 60, 0.5), {"expects": "caution", "code": "heavy-row"}
        yield interval_cell(
            "one row with a third of the weight", score, 60, truth, partial(_weighted, 60, 0.5), **fields
        )


def _cell(sizes: Any, world: str, score: str, truth: float, draw: Callable[[Random], Any], **fields: Any) -> Cell:
    return interval_cell(world, score, int(sizes.sum()), truth, draw, **fields)
