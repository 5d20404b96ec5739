"""How far an estimator of risk is off, and how often a test of learners errs: by simulation."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from veracity.comparisons import comparisons
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.seeds import derive
from veracity.evidence.split_scores import SplitScores
from veracity.lab.simulate import Learner, check_share, check_simulation, learner_risk, named_world, run_of, runs_of
from veracity.lab.worlds import World
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.resampling import Resampling
from veracity.scores import scores


@dataclass(frozen=True)
class Quality:
    """An estimator against the risk of its learner trained on all rows; mse = bias^2 + variance."""

    by: str
    truth: float
    mean: float
    variance: float
    trials: int

    @property
    def bias(self) -> float:
        return self.mean - self.truth

    @property
    def mse(self) -> float:
        return self.bias**2 + self.variance

    @property
    def error(self) -> float:
        """Monte Carlo standard error of the mean, and so of the bias."""
        return math.sqrt(self.variance / self.trials)

    def __str__(self) -> str:
        return f"{self.by}: bias {self.bias:+.4f}, variance {self.variance:.5f}, mean squared error {self.mse:.5f}"


def quality(world: World | str, learner: Learner, by: str, rows: int, trials: int = 200, seed: int = 0) -> Quality:
    """Bias, variance and mean squared error of an estimator of risk, against the risk of the learner at all rows."""
    check_simulation(learner, rows=rows, trials=trials)
    place, _ = named_world(world, World)
    truth = learner_risk(place, learner, rows, seed=seed)
    request = EstimateRequest(scores.choose(place.score), place.score, Confidence())
    values = np.array([estimate_run(run, request).value for run in runs_of(place, learner, by, rows, trials, seed)])
    return Quality(by, truth, float(values.mean()), float(values.var()), trials)


def size(
    world: World | str,
    first: Learner,
    second: Learner,
    using: str,
    by: str,
    rows: int,
    trials: int = 200,
    alpha: float = 0.05,
    seed: int = 0,
) -> float:
    """The share of samples in which a test of two learners on the same splits claims a difference.

    Where the learners have the same risk, as all do on pure noise, that is its type I error.
    """
    check_simulation(first, second, rows=rows, trials=trials)
    place, _ = named_world(world, World)
    check_share("alpha", alpha)
    test = comparisons.choose(using)
    if test.entry.reads is not SplitScores:
        raise BadInput(f"{using} does not read the splits of one design: try corrected_t")
    score, claimed = scores.choose(place.score), 0
    for number in range(trials):
        seeds = derive(seed, "trial", number)
        sample = place.draw(rows, seeds)
        a, b = (Resampling(score, run_of(place, sample, one, by, seeds)).split_scores() for one in (first, second))
        claimed += test(a - b).p_value <= alpha
    return claimed / trials
