"""What many data sets say about the next one, as probabilities: from signs, signed ranks, rankings and splits."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np

from veracity.comparisons.datasets import INFINITE, ONE_DATASET, WRONG_DESIGN
from veracity.comparisons.entry import TestResult, comparison
from veracity.comparisons.friedman import WHOLE
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, refuse, seed_note
from veracity.core.seeds import generator
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.interval import Limits
from veracity.findings.significance import MAX_DRAWS_SHOWN, posterior_of_draws
from veracity.kernels.recursions import plackett_luce_sweeps
from veracity.records.arrays import TIE, Array

PRIOR = 1.0  # one data set inside the rope, seen before all others
POINTS = 2_001  # of the grid: the integrand is smooth, so the sum over it is exact to ten digits
PRIOR_WEIGHT = 0.5  # weight of a data set without a difference, seen before all others
CONVERGED = 1.01  # split R-hat from which on chains have not met
ADVISED = 50_000
AT_ONCE = 2_000_000  # weights in memory
Three = tuple[float, float, float]


@comparison(
    "Sign posterior", reads=ScoreMatrix, cite=("benavoli2017",), assumes=("DSI", "PRIOR"), limits=(ONE_DATASET,)
)
def sign_posterior(m: ScoreMatrix, *, rope: float = 0.0) -> TestResult:
    """Probabilities that most data sets are won by the second learner, by neither, by the first beyond the rope.

    Shares of data sets left of the rope, inside and right of it have a Dirichlet law whose prior is one data set
    inside. What is told is the probability that each share is the largest; without a rope, that one side is larger
    than the other. Computed by integration, without random numbers; only its picture shows draws.
    """
    rope, d = check_rope(rope), m.difference
    left, right = int((d < -rope).sum()), int((d > rope).sum())
    inside = len(d) - left - right
    chances = chance_larger(left, right) if rope == 0 else chances_largest(left, inside + PRIOR, right)
    facts = (("left", left), ("inside", inside), ("right", right))
    weights = np.array([[left], [inside + PRIOR], [right]])
    drawn = generator(0, "sign_posterior").standard_gamma(weights, (3, MAX_DRAWS_SHOWN))
    return TestResult(probabilities=chances, facts=facts, posterior=posterior_of_draws(rope, drawn))


def chance_larger(left: float, right: float) -> Three:
    """Which of two shares of a Dirichlet law is larger, whatever there is besides."""
    from scipy.special import betainc

    if left == 0 or right == 0:
        chance = 0.5 if left == right else float(right > 0)
    else:
        chance = float(betainc(left, right, 0.5))
    return 1 - chance, 0.0, chance


def chances_largest(left: float, inside: float, right: float) -> Three:
    """The probability of each share of a Dirichlet law to be the largest; a share without any weight is 0."""
    each = [_chance_to_exceed(*own) for own in ((left, inside, right), (inside, left, right), (right, left, inside))]
    total = sum(each)
    return each[0] / total, each[1] / total, each[2] / total


def _chance_to_exceed(own: float, *others: float) -> float:
    """P(one gamma variable exceeds the others), over a grid of its logarithm."""
    from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

    if own == 0:
        return 0.0
    low, high = np.log(gammaincinv(own, 1e-16)), np.log(gammainccinv(own, 1e-16))
    x = np.linspace(low, high, POINTS)
    density = np.exp(own * x - np.exp(x) - gammaln(own))
    below = np.prod([gammainc(other, np.exp(x)) for other in others if other > 0], axis=0)
    return float((density * below).sum() * (x[1] - x[0]))


@comparison(
    "Signed-rank posterior",
    reads=ScoreMatrix,
    cite=("benavoli2014", "benavoli2017"),
    assumes=("DSI", "PRIOR"),
    limits=(ONE_DATASET, INFINITE),
)
def signed_rank_posterior(m: ScoreMatrix, *, rope: float = 0.0, draws: int = 50_000, seed: int = 0) -> TestResult:
    """Probabilities that differences mostly lie left of the rope, inside it, right of it; the counterpart of wilcoxon.

    A Dirichlet process weighs the data sets and one without a difference (weight 1/2). In each draw the mean of two
    differences drawn by these weights lies left, inside or right with some chance; what is told is the share of draws
    in which each chance is the largest; without a rope, in which one side's exceeds the other's.
    """
    if draws < 1:
        raise BadInput(f"draws must be at least 1, not {draws}")
    rope = check_rope(rope)
    chances = shares_of_draws(m.difference, rope, draws, seed)
    posterior = posterior_of_draws(rope, next(_draw_chances(m.difference, rope, min(draws, MAX_DRAWS_SHOWN), seed)))
    error = max(math.sqrt(p * (1 - p) / draws) for p in chances)
    notes = [Note("seed", "remark", f"{draws} draws with seed {seed}: Monte Carlo error {error:.2g}")]
    if draws < ADVISED:
        notes.append(Note("few-draws", "caution", f"{draws} draws are fewer than the {ADVISED} advised"))
    return TestResult(notes=tuple(notes), probabilities=chances, posterior=posterior)


def shares_of_draws(differences: Array, rope: float, draws: int, seed: int) -> Three:
    """The share of draws in which left, inside and right are largest; equals share a draw."""
    counts = np.zeros(3)
    for chances in _draw_chances(differences, rope, draws, seed):
        if rope == 0:
            left, _, right = chances
            close = TIE * (left + right)
            wins = np.stack([left >= right - close, np.zeros(len(left), bool), right >= left - close]).astype(float)
        else:
            wins = (chances >= chances.max(axis=0)).astype(float)
        counts += (wins / wins.sum(axis=0)).sum(axis=1)
    a, b, c = (counts / draws).tolist()
    return a, b, c


def _draw_chances(differences: Array, rope: float, draws: int, seed: int) -> Iterator[Array]:
    """The chances of left, inside and right, up to a factor, in so many draws at a time as memory allows."""
    points = np.sort(np.append(differences, 0.0))
    of_prior = int(np.searchsorted(points, 0.0))
    random, left = generator(seed, "signed_rank_posterior"), draws
    while left:
        number = min(left, max(1, AT_ONCE // len(points)))
        weights = random.standard_exponential((number, len(points)))
        weights[:, of_prior] = random.standard_gamma(PRIOR_WEIGHT, number)
        yield _chances(weights, points, rope)
        left -= number


def _chances(weights: Array, points: Array, rope: float) -> Array:
    """Return the weight of pairs whose sum is below -2 rope, between, and above 2 rope, by draw; equals count half.

    Points are in order, so the partners of a point that make a small enough sum come first: a running total has them.
    """
    before = np.concatenate([np.zeros((len(weights), 1)), np.cumsum(weights, axis=1)], axis=1)
    close = TIE * max(2 * rope, 2 * float(np.abs(points).max()))

    def weight_below(bound: float) -> Array:
        surely = np.searchsorted(points, bound - points - close, side="left")
        at_most = np.searchsorted(points, bound - points + close, side="right")
        return np.einsum("ij,ij->i", weights, before[:, surely] + before[:, at_most]) / 2

    left, not_right = weight_below(-2 * rope), weight_below(2 * rope)
    return np.stack([left, not_right - left, before[:, -1] ** 2 - not_right])


def split_r_hat(chains: Array) -> float:
    """Spread between half chains against spread within them, of one number drawn in each row; 1 when they agree.

    Draws are ranked together and taken as normal scores first, so that heavy tails do no harm.
    """
    from scipy.special import ndtri

    number = chains.shape[1] // 2
    halves = np.concatenate([chains[:, :number], chains[:, -number:]])
    ranks = np.empty(halves.size)
    ranks[np.argsort(halves, axis=None, kind="stable")] = np.arange(1, halves.size + 1)
    scores = ndtri((ranks - 0.375) / (halves.size + 0.25)).reshape(halves.shape)
    within = float(scores.var(axis=1, ddof=1).mean())
    between = float(scores.mean(axis=1).var(ddof=1))
    return float(np.sqrt((number - 1) / number + between / within))


def check_rope(rope: float) -> float:
    """Half the width of the region, in units of the score; 0 for no region."""
    if not 0 <= rope < float("inf"):
        raise BadInput(f"rope must be 0 or more, in units of the score, not {rope!r}")
    return float(rope)


def point_mass(point: float, rope: float) -> Three:
    """Left, inside and right of the region when the difference is known to be `point`; without a region 0 is half."""
    if rope == 0 and point == 0:
        return 0.5, 0.0, 0.5
    return float(point < -rope), float(abs(point) <= rope), float(point > rope)


WARMUP = 500  # sweeps before the first that counts
PLAIN_BELOW = 20_000  # learners placed in all sweeps: below this, compiling would take longer than the loop itself
ADVISED_SWEEPS = 10_000
MOST_ORDERS = 20_000  # that ties allow, for the weights of largest likelihood


@comparison(
    "Plackett-Luce posterior",
    reads=ScoreMatrix,
    compares=0,
    cite=("calvo2018", "caron2012", "hunter2004"),
    assumes=("DSI", "PRIOR"),
    limits=WHOLE,
)
def plackett_luce(m: ScoreMatrix, *, draws: int = 10_000, seed: int = 0) -> TestResult:
    """Chance of each learner to have the largest weight, where the best is chosen in proportion to weights, then the
    best of the rest, and so on.

    The prior is flat over weights that sum to 1 (Dirichlet with all parameters 1). Ties are averaged over all orders
    they allow. The probabilities are in the order of the learners; the facts hold the mean weight of each, which is
    the chance to rank first on the next data set, and the weights of largest likelihood where those exist.
    """
    if draws < 4:
        raise BadInput(f"draws is the number of posterior draws, such as {ADVISED_SWEEPS}, not {draws}")
    weights = posterior_draws(m.ranks, draws, seed)
    best = np.bincount(weights.argmax(axis=1), minlength=weights.shape[1]) / draws
    facts = [
        (f"weight of {name}", weight) for name, weight in zip(m.learners, weights.mean(axis=0).tolist(), strict=True)
    ]
    likely = likeliest_weights(m.ranks)
    if likely is not None:
        facts += [(f"likeliest weight of {name}", w) for name, w in zip(m.learners, likely.tolist(), strict=True)]
    notes = [seed_note(draws, seed)]
    if draws < ADVISED_SWEEPS:
        notes.append(Note("few-draws", "caution", f"fewer than {ADVISED_SWEEPS:,} draws: the chances are rough"))
    if (worst := max(split_r_hat(weight[None]) for weight in weights.T)) >= CONVERGED:
        notes.append(Note("not-settled", "caution", f"the draws have not settled (R-hat {worst:.3f}): use more draws"))
    if likely is None:
        says = "there are no weights of largest likelihood: some learners always beat the rest, or ties are too many"
        notes.append(Note("no-likeliest", "remark", says))
    return TestResult(notes=tuple(notes), probabilities=tuple(best.tolist()), facts=tuple(facts))


def posterior_draws(ranks: Array, draws: int, seed: int) -> Array:
    """Draws of the weights, one row each."""
    orders = np.argsort(ranks, axis=1, kind="stable")
    sorted_ranks = np.take_along_axis(ranks, orders, axis=1)
    tied = sorted_ranks[:, 1:] == sorted_ranks[:, :-1]
    out = np.empty((draws, ranks.shape[1]))
    run = plackett_luce_sweeps.function if draws * ranks.size < PLAIN_BELOW else plackett_luce_sweeps.compiled
    run(generator(seed, "plackett_luce"), orders.astype(np.int64), tied, WARMUP, out)
    return out


def likeliest_weights(ranks: Array) -> Array | None:
    """The weights of largest likelihood, by Hunter's iteration; None without any, or where ties allow too many orders.

    There are none where some learners always beat the rest.
    """
    orders, row = _possible_orders(ranks)
    if orders is None or not _is_connected(ranks):
        return None
    k = ranks.shape[1]
    weights = np.full(k, 1 / k)
    for _ in range(100_000):
        left = np.cumsum(weights[orders][:, ::-1], axis=1)[:, ::-1]
        share = _shares(-np.log(left).sum(axis=1), row)  # of the orders that a data set allows
        waited = np.cumsum(1 / left[:, :-1], axis=1)
        waited = np.concatenate([waited, waited[:, -1:]], axis=1)
        rate = np.bincount(orders.ravel(), (share[:, None] * waited).ravel(), k)
        wins = np.bincount(orders[:, :-1].ravel(), np.repeat(share, k - 1), k)
        new = wins / rate
        new /= new.sum()
        if np.abs(new - weights).max() < 1e-13:
            return new
        weights = new
    return weights


def _possible_orders(ranks: Array) -> tuple[Array | None, Array]:
    """Every order of the learners that the ties of each data set allow, and which data set it is of."""
    blocks = [[np.flatnonzero(row == rank).tolist() for rank in np.unique(row)] for row in ranks]
    number = sum(math.prod(math.factorial(len(block)) for block in row) for row in blocks)
    if number > MOST_ORDERS:
        return None, np.empty(0)
    orders = [
        ([j for block in order for j in block], i)
        for i, row in enumerate(blocks)
        for order in product(*(permutations(block) for block in row))
    ]
    return np.array([order for order, _ in orders]), np.array([i for _, i in orders])


def _shares(log_chance: Array, row: Array) -> Array:
    """The chance of each order among those of its data set."""
    chance = np.exp(log_chance - np.maximum.reduceat(log_chance, np.flatnonzero(np.diff(row, prepend=-1)))[row])
    return chance / np.bincount(row, chance)[row]


def _is_connected(ranks: Array) -> bool:
    """Whether no set of learners always beats the rest: each can be reached from each by wins."""
    from scipy.sparse.csgraph import connected_components

    wins = (ranks[:, :, None] <= ranks[:, None, :]).any(axis=0)
    return bool(connected_components(np.asarray(wins), connection="strong")[0] == 1)


MIN_RELATIVE_VARIANCE = 1e-6  # of the typical variance of splits
ADVISED_CHAIN_DRAWS = 20_000

NO_SPLITS = refuse(
    "no-splits",
    "this posterior reads the split scores of every data set: compare runs, or give score_matrix a mapping of data"
    " sets to split_scores; else use signed_rank_posterior",
    lambda m: m.splits is None or any(cell is None or len(cell) < 2 for row in m.splits for cell in row),
)
FEW_DATASETS = refuse(
    "few-datasets", "fewer than 3 data sets say nothing about how data sets differ: give more", lambda m: len(m) < 3
)
UNDEFINED_SPLITS = refuse(
    "undefined-splits",
    "the score is undefined or infinite in some splits, and none is dropped: use fewer folds or a design that spreads"
    " classes",
    lambda m: m.splits is not None and not all(np.isfinite(c.values).all() for row in m.splits for c in row if c),
)
MAX_SCALE = 1_000.0  # upper bound of the uniform priors of all spreads and of |mu0|, in typical spreads
SHAPE, RATE = 2.0, 0.1  # of the gamma prior of nu - 1
CHAINS = 16
WARM_UP = 500
STEPS = (0.5, 2.0)  # widths of Metropolis steps: a short one for many data sets, a long one for few


@comparison(
    "Hierarchical posterior",
    reads=ScoreMatrix,
    cite=("corani2017", "benavoli2017", "vehtari2021"),
    assumes=("DSI", "RHO", "NORM", "PRIOR"),
    limits=(FEW_DATASETS, WRONG_DESIGN, NO_SPLITS, INFINITE, UNDEFINED_SPLITS),
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
        raise Refused(UNDEFINED_SPLITS.says, UNDEFINED_SPLITS.code)
    squares = np.array([float(((s.values - s.mean) ** 2).sum()) if s.spread else 0.0 for s in each])
    splits = np.array([len(s) for s in each], float)
    typical = float(np.mean(squares / (splits - 1))) or float((mean**2).mean()) or 1.0
    floor = MIN_RELATIVE_VARIANCE * typical * (splits - 1)
    correlation = np.array([s.test_share / (1 + s.test_share) for s in each])  # of splits: the share of rows tested
    unit = typical**0.5
    sets = DataSets(mean / unit, np.maximum(squares, floor) / typical, splits, correlation)
    return sets, unit, int((squares < floor).sum())


def _notes(draws: int, seed: int, r_hat: float, floored: int, unit: float) -> tuple[Note, ...]:
    says = f"{draws} draws of {CHAINS} chains with seed {seed}, split R-hat {r_hat:.4f}"
    prior = f"uniform up to {MAX_SCALE * unit:.3g} for spreads and the mean, gamma({SHAPE:g}, {RATE:g}) for nu - 1"
    drawn, believed = Note("seed", "remark", says), Note("prior", "remark", f"priors: {prior}")
    notes: tuple[Note, ...] = (drawn, believed)
    if floored:
        says = f"data sets with one difference in all splits: {floored}, given a millionth of the typical variance"
        notes += (Note("no-spread", "caution", says),)
    if r_hat >= CONVERGED:
        notes += (Note("not-converged", "caution", f"split R-hat {r_hat:.3f} is not below 1.01: take more draws"),)
    if draws < ADVISED_CHAIN_DRAWS:
        notes += (Note("few-draws", "caution", f"{draws} draws are fewer than the {ADVISED_CHAIN_DRAWS} advised"),)
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
    state = _start_chains(sets, random)
    kept = np.empty((3, CHAINS, each))
    for number in range(-WARM_UP, each):
        _draw_all(state, sets, random)
        if number >= 0:
            kept[:, :, number] = state.centre[:, 0], state.scale[:, 0], state.degrees[:, 0]
    return kept[0], kept[1], kept[2]


def _start_chains(sets: DataSets, random: np.random.Generator) -> State:
    """Chains start apart, so that it shows when they have not met."""
    shape = (CHAINS, len(sets.mean))
    spread = max(float(sets.mean.std()), 0.1)
    centre = sets.mean.mean() + spread * random.standard_normal((CHAINS, 1))
    scale = spread * np.exp(random.uniform(-1, 1, (CHAINS, 1)))
    degrees = 1 + random.gamma(SHAPE, 1 / RATE, (CHAINS, 1))
    variances = np.broadcast_to(sets.squares / ((sets.splits - 1) * (1 - sets.rho)), shape)
    return State(centre, scale, degrees, np.broadcast_to(sets.mean, shape), variances, np.ones(shape))


def _draw_all(state: State, sets: DataSets, random: np.random.Generator) -> None:
    """Draw each parameter by its law given the others: s0 and nu by Metropolis steps, the rest exactly."""
    for width in STEPS:
        _draw_scale(state, sets, width, random)
    weight = 1 / (state.variances * sets.inflation + state.scale**2 / state.precisions)  # the mu_i are integrated out
    total = weight.sum(axis=1, keepdims=True)
    middle = (weight * sets.mean).sum(axis=1, keepdims=True) / total
    drawn = middle + random.standard_normal(middle.shape) / np.sqrt(total)
    state.centre = np.where(np.abs(drawn) < MAX_SCALE, drawn, state.centre)  # one beyond its bound is not taken
    own, shared = 1 / (state.variances * sets.inflation), state.precisions / state.scale**2
    middle = (own * sets.mean + shared * state.centre) / (own + shared)
    state.means = middle + random.standard_normal(middle.shape) / np.sqrt(own + shared)
    rate = (sets.squares / (1 - sets.rho) + (sets.mean - state.means) ** 2 / sets.inflation) / 2
    drawn = rate / random.standard_gamma(np.broadcast_to((sets.splits - 1) / 2, rate.shape))
    state.variances = np.where(drawn < MAX_SCALE**2, drawn, state.variances)
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
    taken = (np.log(random.random(gain.shape)) < gain) & (proposed < MAX_SCALE)
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
