"""McNemar's test of two fixed models on the same rows, in its four forms."""

from __future__ import annotations

from math import sqrt

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.normal import two_sided
from veracity.core.notes import Limit, Note, caution, remark
from veracity.evidence.same_rows import Pairs

ASSUMES = ("IID", "FIX", "PAIR")
NEVER = Note("never-disagree", "remark", "the models never disagree: no evidence either way")


def unreachable(most: int) -> Limit:
    """The test has no outcome below .05 with so few rows on which only one model is right."""
    says = f"with {most} or fewer rows on which only one model is right, this p-value cannot fall below .05"
    return remark("few-discordant", says, lambda pairs: 0 < pairs.discordant <= most)


FEW: Limit = caution(
    "few-discordant",
    "fewer than 25 rows on which only one model is right: use mcnemar_midp",
    lambda pairs: pairs.discordant < 25,
)


@comparison(
    "McNemar with Edwards' correction",
    reads=Pairs,
    interval="newcombe_paired",
    cite=("mcnemar1947", "edwards1948"),
    assumes=(*ASSUMES, "BIG"),
)
def mcnemar(pairs: Pairs) -> Verdict:
    """Squared difference of the rows that only one model gets right, less one, over their number."""
    if pairs.discordant == 0:
        return Verdict(0.0, 1.0, 1, (NEVER,))
    statistic = max(0.0, abs(pairs.first_only - pairs.second_only) - 1) ** 2 / pairs.discordant
    return Verdict(statistic, two_sided(sqrt(statistic)), 1)


@comparison(
    "McNemar without correction",
    reads=Pairs,
    interval="newcombe_paired",
    cite=("mcnemar1947",),
    assumes=(*ASSUMES, "BIG"),
    limits=(FEW,),
)
def mcnemar_z(pairs: Pairs) -> Verdict:
    """Difference of the rows that only one model gets right, over the root of their number."""
    if pairs.discordant == 0:
        return Verdict(0.0, 1.0, None, (NEVER,))
    z = (pairs.first_only - pairs.second_only) / sqrt(pairs.discordant)
    return Verdict(z, two_sided(z))


@comparison(
    "Exact McNemar",
    reads=Pairs,
    interval="newcombe_paired",
    cite=("mcnemar1947",),
    assumes=ASSUMES,
    limits=(unreachable(5),),
)
def mcnemar_exact(pairs: Pairs) -> Verdict:
    """Binomial chance of so uneven a division of the rows that only one model gets right; conservative."""
    if pairs.discordant == 0:
        return Verdict(None, 1.0, None, (NEVER,))
    return Verdict(None, min(1.0, 2 * _at_most(pairs)))


@comparison(
    "Mid-p McNemar",
    reads=Pairs,
    interval="newcombe_paired",
    cite=("fagerland2013",),
    assumes=ASSUMES,
    limits=(unreachable(4),),
)
def mcnemar_midp(pairs: Pairs) -> Verdict:
    """The exact test with the observed outcome counted half: close to its level, seldom above it."""
    if pairs.discordant == 0:
        return Verdict(None, 1.0, None, (NEVER,))
    if pairs.first_only == pairs.second_only:
        return Verdict(None, 1.0)
    smaller = min(pairs.first_only, pairs.second_only)
    below, to_below = _at_most(pairs), _at_most(pairs, smaller - 1) if smaller > 0 else 0.0
    return Verdict(None, below + to_below)  # twice the tail less the observed outcome


def _at_most(pairs: Pairs, count: float | None = None) -> float:
    """Chance of at most so many (default: the smaller count) when both models are equally good."""
    from scipy.special import bdtr

    smaller = min(pairs.first_only, pairs.second_only) if count is None else count
    return float(bdtr(smaller, int(pairs.discordant), 0.5))
