"""Putting an interval on a measured score, asked for by name or the default, and what every interval goes through."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note, accept, anyway_notes, check, unique
from veracity.core.words import template
from veracity.evidence.proportion import Proportion, Shares
from veracity.findings.interval import Interval, Limits
from veracity.intervals import intervals
from veracity.intervals.defaults import WRONG_SCORE, default_name, default_rule, with_offers
from veracity.intervals.entry import IntervalMethod
from veracity.intervals.scored import Scored

GRADES_SKEWED = Note(
    "skewed-grades",
    "caution",
    "grades are very skewed over items: a few extreme items make the score, and its interval may be too narrow on"
    " their side",
)


def attach_interval(m: Scored, method: Any, at: Confidence, seed: int = 0, anyway: bool = False) -> Interval:
    """The interval asked for by name; refused where it is not valid, unless `anyway`, which is recorded."""
    choice = intervals.choose(method).with_seed(seed)
    entry: IntervalMethod = choice.entry
    try:
        _suits(m, entry)
        evidence = m.view(entry.reads)
    except Refused as why:
        raise with_offers(m, why) from None
    limits = compute_limits(choice, evidence, at, anyway, f" for {m.score}")
    if m.score.entry.needs == "grade":  # of which the bad ones are low
        told = tuple(GRADES_SKEWED if note.code == "skewed-losses" else note for note in limits.notes)
        limits = limits._replace(notes=told)
    notes = limits.notes + anyway_notes(entry.name, limits.notes) + _seed_notes(choice)
    name = entry.name if set(choice.given) <= {"seed"} else choice.spelling
    clipped = f"the {entry.name} limits", f"the range of {m.score.entry.name}"
    found = make_interval(limits._replace(notes=notes), at, name, entry.assumes, m.score.entry.range, clipped)
    return replace(found, about=limits.about, answers=getattr(evidence, "answers", ""))


def attach_default(
    m: Scored, at: Confidence, seed: int = 0, name: str | None = None
) -> tuple[Interval | None, tuple[Note, ...]]:
    """The default interval (by the table, unless a design names it), or none and a note that says why."""
    if math.isnan(m.value):
        return None, ()
    if math.isinf(m.value):
        return None, (Note("no-interval", "remark", f"{m.score} is infinite, so it has no interval"),)
    if name is None:
        name = default_name(m)
        if name is None:
            return None, (
                Note("on-request", "remark", f"{m.score} has no interval by default: {template(default_rule(m).why)}"),
            )
    try:
        return attach_interval(m, name, at, seed), ()
    except Refused as why:
        return None, (Note("no-interval", "remark", f"{m.score} has no {name} interval here: {template(why.says)}"),)


def compute_limits(choice: Choice, evidence: Any, at: Confidence, anyway: bool = False, of: str = "") -> Limits:
    """What a method computes on its evidence, with all notes; refused where one of them does, unless `anyway`."""
    if isinstance(evidence, (Proportion, Shares)):
        evidence = evidence.at(at)
    notes = check(choice.entry.limits, evidence, anyway) + accept(getattr(evidence, "notes", ()), anyway)
    limits: Limits = choice.function(evidence, at)
    limits = limits._replace(notes=notes + accept(limits.notes, anyway))
    return require_numbers(limits, str(choice), of)


def require_numbers(limits: Limits, method: str, of: str = "") -> Limits:
    """Refuse limits that are none."""
    if math.isnan(limits.low) or math.isnan(limits.high):
        raise Refused(f"{method} gives no limits{of} here, whatever is accepted", "no-limits")
    return limits


def make_interval(
    limits: Limits,
    at: Confidence,
    method: str,
    assumes: tuple[str, ...],
    within: tuple[float, float],
    clipped: tuple[str, str],
) -> Interval:
    """The interval within a range, which ends the side that a bound leaves open; `clipped` names limits and range."""
    floor, ceiling = within
    low = floor if at.side == "upper" else float(limits.low)
    high = ceiling if at.side == "lower" else float(limits.high)
    notes = limits.notes
    if low < floor or high > ceiling:
        says = f"{clipped[0]} [{low:.4g}, {high:.4g}] were clipped to {clipped[1]}"
        notes += (Note("clipped", "remark", says),)
    low, high = min(max(low, floor), ceiling), max(min(high, ceiling), floor)
    return Interval(low, high, at.level, method, at.side, assumes, unique(notes))


def _suits(m: Scored, entry: IntervalMethod) -> None:
    """Refuse what no interval of this name can be had for."""
    if entry.only and not m.score.entry.is_one_of(*entry.only):
        raise Refused(f"{entry.name} is an interval for {' and '.join(entry.only)}, not for {m.score}", WRONG_SCORE)
    if math.isnan(m.value):
        way = f": {m.way_out}" if m.way_out else ""
        raise Refused(f"{m.score} is undefined ({m.undefined}), so it has no interval{way}", "undefined")
    if math.isinf(m.value):
        raise Refused(f"{m.score} is infinite, so it has no interval", "infinite")


def _seed_notes(choice: Choice) -> tuple[Note, ...]:
    """Random numbers are never used in silence."""
    if not choice.accepts("seed") or choice.value("shuffle") is False:
        return ()
    draws = f"{choice.value('draws')} draws with " if choice.accepts("draws") else "rows shuffled with "
    return (Note("seed", "remark", f"{choice.entry.name}: {draws}seed {choice.value('seed')}"),)
