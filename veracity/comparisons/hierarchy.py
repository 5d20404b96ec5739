"""A Gibbs sampler of how two learners differ on data sets, from their differences on the splits of each.

The mean over the splits of data set i is normal about its own mu_i, the mu_i have a Student law about mu0 with scale s0
and nu degrees of freedom, written as normal laws with a precision tau_i each. All draws but that of nu are conjugate.
Many chains run side by side as rows of arrays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from veracity.records.arrays import Array

WIDEST = 1_000.0  # upper bound of the uniform priors of all spreads and of |mu0|, in typical spreads
SHAPE, RATE = 2.0, 0.1  # of the gamma prior of nu - 1
CHAINS = 16
WARM_UP = 500
STEPS = (0.5, 2.0)  # widths of Metropolis steps: a short one for many data sets, a long one for few


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
    for width in STEPS:
        _scale(state, sets, width, random)
    _centre(state, sets, random)
    _means(state, sets, random)
    _variances(state, sets, random)
    for width in STEPS:
        _degrees(state, width, random)
    away = (state.means - state.centre) / state.scale
    shape = np.broadcast_to((state.degrees + 1) / 2, away.shape)
    state.precisions = random.standard_gamma(shape) / (state.degrees / 2 + away**2 / 2)


def _scale(state: State, sets: DataSets, width: float, random: np.random.Generator) -> None:
    """A Metropolis step on the logarithm of s0, with the mu_i, which would hold it back, integrated out."""
    own = state.variances * sets.inflation
    proposed = state.scale * np.exp(width * random.standard_normal(state.scale.shape))
    gain = _log_law(proposed, state, sets, own) - _log_law(state.scale, state, sets, own)
    taken = (np.log(random.random(gain.shape)) < gain) & (proposed < WIDEST)
    state.scale = np.where(taken, proposed, state.scale)


def _centre(state: State, sets: DataSets, random: np.random.Generator) -> None:
    """mu0 by its normal law, with the mu_i integrated out; a draw beyond its bound is not taken, which truncates it."""
    weight = 1 / (state.variances * sets.inflation + state.scale**2 / state.precisions)
    total = weight.sum(axis=1, keepdims=True)
    middle = (weight * sets.mean).sum(axis=1, keepdims=True) / total
    drawn = middle + random.standard_normal(middle.shape) / np.sqrt(total)
    state.centre = np.where(np.abs(drawn) < WIDEST, drawn, state.centre)


def _log_law(scale: Array, state: State, sets: DataSets, own: Array) -> Array:
    """Of ln s0 given the data, with every mu_i integrated out; the last term is the step from s0 to its logarithm."""
    variance = own + scale**2 / state.precisions
    fit = np.log(variance) + (sets.mean - state.centre) ** 2 / variance
    found: Array = -fit.sum(axis=1, keepdims=True) / 2 + np.log(scale)
    return found


def _means(state: State, sets: DataSets, random: np.random.Generator) -> None:
    own, shared = 1 / (state.variances * sets.inflation), state.precisions / state.scale**2
    total = own + shared
    middle = (own * sets.mean + shared * state.centre) / total
    state.means = middle + random.standard_normal(middle.shape) / np.sqrt(total)


def _variances(state: State, sets: DataSets, random: np.random.Generator) -> None:
    rate = (sets.squares / (1 - sets.rho) + (sets.mean - state.means) ** 2 / sets.inflation) / 2
    shape = np.broadcast_to((sets.splits - 1) / 2, rate.shape)
    drawn = rate / random.standard_gamma(shape)
    state.variances = np.where(drawn < WIDEST**2, drawn, state.variances)


def _degrees(state: State, width: float, random: np.random.Generator) -> None:
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
