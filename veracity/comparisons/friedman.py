"""Tests of many learners over data sets: of mean ranks (Friedman's and others), and of how large differences are."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import permutations
from typing import NamedTuple

import numpy as np

from veracity.comparisons.entry import TestResult, comparison
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Limit, Note, caution, refuse, seed_note
from veracity.core.seeds import generator
from veracity.evidence.interval_evidence import normality_limit
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.intervals.replicates import chunks
from veracity.records.arrays import TIE, Array, freeze

ONE_DATASET = refuse(
    "one-dataset",
    "one data set says nothing about others: rank learners over several, or compare them on its splits",
    lambda m: len(m) < 2,
)
COMPARE_TWO = "`vc.compare(..., using='wilcoxon')`"
TWO_LEARNERS = refuse(
    "two-learners", f"this test is of three learners or more: {COMPARE_TWO} is for two", lambda m: len(m.learners) < 3
)
MISSING = Limit(
    "missing-cells",
    "refuse",
    "every learner needs a score on every data set",
    lambda m: m.missing > 0,
    lambda m: f": {missing_cell(m)} is missing; skillings_mack reads tables with missing cells",
)
INFINITE = refuse(
    "infinite",
    "an infinite score has no size to compare: friedman and iman_davenport read ranks alone",
    lambda m: bool(np.isinf(m.values).any()),
)
SMALL = caution(
    "small-table",
    "fewer than 10 data sets or fewer than 5 learners: this p-value is asymptotic, friedman(exact=True) is not",
    lambda m: len(m) < 10 or len(m.learners) < 5,
)
WHOLE = (ONE_DATASET, TWO_LEARNERS, MISSING)


def residuals(values: Array) -> Array:
    """Return what neither learners nor data sets explain of the scores."""
    left: Array = values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()
    return left


NOT_NORMAL = normality_limit(
    lambda m: residuals(m.values).ravel() if np.isfinite(m.values).all() else np.empty(0),
    "what learners and data sets leave of the scores",
    "a ranking by friedman",
)

INDISTINGUISHABLE = Note("all-tied", "remark", "all learners are tied on every data set: they are indistinguishable")
ALIKE = Note(
    "all-alike",
    "remark",
    "all data sets rank the learners alike: the statistic is infinite, the p-value the exact chance of that",
)


def missing_cell(m: ScoreMatrix) -> str:
    """The first cell without a score, by name."""
    row, column = np.argwhere(np.isnan(m.values))[0]
    return f"that of {m.learners[column]} on {m.datasets[row]}"


def mid_ranks(values: Array, scale: float | None = None) -> Array:
    """Ranks from 1, equals sharing their mean; gaps that rounding alone makes tie.

    Numbers that were formed by subtraction are rounded on a `scale` that they do not tell: else it is their largest.
    """
    order = np.argsort(values, axis=None, kind="stable")
    ascending = values.ravel()[order]
    scale = ascending[np.isfinite(ascending)].max(initial=0.0) if scale is None else scale
    with np.errstate(invalid="ignore"):  # infinite values tie: their difference is NaN, which exceeds nothing
        block = np.cumsum(np.diff(ascending, prepend=ascending[:1]) > TIE * scale)
    size = np.bincount(block)
    ranks = np.empty(values.size)
    ranks[order] = (np.cumsum(size) - (size - 1) / 2)[block]
    return ranks.reshape(values.shape)


def largest_score(m: ScoreMatrix) -> float:
    """The largest score in size: what rounding errors are relative to."""
    return float(np.abs(m.values).max())


def doubled_ranks(ranks: Array) -> Array:
    """Ranks less their centre, times two: whole numbers, whose sums are exact."""
    return 2 * ranks - (ranks.shape[1] + 1)


def chance_alike(ranks: Array) -> float:
    """Chance that all data sets arrange the ranks of the first as it does, when every order is as likely."""
    k, sizes = ranks.shape[1], np.unique(ranks[0], return_counts=True)[1]
    ways = math.lgamma(k + 1) - sum(math.lgamma(size + 1) for size in sizes)
    return math.exp(-ways * (len(ranks) - 1))


def small_table_notes(m: ScoreMatrix) -> tuple[Note, ...]:
    """What is said of an asymptotic p-value, where an exact one needs no such words."""
    return (SMALL.note(m),) if SMALL.when(m) else ()


def chi_square_tail(statistic: float, df: float) -> float:
    """Chance of a larger value."""
    from scipy.special import chdtrc

    return float(chdtrc(df, statistic))


def f_tail(statistic: float, df: tuple[float, float]) -> float:
    """Chance of a larger value under the F law."""
    from scipy.special import fdtrc

    return float(fdtrc(*df, statistic))


def check_one_of(name: str, value: str, offered: tuple[str, ...]) -> None:
    """Refuse a word that a parameter does not know."""
    if value not in offered:
        raise BadInput(f"{name} is {' or '.join(map(repr, offered))}, not {value!r}")


MOST = {3: 200, 4: 40, 5: 14, 6: 6}  # data sets by learners: two seconds and 400 megabytes at most
NOT_AT_RANDOM = Limit(
    "missing-cells",
    "caution",
    "this holds where scores are missing at random; a learner that failed is not",
    lambda m: m.missing > 0,
    lambda m: f" (the first is {missing_cell(m)}): skillings_mack(missing='worst') gives it the worst rank there",
)


MANY_LEARNERS = {"reads": ScoreMatrix, "compares": 0}


@comparison(
    "Friedman", **MANY_LEARNERS, cite=("friedman1937", "demsar2006"), assumes=("DSI",), limits=WHOLE, letter="chi2"
)
def friedman(
    m: ScoreMatrix, *, tie_correction: bool = True, exact: bool = False, draws: int = 0, seed: int = 0
) -> TestResult:
    """Whether mean ranks over the data sets differ by more than chance, on the chi-square law.

    `tie_correction=False` gives the value that Demsar 2006 and scmamp print. The chi-square law is rough for few data
    sets or learners: `exact=True` convolves all arrangements of the ranks of each data set (3 learners on up to 200
    data sets, 4 on 40, 5 on 14, 6 on 6), `draws=10000` permutes them. Both keep the ties of each data set.
    """
    sums, spread = _sums(m.ranks, tie_correction)
    df = len(m.learners) - 1
    if not doubled_ranks(m.ranks).any():
        return TestResult(0.0, 1.0, df, notes=(INDISTINGUISHABLE,))
    statistic = df * sums / spread
    if exact and draws:
        raise BadInput("friedman: exact=True needs no draws, so give one of them")
    if exact:
        return TestResult(statistic, exact_tail(m.ranks), df)
    if draws < 0:
        raise BadInput(f"draws is how often the ranks are permuted, such as 10000, not {draws}")
    if draws:
        p, error = permutation_tail(doubled_ranks(m.ranks), draws, generator(seed, "friedman"))
        return TestResult(statistic, p, df, notes=(seed_note(draws, seed),), facts=(("monte_carlo_error", error),))
    return TestResult(statistic, chi_square_tail(statistic, df), df, notes=small_table_notes(m))


@comparison(
    "Iman-Davenport", **MANY_LEARNERS, cite=("iman1980", "demsar2006"), assumes=("DSI",), limits=WHOLE, letter="F"
)
def iman_davenport(m: ScoreMatrix, *, tie_correction: bool = True) -> TestResult:
    """Friedman's statistic on the F law, which is closer to the truth than the chi-square one.

    The usual first question: do any of the learners differ? Where all data sets rank the learners alike the statistic
    is infinite, and the p-value is the exact chance of that.
    """
    n, k = m.ranks.shape
    df = (k - 1, (k - 1) * (n - 1))
    sums, spread = _sums(m.ranks, tie_correction)
    if not doubled_ranks(m.ranks).any():
        return TestResult(0.0, 1.0, df, notes=(INDISTINGUISHABLE,))
    left = n * spread - sums
    if left <= 0:
        return TestResult(float("inf"), chance_alike(m.ranks), df, notes=(ALIKE,))
    statistic = (n - 1) * sums / left
    return TestResult(statistic, f_tail(statistic, df), df, notes=small_table_notes(m))


def _sums(ranks: Array, tie_correction: bool) -> tuple[float, float]:
    """Squares of the rank sums, and of the ranks (those of untied ones without the correction), centred and doubled.

    They are whole numbers, so that all data sets ranking alike is told exactly: the first is then n times the second.
    """
    n, k = ranks.shape
    centred = doubled_ranks(ranks)
    spread = np.square(centred).sum() if tie_correction else n * k * (k**2 - 1) / 3
    return float(np.square(centred.sum(axis=0)).sum()), float(spread)


def exact_tail(ranks: Array) -> float:
    """Return the exact p-value of Friedman's test, conditional on the ties of each data set.

    Data sets are added one at a time to the distribution of the rank sums. Which learner has which sum does not matter,
    so the sums are kept sorted, and equal ones are merged.
    """
    n, k = ranks.shape
    if n > MOST.get(k, 0):
        sizes = ", ".join(f"{learners} on {most}" for learners, most in MOST.items())
        says = f"the exact law is feasible for {sizes} data sets at most: use friedman(draws=10000) or iman_davenport"
        raise Refused(says, "too-large")
    rows = doubled_ranks(ranks).astype(np.int64)  # centred and doubled: whole numbers
    observed = np.square(rows.sum(axis=0)).sum()
    radix = (2 * (k - 1) * n + 1) ** np.arange(k)  # rank sums become the digits of one whole number
    sums: Array = rows[:1]
    probability: Array = np.ones(1)
    for number, row in enumerate(rows[1:], start=2):
        orders = np.array(sorted(set(permutations(row.tolist()))))
        sums = (sums[:, None] + orders).reshape(-1, k)
        probability = np.repeat(probability / len(orders), len(orders))
        if number < n:  # the sums of the last data set are read once and need no merging
            sums.sort(axis=1)
            _, first, place = np.unique(sums @ radix, return_index=True, return_inverse=True)
            sums, probability = sums[first], np.bincount(place, probability)
    return min(1.0, float(probability[np.square(sums).sum(axis=1) >= observed].sum()))


def permutation_tail(rows: Array, draws: int, random: np.random.Generator) -> tuple[float, float]:
    """Return the share of permutations within rows whose column sums differ as much as here, and its error."""
    observed = np.square(rows.sum(axis=0)).sum()
    extreme = 0
    for _, number in chunks(draws, rows.size):
        shuffled = random.permuted(np.broadcast_to(rows, (number, *rows.shape)), axis=2)
        extreme += int((np.square(shuffled.sum(axis=1)).sum(axis=1) >= observed).sum())
    p = (1 + extreme) / (draws + 1)
    return p, math.sqrt(p * (1 - p) / draws)


@comparison(
    "Skillings-Mack",
    **MANY_LEARNERS,
    cite=("skillings1981",),
    assumes=("DSI", "BIG"),
    limits=(ONE_DATASET, TWO_LEARNERS, NOT_AT_RANDOM),
    letter="chi2",
)
def skillings_mack(m: ScoreMatrix, *, missing: str = "random") -> TestResult:
    """Whether ranks within data sets differ by more than chance where some learners have no score on some data sets.

    Without missing cells and ties it is friedman. Data sets with one score are left out. `missing="worst"` ranks a
    missing score behind all others of its data set: the choice where it is missing because the learner failed.
    """
    check_one_of("skillings_mack: missing", missing, ("random", "worst"))
    ranks = (fill_with_worst(m) if missing == "worst" else m).ranks
    present = ~np.isnan(ranks)
    useful = present.sum(axis=1) > 1
    ranks, present = ranks[useful], present[useful]
    _check_connected(present, m.learners)
    df = ranks.shape[1] - 1
    sizes = present.sum(axis=1, keepdims=True)
    scaled = np.where(present, np.sqrt(12 / (sizes + 1)) * (np.nan_to_num(ranks) - (sizes + 1) / 2), 0.0)
    sums = scaled.sum(axis=0)
    if not scaled.any():
        return TestResult(0.0, 1.0, df, notes=(INDISTINGUISHABLE,))
    statistic = float(sums[1:] @ np.linalg.solve(_covariance(present)[1:, 1:], sums[1:]))
    return TestResult(statistic, chi_square_tail(statistic, df), df)


def fill_with_worst(m: ScoreMatrix) -> ScoreMatrix:
    """Missing scores as infinitely bad ones, which rank last and tie with each other."""
    worst = np.inf if m.better == "lower" else -np.inf
    none = np.isnan(m.values)
    return replace(m, values=freeze(np.where(none, worst, m.values)), taken=freeze(none))


def _covariance(present: Array) -> Array:
    """Of the adjusted rank sums: less one for each data set that holds both, rows summing to 0."""
    together = -(present.T.astype(float) @ present)
    np.fill_diagonal(together, 0.0)
    np.fill_diagonal(together, -together.sum(axis=1))
    return together


def _check_connected(present: Array, learners: tuple[str, ...]) -> None:
    """Refuse a table that falls into parts without a data set in common."""
    from scipy.sparse.csgraph import connected_components

    number, part = connected_components(present.T.astype(int) @ present, directed=False)
    if number > 1:
        apart = learners[int(np.flatnonzero(part != part[0])[0])]
        says = f"{learners[0]} and {apart} share no data set, not even through other learners: rank them apart"
        raise Refused(says, "not-connected")


CONVENTIONS = ("exact", "scmamp")


class MeanSquares(NamedTuple):
    """Mean squares of the learners and of what neither learners nor data sets explain."""

    learners: float
    error: float
    df: tuple[int, int]


@comparison(
    "Repeated-measures analysis of variance",
    **MANY_LEARNERS,
    cite=("greenhouse1959", "mauchly1940", "demsar2006", "shapiro1965"),
    assumes=("DSI", "COMM", "NORM", "SPH"),
    limits=(*WHOLE, INFINITE, NOT_NORMAL),
    letter="F",
)
def anova(m: ScoreMatrix, *, correction: str = "none") -> TestResult:
    """Whether mean scores differ by more than their differences vary over data sets.

    Scores must be comparable across data sets, close to normal, and differences of any two learners must vary alike
    (sphericity, checked by Mauchly's test); `correction="greenhouse_geisser"` lowers the degrees of freedom by how far
    that fails. iman_davenport needs none of this.
    """
    check_one_of("anova: correction", correction, ("none", "greenhouse_geisser"))
    squares = mean_squares(m)
    epsilon = sphericity(m.values)
    if squares.error == 0:
        return TestResult(0.0, 1.0, squares.df, notes=(INDISTINGUISHABLE,))
    statistic = squares.learners / squares.error
    shrunk = epsilon if correction == "greenhouse_geisser" else 1.0
    df = (squares.df[0] * shrunk, squares.df[1] * shrunk)
    notes: tuple[Note, ...] = ()
    n, k = m.values.shape
    way_out = "use correction='greenhouse_geisser', or iman_davenport"
    if correction == "none" and n <= k:
        says = f"too few data sets to check that differences vary alike (epsilon {epsilon:.2f}): {way_out}"
        notes = (Note("sphericity", "caution", says),)
    elif correction == "none" and (p := mauchly(m.values)) < 0.05:
        says = f"differences between learners do not vary alike (Mauchly p = {p:.2g}, epsilon {epsilon:.2f}): {way_out}"
        notes = (Note("sphericity", "caution", says),)
    return TestResult(statistic, f_tail(statistic, df), df, notes=notes, facts=(("epsilon", epsilon),))


def mean_squares(m: ScoreMatrix) -> MeanSquares:
    """The mean squares; refuses where every data set has the same differences, so that nothing is left over."""
    values = m.values
    n, k = values.shape
    means = values.mean(axis=0)
    left = residuals(values)
    df = (k - 1, (k - 1) * (n - 1))
    between = n * np.square(means - means.mean()).sum() / df[0]
    rounding = (TIE * largest_score(m)) ** 2
    if np.square(left).max() > rounding:
        return MeanSquares(float(between), float(np.square(left).sum() / df[1]), df)
    if np.square(means - means.mean()).max() > rounding:
        says = "the learners differ by the same amount on every data set, so there is no error to hold that against"
        raise Refused(f"{says}: iman_davenport reads ranks", "no-spread")
    return MeanSquares(0.0, 0.0, df)


def sphericity(values: Array) -> float:
    """Greenhouse and Geisser's epsilon: 1 where differences of any two learners vary alike, 1/(k-1) at worst."""
    k = values.shape[1]
    centred = _centred_covariance(values)
    squares = np.square(centred).sum()
    return float(np.trace(centred) ** 2 / ((k - 1) * squares)) if squares > 0 else 1.0


def mauchly(values: Array) -> float:
    """P-value of Mauchly's test of sphericity; needs more data sets than learners."""
    n, k = values.shape
    size = k - 1
    roots = np.linalg.eigvalsh(_centred_covariance(values))[1:]  # the smallest belongs to the constant direction
    if roots.min() <= 0:
        return 0.0
    log_w = np.log(roots).sum() - size * math.log(roots.mean())
    scale = n - 1 - (2 * size**2 + size + 2) / (6 * size)
    return chi_square_tail(float(-scale * log_w), size * (size + 1) / 2 - 1)


def _centred_covariance(values: Array) -> Array:
    """Of the columns, centred by rows and columns."""
    covariance = np.cov(values, rowvar=False)
    return covariance - covariance.mean(axis=0) - covariance.mean(axis=1, keepdims=True) + covariance.mean()


@comparison(
    "Aligned ranks",
    **MANY_LEARNERS,
    cite=("hodges1962", "garcia2010"),
    assumes=("DSI", "COMM", "BIG"),
    limits=(*WHOLE, INFINITE, SMALL),
    letter="chi2",
)
def aligned_ranks(m: ScoreMatrix, *, convention: str = "exact") -> TestResult:
    """Ranks of all scores together, each less the mean of its data set, so that large differences count for more.

    Differences must be comparable in size across data sets. `convention="scmamp"` takes the sum of squared ranks of
    scores without ties, as that package does.
    """
    check_one_of("aligned_ranks: convention", convention, CONVENTIONS)
    ranks = ranks_of_aligned(m)
    n, k = ranks.shape
    cells = ranks.size
    total = cells * (cells + 1) * (2 * cells + 1) / 6 if convention == "scmamp" else np.square(ranks).sum()
    within = float(total - np.square(ranks.sum(axis=1)).sum() / k)  # what the data sets do not explain
    if not (ranks != ranks[:, :1]).any():
        return TestResult(0.0, 1.0, k - 1, notes=(INDISTINGUISHABLE,))
    between = np.square(ranks.sum(axis=0) - n * (k * n + 1) / 2).sum()
    statistic = float((k - 1) * between / within)
    return TestResult(statistic, chi_square_tail(statistic, k - 1), k - 1)


@comparison(
    "Quade",
    **MANY_LEARNERS,
    cite=("quade1979", "garcia2010"),
    assumes=("DSI", "COMM"),
    limits=(*WHOLE, INFINITE),
    letter="F",
)
def quade(m: ScoreMatrix, *, convention: str = "exact") -> TestResult:
    """Friedman's test in which a data set weighs by the rank of its range, the largest difference among its scores.

    Ranges must be comparable in size across data sets. `convention="scmamp"` takes the sum of squares of scores
    without ties, as that package does.
    """
    check_one_of("quade: convention", convention, CONVENTIONS)
    weighted = weighted_ranks(m)
    n, k = weighted.shape
    df = (k - 1, (k - 1) * (n - 1))
    if not weighted.any():
        return TestResult(0.0, 1.0, df, notes=(INDISTINGUISHABLE,))
    total = sum_of_squares(weighted, convention)
    between = np.square(weighted.sum(axis=0)).sum() / n
    if total <= between:
        return TestResult(float("inf"), chance_alike(m.ranks), df, notes=(ALIKE,))
    statistic = float((n - 1) * between / (total - between))
    return TestResult(statistic, f_tail(statistic, df), df, notes=small_table_notes(m))


def ranks_of_aligned(m: ScoreMatrix) -> Array:
    """All scores less the mean of their data set, ranked together, 1 = best."""
    aligned = m.values - m.values.mean(axis=1, keepdims=True)
    return mid_ranks(aligned if m.better == "lower" else -aligned, largest_score(m))


def weighted_ranks(m: ScoreMatrix) -> Array:
    """Centred ranks within a data set times the rank of its range, both doubled: whole numbers."""
    ranges = np.ptp(m.values, axis=1)
    return 2 * mid_ranks(ranges, largest_score(m))[:, None] * doubled_ranks(m.ranks)


def sum_of_squares(weighted: Array, convention: str) -> float:
    """The sum of squares of doubled weighted ranks, actual or as without ties."""
    n, k = weighted.shape
    if convention == "scmamp":
        return 16 * n * (n + 1) * (2 * n + 1) * k * (k + 1) * (k - 1) / 72
    return float(np.square(weighted).sum())
