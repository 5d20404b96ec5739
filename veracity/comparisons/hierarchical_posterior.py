"""What the splits of many data sets say about the next data set, as probabilities."""

from __future__ import annotations

import numpy as np

from veracity.comparisons.chains import CONVERGED, split_r_hat
from veracity.comparisons.datasets import INFINITE
from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.hierarchy import CHAINS, RATE, SHAPE, WIDEST, DataSets, sample
from veracity.comparisons.rope import checked
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, refuse
from veracity.core.seeds import generator
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.evidence.split_scores import SplitScores
from veracity.findings.interval import Limits
from veracity.findings.posterior import of_draws
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
    "few-datasets",
    "fewer than 3 data sets say nothing about how data sets differ: give more",
    lambda m: len(m) < 3,
)
UNDEFINED = refuse(
    "undefined-splits",
    "the score is undefined or infinite in some splits, and none is dropped: use fewer folds or a design that spreads"
    " classes",
    lambda m: m.splits is not None and not all(np.isfinite(c.values).all() for row in m.splits for c in row if c),
)


@comparison(
    "Hierarchical posterior",
    reads=ScoreMatrix,
    cite=("corani2017", "benavoli2017", "vehtari2021"),
    assumes=("DSI", "RHO", "NORM", "PRIOR"),
    limits=(TOO_FEW, NO_SPLITS, INFINITE, UNDEFINED),
)
def hierarchical_posterior(m: ScoreMatrix, *, rope: float = 0.0, draws: int = 32_000, seed: int = 0) -> Verdict:
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
    rope, (sets, unit, floored) = checked(rope), _gathered(m)
    chains = sample(sets, draws, generator(seed, "hierarchical_posterior"))
    centre, scale, nu = (chain.ravel() for chain in chains)
    left = stdtr(nu, (-rope / unit - centre) / scale)
    right = stdtr(nu, (centre - rope / unit) / scale)
    regions = np.stack([left, np.maximum(1 - left - right, 0.0), right])
    r_hat = max(map(split_r_hat, chains))
    names = ("next_left", "next_rope", "next_right")
    facts = tuple(zip(names, regions.mean(axis=1).tolist(), strict=True))
    return Verdict(
        None,
        None,
        None,
        _notes(centre.size, seed, r_hat, floored, unit),
        float(np.median(centre)) * unit,
        limits=lambda at: Limits(*(unit * np.quantile(centre, [at.tail, 1 - at.tail])).tolist()),
        probabilities=_largest(regions, rope),
        facts=(*facts, ("r_hat", r_hat)),
        posterior=of_draws(rope, regions),
    )


def _gathered(m: ScoreMatrix) -> tuple[DataSets, float, int]:
    """The differences of each data set in units of the typical spread, that unit, and how many had no spread."""
    each = [first - second for first, second in m.splits or () if first is not None and second is not None]
    mean = np.array([s.mean for s in each])
    if not np.isfinite(mean).all():
        raise Refused(UNDEFINED.says, UNDEFINED.code)
    squares = np.array([float(((s.values - s.mean) ** 2).sum()) if s.spread else 0.0 for s in each])
    splits = np.array([len(s) for s in each], float)
    typical = float(np.mean(squares / (splits - 1))) or float((mean**2).mean()) or 1.0
    floor = FLOOR * typical * (splits - 1)
    share = np.array([_correlation(s) for s in each])
    unit = typical**0.5
    sets = DataSets(mean / unit, np.maximum(squares, floor) / typical, splits, share)
    return sets, unit, int((squares < floor).sum())


def _correlation(s: SplitScores) -> float:
    """Between two splits: the share of rows tested."""
    return s.test_share / (1 + s.test_share)


def _largest(regions: Array, rope: float) -> tuple[float, ...]:
    if rope == 0:
        right = float((regions[2] > regions[0]).mean())
        return 1 - right, 0.0, right
    wins = np.bincount(regions.argmax(axis=0), minlength=3) / regions.shape[1]
    return tuple(wins.tolist())


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
