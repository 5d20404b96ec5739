"""The .632 and .632+ bootstrap: the score on training rows and that on rows left out, weighed."""

from __future__ import annotations

import math
from typing import NamedTuple

from veracity.core.entry import Choice
from veracity.core.notes import Note
from veracity.designs.entry import Said
from veracity.risk.bootstraps import FEW_DRAWS, WHOLE, left_out, out_of_draw
from veracity.risk.entry import RESUBSTITUTION, Found, Part, risk_estimator
from veracity.risk.no_information import no_information
from veracity.risk.resampling import Resampling

LEFT_OUT = 0.632  # 1 - 1/e, the share of rows in a draw as their number grows
REMEMBERED = 0.01
BY_ANALOGY = Note(
    "by-analogy", "remark", "the weights were derived for losses that are means over rows; here they are an analogy"
)


def draws_and_all(draws: int, grouped: Said) -> tuple[Part, ...]:
    """Models of draws on the rows left out, and the model of all rows."""
    return (*out_of_draw(draws, grouped), RESUBSTITUTION)


@risk_estimator(
    ".632 bootstrap",
    cite=("efron1983",),
    answers=WHOLE,
    parts=draws_and_all,
    limits=(FEW_DRAWS,),
    says="boot632 has no interval that is known to hold",
)
def boot632(r: Resampling, *, draws: int = 200, grouped: Said = "auto") -> Found:
    """0.368 times the score of the model of all rows on these rows, plus 0.632 times the leave-one-out bootstrap.

    Nearly unbiased for learners that fit smoothly. Optimistic for learners that remember their rows, such as
    1-nearest-neighbour, whose score on training rows is perfect: there use `boot632plus`.
    """
    apparent, out = _apparent(r), left_out(r)
    value = (1 - LEFT_OUT) * apparent + LEFT_OUT * out.value
    facts = (("resubstitution", apparent), ("loo_bootstrap", out.value))
    return Found(value, out.notes + _analogy(r) + _remembers(r.score, apparent, out.value), facts)


@risk_estimator(
    ".632+ bootstrap",
    cite=("efron1997",),
    answers=WHOLE,
    parts=draws_and_all,
    limits=(FEW_DRAWS,),
    says="boot632plus has no interval that is known to hold",
)
def boot632plus(r: Resampling, *, draws: int = 200, grouped: Said = "auto") -> Found:
    """The .632 bootstrap with a weight that grows with overfitting, up to the leave-one-out bootstrap alone.

    Overfitting R is how far the leave-one-out bootstrap is on the way from the score on training rows (R = 0) to the
    score when predictions tell nothing about the truth (R = 1); the weight is .632 / (1 - .368 R). Preferred over
    `boot632`, and never worse than the score without information.
    """
    apparent, out = _apparent(r), left_out(r)
    of_all = r.part(RESUBSTITUTION.name)
    chance = no_information(r.score, next(iter(of_all.values())))
    found = weighed(apparent, out.value, chance, r.score.entry.better)
    facts = (
        ("R", found.overfitting),
        ("weight", found.weight),
        ("no_information", chance),
        ("resubstitution", apparent),
        ("loo_bootstrap", out.value),
    )
    return Found(found.value, out.notes + _analogy(r), facts)


class Weighed(NamedTuple):
    """The .632+ estimate, the weight of the leave-one-out bootstrap and the overfitting that it follows from."""

    value: float
    weight: float
    overfitting: float


def weighed(apparent: float, out: float, chance: float, better: str = "lower") -> Weighed:
    """From the score on training rows, on rows left out, and without information."""
    sign = 1 if better == "lower" else -1
    low, high, top = sign * apparent, sign * out, sign * chance
    if math.isnan(low) or math.isnan(high) or math.isnan(top):
        return Weighed(math.nan, math.nan, math.nan)
    high = min(high, top)
    overfitting = (high - low) / (top - low) if low < high and math.isfinite(top) else 0.0
    weight = LEFT_OUT / (1 - (1 - LEFT_OUT) * overfitting)
    value = high if weight == 1 else (1 - weight) * low + weight * high
    return Weighed(sign * value, weight, overfitting)


def _apparent(r: Resampling) -> float:
    return float(r.scores(RESUBSTITUTION.name, "all")[0])


def _analogy(r: Resampling) -> tuple[Note, ...]:
    return () if r.is_mean else (BY_ANALOGY,)


def _remembers(score: Choice, apparent: float, out: float) -> tuple[Note, ...]:
    """A learner that is all but perfect on its training rows; without a known range, beside the rows left out."""
    low, high = score.entry.range
    best = high if score.entry.better == "higher" else low
    scale = high - low if math.isfinite(high - low) else abs(best - out)
    if not abs(best - apparent) < REMEMBERED * scale:
        return ()
    says = "the learner is all but perfect on the rows that trained it, which makes boot632 optimistic: use boot632plus"
    return (Note("remembers", "caution", says),)
