"""Mean losses that are skewed, and functions of means.

Cautions of rare large losses were chosen on normal and Laplace errors of which 2 to 5 % are six- to tenfold, in 100 to
400 rows, on powers of exponentials, lognormals and squared normal errors; here are other laws, shares and sizes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from math import gamma, log, pi, sqrt
from typing import Any

import numpy as np
from scipy.special import digamma

import veracity as vc
from bench.defaults.cell import Cell, Random, interval_cell
from veracity.core.seeds import generator

SHARES = np.array([0.55, 0.3, 0.15])
KINDS = np.array([0.55, 0.35, 0.1])  # shares of rows
NOISE = 0.9  # scale of Laplace errors


def _losses(law: Callable[[Random], Any], random: Random) -> vc.Predictions:
    errors = law(random)
    return vc.predictions(errors, number=np.zeros(len(errors)))


def _line(rows: int, random: Random) -> vc.Predictions:
    """Laplace errors around a line, predicted too flat."""
    x = random.triangular(-2, 0, 2, rows)
    return vc.predictions(x + random.laplace(0, NOISE, rows), number=0.8 * x)


def _rare(rows: int, share: float, size: float, random: Random) -> vc.Predictions:
    """A rare class whose chances are known, by a beta law."""
    chance = random.beta(share * size, (1 - share) * size, rows)
    truth = (random.random(rows) < chance).astype(int)
    return vc.predictions(truth, proba=chance, positive=1, classes=[0, 1])


def _three(rows: int, random: Random) -> vc.Predictions:
    """Three classes with sharp probabilities."""
    truth = random.choice(3, rows, p=SHARES)
    value = random.gumbel(size=(rows, 3)) + 1.4 * (truth[:, None] == np.arange(3))
    chance = np.exp(value) * SHARES
    return vc.predictions(truth, proba=chance / chance.sum(1, keepdims=True), classes=[0, 1, 2])


@cache
def _bits(score: str) -> float:
    return float(vc.score(_three(400_000, generator(0, "three classes")), score))


def _brier(share: float, size: float) -> float:
    """Of known chances: the mean of 2 p (1 - p) by the beta law."""
    return 2 * share * (1 - share) * size / (size + 1)


def _log_loss(share: float, size: float) -> float:
    """Of known chances: the mean entropy by the beta law."""
    a, b = share * size, (1 - share) * size
    return float(digamma(size + 1) - (a * digamma(a + 1) + b * digamma(b + 1)) / size)


@dataclass(frozen=True)
class Steps:
    """Rows of three kinds, each with its chance of the rare class; the model is too sure of them."""

    share: float  # of the rare class

    @property
    def chance(self) -> Any:
        return np.array([0.25, 1.0, 5.125]) * self.share

    @property
    def told(self) -> Any:
        middle = np.log(self.share / (1 - self.share))
        return 1 / (1 + np.exp(-(middle + 1.25 * (np.log(self.chance / (1 - self.chance)) - middle))))

    def sample(self, rows: int, random: Random) -> vc.Predictions:
        kind = random.choice(3, rows, p=KINDS)
        truth = (random.random(rows) < self.chance[kind]).astype(int)
        return vc.predictions(truth, proba=self.told[kind], positive=1, classes=[0, 1])

    def truth(self, score: str) -> float:
        """By the six kinds of row and truth that there are."""
        chance, told = self.chance, self.told
        if score == "log_loss":
            return float(KINDS @ (-chance * np.log(told) - (1 - chance) * np.log(1 - told)))
        return float(KINDS @ (2 * chance * (1 - told) ** 2 + 2 * (1 - chance) * told**2))


def _rare_cells() -> Iterator[Cell]:
    """A class so rare that some samples hardly show it: they say so. And one that is rare, but shown."""
    hidden, shown = (
        ((45, 0.03), (75, 0.03), (100, 0.025), (30, 0.06), (55, 0.05)),
        ((90, 0.15), (130, 0.1), (500, 0.03)),
    )
    for expects, sizes in (("cautioned", hidden), ("holds", shown)):
        for rows, share in sizes:
            world, says = Steps(share), f"a class of share {share}, three kinds of rows"
            for score in ("log_loss", "brier"):
                yield interval_cell(
                    says, score, rows, world.truth(score), partial(world.sample, rows), expects=expects, given=0.7
                )


ERRORS: dict[str, tuple[Callable[[Random, int], Any], float, float]] = {  # draws, mean size, mean square
    "logistic": (lambda random, rows: random.logistic(size=rows), 2 * log(2), pi**2 / 3),
    "uniform": (lambda random, rows: random.uniform(-1, 1, rows), 0.5, 1 / 3),
    "triangular": (lambda random, rows: random.triangular(-1, 0, 1, rows), 1 / 3, 1 / 6),
}


def _partly_large(law: str, rows: int, share: float, times: float, random: Random) -> vc.Predictions:
    """Errors of which some are many times as large."""
    large = random.random(rows) < share
    return _losses(lambda random: ERRORS[law][0](random, rows) * np.where(large, times, 1.0), random)


def _rare_large_cells() -> Iterator[Cell]:
    """Samples that happen to show few of the large losses look calm, and no interval reckons with what no row shows."""
    for law, rows, share, times in (
        ("logistic", 130, 0.04, 9),
        ("uniform", 110, 0.05, 12),
        ("triangular", 260, 0.02, 10),
    ):
        world, draw = f"{law} errors, {share:.0%} of them {times}fold", partial(_partly_large, law, rows, share, times)
        for power, score in ((1, "mae"), (2, "mse")):
            truth = ERRORS[law][power] * (1 - share + share * times**power)
            yield interval_cell(world, score, rows, truth, draw, expects="hidden")
    for rows in (30, 45):
        steep = partial(_losses, lambda random, rows=rows: random.weibull(1.1, rows) ** 4)
        yield interval_cell("fourth powers of Weibull 1.1", "mae", rows, gamma(1 + 4 / 1.1), steep, expects="hidden")
    for rows in (60, 150, 400):
        plain = partial(_losses, lambda random, rows=rows: random.logistic(size=rows))
        yield interval_cell("logistic errors", "mae", rows, ERRORS["logistic"][1], plain)
        even = partial(_losses, lambda random, rows=rows: random.triangular(-1, 0, 1, rows))
        yield interval_cell("triangular errors", "mse", rows, ERRORS["triangular"][2], even)


def cells() -> Iterator[Cell]:
    """Default intervals of means."""
    for rows in (20, 50, 100, 300):
        weibull = partial(_losses, lambda random, rows=rows: random.weibull(0.8, rows))
        yield interval_cell("Weibull errors of shape .8", "mae", rows, gamma(1 + 1 / 0.8), weibull)
        laplace = partial(_losses, lambda random, rows=rows: random.laplace(0, 1, rows))
        yield interval_cell("Laplace errors", "mse", rows, 2.0, laplace)
        yield interval_cell("Laplace errors", "rmse", rows, sqrt(2.0), laplace)
    for rows in (50, 100, 300):
        heavy = partial(_losses, lambda random, rows=rows: random.standard_t(4.2, rows))
        yield interval_cell("Student errors of 4.2 degrees", "mse", rows, 4.2 / 2.2, heavy)
    for rows, share, size in ((30, 0.3, 2.5), (50, 0.15, 2.5), (100, 0.08, 3.0), (300, 0.03, 3.0)):
        draw, world = partial(_rare, rows, share, size), f"a class of share {share} with known chances"
        yield interval_cell(world, "log_loss", rows, _log_loss(share, size), draw)
        yield interval_cell(world, "brier", rows, _brier(share, size), draw)
    yield from _rare_cells()
    yield from _rare_large_cells()
    signal, noise = 4 / 6, 2 * NOISE**2
    left = (0.04 * signal + noise) / (signal + noise)
    for rows in (30, 60, 150):
        draw = partial(_line, rows)
        yield interval_cell("Laplace errors around a line", "r2", rows, 1 - left, draw)
        yield interval_cell("Laplace errors around a line", "correlation", rows, sqrt(signal / (signal + noise)), draw)
        score = "root_relative_squared_error(baseline='test')"
        yield interval_cell("Laplace errors around a line", score, rows, sqrt(left), draw)
    for rows in (60, 150):
        for score in ("kb_information(baseline='test')", "sf_entropy_gain(baseline='test')"):
            yield interval_cell("three classes", score, rows, _bits(score), partial(_three, rows))
    fields = {"expects": "caution", "code": "few-rows"}
    yield interval_cell("Laplace errors around a line", "r2", 15, 1 - left, partial(_line, 15), **fields)
