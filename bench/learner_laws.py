"""Laws of rows that can be drawn without end, by which the defaults of learners are judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from bench.defaults.cell import Random
from veracity.lab.worlds import Sample
from veracity.records.arrays import Array

Draw = Callable[[int, Random], Sample]


class Law(NamedTuple):
    """Rows that can be drawn without end."""

    says: str
    draw: Draw
    kind: str = "classes"

    @property
    def score(self) -> str:
        return "error" if self.kind == "classes" else "mse"


def classes(says: str, features: Callable[[int, Random], Array], chance: Callable[[Array], Array]) -> Law:
    """Features first, then a class with a chance that depends on them."""

    def draw(rows: int, random: Random) -> Sample:
        x = features(rows, random)
        return Sample(x, (random.random(rows) < chance(x)).astype(np.int64))

    return Law(says, draw)


def clouds(apart: float, columns: int, share: float = 0.5, blocks: int = 1) -> Law:
    """Normal classes whose means lie apart along the diagonal, in blocks that tell the class equally well."""

    def draw(rows: int, random: Random) -> Sample:
        y = (random.random(rows) < share).astype(np.int64)
        return Sample(random.normal(size=(rows, columns * blocks)) + apart / np.sqrt(columns) * y[:, None], y)

    of = f"{columns} features" + (f" each of {blocks} blocks" if blocks > 1 else "")
    return Law(f"classes {apart:g} apart in {of}, one of share {share:g}", draw)


AWAY: dict[str, Callable[[int, Random], Array]] = {
    "normal": lambda n, r: r.normal(size=n),
    "gamma": lambda n, r: r.gamma(1.5, size=n) - 1.5,
    "skewed": lambda n, r: r.gamma(0.7, size=n) - 0.7,
    "heavy": lambda n, r: r.standard_t(4.5, size=n),
}


def numbers(columns: int, noise: str, blocks: int = 1) -> Law:
    """A sum of features, of which one in each block counts, and noise of mean 0."""

    def draw(rows: int, random: Random) -> Sample:
        x = random.laplace(size=(rows, columns * blocks))
        return Sample(x, x[:, ::columns].sum(1) + AWAY[noise](rows, random))

    return Law(f"a sum of {columns * blocks} features and {noise} noise", draw, "numbers")


def _product(rows: int, random: Random) -> Sample:
    x = random.normal(size=(rows, 4))
    return Sample(x, 2 * x[:, 0] * x[:, 1] + random.normal(size=rows))


PRODUCT = Law("a product of two of 4 features and normal noise", _product, "numbers")
STEP = classes("a step in one feature", lambda n, r: r.random((n, 1)), lambda x: np.where(x[:, 0] < 0.55, 0.2, 0.75))
RING = classes(
    "a noisy ring in two features",
    lambda n, r: r.normal(size=(n, 2)),
    lambda x: np.where((x**2).sum(1) > 1.4, 0.85, 0.15),
)
BOARD = classes(
    "a noisy chessboard in 6 features",
    lambda n, r: r.random((n, 6)),
    lambda x: np.where((x[:, 0] > 0.5) == (x[:, 1] > 0.4), 0.9, 0.1),
)
BANDS = classes(
    "noisy bands across two of 4 features",
    lambda n, r: r.random((n, 4)),
    lambda x: np.where((np.floor(3 * x[:, 0]) + (x[:, 1] > 0.55)) % 2 == 1, 0.92, 0.08),
)
QUADRANTS = classes(
    "opposite quadrants of 5 features",
    lambda n, r: r.normal(size=(n, 5)),
    lambda x: np.where(x[:, 0] * x[:, 1] > 0, 0.94, 0.06),
)
TWO_BOARDS = classes(
    "two noisy chessboards",
    lambda n, r: r.random((n, 6)),
    lambda x: 0.5 + 0.2 * np.sign((x[:, ::3] - 0.5) * (x[:, 1::3] - 0.5)).sum(1),
)
SPOKES = classes(
    "six noisy spokes in two of 3 features",
    lambda n, r: r.normal(size=(n, 3)),
    lambda x: np.where(np.sin(3 * np.arctan2(x[:, 1], x[:, 0])) > 0, 0.92, 0.08),
)
CODES = classes(
    "5 features of four codes, two of which decide together",
    lambda n, r: r.integers(4, size=(n, 5)).astype(float),
    lambda x: np.where((x[:, 0] >= 2) == (x[:, 1] % 2 == 1), 0.9, 0.1),
)
CORNER = classes(
    "a corner of two of 4 features",
    lambda n, r: r.random((n, 4)),
    lambda x: np.where((x[:, 0] > 0.4) & (x[:, 1] > 0.4), 0.75, 0.25),
)
WEAK = classes(
    "one of 12 features tells a little", lambda n, r: r.normal(size=(n, 12)), lambda x: 1 / (1 + np.exp(-1.1 * x[:, 0]))
)
NOISE = classes("pure noise in one feature", lambda n, r: r.normal(size=(n, 1)), lambda x: np.full(len(x), 0.3))
BLOCKS_OF_NOISE = classes("pure noise", lambda n, r: r.random((n, 4)), lambda x: np.full(len(x), 0.35))
