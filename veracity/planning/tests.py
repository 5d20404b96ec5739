"""Power of tests of proportions and of mean differences."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from veracity.comparisons.wilcoxon import largest_sum
from veracity.core.confidence import Confidence
from veracity.core.distributions import student_scales
from veracity.core.errors import BadInput
from veracity.core.seeds import generator
from veracity.evidence.split_scores import conservative_degrees, conservative_error, corrected_error
from veracity.planning import power_of
from veracity.records.arrays import Array

ASSUMES = ("IID", "FIX", "PAIR")
PAIRED: Any = {"size": "rows", "span": lambda given: (0.0, given["discordant"]), "least": 1}
WIDTH = 9.0  # standard deviations of the number of discordant rows that matter
BLOCKS = 4_000  # of counts, over these standard deviations


@power_of(
    "One proportion, exact binomial",
    size="rows",
    span=lambda given: (0.0, 1 - given["value"]),
    least=1,
    jagged=True,
    cite=("clopper1934",),
    assumes=("IID", "FIX"),
    aliases="binomial_power",
    keywords="sample size, rows needed, how many rows",
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
    """Chance that a count of `number` trials falls into either tail of the stated share."""
    below, above = (critical_count(number, share, tail) for share in (stated, 1 - stated))
    return chance_at_most(below, number, true) + chance_at_most(above, number, 1 - true)


def critical_count(number: Array, share: float, tail: float, middle: bool = False) -> Array:
    """The largest count whose lower tail is at most `tail`, -1 if none is; `middle` counts the count itself half."""
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
    """Chance of at most so many; none for a count below 0."""
    from scipy.special import bdtr

    return np.where(count < 0, 0.0, bdtr(np.maximum(count, 0), number, share))


@power_of(
    "McNemar, normal approximation",
    **PAIRED,
    cite=("connor1987",),
    assumes=(*ASSUMES, "BIG"),
    aliases="mcnemar_power",
    keywords="sample size, rows needed, how many rows, how many test cases",
)
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
    return _exact_power(rows, difference, at, discordant, middle=False)


@power_of("McNemar, mid-p", **PAIRED, cite=("fagerland2013",), assumes=ASSUMES)
def mcnemar_midp(rows: int, difference: float, at: Confidence, *, discordant: float) -> float:
    """Chance that the mid-p test concludes, over all numbers of discordant rows that may turn up."""
    return _exact_power(rows, difference, at, discordant, middle=True)


def _exact_power(rows: int, difference: float, at: Confidence, discordant: float, middle: bool) -> float:
    """Of very many counts one stands for its block, in which power hardly changes."""
    _check_possible(difference, discordant)
    centre, reach = rows * discordant, WIDTH * math.sqrt(rows * discordant * (1 - discordant)) + 10
    first, last = max(0, math.floor(centre - reach)), min(rows, math.ceil(centre + reach))
    step = 1 + (last - first) // BLOCKS
    starts = np.arange(first, last + 1, step)
    ends = np.minimum(starts + step - 1, last)
    counts = (starts + ends) // 2
    chance = chance_at_most(ends, np.asarray(rows), discordant) - chance_at_most(
        starts - 1, np.asarray(rows), discordant
    )
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
AT_ONCE = 20_000  # simulated collections of data sets
MOST_DATASETS = 200  # data sets: up to here the null law of the test is exact


def difference_span(given: dict[str, Any]) -> tuple[float, float]:
    """Differences up to a thousand standard deviations, which every two numbers tell."""
    return 0.0, 1000 * given["sd"]


OVER_SPLITS: dict[str, Any] = {
    "size": "splits",
    "span": difference_span,
    "most": SPLITS,
    "beyond": MORE_ROWS,
    "cite": ("nadeau2003",),
}


@power_of(
    "Paired t over data sets",
    span=difference_span,
    assumes=("DSI", "COMM", "NORM"),
    aliases="t_test_power",
    keywords="sample size, t-test",
)
def paired_t(datasets: int, difference: float, at: Confidence, *, sd: float) -> float:
    """Chance that the paired t-test concludes, by the noncentral t.

    `sd` is the standard deviation of the differences over data sets.
    """
    check_positive("sd", sd)
    return noncentral_t_power(datasets - 1, abs(difference) * math.sqrt(datasets) / sd, at)


@power_of(
    "Paired t over rows in groups",
    size="groups",
    span=difference_span,
    cite=("student1908", "kish1965"),
    assumes=("IID", "FIX", "PAIR", "NORM"),
    keywords="t-test",
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
    check_positive("sd", sd)
    if each < 1:
        raise BadInput(f"`each=` is how many rows a group has, at least 1, not {each:g}")
    if not 0 <= alike <= 1:
        raise BadInput(f"`alike=` is a correlation between 0 and 1, not {alike:g}")
    rows = groups * each / (1 + (each - 1) * alike)
    return noncentral_t_power(groups - 1, abs(difference) * math.sqrt(rows) / sd, at)


@power_of("Corrected resampled t over splits", **OVER_SPLITS, assumes=("RHO", "NORM"), keywords="t-test")
def corrected_t(splits: int, difference: float, at: Confidence, *, sd: float, train: float, test: float) -> float:
    """Chance that the corrected resampled t-test concludes, by the noncentral t with its corrected variance.

    `sd` is the standard deviation of the differences over splits, which a pilot run tells; `train` and `test` are the
    rows of a split, or any numbers in their proportion (9 and 1 for ten folds). Power has a ceiling: with ever more
    splits the variance falls to test/train of that of one split, and no further.
    """
    for name, number in (("sd", sd), ("train", train), ("test", test)):
        check_positive(name, number)
    return noncentral_t_power(splits - 1, abs(difference) / corrected_error(sd, splits, test / train), at)


@power_of("Conservative resampled t over splits", **OVER_SPLITS, assumes=("RHO2", "NORM"), keywords="t-test")
def conservative_t(splits: int, difference: float, at: Confidence, *, sd: float, train: float, test: float) -> float:
    """Chance that the conservative resampled t-test of repeated k-fold concludes, by the noncentral t.

    It is told what corrected_t is. With one repeat it is that test; more of them give it no power, and only the first
    few splits more degrees of freedom.
    """
    for name, number in (("sd", sd), ("train", train), ("test", test)):
        check_positive(name, number)
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
    keywords="sample size, rows needed, how many rows, cross-validation",
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
    """Chance that a noncentral t lies beyond the two-sided critical value."""
    from scipy.special import ndtr

    scales, weights = student_scales(df)
    beyond = at.t(df) * scales
    return min(1.0, float(weights @ (ndtr(shift - beyond) + ndtr(-shift - beyond))))


def check_positive(name: str, number: float) -> None:
    """Refuse what must be larger than 0."""
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
    check_positive("sd", sd)
    check_positive("draws", draws)
    if datasets > MOST_DATASETS:
        raise BadInput(f"wilcoxon is simulated for up to {MOST_DATASETS} data sets, not {datasets}: ask paired_t")
    cut = largest_sum(datasets, at)
    if cut < 0:
        return 0.0
    random, concluded = generator(seed, "power of wilcoxon", datasets), 0
    for first in range(0, draws, AT_ONCE):
        shifted = random.standard_normal((min(AT_ONCE, draws - first), datasets)) + difference / sd
        ranks = np.argsort(np.argsort(np.abs(shifted), axis=1), axis=1) + 1
        plus = np.where(shifted > 0, ranks, 0).sum(axis=1)
        concluded += int((np.minimum(plus, datasets * (datasets + 1) // 2 - plus) <= cut).sum())
    return concluded / draws
