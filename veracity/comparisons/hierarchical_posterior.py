"""What the splits of many data sets say about the next data set, as probabilities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.comparisons.datasets import INFINITE, WRONG_DESIGN
from veracity.comparisons.entry import TestResult, comparison
from veracity.comparisons.posteriors import CONVERGED, check_rope, split_r_hat
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, refuse
from veracity.core.seeds import generator
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.interval import Limits
from veracity.findings.significance import posterior_of_draws
from veracity.records.arrays import Array

FLOOR = 1e-6  # of the typical variance of splits
FEWEST = 20_000

NO_SPLITS = refuse(
    "no-splits",
    "this posterior reads the split scores of every data set: compare runs, or give score_matrix a mapping of data"
    " sets to split_scores; else use signed_rank_posterior",
    lambda m: m.splits is None or any(cell is None or len(cell) < 2 for row in m.splits for cell in row),
)
TOO_FEW = refuse(
    "few-datasets", "fewer than 3 data sets say nothing about how data sets differ: give more", lambda m: len(m) < 3
)
UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined or infinite in some splits, and none is dropped: use fewer folds or a design that spreads"
    " classes",
    lambda m: m.splits is not None and not all(np.isfinite(c.values).all() for row in m.splits for c in row if c),
)
WIDEST = 1_000.0  # upper bound of the uniform priors of all spreads and of |mu0|, in typical spreads
SHAPE, RATE = 2.0, 0.1  # of the gamma prior of nu - 1
CHAINS = 16
WARM_UP = 500
STEPS = (0.5, 2.0)  # widths of Metropolis steps: a short one for many data sets, a long one for few


@comparison(
    "Hierarchical posterior",
    reads=ScoreMatrix,
    cite=("corani2017", "benavoli2017", "vehtari2021"),
    assumes=("DSI", "RHO", "NORM", "PRIOR"),
    limits=(TOO_FEW, WRONG_DESIGN, NO_SPLITS, INFINITE, UNDEFINED),
)
def hierarchical_posterior(m: ScoreMatrix, *, rope: float = 0.0, draws: int = 32_000, seed: int = 0) -> TestResult:
    """Probabilities that the difference on the next data set is most likely left of the rope, inside it, right of it.

    Differences on the splits of a data set are normal about its own mean, correlated as the shares of test rows say;
    these means have a Student law over data sets. So a data set with noisy splits counts less, and more repeats of a
    design buy power. What is told is the share of draws in which each region is the likeliest for the next data set;
    `next_left`, `next_rope` and `next_right` are the mean probabilities of the regions themselves. The difference and
    its interval are the posterior median and quantiles of the mean over data sets.
    """
    from scipy.special import stdtr

    if draws < CHAINS * 4:
        raise BadInput(f"draws must be at least {CHAINS * 4}, four for each of {CHAINS} chains, not {draws}")
    rope, (sets, unit, floored) = check_rope(rope), _read_data_sets(m)
    chains = sample(sets, draws, generator(seed, "hierarchical_posterior"))
    centre, scale, nu = (chain.ravel() for chain in chains)
    left = stdtr(nu, (-rope / unit - centre) / scale)
    right = stdtr(nu, (centre - rope / unit) / scale)
    regions = np.stack([left, np.maximum(1 - left - right, 0.0), right])
    if rope == 0:
        wins = float((right > left).mean())
        likeliest: tuple[float, ...] = (1 - wins, 0.0, wins)
    else:
        likeliest = tuple((np.bincount(regions.argmax(axis=0), minlength=3) / regions.shape[1]).tolist())
    r_hat = max(map(split_r_hat, chains))
    names = ("next_left", "next_rope", "next_right")
    facts = tuple(zip(names, regions.mean(axis=1).tolist(), strict=True))
    return TestResult(
        estimate=float(np.median(centre)) * unit,
        notes=_notes(centre.size, seed, r_hat, floored, unit),
        limits=lambda at: Limits(*(unit * np.quantile(centre, [at.tail, 1 - at.tail])).tolist()),
        probabilities=likeliest,
        facts=(*facts, ("r_hat", r_hat)),
        posterior=posterior_of_draws(rope, regions),
    )


def _read_data_sets(m: ScoreMatrix) -> tuple[DataSets, float, int]:
    """The differences of each data set in units of the typical spread, that unit, and how many had no spread."""
    each = [first - second for first, second in m.splits or () if first is not None and second is not None]
    if not each:  # whatever is accepted: the prior alone is no answer
        raise Refused(NO_SPLITS.says, NO_SPLITS.code)
    mean = np.array([s.mean for s in each])
    if not np.isfinite(mean).all():
        raise Refused(UNDEFINED.says, UNDEFINED.code)
    squares = np.array([float(((s.values - s.mean) ** 2).sum()) if s.spread else 0.0 for s in each])
    splits = np.array([len(s) for s in each], float)
    typical = float(np.mean(squares / (splits - 1))) or float((mean**2).mean()) or 1.0
    floor = FLOOR * typical * (splits - 1)
    correlation = np.array([s.test_share / (1 + s.test_share) for s in each])  # of splits: the share of rows tested
    unit = typical**0.5
    sets = DataSets(mean / unit, np.maximum(squares, floor) / typical, splits, correlation)
    return sets, unit, int((squares < floor).sum())


def _notes(draws: int, seed: int, r_hat: float, floored: int, unit: float) -> tuple[Note, ...]:
    says = f"{draws} draws of {CHAINS} chains with seed {seed}, split R-hat {r_hat:.4f}"
    prior = f"uniform up to {WIDEST * unit:.3g} for spreads and the mean, gamma({SHAPE:g}, {RATE:g}) for nu - 1"
    drawn, believed = Note("seed", "remark", says), Note("prior", "remark", f"priors: {prior}")
    notes: tuple[Note, ...] = (drawn, believed)
    if floored:
        says = f"data sets with one difference in all splits: {floored}, given a millionth of the typical variance"
        notes += (Note("no-spread", "caution", says),)
    if r_hat >= CONVERGED:
        notes += (Note("not-converged", "caution", f"split R-hat {r_hat:.3f} is not below 1.01: take more draws"),)
    if draws < FEWEST:
        notes += (Note("few-draws", "caution", f"{draws} draws are fewer than the {FEWEST} advised"),)
    return notes


@dataclass(frozen=True)
class DataSets:
    """What the splits of each data set say, in units of the typical spread."""

    mean: Array
    squares: Array  # summed squares about the mean
    splits: Array
    rho: Array  # correlation between splits

    @property
    def inflation(self) -> Array:
        """Variance of the mean over that of one split."""
        return (1 + (self.splits - 1) * self.rho) / self.splits


@dataclass
class State:
    """Where the chains are; one row for each."""

    centre: Array  # mu0, (chains, 1)
    scale: Array  # s0
    degrees: Array  # nu
    means: Array  # mu_i, (chains, data sets)
    variances: Array  # s_i squared
    precisions: Array  # tau_i


def sample(sets: DataSets, draws: int, random: np.random.Generator) -> tuple[Array, Array, Array]:
    """Draws of mu0, s0 and nu, one row for each chain."""
    each = -(-draws // CHAINS)
    state = _start(sets, random)
    kept = np.empty((3, CHAINS, each))
    for number in range(-WARM_UP, each):
        _step(state, sets, random)
        if number >= 0:
            kept[:, :, number] = state.centre[:, 0], state.scale[:, 0], state.degrees[:, 0]
    return kept[0], kept[1], kept[2]


def _start(sets: DataSets, random: np.random.Generator) -> State:
    """Chains start apart, so that it shows when they have not met."""
    shape = (CHAINS, len(sets.mean))
    spread = max(float(sets.mean.std()), 0.1)
    centre = sets.mean.mean() + spread * random.standard_normal((CHAINS, 1))
    scale = spread * np.exp(random.uniform(-1, 1, (CHAINS, 1)))
    degrees = 1 + random.gamma(SHAPE, 1 / RATE, (CHAINS, 1))
    variances = np.broadcast_to(sets.squares / ((sets.splits - 1) * (1 - sets.rho)), shape)
    return State(centre, scale, degrees, np.broadcast_to(sets.mean, shape), variances, np.ones(shape))


def _step(state: State, sets: DataSets, random: np.random.Generator) -> None:
    """Draw each parameter by its law given the others: s0 and nu by Metropolis steps, the rest exactly."""
    for width in STEPS:
        _draw_scale(state, sets, width, random)
    weight = 1 / (state.variances * sets.inflation + state.scale**2 / state.precisions)  # the mu_i are integrated out
    total = weight.sum(axis=1, keepdims=True)
    middle = (weight * sets.mean).sum(axis=1, keepdims=True) / total
    drawn = middle + random.standard_normal(middle.shape) / np.sqrt(total)
    state.centre = np.where(np.abs(drawn) < WIDEST, drawn, state.centre)  # one beyond its bound is not taken
    own, shared = 1 / (state.variances * sets.inflation), state.precisions / state.scale**2
    middle = (own * sets.mean + shared * state.centre) / (own + shared)
    state.means = middle + random.standard_normal(middle.shape) / np.sqrt(own + shared)
    rate = (sets.squares / (1 - sets.rho) + (sets.mean - state.means) ** 2 / sets.inflation) / 2
    drawn = rate / random.standard_gamma(np.broadcast_to((sets.splits - 1) / 2, rate.shape))
    state.variances = np.where(drawn < WIDEST**2, drawn, state.variances)
    for width in STEPS:
        _draw_degrees(state, width, random)
    away = (state.means - state.centre) / state.scale
    shape = np.broadcast_to((state.degrees + 1) / 2, away.shape)
    state.precisions = random.standard_gamma(shape) / (state.degrees / 2 + away**2 / 2)


def _draw_scale(state: State, sets: DataSets, width: float, random: np.random.Generator) -> None:
    """Make a Metropolis step on the logarithm of s0, with the mu_i, which would hold it back, integrated out."""
    own = state.variances * sets.inflation

    def log_density(scale: Array) -> Array:  # the last term is the step from s0 to its logarithm
        variance = own + scale**2 / state.precisions
        fit = np.log(variance) + (sets.mean - state.centre) ** 2 / variance
        density: Array = -fit.sum(axis=1, keepdims=True) / 2 + np.log(scale)
        return density

    proposed = state.scale * np.exp(width * random.standard_normal(state.scale.shape))
    gain = log_density(proposed) - log_density(state.scale)
    taken = (np.log(random.random(gain.shape)) < gain) & (proposed < WIDEST)
    state.scale = np.where(taken, proposed, state.scale)


def _draw_degrees(state: State, width: float, random: np.random.Generator) -> None:
    """A Metropolis step on the logarithm of nu - 1, with the tau_i integrated out."""
    from scipy.special import gammaln

    away = ((state.means - state.centre) / state.scale) ** 2
    number = away.shape[1]

    def law(excess: Array) -> Array:
        nu = 1 + excess
        fit = number * (gammaln((nu + 1) / 2) - gammaln(nu / 2) - np.log(nu) / 2)
        tails = (nu + 1) / 2 * np.log1p(away / nu).sum(axis=1, keepdims=True)
        found: Array = fit - tails + SHAPE * np.log(excess) - RATE * excess
        return found

    excess = state.degrees - 1
    proposed = excess * np.exp(width * random.standard_normal(excess.shape))
    taken = np.log(random.random(excess.shape)) < law(proposed) - law(excess)
    state.degrees = 1 + np.where(taken, proposed, excess)
