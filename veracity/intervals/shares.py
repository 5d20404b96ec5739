"""The interval of a share of rows that other methods build on."""

from __future__ import annotations

from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import check
from veracity.evidence.proportion import Proportion
from veracity.findings.interval import Limits


def limits_of(p: Proportion, at: Confidence, of: Any) -> Limits:
    """The limits of one share by the method named, within 0 and 1."""
    from veracity.intervals import intervals  # the catalogue reads this package, so only when called

    choice = intervals.choose(of)
    if choice.entry.reads is not Proportion:
        raise BadInput(f"of= names an interval for a share of rows, such as 'wilson', not {choice.entry.name!r}")
    notes = check(choice.entry.limits, p)
    found: Limits = choice.entry.function(p, at, **choice.given)
    return Limits(max(0.0, found.low), min(1.0, found.high), notes + found.notes)
