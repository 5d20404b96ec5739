"""Equivalence within a margin, from the difference and standard error that another test finds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from veracity.comparisons.entry import Verdict, comparison
from veracity.core.confidence import Confidence
from veracity.core.entry import Known
from veracity.core.errors import Refused
from veracity.core.normal import above
from veracity.core.notes import Note
from veracity.core.words import option

DECLARED = Note("margin", "remark", "the margin must have been chosen before looking at the difference")
BETTER = "that the first is better than the second"
EXAMPLE = (0.02, 0.04, -0.01, 0.03, 0.05, 0.00, 0.02, 0.03, 0.01, 0.01)


@dataclass(frozen=True)
class Effect:
    """A difference (first minus second) and how it scatters: Student's law with df, the normal one without."""

    label: ClassVar[str] = "a difference and how it scatters"

    difference: float
    standard_error: float
    df: float | None = None
    better: str = "lower"  # the direction of the score; empty where neither is better

    def above(self, value: float) -> float:
        """The p-value of the claim that the true difference is above a value."""
        from scipy.special import stdtr

        distance = (self.difference - value) / self.standard_error
        return above(distance) if self.df is None else float(stdtr(self.df, -distance))

    def below(self, value: float) -> float:
        """The p-value of the claim that it is below a value."""
        return Effect(-self.difference, self.standard_error, self.df).above(-value)


@comparison(
    "Two one-sided tests of equivalence",
    reads=Effect,
    cite=("schuirmann1987",),
    known=(Known({"differences": EXAMPLE, "margin": 0.05, "of": "corrected_t"}, 0.0030),),
    own_claim=True,
    aliases="equivalence_test, two_one_sided_tests",
    keywords="equivalence, practically equal, ROPE",
)
def tost(effect: Effect, *, margin: float, of: str) -> Verdict:
    """Whether the difference is shown to be smaller than a margin on both sides.

    `of` is the test that gives the difference and its standard error, such as corrected_t, delong_test or
    paired_loss_t. At level 0.95 two models are equivalent just when the 90 % interval, which is shown, lies inside the
    margin. That a difference is not significant does not show equivalence.
    """
    if margin == 0:
        raise Refused("two models are never shown to be equal, so the margin must be above 0", "margin")
    p = max(effect.above(-_check_margin(margin)), effect.below(margin))
    claims = f"that they are equivalent within {margin:g}"
    return _verdict(effect, p, lambda at: Confidence(1 - 2 * at.miss), claims)


@comparison(
    "Non-inferiority",
    reads=Effect,
    cite=("schuirmann1987",),
    own_claim=True,
    aliases="non_inferiority_test",
    keywords="not worse than, superiority",
)
def non_inferiority(effect: Effect, *, margin: float, of: str) -> Verdict:
    """Whether the first is shown to be no worse than the second by a margin; it may also be better.

    With a margin of 0 it is the test of superiority: whether the first is shown to be better. `of` is the test that
    gives the difference and its standard error, as for tost. The bound of the difference on the side where it is worse
    is shown.
    """
    if not effect.better:
        raise Refused(
            "neither high nor low is better of this score, so nothing is worse: name a test of a difference and"
            f" {option('alternative', 'less')} or {option('alternative', 'greater')}",
            "no-direction",
        )
    higher = effect.better == "higher"
    p = effect.above(-_check_margin(margin)) if higher else effect.below(_check_margin(margin))
    claims = f"that the first is not worse than the second by {margin:g} or more" if margin else BETTER
    return _verdict(effect, p, lambda at: Confidence(at.level, "lower" if higher else "upper"), claims)


def _check_margin(margin: float) -> float:
    if not 0 <= margin < inf:
        says = f"the margin must not be below 0, but is {margin}: say how large a difference does not matter"
        raise Refused(says, "margin")
    return margin


def _verdict(effect: Effect, p: float, sure: Callable[[Confidence], Confidence], claims: str) -> Verdict:
    notes = () if claims == BETTER else (DECLARED,)
    found = Verdict(None, p, effect.df, notes, effect.difference, effect.standard_error)
    return found._replace(sure=sure, claims=claims)
