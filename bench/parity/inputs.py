"""Random inputs that all peers share, with ties and rare classes among them."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

import veracity as vc

SEEDS = range(20)


class TwoClasses(NamedTuple):
    """Truth, probabilities with ties, labels, of two models."""

    truth: np.ndarray
    first: np.ndarray
    second: np.ndarray

    def models(self) -> dict[str, vc.Predictions]:
        return {name: self.one(chance) for name, chance in (("a", self.first), ("b", self.second))}

    def one(self, chance: np.ndarray | None = None) -> vc.Predictions:
        return vc.predictions(self.truth, proba=self.first if chance is None else chance, positive=1)

    @property
    def label(self) -> np.ndarray:
        return (self.first >= 0.5).astype(int)


def _random(seed: int, what: str) -> np.random.Generator:
    return np.random.default_rng([seed, *what.encode()])


@cache
def two_classes() -> tuple[TwoClasses, ...]:
    """Between 40 and 400 rows, probabilities rounded to two digits in every second input."""
    found = []
    for seed in SEEDS:
        random = _random(seed, "two classes")
        truth = (random.random(int(random.integers(40, 400))) < random.uniform(0.15, 0.6)).astype(int)
        truth[:4] = 0, 1, 0, 1
        chances = [np.clip(random.normal(0.35 + 0.25 * truth, 0.2), 0.01, 0.99) for _ in range(2)]
        if seed % 2:
            chances = [np.round(chance, 2) for chance in chances]
        found.append(TwoClasses(truth, *chances))
    return tuple(found)


@cache
def three_classes() -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Truth and probabilities of three classes."""
    found = []
    for seed in SEEDS:
        random = _random(seed, "three classes")
        truth = random.choice(3, int(random.integers(60, 300)), p=[0.6, 0.3, 0.1])
        truth[:3] = 0, 1, 2
        proba = random.dirichlet([1, 1, 1], len(truth)) + 0.8 * np.eye(3)[truth]
        found.append((truth, proba / proba.sum(1, keepdims=True)))
    return tuple(found)


@cache
def numbers() -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """A numeric target and its predictions."""
    found = []
    for seed in SEEDS:
        random = _random(seed, "numbers")
        truth = random.normal(3, 2, int(random.integers(20, 200)))
        found.append((truth, truth + random.normal(0, 1, len(truth))))
    return tuple(found)


@cache
def tables() -> tuple[np.ndarray, ...]:
    """Scores of 3 to 6 learners on 10 to 40 data sets, with ties in every second table."""
    found = []
    for seed in SEEDS:
        random = _random(seed, "tables")
        sets, learners = int(random.integers(10, 40)), int(random.integers(3, 7))
        scores = random.normal(0.8, 0.05, (sets, 1)) + random.normal(0, 0.03, (sets, learners))
        scores += np.linspace(0, 0.03, learners)
        found.append(np.round(scores, 2) if seed % 2 else scores)
    return tuple(found)


@cache
def pairs_of_columns() -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    """Scores of two learners on the same data sets, without ties and without equal pairs."""
    return tuple((table[:, 0], table[:, 1]) for table in tables()[::2])


@cache
def p_values() -> tuple[np.ndarray, ...]:
    return tuple(_random(seed, "p-values").beta(0.5, 2, 3 + seed) for seed in SEEDS)


@cache
def shares() -> tuple[tuple[int, int], ...]:
    """Numbers of errors, and of rows."""
    found = [(0, 12), (1, 30), (15, 15)]
    for seed in SEEDS:
        random = _random(seed, "shares")
        rows = int(random.integers(5, 300))
        found.append((int(random.integers(0, rows + 1)), rows))
    return tuple(found)


@cache
def discordant() -> tuple[tuple[int, int, int, int], ...]:
    """Rows that both, only the second, only the first and neither model got right."""
    found = (tuple(int(x) for x in _random(seed, "discordant").integers(1, 40, 4)) for seed in SEEDS)
    return tuple(one for one in found if one[1] != one[2])


def evenly_discordant() -> tuple[tuple[int, int, int, int], ...]:
    """As many rows that only the first as that only the second model got right."""
    return ((20, 3, 3, 5), (50, 12, 12, 9))


@cache
def splits() -> tuple[np.ndarray, ...]:
    """Differences of two learners on ten folds, dealt three times."""
    return tuple(_random(seed, "splits").normal(0.01, 0.03, 30) for seed in SEEDS)
