"""Fixed models by the rows that they get right: McNemar's test, Cochran's Q of several models, two proportions."""

from __future__ import annotations

from math import isinf, sqrt
from statistics import NormalDist

import numpy as np

from veracity.comparisons.entry import TestResult, comparison
from veracity.comparisons.friedman import check_one_of, chi_square_tail, permutation_tail
from veracity.core.confidence import NO_EVIDENCE, Confidence, PValues, normal_p_values, student_p_values
from veracity.core.errors import BadInput
from veracity.core.notes import Limit, Note, caution, check, refuse, remark, seed_note
from veracity.core.seeds import generator
from veracity.evidence.interval_evidence import Shares
from veracity.evidence.same_rows import Correctness, Pairs, SameRows
from veracity.findings.interval import Limits
from veracity.intervals.proportions import NO_ROWS_OF_ONE, chance_at_most, score_limits
from veracity.records.arrays import Array
from veracity.scores.entry import RIGHT_OR_WRONG

ASSUMES = ("IID", "FIX", "PAIR")
NEVER = Note("never-disagree", "remark", "the models never disagree: no evidence either way")
FEW: Limit = caution(
    "few-discordant",
    "fewer than 25 rows on which only one model is right: use mcnemar_midp",
    lambda pairs: pairs.discordant < 25,
)
MIN_P_VALUE_OF_QUANTILE = 1e-300  # p-values below have no normal quantile, and need none
FEW_CELLS = 24  # informative cells
ALL_ALIKE = Note("no-information", "remark", "all rows of both models are alike: no evidence either way")
SAME_ROWS = refuse(
    "same-rows",
    "both models were tried on the same rows, or some of them, which two_proportion_z takes for different ones: use"
    " mcnemar_midp on the rows that they share, or give row ids if these are others",
    lambda s: s.same,
)
FEW_HITS = caution(
    "few-hits",
    "fewer than 10 rows of one kind: the normal approximation is poor",
    lambda s: min(s.first.hits, s.first.misses, s.second.hits, s.second.misses) < 10,
)


NO_GROUPS = refuse(
    "no-groups",
    "this test is of rows in groups of equal weight: use mcnemar_midp, or paired_loss_t where rows are weighted",
    lambda pair: pair.first.groups is None or pair.first.weights is not None,
)
ONE_GROUP = refuse(
    "one-group", "one group says nothing about how groups differ: more are needed", lambda p: p.units < 2
)
FEW_GROUPS = caution(
    "few-groups", "fewer than 30 groups: the normal law is rough, use paired_loss_t", lambda pair: pair.units < 30
)


def few_discordant(most: int) -> Limit:
    """The test has no outcome below .05 with so few rows on which only one model is right."""
    says = f"with {most} or fewer rows on which only one model is right, the two-sided p-value cannot fall below .05"
    return remark("few-discordant", says, lambda pairs: 0 < pairs.discordant <= most)


@comparison(
    "McNemar with Edwards' correction",
    reads=Pairs,
    cite=("mcnemar1947", "edwards1948", "tango1998"),
    assumes=(*ASSUMES, "BIG"),
    letter="chi2",
)
def mcnemar(pairs: Pairs) -> TestResult:
    """Squared difference of the rows that only one model gets right, less one, over their number."""
    if pairs.discordant == 0:
        return _result(pairs, 0.0, NO_EVIDENCE, 1)
    difference, error = pairs.first_only - pairs.second_only, sqrt(pairs.discordant)
    p = PValues(normal_p_values((difference + 1) / error).less, normal_p_values((difference - 1) / error).greater)
    return _result(pairs, max(0.0, abs(difference) - 1) ** 2 / pairs.discordant, p, 1)


@comparison(
    "McNemar without correction",
    reads=Pairs,
    cite=("mcnemar1947", "tango1998"),
    assumes=(*ASSUMES, "BIG"),
    limits=(FEW,),
    letter="z",
)
def mcnemar_z(pairs: Pairs) -> TestResult:
    """Difference of the rows that only one model gets right, over the root of their number."""
    if pairs.discordant == 0:
        return _result(pairs, 0.0, NO_EVIDENCE)
    z = (pairs.first_only - pairs.second_only) / sqrt(pairs.discordant)
    return _result(pairs, z, normal_p_values(z))


@comparison(
    "Exact McNemar", reads=Pairs, cite=("mcnemar1947", "tango1998"), assumes=ASSUMES, limits=(few_discordant(5),)
)
def mcnemar_exact(pairs: Pairs) -> TestResult:
    """Binomial chance of so uneven a division of the rows that only one model gets right; conservative."""
    return _result(pairs, None, PValues(_at_most(pairs, pairs.first_only), _at_most(pairs, pairs.second_only)))


@comparison(
    "Mid-p McNemar", reads=Pairs, cite=("fagerland2013", "tango1998"), assumes=ASSUMES, limits=(few_discordant(4),)
)
def mcnemar_midp(pairs: Pairs) -> TestResult:
    """The exact test with the observed outcome counted half: close to its level, seldom above it."""
    if pairs.discordant == 0:
        return _result(pairs, None, NO_EVIDENCE)
    if pairs.first_only == pairs.second_only:
        return _result(pairs, None, PValues(0.5, 0.5))
    counts = (pairs.first_only, pairs.second_only)
    return _result(pairs, None, PValues(*((_at_most(pairs, n) + _at_most(pairs, n - 1)) / 2 for n in counts)))


def _at_most(pairs: Pairs, count: float) -> float:
    """Return the binomial probability of at most so many of the discordant rows, when both models are equally good."""
    return chance_at_most(count, int(pairs.discordant), 0.5)


def _result(pairs: Pairs, statistic: float | None, p: PValues, df: int | None = None) -> TestResult:
    """Return the result, with Tango's score limits whose continuity correction gives their test the p-value `p`.

    So 0 lies outside exactly where the p-value rejects. Far from 0, where a binomial tail is lighter than the normal
    one and the correction would be negative, it is no smaller than that asks for.
    """

    def limits(at: Confidence) -> Limits:
        difference, error = abs(pairs.first_only - pairs.second_only), sqrt(pairs.discordant)
        has_quantile = p.two_sided > MIN_P_VALUE_OF_QUANTILE
        correction = difference + error * NormalDist().inv_cdf(p.two_sided / 2) if has_quantile else 0.0
        rejected_below = difference - error * at.z
        return score_limits(pairs, at.z, max(correction, min(0.0, (correction + rejected_below) / 2)))

    return TestResult.from_p_values(statistic, p, df, notes=(NEVER,) if pairs.discordant == 0 else (), limits=limits)


@comparison(
    "Clustered McNemar",
    reads=SameRows,
    only=RIGHT_OR_WRONG,
    cite=("obuchowski1998", "durkalski2003"),
    assumes=(*ASSUMES, "BIG"),
    limits=(NO_GROUPS, ONE_GROUP, FEW_GROUPS),
    letter="z",
)
def clustered_mcnemar(pair: SameRows, *, weigh: str = "rows") -> TestResult:
    """McNemar's test of rows in groups: each group's difference is squared, where rows would be counted.

    `weigh="rows"` is Obuchowski's test, of the difference over all rows; `weigh="groups"` Durkalski's, of the mean
    difference of groups, whatever their size. Both take the normal law; paired_loss_t, which has an interval, does not.
    """
    check_one_of("clustered_mcnemar: weigh", weigh, ("rows", "groups"))
    group = np.arange(len(pair)) if pair.first.groups is None else np.asarray(pair.first.groups)
    number = int(group.max()) + 1
    right = [p.labels() == p.truth for p in (pair.first, pair.second)]
    apart: Array = np.bincount(group, np.subtract(*right, dtype=float), number)
    if weigh == "groups":
        apart = apart / np.bincount(group)
    sign = -1 if pair.score.is_one_of("error") else 1
    if not apart.any():
        return TestResult(0.0, 1.0, notes=(NEVER,))
    if number == 1:  # which says nothing about how groups differ
        return TestResult(0.0, 1.0)
    error = sqrt(float(np.square(apart).sum()) * (number / (number - 1) if weigh == "rows" else 1))
    z = sign * float(apart.sum()) / error
    return TestResult.from_p_values(z, normal_p_values(z))


def informative_rows(c: Correctness) -> Array:
    """The rows that some models get right and others wrong: no others matter."""
    right = c.hits.sum(1)
    return c.hits[(right > 0) & (right < c.hits.shape[1])]


@comparison(
    "Cochran's Q",
    reads=Correctness,
    compares=0,
    cite=("cochran1950",),
    assumes=("IID", "FIX", "PAIR", "BIG"),
    limits=(
        caution(
            "few-informative",
            f"fewer than {FEW_CELLS} cells of rows on which models disagree: the chi-squared law is poor, ask for"
            " cochran_q(draws=9999)",
            lambda c: 0 < informative_rows(c).size < FEW_CELLS,
        ),
    ),
    letter="Q",
)
def cochran_q(c: Correctness, *, draws: int = 0, seed: int = 0) -> TestResult:
    """How far the numbers of rows that each model gets right are apart, on the chi-squared law.

    It says whether any models differ, not which. With `draws`, the answers within each row are permuted among the
    models instead, which holds for any number of rows.
    """
    hits, df = informative_rows(c).astype(np.int64), c.hits.shape[1] - 1
    if len(hits) == 0:
        return TestResult(0.0, 1.0, df, notes=(NEVER,))
    of_row, of_model = hits.sum(1), hits.sum(0)
    between = float((df + 1) * np.square(of_model).sum() - np.square(of_model.sum()))
    within = float((df + 1) * of_row.sum() - np.square(of_row).sum())
    if not draws:
        statistic = between * df / within
        return TestResult(statistic, chi_square_tail(statistic, df), df)
    if draws < 2:
        raise BadInput(f"cochran_q: draws must be at least 2, not {draws}; leave it out for the chi-squared law")
    p, error = permutation_tail(hits, draws, generator(seed, "cochran"))
    facts = (("monte_carlo_error", error),)
    return TestResult(between * (df / within), p, notes=(seed_note(draws, seed),), facts=facts)


@comparison(
    "Two-proportion z",
    reads=Shares,
    interval="newcombe",
    cite=("dietterich1998", "welch1947"),
    assumes=("IID", "FIX", "BIG"),
    limits=(NO_ROWS_OF_ONE, SAME_ROWS, FEW_HITS),
    letter="z",
)
def two_proportion_z(s: Shares) -> TestResult:
    """Difference of two shares of different rows over the standard error that they have if they are equal.

    For test sets that share no row. On the same rows it ignores that the models agree on most of them. Weighted rows,
    and rows in groups, count as the plain rows that tell as much, and the law is Student's with Welch's degrees of
    freedom, as in its interval.
    """
    check((NO_ROWS_OF_ONE,), s)  # whatever is accepted: there is nothing to compare
    rows, pooled, df = (s.first.rows, s.second.rows), s.pooled, s.degrees
    if pooled <= 0 or pooled >= 1:
        return TestResult(0.0, 1.0, estimate=s.difference, notes=(ALL_ALIKE, *s.notes))
    z = s.difference / sqrt(pooled * (1 - pooled) * sum(1 / m for m in rows))
    if isinf(df):
        return TestResult.from_p_values(z, normal_p_values(z), None, s.difference, notes=s.notes)
    return TestResult.from_p_values(z, student_p_values(z, df), df, s.difference, notes=s.notes)
