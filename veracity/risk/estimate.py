"""From the predictions of a run to an estimate of its risk."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.notes import Note
from veracity.core.undefined import Undefined
from veracity.intervals import attach
from veracity.intervals.measured import Measured
from veracity.records.estimate import Estimate
from veracity.records.interval import Interval
from veracity.records.predictions import Predictions
from veracity.records.run import Run
from veracity.risk import splits as on_splits
from veracity.risk.kinds import RULES, answered, kind_of
from veracity.risk.resampled import Resampled
from veracity.scores.on_counts import CountScore
from veracity.scores.on_orderings import OrderingScore


@dataclass(frozen=True)
class Asked:
    """Which score, and how sure."""

    score: Choice
    typed: str
    at: Confidence
    interval: Any = None
    seed: int = 0
    anyway: bool = False


def estimated(run: Run, asked: Asked) -> Estimate:
    """The estimate of one score of one run; what is missing is said before anything else."""
    run, taken = with_positive(run, asked.score)
    notes = incomplete(run) + run.design.notes + taken
    if run.predictions is None:
        return _row(run, asked, Undefined("no split succeeded"), None, notes)
    asked.score.entry.check(run.predictions)
    parts = on_splits.each_split(run)
    if not parts:
        return _row(run, asked, Undefined("no split that an estimate is made of succeeded"), None, notes)
    if kind_of(run.design) == "model":
        return _of_model(run, asked, notes, next(iter(parts.values())))
    return _of_splits(run, asked, notes, parts)


def with_positive(run: Run, choice: Choice) -> tuple[Run, tuple[Note, ...]]:
    """Two classes of which none was named positive: the last one is taken, and said so where it matters."""
    p = run.predictions
    if p is None or not p.binary or p.positive is not None:
        return run, ()
    says = f"no class was named positive: it is taken to be {p.classes[1]!r}, the last in order"
    entry = choice.entry
    matters = isinstance(entry, OrderingScore) or (isinstance(entry, CountScore) and entry.one_class)
    note = (Note("positive-taken", "remark", says),) if matters else ()
    return replace(run, predictions=replace(p, positive=1)), note


def incomplete(run: Run) -> tuple[Note, ...]:
    """What an estimate over incomplete evidence must say first."""
    notes: tuple[Note, ...] = ()
    of = f"of {len(run.design)} splits"
    if run.failed:
        why = f" (the first: {run.reason})" if run.reason else ""
        says = f"{run.failed} {of} of {run.learner} on {run.data} failed{why}; the estimate is over the others"
        notes += (Note("failed-splits", "caution", says),)
    if run.absent:
        says = f"{run.absent} {of} of {run.learner} on {run.data} have not been run; the estimate is over the others"
        notes += (Note("missing-splits", "caution", says),)
    return notes


def _of_model(run: Run, asked: Asked, notes: tuple[Note, ...], p: Predictions) -> Estimate:
    """A hold-out is one fixed model on its test rows."""
    m = Measured(asked.score, asked.score.entry.gather(p, **asked.score.given))
    interval, why = _interval(m, asked)
    return _row(run, asked, _value(m, m.value), interval, notes + _remarks(m) + why)


def _of_splits(run: Run, asked: Asked, notes: tuple[Note, ...], parts: dict[int, Predictions]) -> Estimate:
    choice, p = asked.score, run.predictions
    assert p is not None
    scores = on_splits.split_scores(choice, run, parts)
    m = Resampled(choice, choice.entry.gather(p, **choice.given), scores)
    pooled = on_splits.pooled(choice, run, parts, scores)
    rule = RULES[kind_of(run.design)]
    if asked.interval is None and rule.interval is None:
        return _row(run, asked, _value(m, pooled), None, notes + _remarks(m) + (rule.note(),))
    interval, why = _interval(m, asked, rule.interval)
    value = pooled if interval is None else m.value
    other = _other_value(m.value, pooled) if interval is not None else ()
    return _row(run, asked, _value(m, value), interval, notes + _remarks(m) + why + other)


def _interval(m: Measured, asked: Asked, default: str | None = None) -> tuple[Interval | None, tuple[Note, ...]]:
    if asked.interval is not None:
        return attach.asked(m, asked.interval, asked.at, asked.seed, asked.anyway), ()
    return attach.defaulted(m, asked.at, asked.seed, default)


def _remarks(m: Measured) -> tuple[Note, ...]:
    found: tuple[Note, ...] = m.score.entry.remarks(m.evidence, **m.score.given)
    return found


def _other_value(mean: float, pooled: float) -> tuple[Note, ...]:
    """The interval decides the value it surrounds; where that shows in print, the other one is told."""
    if f"{mean:.3g}" == f"{pooled:.3g}" or math.isnan(pooled):
        return ()
    says = (
        f"this is the mean over splits, which the interval is about; over all tested rows together it is {pooled:.4g}"
    )
    return (Note("pooled-value", "remark", says),)


def _value(m: Measured, value: float) -> float:
    if not math.isnan(value):
        return value
    if isinstance(m, Resampled) and m.splits.undefined > 0:
        why = m.score.entry.undefined
        return Undefined(f"it is undefined in {m.splits.undefined} of {len(m.splits)} splits: {why}")
    return Undefined(m.score.entry.why_undefined(m.evidence, **m.score.given))


def _row(run: Run, asked: Asked, value: float, interval: Interval | None, notes: tuple[Note, ...]) -> Estimate:
    notes += asked.score.entry.told(value, asked.typed)
    return Estimate(
        asked.score.spelling,
        asked.typed,
        value,
        interval,
        asked.score.entry.better,
        answered(run.design),
        run.data,
        run.learner,
        run.design.name,
        rows=run.design.rows,
        notes=notes,
        splits=len(run.design),
        failed=run.failed,
    )
