"""Putting an interval on a measured score: asked for by name, or the default."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note, check, unique
from veracity.findings.interval import Interval, Limits
from veracity.intervals import intervals
from veracity.intervals.defaults import default, default_name
from veracity.intervals.entry import Method
from veracity.intervals.measured import Measured
from veracity.intervals.offered import WRONG_SCORE, told_others


def asked(m: Measured, method: Any, at: Confidence, seed: int = 0, anyway: bool = False) -> Interval:
    """The interval asked for by name; refused where it is not valid, unless `anyway`, which is recorded."""
    choice = _seeded(intervals.choose(method), seed)
    entry: Method = choice.entry
    try:
        _suits(m, entry)
        evidence = m.view(entry.reads)
    except Refused as why:
        raise told_others(m, why) from None
    notes = check(entry.limits, evidence, anyway) + _accepted(getattr(evidence, "notes", ()), anyway)
    limits = _computed(m, choice, evidence, at)
    notes += _accepted(limits.notes, anyway)
    if math.isnan(limits.low) or math.isnan(limits.high):
        raise Refused(f"{choice} gives no limits for {m.score} here, whatever is accepted", "no-limits")
    if any(note.weight == "refuse" for note in notes):
        notes += (Note("anyway", "caution", f"{entry.name} is not valid here and was computed because anyway=True"),)
    found = _made(m, choice, at, limits, notes + _drawn(choice))
    return replace(found, answers=getattr(evidence, "answers", ""))


def _seeded(choice: Choice, seed: int) -> Choice:
    return choice.setting(seed=seed) if choice.accepts("seed") and "seed" not in choice.given else choice


def _suits(m: Measured, entry: Method) -> None:
    """Refuse what no interval of this name can be had for."""
    if entry.only and m.score.entry.name not in entry.only:
        raise Refused(f"{entry.name} is an interval for {' and '.join(entry.only)}, not for {m.score}", WRONG_SCORE)
    if math.isnan(m.value):
        way = f": {m.way_out}" if m.way_out else ""
        raise Refused(f"{m.score} is undefined ({m.undefined}), so it has no interval{way}", "undefined")
    if math.isinf(m.value):
        raise Refused(f"{m.score} is infinite, so it has no interval", "infinite")


def _accepted(notes: tuple[Note, ...], anyway: bool) -> tuple[Note, ...]:
    """The notes, unless one of them refuses."""
    refusal = next((note for note in notes if note.weight == "refuse"), None)
    if refusal is not None and not anyway:
        raise Refused(refusal.says, refusal.code)
    return notes


def _computed(m: Measured, choice: Choice, evidence: Any, at: Confidence) -> Limits:
    try:
        found: Limits = choice.entry.function(evidence, at, **choice.given)
    except ZeroDivisionError:  # only past a refusal: the formula itself has no value there
        raise Refused(f"{choice} gives no limits for {m.score} here, whatever is accepted", "no-limits") from None
    return found


def _drawn(choice: Choice) -> tuple[Note, ...]:
    """Random numbers are never used in silence."""
    if not choice.accepts("seed") or choice.value("shuffle") is False:
        return ()
    draws = f"{choice.value('draws')} draws with " if choice.accepts("draws") else "rows shuffled with "
    return (Note("seed", "remark", f"{choice.entry.name}: {draws}seed {choice.value('seed')}"),)


def _made(m: Measured, choice: Choice, at: Confidence, limits: Limits, notes: tuple[Note, ...]) -> Interval:
    floor, ceiling = m.score.entry.range
    low = floor if at.side == "upper" else float(limits.low)
    high = ceiling if at.side == "lower" else float(limits.high)
    if low < floor or high > ceiling:
        name = m.score.entry.name
        says = f"the {choice.entry.name} limits [{low:.4g}, {high:.4g}] were clipped to the range of {name}"
        notes += (Note("clipped", "remark", says),)
    low, high = min(max(low, floor), ceiling), max(min(high, ceiling), floor)
    method = choice.entry.name if set(choice.given) <= {"seed"} else choice.spelling
    return Interval(low, high, at.level, method, at.side, choice.entry.assumes, unique(notes), limits.about)


def defaulted(
    m: Measured, at: Confidence, seed: int = 0, name: str | None = None
) -> tuple[Interval | None, tuple[Note, ...]]:
    """The default interval (by the table, unless a design names it), or none and a note that says why."""
    if math.isnan(m.value):
        return None, ()
    if math.isinf(m.value):
        return None, (Note("no-interval", "remark", f"{m.score} is infinite, so it has no interval"),)
    if name is None:
        name = default_name(m)
        if name is None:
            return None, (Note("on-request", "remark", f"{m.score} has no interval by default: {default(m).says}"),)
    try:
        return asked(m, name, at, seed), ()
    except Refused as why:
        return None, (Note("no-interval", "remark", f"{m.score} has no {name} interval here: {why.says}"),)
