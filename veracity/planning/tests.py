"""Power of tests of proportions and mean differences, and, simulated, of tests of many learners over data sets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from veracity.comparisons.wilcoxon import coin_sum_law, largest_sum
from veracity.core.confidence import Confidence, rejects
from veracity.core.distributions import student_scales
from veracity.core.errors import BadInput
from veracity.core.seeds import generator
from veracity.evidence.score_matrix import conservative_degrees, conservative_error, corrected_error
from veracity.intervals.replicates import chunks
from veracity.planning import power_of
from veracity.records.arrays import Array

ASSUMES = ("IID", "FIX", "PAIR")
PAIRED: Any = {"size": "rows", "span": lambda given: (0.0, given["discordant"]), "least": 1}
MAX_DEVIATIONS = 9.0  # standard deviations of a count: 1e-19 lies beyond
BLOCKS = 4_000  # of counts, over these standard deviations


@power_of(
    "One proportion, exact binomial",
    size="rows",
    span=lambda given: (0.0, 1 - given["value"]),
    least=1,
    jagged=True,
    cite=("clopper1934",),
    assumes=("IID", "FIX"),
)
def one_proportion(rows: Any, difference: float, at: Confidence, *, value: float) -> Any:
    """Chance that the exact test tells a share of rows (an error, an accuracy) from a stated value.

    The difference is the true share minus the stated `value`. A smallest difference is a rise; the smallest drop of an
    error of .10 is the smallest rise of an accuracy of .90. Two-sided; one_sample asks about one side, so its power at
    level .95 is that at level .90 here.
    """
    if not 0 < value < 1:
        raise BadInput(f"`value=` is a share of rows between 0 and 1, not {value:g}")
    if not 0 <= value + difference <= 1:
        raise BadInput(f"a share of {value:g} cannot differ by {difference:g}: shares lie between 0 and 1")
    return rejection_rate(np.asarray(rows), value, value + difference, at.tail)


@power_of(
    "Sign test over data sets, exact binomial",
    effect="win",
    span=lambda given: (0.5, 1.0),
    least=1,
    jagged=True,
    cite=("demsar2006",),
    assumes=("DSI",),
)
def sign(datasets: Any, win: float, at: Confidence) -> Any:
    """Chance that the sign test concludes when one learner wins each data set with probability `win`, without ties."""
    if not 0 <= win <= 1:
        raise BadInput(f"`win=` is a probability between 0 and 1, not {win:g}")
    return rejection_rate(np.asarray(datasets), 0.5, win, at.tail)


def rejection_rate(number: Array, stated: float, true: float, tail: float) -> Any:
    """Return the probability that a count of `number` trials falls into either tail of the stated share."""
    below, above = (critical_count(number, share, tail) for share in (stated, 1 - stated))
    return chance_at_most(below, number, true) + chance_at_most(above, number, 1 - true)


def critical_count(number: Array, share: float, tail: float, middle: bool = False) -> Array:
    """Return the largest count whose lower tail is at most `tail`, -1 if none; `middle` counts itself half."""
    from scipy.special import bdtrik

    with np.errstate(invalid="ignore"):
        guess = np.nan_to_num(np.floor(bdtrik(tail, number, share)), nan=-1.0)
    count = np.maximum(guess - 1, -1)
    for _ in range(4):  # the inverse is off by rounding, and half a count reaches one step further
        upper = chance_at_most(count + 1, number, share)
        chance = (upper + chance_at_most(count, number, share)) / 2 if middle else upper
        count = np.where((chance <= tail) & (count < number), count + 1, count)
    return count


def chance_at_most(count: Array, number: Array, share: float) -> Any:
    """Return the probability of at most so many; none for a count below 0."""
    from scipy.special import bdtr

    return np.where(count < 0, 0.0, bdtr(np.maximum(count, 0), number, share))


def blocks_of_counts(number: int, share: float) -> tuple[Array, Array]:
    """Return the counts that matter with their probabilities; of very many one stands for a block of them."""
    centre, reach = number * share, MAX_DEVIATIONS * math.sqrt(number * share * (1 - share)) + 10
    first, last = max(0, math.floor(centre - reach)), min(number, math.ceil(centre + reach))
    step = 1 + (last - first) // BLOCKS
    starts = np.arange(first, last + 1, step)
    ends = np.minimum(starts + step - 1, last)
    chance = chance_at_most(ends, np.asarray(number), share) - chance_at_most(starts - 1, np.asarray(number), share)
    return (starts + ends) / 2, chance


@power_of("McNemar, normal approximation", **PAIRED, cite=("connor1987",), assumes=(*ASSUMES, "BIG"))
def mcnemar(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that McNemar's test concludes, by Connor's formula: quick, and close where rows are many.

    `discordant` is the expected share of rows on which exactly one of the two models is right; the difference of their
    errors cannot exceed it.
    """
    _check_possible(difference, discordant)
    spread = math.sqrt(max(discordant - difference**2, 0.0))
    excess = abs(difference) * math.sqrt(rows) - at.z * math.sqrt(discordant)
    return NormalDist().cdf(excess / spread) if spread else float(excess > 0)


@power_of("McNemar, exact test", **PAIRED, cite=("mcnemar1947",), assumes=ASSUMES)
def mcnemar_exact(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that the exact test concludes, over all numbers of discordant rows that may turn up."""
    return _exact_power(rows, difference, at, discordant)


@power_of("McNemar, mid-p", **PAIRED, cite=("fagerland2013",), assumes=ASSUMES)
def mcnemar_midp(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that the mid-p test concludes, over all numbers of discordant rows that may turn up."""
    return _exact_power(rows, difference, at, discordant, middle=True)


def _exact_power(rows: int, difference: float, at: Confidence, discordant: float, middle: bool = False) -> float:
    _check_possible(difference, discordant)
    counts, chance = blocks_of_counts(rows, discordant)
    counts = np.floor(counts).astype(int)
    share = (discordant + difference) / (2 * discordant)  # of the discordant rows, those that the first gets right
    cut = critical_count(counts, 0.5, at.tail, middle)
    concluded = chance_at_most(cut, counts, share) + chance_at_most(cut, counts, 1 - share)
    return float((chance * np.where(counts > 0, concluded, 0.0)).sum())


def _check_possible(difference: float, discordant: float) -> None:
    if not 0 < discordant <= 1:
        raise BadInput(f"`discordant=` is a share of rows between 0 and 1, not {discordant:g}")
    if abs(difference) > discordant:
        raise BadInput(f"models that disagree on {discordant:g} of the rows cannot differ by {abs(difference):g}")


SPLITS = 10**6
MORE_ROWS = "more splits of the same rows cannot help: find more rows, or test on a smaller share of them"
MOST_DATASETS = 200  # data sets: up to here the null law of the test is exact


def difference_span(given: dict[str, Any]) -> tuple[float, float]:
    """Return differences up to a thousand standard deviations, which every two numbers show."""
    return 0.0, 1000 * given["sd"]


OVER_SPLITS: dict[str, Any] = {
    "size": "splits",
    "span": difference_span,
    "most": SPLITS,
    "beyond": MORE_ROWS,
    "cite": ("nadeau2003",),
}


@power_of("Paired t over data sets", span=difference_span, assumes=("DSI", "COMM", "NORM"))
def paired_t(datasets: int, difference: float, at: Confidence, *, sd: float) -> float:
    """Chance that the paired t-test concludes, by the noncentral t.

    `sd` is the standard deviation of the differences over data sets.
    """
    check_positive(sd=sd)
    return noncentral_t_power(datasets - 1, abs(difference) * math.sqrt(datasets) / sd, at)


@power_of(
    "Paired t over rows in groups",
    size="groups",
    span=difference_span,
    cite=("student1908", "kish1965"),
    assumes=("IID", "FIX", "PAIR", "NORM"),
)
def paired_loss_t(
    groups: int, difference: float, at: Confidence, *, sd: float, each: float = 1.0, alike: float = 0.0
) -> float:
    """Chance that paired_loss_t concludes of two models on rows in groups, by the noncentral t.

    `sd` is the standard deviation of the differences over rows (of errors: the root of the share of rows on which one
    model alone is right), `each` the rows of a group, `alike` the correlation of two differences in the same group.
    Groups count as units: ever more rows of the same groups help only as far as these are not alike. Without groups
    every row is one.
    """
    check_positive(sd=sd)
    if each < 1:
        raise BadInput(f"`each=` is how many rows a group has, at least 1, not {each:g}")
    if not 0 <= alike <= 1:
        raise BadInput(f"`alike=` is a correlation between 0 and 1, not {alike:g}")
    rows = groups * each / (1 + (each - 1) * alike)
    return noncentral_t_power(groups - 1, abs(difference) * math.sqrt(rows) / sd, at)


@power_of("Corrected resampled t over splits", **OVER_SPLITS, assumes=("RHO", "NORM"))
def corrected_t(splits: int, difference: float, at: Confidence, *, sd: float, train: float, test: float) -> float:
    """Chance that the corrected resampled t-test concludes, by the noncentral t with its corrected variance.

    `sd` is the standard deviation of the differences over splits, which a pilot run tells; `train` and `test` are the
    rows of a split, or any numbers in their proportion (9 and 1 for ten folds). Power has a ceiling: with ever more
    splits the variance falls to test/train of that of one split, and no further.
    """
    check_positive(sd=sd, train=train, test=test)
    return noncentral_t_power(splits - 1, abs(difference) / corrected_error(sd, splits, test / train), at)


@power_of("Conservative resampled t over splits", **OVER_SPLITS, assumes=("RHO2", "NORM"))
def conservative_t(splits: int, difference: float, at: Confidence, *, sd: float, train: float, test: float) -> float:
    """Chance that the conservative resampled t-test of repeated k-fold concludes, by the noncentral t.

    It is told what corrected_t is. With one repeat it is that test; more of them give it no power, and only the first
    few splits more degrees of freedom.
    """
    check_positive(sd=sd, train=train, test=test)
    share = test / (train + test)
    error = conservative_error(sd, splits, test / train, share, repeats=max(1.0, splits * share))
    return noncentral_t_power(conservative_degrees(splits), abs(difference) / error, at)


@power_of(
    "Conservative t of two learners by rows",
    size="rows",
    span=lambda given: (0.0, given["discordant"]),
    least=20,
    cite=("nadeau2003",),
    assumes=("RHO2", "NORM"),
)
def conservative_t_rows(
    rows: int, difference: float, at: Confidence, *, discordant: float, k: int = 10, repeats: int = 10
) -> float:
    """Chance that conservative_t concludes of the errors of two learners by k folds of so many rows.

    `discordant` is the share of rows that one learner alone gets right. The spread over splits is taken to be that
    which rows alone make: learners whose models change much with their training rows need more rows than this.
    """
    if not 0 < discordant <= 1 or abs(difference) > discordant:
        says = "learners cannot differ on more rows than those on which they disagree"
        raise BadInput(f"`discordant=` is a share of rows from the difference to 1, not {discordant:g}: {says}")
    if k < 2 or repeats < 1:
        raise BadInput(f"`k=` is from 2 folds on and `repeats=` from 1 on, not {k} and {repeats}")
    sd = math.sqrt(max(discordant - difference**2, 1e-12) * k / rows)
    power: float = conservative_t.function(k * repeats, difference, at, sd=sd, train=k - 1, test=1)
    return power


def noncentral_t_power(df: int, shift: float, at: Confidence) -> float:
    """Return the probability that a noncentral t lies beyond the two-sided critical value."""
    from scipy.special import ndtr

    scales, weights = student_scales(df)
    beyond = at.t(df) * scales
    return min(1.0, float(weights @ (ndtr(shift - beyond) + ndtr(-shift - beyond))))


def check_positive(**numbers: float) -> None:
    """Refuse numbers that must be larger than 0."""
    for name, number in numbers.items():
        if not (number > 0 and math.isfinite(number)):
            raise BadInput(f"`{name}=` must be larger than 0, not {number:g}")


@power_of(
    "Wilcoxon signed ranks over data sets, simulated",
    span=difference_span,
    most=MOST_DATASETS,
    beyond="ask paired_t, which needs about 5 % fewer",
    cite=("wilcoxon1945",),
    assumes=("DSI", "SYM"),
)
def wilcoxon(
    datasets: int, difference: float, at: Confidence, *, sd: float, draws: int = 10_000, seed: int = 0
) -> float:
    """Share of simulated collections of data sets, with normal differences, on which the exact test concludes.

    `sd` is the standard deviation of the differences over data sets. The result depends on `draws`; its Monte-Carlo
    error is told with it.
    """
    check_positive(sd=sd, draws=draws)
    if datasets > MOST_DATASETS:
        raise BadInput(f"wilcoxon is simulated for up to {MOST_DATASETS} data sets, not {datasets}: ask paired_t")
    cut = largest_sum(datasets, at)
    if cut < 0:
        return 0.0
    random, concluded = generator(seed, "power of wilcoxon", datasets), 0
    for _, number in chunks(draws, datasets):
        shifted = random.standard_normal((number, datasets)) + difference / sd
        plus = _signed_rank_sums(shifted)
        concluded += int((np.minimum(plus, datasets * (datasets + 1) // 2 - plus) <= cut).sum())
    return concluded / draws


FEW = 10  # data sets below which the F law is rough, and the law of ranks is simulated too
NULL = 20_000  # tables of equal learners for that
MOST_LEARNERS = 40
PAIRS, THEN = ("wilcoxon", "mean_ranks"), ("holm", "bonferroni", "nemenyi")
OVER_DATASETS: dict[str, Any] = {
    "span": difference_span,
    "most": MOST_DATASETS,
    "beyond": "fewer learners, or a larger difference, need fewer",
    "assumes": ("DSI",),
}


@power_of("Friedman over data sets, simulated", **OVER_DATASETS, cite=("friedman1937", "iman1980"))
def friedman(
    datasets: int, difference: float, at: Confidence, *, sd: float, learners: int, draws: int = 2_000, seed: int = 0
) -> float:
    """Share of simulated tables on which the test of all learners concludes when one of them is better.

    One of `learners` is better than all others by the difference, which are equal; `sd` is the standard deviation of
    the differences of two learners over data sets, as for wilcoxon. By the F law of iman_davenport from 10 data sets
    on, by the law of ranks below. The result depends on `draws`; its Monte-Carlo error is told with it.
    """
    concluded = sum(int(found.sum()) for found, _ in _tables(datasets, difference, at, sd, learners, draws, seed))
    return concluded / draws


@power_of("Pairs after Friedman over data sets, simulated", **OVER_DATASETS, cite=("demsar2006", "benavoli2016"))
def friedman_pairs(
    datasets: int,
    difference: float,
    at: Confidence,
    *,
    sd: float,
    learners: int,
    pairs: str = "wilcoxon",
    then: str = "holm",
    draws: int = 2_000,
    seed: int = 0,
) -> float:
    """Chance that a pair that differs is found, after the test of all learners has concluded and all pairs were judged.

    One of `learners` is better than all others by the difference, and it is the share of its pairs that are found.
    `pairs` tests each, wilcoxon or mean_ranks, and `then` adjusts: holm, bonferroni, or nemenyi, which is of mean
    ranks. `sd` is the standard deviation of the differences of two learners over data sets.
    """
    for word, value, known in (("pairs", pairs, PAIRS), ("then", then, THEN)):
        if value not in known:
            raise BadInput(f"`{word}=` is {' or '.join(known)} here, not {value!r}")
    pairs = "mean_ranks" if then == "nemenyi" else pairs
    first, second = np.triu_indices(learners, 1)
    shares = 0.0  # of the pairs that are found, summed over tables
    for concluded, scores in _tables(datasets, difference, at, sd, learners, draws, seed):
        if then == "nemenyi":
            means = _ranks(scores).mean(axis=1)
            apart = np.abs(means[:, first] - means[:, second])
            rejected = apart > _nemenyi_difference(datasets, learners, at.miss)
        else:
            rejected = rejects(_adjust(_p_values(scores, first, second, pairs), then), at.level)
        shares += float((rejected[:, first == 0] & concluded[:, None]).mean(axis=1).sum())
    return shares / draws


def _tables(
    datasets: int, difference: float, at: Confidence, sd: float, learners: int, draws: int, seed: int
) -> Iterator[tuple[Array, Array]]:
    """Yield in blocks whether the test of all learners concludes, and the scores: tables x data sets x learners."""
    check_positive(sd=sd, draws=draws)
    if not 3 <= learners <= MOST_LEARNERS:
        raise BadInput(f"`learners=` is a whole number from 3 to {MOST_LEARNERS}, not {learners}")
    if datasets > MOST_DATASETS:
        raise BadInput(f"this is simulated for up to {MOST_DATASETS} data sets, not {datasets}")
    random, cut = generator(seed, "power of friedman", datasets), _critical_sum(datasets, learners, at.miss)
    for _, number in chunks(draws, 2 * datasets * learners**2):
        scores = random.standard_normal((number, datasets, learners))
        scores[:, :, 0] += difference / sd * math.sqrt(2)  # each of two scores has half of their difference's variance
        yield _sum_of_squares(_ranks(scores)) >= cut, scores


def _ranks(scores: Array) -> Array:
    """Return the ranks on the last axis: the largest score has the largest rank, and nothing is tied."""
    return np.argsort(np.argsort(scores, axis=-1), axis=-1) + 1.0


def _sum_of_squares(ranks: Array) -> Array:
    """Return the sum of squares of the rank sums less their mean."""
    return ((ranks.sum(axis=1) - ranks.shape[1] * (ranks.shape[2] + 1) / 2) ** 2).sum(axis=-1)


@lru_cache(512)
def _critical_sum(datasets: int, learners: int, miss: float) -> float:
    """Return the sum of squares from which on the test concludes."""
    from scipy.special import fdtri

    if datasets < FEW:
        random = generator(0, "ranks of equal learners", datasets)
        null = np.sort(_sum_of_squares(_ranks(random.standard_normal((NULL, datasets, learners)))))
        values, starts = np.unique(null.round(6), return_index=True)
        rare = values[(NULL - starts) / NULL <= miss]
        return float(rare[0]) - 1e-6 if len(rare) else math.inf
    df = learners - 1
    f = fdtri(df, df * (datasets - 1), 1 - miss)
    spread = datasets * learners * (learners + 1) / 12  # chi-square is the sum of squares over this
    return float(datasets * df * f / (datasets - 1 + f) * spread)


def _p_values(scores: Array, first: Array, second: Array, pairs: str) -> Array:
    """Return the p-value of every pair in every table: tables x pairs."""
    datasets, learners = scores.shape[1:]
    if pairs == "mean_ranks":
        from scipy.special import ndtr

        means = _ranks(scores).mean(axis=1)
        error = math.sqrt(learners * (learners + 1) / (6 * datasets))
        return 2 * ndtr(-np.abs(means[:, first] - means[:, second]) / error)
    below = _signed_rank_cdf(datasets)
    plus = _signed_rank_sums(np.moveaxis(scores[:, :, first] - scores[:, :, second], 1, -1))
    return np.minimum(1.0, 2 * below[np.minimum(plus, len(below) - 1 - plus)])


def _signed_rank_sums(differences: Array) -> Array:
    """Return the sums over the last axis of the ranks of the positive differences."""
    return np.where(differences > 0, _ranks(np.abs(differences)), 0.0).sum(axis=-1).astype(int)


@lru_cache(256)
def _signed_rank_cdf(datasets: int) -> Array:
    """Return the probability of at most each sum of the ranks of positive differences."""
    return np.cumsum(coin_sum_law(np.arange(1, datasets + 1), datasets * (datasets + 1) // 2))


def _adjust(p: Array, then: str) -> Array:
    number = p.shape[1]
    if then == "bonferroni":
        return np.minimum(number * p, 1.0)
    order = np.argsort(p, axis=1)
    steps = np.maximum.accumulate(np.take_along_axis(p, order, axis=1) * np.arange(number, 0, -1), axis=1)
    adjusted = np.empty_like(p)
    np.put_along_axis(adjusted, order, np.minimum(steps, 1.0), axis=1)
    return adjusted


@lru_cache(256)
def _nemenyi_difference(datasets: int, learners: int, miss: float) -> float:
    from scipy.stats import studentized_range

    q = studentized_range.ppf(1 - miss, learners, math.inf)
    return float(q / math.sqrt(2) * math.sqrt(learners * (learners + 1) / (6 * datasets)))
