"""How often the interval of a best threshold holds the best one there is, and what cross-fitting does to its cost.

Run `python -m bench.thresholds [TRIALS]`. The worlds are two laws of decision values, whose best threshold is known;
one line each: the share of trials whose 95 % interval holds it, the true score of the threshold chosen, what the
rows that chose it say, what cross-fitting says, and how often its interval holds the true score.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from scipy.special import expit, logit, ndtr, ndtri

import veracity as vc
from veracity.curves.best_threshold import BestThreshold

SEED = 20_260


LAWS = {"normal": (ndtr, ndtri), "logistic": (expit, logit)}  # shares below a value, and the value of a share


class TwoLaws(NamedTuple):
    """Values of negative rows have the law in its plain form, those of positive ones lie higher and are as wide."""

    score: str
    positive: float
    apart: float
    spread: float = 1.0
    law: str = "normal"

    @property
    def says(self) -> str:
        by = {"youden": "youden", "fbeta": "F1"}.get(self.score, f"costs 1 and {self.score}")
        apart = f"{self.law} values {self.apart:g} apart, spread 1 and {self.spread:g}"
        return f"{apart}, {self.positive:.0%} positive, by {by}"

    def __str__(self) -> str:
        return self.says

    def true_value(self, threshold: float | np.ndarray) -> np.ndarray:
        """The score of a threshold on all rows there are; lower is better."""
        below = LAWS[self.law][0]
        missed = self.positive * below((threshold - self.apart) / self.spread)
        alarms = (1 - self.positive) * (1 - below(threshold))
        if self.score == "youden":
            return missed / self.positive + alarms / (1 - self.positive) - 1
        if self.score == "fbeta":
            return -2 * (self.positive - missed) / (2 * self.positive - missed + alarms)
        return alarms + float(self.score) * missed

    @property
    def best(self) -> float:
        """The best threshold there is."""
        tried = np.linspace(-6, 9, 300_001)
        return float(tried[self.true_value(tried).argmin()])

    def sample(self, rows: int, random: np.random.Generator) -> vc.Predictions:
        """Rows of which the very share is positive, so that none has too few to deal into parts."""
        truth = random.permutation(rows) < round(self.positive * rows)
        drawn = random.normal(size=rows) if self.law == "normal" else LAWS[self.law][1](random.random(rows))
        value = drawn * np.where(truth, self.spread, 1.0) + self.apart * truth
        return vc.predictions(truth.astype(int), value=value, positive=1)

    def choose(self, p: vc.Predictions, seed: int) -> BestThreshold:
        if self.score in ("youden", "fbeta"):
            return vc.best_threshold(p, self.score, seed=seed)
        return vc.best_threshold(p, costs={"FP": 1, "FN": float(self.score)}, seed=seed)


WORLDS = (
    TwoLaws("5", 0.3, 1.5),
    TwoLaws("1", 0.5, 2.0),
    TwoLaws("youden", 0.3, 1.5, 1.5),
    TwoLaws("fbeta", 0.2, 1.5),
    TwoLaws("2", 0.4, 2.5, law="logistic"),  # this and the next chose nothing
    TwoLaws("youden", 0.25, 2.0, 0.7, law="logistic"),
)
NORMAL = 4  # the first worlds


def measure(world: TwoLaws, rows: int, trials: int) -> str:
    """One line of figures."""
    random, best = np.random.default_rng(SEED), world.best
    held, costs = [], []
    for trial in range(trials):
        found = world.choose(world.sample(rows, random), trial)
        between = found.interval
        held.append(between is not None and between.low <= best <= between.high)
        honest = found.cross_fit(10, seed=trial).rows[0]
        true = float(world.true_value(found.threshold)) * (1 if found.score.better == "lower" else -1)
        costs.append((true, found.value, honest.value, honest.interval is not None and true in honest.interval))
    true, own, crossed, covered = np.mean(costs, axis=0)
    return (
        f"{world} {rows} rows: interval held {np.mean(held):.3f}; true {true:.4f}, on its own rows {own:.4f},"
        f" cross-fit {crossed:.4f}, whose interval held {covered:.3f}"
    )


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    for size in (100, 400, 1600):
        for one in WORLDS:
            print(measure(one, size, number), flush=True)
