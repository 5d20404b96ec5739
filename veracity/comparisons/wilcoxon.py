"""Two learners on many data sets by signed ranks (Wilcoxon's test) or by signs alone."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from veracity.comparisons.datasets import ALL_EQUAL, ONE_DATASET, tally
from veracity.comparisons.entry import MIN_P_VALUE, TestResult, comparison
from veracity.comparisons.friedman import mid_ranks
from veracity.core.confidence import NO_EVIDENCE, Confidence, PValues, normal_p_values, rejects
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Limit, Note
from veracity.evidence.score_matrix import ScoreMatrix, rounded_difference
from veracity.findings.interval import Limits
from veracity.kernels.recursions import coin_sums
from veracity.records.arrays import TIE, Array

UNREACHABLE = Limit(
    "few-datasets",
    "remark",
    "with fewer than 6 data sets that differ, the two-sided p-value cannot fall below .05",
    lambda m: bool(np.count_nonzero(m.difference) < 6),
    lambda m: _say_least_p_values(int(np.count_nonzero(m.difference))),
)
TOO_FEW = Note(
    "few-datasets", "refuse", "the normal law means nothing for fewer than 6 differences: leave out exact=False"
)
ZERO_RULES = {
    "split": "half of their ranks to each side, one left out if their number is odd",
    "drop": "left out",
    "pratt": "ranked, then left out",
}
ONE_ZERO = {**ZERO_RULES, "split": "left out"}
EXACT_UP_TO = 200  # nonzero differences
NORMAL = NormalDist()
TIE_RULES = {"drop": "left out", "split": "half to each side, one left out if their number is odd"}


def _say_least_p_values(differ: int) -> str:
    """Return the smallest p-values of so many data sets that differ, where one learner is better on all of them."""
    least = f"; of {differ} it is at least {0.5 ** (differ - 1):.4g}, and a one-sided one at least {0.5**differ:.4g}"
    return least if differ else ""


@comparison(
    "Wilcoxon signed ranks",
    reads=ScoreMatrix,
    cite=("wilcoxon1945", "demsar2006", "pratt1959", "hodges1963"),
    assumes=("DSI", "SYM"),
    limits=(ONE_DATASET, UNREACHABLE),
    letter="W",
)
def wilcoxon(
    m: ScoreMatrix, *, zeros: str = "split", exact: bool | None = None, continuity: bool = False
) -> TestResult:
    """Ranks of the absolute differences, summed by sign: are the two sums too uneven for chance?

    The smaller sum is the statistic. Exact for up to 200 differences, given the ties and zeros that there are; by the
    normal law above, or with exact=False, where continuity=True makes it more cautious by half a rank. Zeros are split
    between the sides (Demsar), dropped (Wilcoxon) or ranked and then left out (Pratt). The difference is Hodges and
    Lehmann's: the median of all means of two differences, with the interval that the same ranks give.
    """
    ranks = signed_ranks(m.difference, zeros)
    sums = (("w_plus", ranks.plus), ("w_minus", ranks.minus))
    facts = tally(m) + sums + (("mean_difference", m.mean_difference),)
    notes = zero_notes(int((m.difference == 0).sum()), zeros) + ((ALL_EQUAL,) if not ranks.nonzero else ())
    if continuity and ranks.is_exact(exact):
        raise BadInput("wilcoxon: continuity=True corrects the normal law, and this p-value is exact: add exact=False")
    if not ranks.is_exact(exact):
        facts += (("z", ranks.z(continuity)),)
        notes += (TOO_FEW,) if 0 < ranks.nonzero < 6 else ()
    centre = median(walsh_averages(m.difference))

    def test(d: Array) -> PValues:
        return signed_ranks(d, zeros).p_values(exact, continuity)

    p = test(m.difference)
    limits = partial(hodges_lehmann, m.difference, test=test)
    return TestResult.from_p_values(ranks.smaller, p, None, centre, notes=notes, facts=facts, limits=limits)


def walsh_averages(differences: Array) -> Array:
    """The means of all pairs of differences, each with itself too, in order; those of two infinities are left out."""
    i, j = np.triu_indices(len(differences))
    with np.errstate(invalid="ignore"):
        means = (differences[i] + differences[j]) / 2
    return np.sort(means[~np.isnan(means)])


def median(ordered: Array) -> float:
    """The median; NaN where it lies between infinities of both signs, or of nothing."""
    if not len(ordered):
        return math.nan
    low, high = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    return low if low == high else (low + high) / 2


def hodges_lehmann(
    differences: Array, at: Confidence, test: Callable[[Array], PValues] = lambda d: signed_ranks(d).p_values()
) -> Limits:
    """Return the interval of the shifts that the signed-rank test does not reject.

    0 lies inside exactly where the p-value does not reject. Differences of opposite signs tie at 0 and nowhere near it,
    so the test can reject 0 alone: then the limit is the smallest difference that does not tie with 0.
    """
    means = walsh_averages(differences)
    if len(differences) * (len(differences) + 1) // 2 != len(means):
        raise Refused("infinite differences of both signs leave no order between the data sets", "infinite-scores")
    least = TIE * float(np.abs(differences[np.isfinite(differences)]).max(initial=0.0))
    high = _largest_shift(differences, means, at, lambda d: test(d).less)
    low = -_largest_shift(-differences, -means[::-1], at, lambda d: test(-d).greater) + 0.0
    below, above = (_is_rejected(p, at) for p in test(differences))
    high = min(high, -least) if below else max(high, 0.0)
    low = max(low, least) if above else min(low, 0.0)
    return Limits(low, high) if low <= high else Limits(0.0, 0.0)


def _is_rejected(p: float, at: Confidence) -> bool:
    return bool(rejects(2 * p if at.side == "two" else p, at.level))


def _largest_shift(differences: Array, means: Array, at: Confidence, test: Callable[[Array], float]) -> float:
    """Return the largest shift that is not rejected as too large; `means` are the Walsh averages, in order.

    Between two neighbouring means no shift makes a tie, so one shift of each gap decides for all of it. The limit is
    sought from where it would be if no two differences were equal.
    """
    number, cut = len(differences), largest_sum(len(differences), at)
    few = Refused(f"{number} data sets are too few for a level of {at.level:g}", "few-datasets")
    if cut < 0:
        raise few
    finite = means[np.isfinite(means)]
    size = float(np.abs(finite).max(initial=0.0)) or 1.0
    edges = finite[np.diff(finite, prepend=-math.inf) > 4 * TIE * size]
    shifts = np.concatenate([edges[:1] - size, (edges[1:] + edges[:-1]) / 2, edges[-1:] + size])

    def rejected(gap: int) -> bool:
        return _is_rejected(test(differences - shifts[gap]), at)

    untied = float(means[len(means) - 1 - cut])
    gap = start = max(int(np.searchsorted(edges, untied, side="right")) - 1, 0)
    while gap + 1 < len(shifts) and not rejected(gap + 1):
        gap += 1
    while gap > 0 and rejected(gap):
        gap -= 1
    if gap == len(edges) and math.isfinite(means[-1]):
        raise few
    return untied if gap == start else float(edges[gap]) if gap < len(edges) else math.inf


@cache
def largest_sum(number: int, at: Confidence) -> int:
    """The largest sum of ranks that is at most as likely as one tail, and -1 if there is none."""
    most = number * (number + 1) // 2
    if number > EXACT_UP_TO:
        spread = math.sqrt(most * (2 * number + 1) / 12)
        return max(math.floor(most / 2 + NORMAL.inv_cdf(at.tail) * spread), -1)
    below = np.cumsum(coin_sum_law(np.arange(1, number + 1), most))
    return int(np.searchsorted(below, at.tail * (1 + 1e-12), side="right")) - 1


def zero_notes(alike: int, zeros: str = "split") -> tuple[Note, ...]:
    """Return the note of what becomes of so many differences of 0."""
    if not alike:
        return ()
    says = f"{alike} differences are 0: {ZERO_RULES[zeros]}" if alike > 1 else f"one difference is 0: {ONE_ZERO[zeros]}"
    return (Note("zeros", "remark", f"{says} (zeros={zeros!r})"),)


@dataclass(frozen=True)
class SignedRanks:
    """The sums of the ranks of positive and negative differences of one pair, and all that their law needs."""

    plus: float
    minus: float
    doubled: Array  # twice the mid-ranks of the nonzero differences, which are whole numbers
    zero_ranks: Array  # ranks of the zeros that count half on each side

    @property
    def smaller(self) -> float:
        return min(self.plus, self.minus)

    @property
    def nonzero(self) -> int:
        return len(self.doubled)

    def z(self, continuity: bool = False) -> float:
        """The smaller sum by the normal law; zeros that count half are ranked as if they had signs.

        `continuity` takes half a rank more, as a sum of ranks stands for all that lies half a rank around it.
        """
        return min(self._z_of(self.smaller, continuity), 0.0)

    def _z_of(self, total: float, continuity: bool) -> float:
        ranks = np.concatenate([self.doubled / 2, self.zero_ranks])
        spread = math.sqrt(float((ranks**2).sum())) / 2
        below = total - float(ranks.sum()) / 2 + (0.5 if continuity else 0.0)
        return below / spread if spread else 0.0

    def is_exact(self, exact: bool | None = None) -> bool:
        """Up to 200 nonzero differences, unless said otherwise."""
        return self.nonzero <= EXACT_UP_TO if exact is None else exact

    def p_values(
        self,
        exact: bool | None = None,
        continuity: bool = False,
        law_of: Callable[[Array, int], Array] | None = None,  # None: coin_sum_law
    ) -> PValues:
        """Return those of both sides by the normal law, or by the exact one, in which every sign is a fair coin."""
        if not self.nonzero:
            return NO_EVIDENCE
        if not self.is_exact(exact):
            return PValues(*(normal_p_values(self._z_of(sum_, continuity)).less for sum_ in (self.plus, self.minus)))
        free = 2 * self.smaller - float(self.zero_ranks.sum())  # twice the part that the coins decide
        law = (law_of or coin_sum_law)(np.sort(self.doubled), round(free))
        p = PValues(float(law.sum()), 1 - float(law[:-1].sum()))  # of the smaller sum
        return p if self.plus <= self.minus else p.swapped


def signed_ranks(differences: Array, zeros: str = "split") -> SignedRanks:
    """Rank the absolute differences and sum the ranks by sign; `zeros` says what becomes of differences of 0."""
    if zeros not in ZERO_RULES:
        raise BadInput(f"zeros must be 'split', 'drop' or 'pratt', not {zeros!r}")
    d = np.asarray(differences, float)
    alike, d = int((d == 0).sum()), d[d != 0]
    below = {"split": alike - alike % 2, "drop": 0, "pratt": alike}[zeros]  # zeros that are ranked below the rest
    ranks = below + mid_ranks(np.abs(d))
    halves = np.full(below if zeros == "split" else 0, (below + 1) / 2)
    shared = float(halves.sum()) / 2
    return SignedRanks(
        float(ranks[d > 0].sum()) + shared,
        float(ranks[d < 0].sum()) + shared,
        np.rint(2 * ranks).astype(np.int64),
        halves,
    )


def coin_sum_law(doubled: Array, most: int) -> Array:
    """Chances of the sums 0, 1, ..., `most` of the numbers whose coin falls heads."""
    chances = np.zeros(max(most, 0) + 1)
    chances[0] = 1.0 if most >= 0 else 0.0
    for number in doubled.tolist():
        chances *= 0.5
        if number <= most:
            chances[number:] += chances[:-number]
    return chances


@comparison(
    "Sign test",
    reads=ScoreMatrix,
    cite=("dixon1946", "demsar2006"),
    assumes=("DSI",),
    limits=(ONE_DATASET, UNREACHABLE),
    letter="wins",
)
def sign(m: ScoreMatrix, *, ties: str = "drop") -> TestResult:
    """On how many data sets is the first learner better, and is that more or less than coins would give?

    It asks only who is better on each data set, not by how much: right where scores of different data sets cannot be
    compared, and weak for it. The statistic is the number of wins. Ties are dropped, or split between the sides. The
    difference is the median, with the interval of the same binomial law.
    """
    from scipy.special import bdtr

    wins, tied, losses = m.wins
    if ties not in TIE_RULES:
        raise BadInput(f"ties must be 'drop' or 'split', not {ties!r}")
    notes: tuple[Note, ...] = () if wins + losses else (ALL_EQUAL,)
    if tied:
        says = f"{tied} data sets tie" if tied > 1 else "one data set ties"
        notes += (Note("ties", "remark", f"{says}: {TIE_RULES[ties]} (ties={ties!r})"),)
    each = tied // 2 if ties == "split" else 0
    wins, losses = wins + each, losses + each
    p = NO_EVIDENCE
    if wins + losses:
        fewer, more = (float(bdtr(number, wins + losses, 0.5)) for number in (wins, losses))
        p = PValues(fewer, more) if m.better == "higher" else PValues(more, fewer)
    ordered = np.sort(m.difference)
    limits = partial(median_limits, ordered)
    return TestResult.from_p_values(wins, p, None, median(ordered), notes=notes, facts=tally(m), limits=limits)


def median_limits(ordered: Array, at: Confidence) -> Limits:
    """The difference that leaves as many below it as coins allow by chance, and its mirror image."""
    from scipy.special import bdtr

    number = len(ordered)
    below = bdtr(np.arange(number), number, 0.5)
    cut = int(np.searchsorted(below, at.tail * (1 + 1e-12), side="right")) - 1
    if cut < 0:
        raise Refused(f"{number} data sets are too few for a level of {at.level:g}", "few-datasets")
    return Limits(float(ordered[cut]), float(ordered[number - 1 - cut]))


MIN_DIFFERENCES_AT_ONCE = 50_000  # from which on pairs are judged together, without a comparison object for each
MIN_NONZERO = 6  # differences; a pair with fewer is judged by itself, with what must be said of it


class SignedRankResult(NamedTuple):
    """What Wilcoxon's test found of one pair."""

    statistic: float
    p_value: float
    difference: float
    low: float
    high: float
    zeros: int
    sums: tuple[float, float]  # W+ and W-


def wilcoxon_pairs(
    matrix: ScoreMatrix, first: Array, second: Array, at: Confidence
) -> Iterator[SignedRankResult | None]:
    """Test each pair, by the columns of its learners; give None where there is more to say of it than of zeros."""
    rows = len(matrix)
    cut = largest_sum(rows, at)
    if cut < 0 or rows * len(first) < MIN_DIFFERENCES_AT_ONCE or not np.isfinite(matrix.values).all():
        yield from [None] * len(first)
        return
    scores = np.ascontiguousarray(matrix.values.T)
    size = np.abs(scores)
    with ThreadPoolExecutor(os.cpu_count()) as pool:  # numpy lets go of the interpreter while it partitions

        def test(a: int, b: int) -> SignedRankResult | None:
            return _test_pair(rounded_difference(scores[a], scores[b], size[[a, b]]), cut, at)

        yield from pool.map(test, first, second)


def _test_pair(d: Array, cut: int, at: Confidence) -> SignedRankResult | None:
    """Test one pair: without ties all pairs share one law, and the limits are two of the Walsh averages."""
    ranks = signed_ranks(d)
    if ranks.nonzero < MIN_NONZERO:
        return None
    i, j = _places_of_pairs(len(d))
    last = len(i) - 1
    wanted = [cut, last // 2, (last + 1) // 2, last - cut]
    low, below, above, high = (np.partition(d[i] + d[j], wanted)[wanted] / 2).tolist()
    centre = below if below == above else (below + above) / 2
    tied = len(np.unique(ranks.doubled)) < ranks.nonzero
    if tied or ranks.nonzero < len(d):
        low, high, *_ = hodges_lehmann(d, at, lambda d: signed_ranks(d).p_values(law_of=coin_sums.compiled))
    if low == high:
        return None
    if tied or ranks.nonzero > EXACT_UP_TO:
        p = ranks.p_values(law_of=coin_sums.compiled).two_sided
    else:
        free = round(2 * ranks.smaller - float(ranks.zero_ranks.sum()))
        law = _untied_law(ranks.nonzero, len(ranks.zero_ranks))
        p = min(1.0, 2 * float(law[: free + 1].sum()))
    zeros = len(d) - int(np.count_nonzero(d))
    return SignedRankResult(ranks.smaller, max(p, MIN_P_VALUE), centre, low, high, zeros, (ranks.plus, ranks.minus))


_places_of_pairs = lru_cache(2)(np.triu_indices)  # of both numbers, each number with itself too


@lru_cache(512)
def _untied_law(nonzero: int, zeros: int) -> Array:
    """Return the probabilities of the doubled sums of the ranks above so many zeros, up to the middle."""
    doubled = 2 * np.arange(zeros + 1, zeros + nonzero + 1)
    return coin_sum_law(doubled, int(doubled.sum()) // 2 + 1)
