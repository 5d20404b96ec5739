"""How far an estimator is off, how often an interval holds the truth, how often a test errs: by simulation."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from veracity.comparisons import comparisons
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import derive
from veracity.evidence.run import Run
from veracity.evidence.split_scores import SplitScores
from veracity.lab.simulate import Learner, check_share, check_simulation, fitted_learner, interval_names, run_of
from veracity.lab.worlds import World
from veracity.records.arrays import Array
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.resampling import Resampling
from veracity.scores import scores

TRUTH_DRAWS = 2_000  # training sets over which the risk of a learner is averaged


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


@dataclass(frozen=True)
class Covered:
    """How often an interval held the risk of the learner, trained on as many rows as its models and on all rows."""

    method: str
    by: str
    rows: int
    level: float
    trained: float  # share of the intervals that hold the risk at the size its models trained on
    at_all: float  # share that hold the risk at all rows
    width: float  # mean
    trials: int
    refused: float = 0.0

    @property
    def error(self) -> float:
        """Monte Carlo standard error of `trained`."""
        return math.sqrt(self.trained * (1 - self.trained) / max(self.trials * (1 - self.refused), 1))

    def __str__(self) -> str:
        held = f"held {self.trained:.1%} at {self.level:.0%} ({self.at_all:.1%} of all rows' risk)"
        return f"{self.method} by {self.by}, {self.rows} rows: {held}, mean width {self.width:.3f}"


def learner_risk(world: World, learner: Learner, rows: int, draws: int = TRUTH_DRAWS, seed: int = 0) -> float:
    """The risk of a learner at a size: the mean over training sets of that many rows."""
    check_simulation(world, learner, rows=rows, draws=draws)
    samples = (world.draw(rows, derive(seed, "training set", draw)) for draw in range(draws))
    return float(np.mean([world.risk(fitted_learner(learner, *sample)) for sample in samples]))


def quality(world: World, learner: Learner, by: str, rows: int, trials: int = 200, seed: int = 0) -> Quality:
    """Bias, variance and mean squared error of an estimator of risk, against the risk of the learner at all rows."""
    check_simulation(world, learner, rows=rows, trials=trials)
    score = scores.choose(world.score)
    truth = learner_risk(world, learner, rows, seed=seed)
    request = EstimateRequest(score, world.score, Confidence())
    values = np.array([estimate_run(run, request).value for run in _runs(world, learner, by, rows, trials, seed)])
    return Quality(by, truth, float(values.mean()), float(values.var()), trials)


def coverage(
    world: World,
    learner: Learner,
    by: str,
    intervals: str | Sequence[str],
    rows: int,
    trials: int = 200,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[Covered, ...]:
    """How often intervals hold the risk of the learner, all tried on the same samples; also those always refused."""
    check_simulation(world, learner, rows=rows, trials=trials)
    at, names = Confidence(level), interval_names(intervals)
    limits = np.full((len(names), trials, 2), np.nan)
    trained = rows
    for trial, run in enumerate(_runs(world, learner, by, rows, trials, seed)):
        trained = len(np.unique(run.design.splits[run.design.main_splits[0]].train))
        limits[:, trial] = [_limits(run, world.score, name, at) for name in names]
    truths = [learner_risk(world, learner, number, seed=seed) for number in (trained, rows)]
    return tuple(_coverage(name, by, rows, at, tried, truths) for name, tried in zip(names, limits, strict=True))


def _limits(run: Run, score: str, interval: str, at: Confidence) -> tuple[float, float]:
    request = EstimateRequest(scores.choose(score), score, at, interval, anyway=interval == "naive_t")
    try:
        limits = estimate_run(run, request).interval
    except Refused:
        return math.nan, math.nan
    return (limits.low, limits.high) if limits is not None else (math.nan, math.nan)


def _coverage(name: str, by: str, rows: int, at: Confidence, limits: Array, truths: list[float]) -> Covered:
    there = limits[~np.isnan(limits[:, 0])]
    if not len(there):
        raise Refused(f"{name} was refused on every sample by {by}", "always-refused")
    trained, at_all = (float(np.mean((there[:, 0] <= truth) & (truth <= there[:, 1]))) for truth in truths)
    width = float(np.mean(there[:, 1] - there[:, 0]))
    return Covered(name, by, rows, at.level, trained, at_all, width, len(limits), 1 - len(there) / len(limits))


def size(
    world: World,
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
    check_simulation(world, first, second, rows=rows, trials=trials)
    check_share("alpha", alpha)
    test = comparisons.choose(using)
    if test.entry.reads is not SplitScores:
        raise BadInput(f"{using} does not read the splits of one design: try corrected_t")
    score, claimed = scores.choose(world.score), 0
    for number in range(trials):
        seeds = derive(seed, "trial", number)
        sample = world.draw(rows, seeds)
        a, b = (Resampling(score, run_of(world, sample, one, by, seeds)).split_scores() for one in (first, second))
        claimed += test(a - b).p_value <= alpha
    return claimed / trials


def _runs(world: World, learner: Learner, by: str, rows: int, trials: int, seed: int) -> Iterator[Run]:
    for number in range(trials):
        of = derive(seed, "trial", number)
        yield run_of(world, world.draw(rows, of), learner, by, of)
