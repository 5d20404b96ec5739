"""Which intervals a measured score can have."""

from __future__ import annotations

from veracity.core.errors import Refused
from veracity.core.notes import check
from veracity.intervals import intervals
from veracity.intervals.entry import Method
from veracity.intervals.measured import NO_VIEW, Measured

WRONG_SCORE = "wrong-score"


def told_others(m: Measured, why: Refused) -> Refused:
    """The same refusal; one that says no way out names the intervals that can be had."""
    names = offered(m) if why.code in (WRONG_SCORE, NO_VIEW) else ()
    *first, last = names or ("",)
    named = f"{', '.join(first)} or {last}" if first else last
    return Refused(f"{why.says}: use {named}", why.code) if names else why


def offered(m: Measured) -> tuple[str, ...]:
    """The names of the intervals that are valid here, those that are for this score alone first."""
    fit = [entry for entry in intervals if _fits(m, entry)]
    return tuple(entry.name for entry in sorted(fit, key=lambda entry: not entry.only))


def _fits(m: Measured, entry: Method) -> bool:
    """Whether it can be typed as it is, and the score gives the evidence that it reads, which no limit refuses."""
    if (entry.only and m.score.entry.name not in entry.only) or any(one.required for one in entry.parameters):
        return False
    try:
        check(entry.limits, m.view(entry.reads), False)
    except Refused:
        return False
    return True
