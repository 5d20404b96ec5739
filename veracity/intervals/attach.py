"""Putting an interval on a measured score: asked for by name, or the default."""

from __future__ import annotations

import math
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note, check, unique
from veracity.intervals import intervals
from veracity.intervals.defaults import default
from veracity.intervals.entry import Method
from veracity.intervals.measured import Measured
from veracity.records.interval import Interval, Limits


def asked(m: Measured, method: Any, at: Confidence, seed: int = 0, anyway: bool = False) -> Interval:
    """The interval asked for by name; refused where it is not valid."""
    choice = intervals.choose(method)
    entry: Method = choice.entry
    if entry.only and m.score.entry.name not in entry.only:
        raise Refused(f"{entry.name} is an interval for {' and '.join(entry.only)}, not for {m.score}", "wrong-score")
    if math.isnan(m.value):
        raise Refused(f"{m.score} is undefined ({m.score.entry.undefined}), so it has no interval", "undefined")
    evidence = m.view(entry.reads)
    notes = check(entry.limits, evidence, anyway)
    if choice.accepts("seed") and "seed" not in choice.given:
        choice = choice.setting(seed=seed)
    limits: Limits = entry.function(evidence, at, **choice.given)
    return _made(m, choice, at, limits, notes + tuple(getattr(evidence, "notes", ())))


def _made(m: Measured, choice: Choice, at: Confidence, limits: Limits, notes: tuple[Note, ...]) -> Interval:
    floor, ceiling = m.score.entry.range
    low = floor if at.side == "upper" else float(limits.low)
    high = ceiling if at.side == "lower" else float(limits.high)
    notes += limits.notes
    if low < floor or high > ceiling:
        says = (
            f"the {choice.entry.name} limits [{low:.4g}, {high:.4g}] were clipped to the range of {m.score.entry.name}"
        )
        notes += (Note("clipped", "remark", says),)
    low, high = max(low, floor), min(high, ceiling)
    method = choice.entry.name if set(choice.given) <= {"seed"} else choice.spelling
    return Interval(low, high, at.level, method, at.side, choice.entry.assumes, unique(notes))


def defaulted(m: Measured, at: Confidence, seed: int = 0) -> tuple[Interval | None, tuple[Note, ...]]:
    """The default interval, or none and a note that says why."""
    if math.isnan(m.value) or math.isinf(m.value):
        return None, ()
    rule = default(m)
    name = m.score.entry.default_interval if rule.interval == "own" else rule.interval
    if name is None:
        return None, (Note("on-request", "remark", f"{m.score}: {rule.says}"),)
    try:
        return asked(m, name, at, seed), ()
    except Refused as why:
        return None, (Note("no-interval", "remark", f"{m.score} has no {name} interval here: {why.says}"),)
