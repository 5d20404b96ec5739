"""Fixed models by the rows that they get right: McNemar's test, Cochran's Q of several models, two proportions."""

from __future__ import annotations

from math import isinf, sqrt
from statistics import NormalDist

import numpy as np

from veracity.comparisons.entry import Verdict, comparison
from veracity.comparisons.friedman import check_one_of, chi_square_tail
from veracity.core.confidence import NO_EVIDENCE, Confidence, PValues, normal_p_values, student_p_values
from veracity.core.errors import BadInput
from veracity.core.notes import Limit, Note, caution, check, refuse, remark, seed_note
from veracity.core.seeds import generator
from veracity.evidence.interval_evidence import Shares
from veracity.evidence.same_rows import Correctness, Pairs, SameRows
from veracity.findings.interval import Limits
from veracity.intervals.proportions import NO_ROWS_OF_ONE, chance_at_most, score_limits
from veracity.intervals.replicates import chunks
from veracity.records.arrays import Array
from veracity.scores.entry import RIGHT_OR_WRONG

ASSUMES = ("IID", "FIX", "PAIR")
NEVER = Note("never-disagree", "remark", "the models never disagree: no evidence either way")
FEW: Limit = caution(
    "few-discordant",
    "fewer than 25 rows on which only one model is right: use mcnemar_midp",
    lambda pairs: pairs.discordant < 25,
)
TINY = 1e-300  # p-values below have no normal quantile, and need none
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
def mcnemar(pairs: Pairs) -> Verdict:
    """Squared difference of the rows that only one model gets right, less one, over their number."""
    if pairs.discordant == 0:
        return _verdict(pairs, 0.0, NO_EVIDENCE, 1)
    apart, error = pairs.first_only - pairs.second_only, sqrt(pairs.discordant)
    p = PValues(normal_p_values((apart + 1) / error).less, normal_p_values((apart - 1) / error).greater)
    return _verdict(pairs, max(0.0, abs(apart) - 1) ** 2 / pairs.discordant, p, 1)


@comparison(
    "McNemar without correction",
    reads=Pairs,
    cite=("mcnemar1947", "tango1998"),
    assumes=(*ASSUMES, "BIG"),
    limits=(FEW,),
    letter="z",
)
def mcnemar_z(pairs: Pairs) -> Verdict:
    """Difference of the rows that only one model gets right, over the root of their number."""
    if pairs.discordant == 0:
        return _verdict(pairs, 0.0, NO_EVIDENCE)
    z = (pairs.first_only - pairs.second_only) / sqrt(pairs.discordant)
    return _verdict(pairs, z, normal_p_values(z))


@comparison(
    "Exact McNemar", reads=Pairs, cite=("mcnemar1947", "tango1998"), assumes=ASSUMES, limits=(few_discordant(5),)
)
def mcnemar_exact(pairs: Pairs) -> Verdict:
    """Binomial chance of so uneven a division of the rows that only one model gets right; conservative."""
    return _verdict(pairs, None, PValues(_at_most(pairs, pairs.first_only), _at_most(pairs, pairs.second_only)))


@comparison(
    "Mid-p McNemar", reads=Pairs, cite=("fagerland2013", "tango1998"), assumes=ASSUMES, limits=(few_discordant(4),)
)
def mcnemar_midp(pairs: Pairs) -> Verdict:
    """The exact test with the observed outcome counted half: close to its level, seldom above it."""
    if pairs.discordant == 0:
        return _verdict(pairs, None, NO_EVIDENCE)
    if pairs.first_only == pairs.second_only:
        return _verdict(pairs, None, PValues(0.5, 0.5))
    return _verdict(pairs, None, PValues(_mid_p(pairs, pairs.first_only), _mid_p(pairs, pairs.second_only)))


def _verdict(pairs: Pairs, statistic: float | None, p: PValues, df: int | None = None) -> Verdict:
    notes = (NEVER,) if pairs.discordant == 0 else ()
    return Verdict.of(statistic, p, df, notes, limits=lambda at: _agreeing_limits(pairs, p, at))


def _agreeing_limits(pairs: Pairs, p: PValues, at: Confidence) -> Limits:
    """Tango's score limits with the continuity correction that gives the score test of no difference the p-value `p`.

    So 0 lies outside exactly where the p-value rejects. Far from 0, where a binomial tail is lighter than the normal
    one and the correction would be negative, it is no smaller than that asks for.
    """
    apart, error = abs(pairs.first_only - pairs.second_only), sqrt(pairs.discordant)
    continuity = apart + error * NormalDist().inv_cdf(p.two_sided / 2) if p.two_sided > TINY else 0.0
    beyond = apart - error * at.z  # p rejects where the correction is below this
    return score_limits(pairs, at.z, max(continuity, min(0.0, (continuity + beyond) / 2)))


def _at_most(pairs: Pairs, count: float) -> float:
    """Chance of at most so many of the rows that only one model gets right, when both are equally good."""
    return chance_at_most(count, int(pairs.discordant), 0.5)


def _mid_p(pairs: Pairs, count: float) -> float:
    """The same with the outcome itself counted half."""
    return (_at_most(pairs, count) + _at_most(pairs, count - 1)) / 2


@comparison(
    "Clustered McNemar",
    reads=SameRows,
    only=RIGHT_OR_WRONG,
    cite=("obuchowski1998", "durkalski2003"),
    assumes=(*ASSUMES, "BIG"),
    limits=(NO_GROUPS, ONE_GROUP, FEW_GROUPS),
    letter="z",
)
def clustered_mcnemar(pair: SameRows, *, weigh: str = "rows") -> Verdict:
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
        return Verdict(0.0, 1.0, None, (NEVER,))
    if number == 1:  # which says nothing about how groups differ
        return Verdict(0.0, 1.0)
    error = sqrt(float(np.square(apart).sum()) * (number / (number - 1) if weigh == "rows" else 1))
    z = sign * float(apart.sum()) / error
    return Verdict.of(z, normal_p_values(z))


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
def cochran_q(c: Correctness, *, draws: int = 0, seed: int = 0) -> Verdict:
    """How far the numbers of rows that each model gets right are apart, on the chi-squared law.

    It says whether any models differ, not which. With `draws`, the answers within each row are permuted among the
    models instead, which holds for any number of rows.
    """
    hits, df = informative_rows(c), c.hits.shape[1] - 1
    if len(hits) == 0:
        return Verdict(0.0, 1.0, df, (NEVER,))
    right = hits.sum(1)
    spread = float((df + 1) * right.sum() - np.square(right).sum())
    statistic = float(_spread(hits.sum(0))) * df / spread
    if draws:
        return _permutation_verdict(hits, df / spread, draws, seed)
    return Verdict(statistic, chi_square_tail(statistic, df), df)


def _spread(right: Array) -> Array:
    """k times the sum of squares less the squared sum, over the models on the last axis; whole numbers, so exact."""
    right = right.astype(np.int64)
    return right.shape[-1] * np.square(right).sum(-1) - np.square(right.sum(-1))


def _permutation_verdict(hits: Array, scale: float, draws: int, seed: int) -> Verdict:
    if draws < 2:
        raise BadInput(f"cochran_q: draws must be at least 2, not {draws}; leave it out for the chi-squared law")
    random, seen, extreme = generator(seed, "cochran"), _spread(hits.sum(0)), 0
    for _, number in chunks(draws, hits.size):
        many = np.broadcast_to(hits, (number, *hits.shape))
        extreme += int(np.count_nonzero(_spread(random.permuted(many, axis=-1).sum(1)) >= seen))
    p = (1 + extreme) / (draws + 1)
    facts = (("monte_carlo_error", sqrt(p * (1 - p) / draws)),)
    return Verdict(float(seen) * scale, p, None, (seed_note(draws, seed),), facts=facts)


@comparison(
    "Two-proportion z",
    reads=Shares,
    interval="newcombe",
    cite=("dietterich1998", "welch1947"),
    assumes=("IID", "FIX", "BIG"),
    limits=(NO_ROWS_OF_ONE, SAME_ROWS, FEW_HITS),
    letter="z",
)
def two_proportion_z(s: Shares) -> Verdict:
    """Difference of two shares of different rows over the standard error that they have if they are equal.

    For test sets that share no row. On the same rows it ignores that the models agree on most of them. Weighted rows,
    and rows in groups, count as the plain rows that tell as much, and the law is Student's with Welch's degrees of
    freedom, as in its interval.
    """
    check((NO_ROWS_OF_ONE,), s)  # whatever is accepted: there is nothing to compare
    rows, pooled, df = (s.first.rows, s.second.rows), s.pooled, s.degrees
    if pooled <= 0 or pooled >= 1:
        return Verdict(0.0, 1.0, None, (ALL_ALIKE, *s.notes), s.difference)
    z = s.difference / sqrt(pooled * (1 - pooled) * sum(1 / m for m in rows))
    if isinf(df):
        return Verdict.of(z, normal_p_values(z), None, s.notes, s.difference)
    return Verdict.of(z, student_p_values(z, df), df, s.notes, s.difference)
