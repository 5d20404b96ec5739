"""Which intervals a measured score can have."""

from __future__ import annotations

import math

from veracity.core.confidence import Confidence
from veracity.core.errors import Refused
from veracity.core.notes import Note, always, check, refuses
from veracity.intervals import intervals
from veracity.intervals.defaults import default_name
from veracity.intervals.entry import Method
from veracity.intervals.scored import NO_VIEW, Scored

WRONG_SCORE = "wrong-score"
MOST = 3  # names to choose among


def told_others(m: Scored, why: Refused) -> Refused:
    """The same refusal; one that says no way out names the intervals that can be had."""
    names = offered(m) if why.code in (WRONG_SCORE, NO_VIEW) else ()
    *first, last = names or ("",)
    named = f"{', '.join(first)} or {last}" if first else last
    return Refused(f"{why.says}: use {named}", why.code) if names else why


def offered(m: Scored) -> tuple[str, ...]:
    """The names of a few intervals that can be had here: the default one, then those that say least against it."""
    usual = default_name(m)
    tried = (entry for entry in intervals if entry.name == usual or not _draws(entry))  # whether draws help shows late
    found = [(entry, notes) for entry in tried if (notes := _notes(m, entry)) is not None]
    found.sort(key=lambda one: (one[0].name != usual, _cautions(one[1]), not one[0].only))
    return tuple(entry.name for entry, _ in found[:MOST])


def _notes(m: Scored, entry: Method) -> tuple[Note, ...] | None:
    """What it says of this evidence; None where it must not be offered. Only what draws is not tried out."""
    if (entry.only and m.score.entry.name not in entry.only) or any(one.required for one in entry.parameters):
        return None
    if any(limit.weight == "caution" and limit.when is always for limit in entry.limits):
        return None
    try:
        evidence = m.view(entry.reads)
        notes = check(entry.limits, evidence) + tuple(getattr(evidence, "notes", ()))
        limits = None if _draws(entry) else entry.function(evidence, Confidence())
    except (Refused, ZeroDivisionError):
        return None
    notes += () if limits is None else limits.notes
    without = limits is not None and (math.isnan(limits.low) or math.isnan(limits.high))
    return None if without or refuses(notes) else notes


def _cautions(notes: tuple[Note, ...]) -> bool:
    return any(note.weight == "caution" for note in notes)


def _draws(entry: Method) -> bool:
    return any(one.name == "draws" for one in entry.parameters)
