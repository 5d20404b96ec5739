"""From the predictions of a run to an estimate of its risk."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.counting import many
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check
from veracity.core.undefined import Undefined
from veracity.evidence.run import Run
from veracity.findings.estimate import Estimate
from veracity.findings.interval import Interval
from veracity.intervals import attach
from veracity.intervals.scored import Scored
from veracity.risk.design_for import estimator_of, trained_share
from veracity.risk.entry import OWN, Found
from veracity.risk.evidence_from_runs import view
from veracity.risk.incomplete import incomplete, larger_parts, skipped
from veracity.risk.resampling import Resampling
from veracity.risk.score_splits import told
from veracity.scores.needs import METHODS, lacking
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


@dataclass(frozen=True, eq=False)
class Resampled(Scored):
    """The evidence is all tested rows together; an interval says itself which value it surrounds."""

    resampling: Resampling
    point: float

    @cached_property
    def value(self) -> float:
        return self.point

    @property
    def undefined(self) -> str:
        scores = self.resampling.split_scores()
        if np.isinf(scores.values).any():
            return f"it is infinite in some splits: {self.score.entry.infinite}"
        if scores.undefined:
            return f"in {scores.undefined} of {many(len(scores), 'split')} {self.score.entry.undefined}"
        return super().undefined

    @property
    def way_out(self) -> str:
        return larger_parts(self.resampling) if self.resampling.split_scores().undefined else ""

    def view(self, wanted: type) -> Any:
        return view(self.resampling, wanted)


def estimated(run: Run, asked: Asked) -> Estimate:
    """The estimate of one score of one run; what is missing is said before anything else."""
    run, taken = with_positive(run, asked.score)
    notes = run.design.notes + taken
    choice = estimator_of(run.design)
    if run.predictions is None:
        return _row(run, asked, choice, Found(Undefined("no split succeeded"), notes))
    _readable(run, asked.score)
    r = Resampling(asked.score, run)
    if not r.tested:
        return _row(run, asked, choice, Found(Undefined("no split that an estimate is made of succeeded"), notes))
    if choice.entry.interval == {"any": OWN}:
        return _of_model(r, asked, choice, notes)
    return _of_splits(r, asked, choice, notes)


def _readable(run: Run, score: Choice) -> None:
    """Refuse a score that needs what the learner does not tell."""
    p, needs = run.predictions, score.entry.needs
    if p is not None and p.kind == "classes" and needs in METHODS and needs not in p.offers:
        raise BadInput(lacking(score, run.learner))
    score.entry.check(p)


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


def _of_model(r: Resampling, asked: Asked, choice: Choice, notes: tuple[Note, ...]) -> Estimate:
    """A hold-out is one fixed model on its test rows."""
    p = next(iter(r.main.values()))
    m = Scored.of_predictions(asked.score, p)
    interval, why = _interval(m, asked)
    found = Found(_value(m, m.value), notes + _remarks(m) + why)
    return _row(r.run, asked, choice, found, interval)


def _of_splits(r: Resampling, asked: Asked, choice: Choice, notes: tuple[Note, ...]) -> Estimate:
    p = r.run.fresh.predictions
    assert p is not None
    notes += check(choice.entry.limits, r, anyway=True)
    notes += skipped(r.score, r.skipped, len(r.tested), r.run)
    found = _computed(r, choice)
    m = Resampled.of_predictions(asked.score, told(p, r.run), r, found.value)
    notes += _remarks(m) + found.notes
    said = (choice.entry.note(),) if choice.entry.says and not math.isnan(found.value) else ()
    default = choice.entry.default_interval(asked.score)
    if isinstance(found.value, Undefined):
        return _row(r.run, asked, choice, found._replace(notes=notes))
    if asked.interval is None and default is None:
        return _row(r.run, asked, choice, Found(_value(m, found.value), notes + said, found.facts))
    interval, why = _interval(m, asked, default)
    value = found.value if interval is None or interval.about is None else interval.about
    other = _other_value(interval, value, found.value) if interval is not None else ()
    warned = tuple(note for note in said if note.weight == "caution")  # of the value, whatever its interval
    notes = _left_to(interval, notes) + warned + why + other
    return _row(r.run, asked, choice, Found(_value(m, value), notes, found.facts), interval)


def _left_to(interval: Interval | None, notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """Without what the interval says under the same code: of two numbers of draws advised, its own is the larger."""
    said = {(note.code, note.weight) for note in interval.notes} if interval is not None else set()
    return tuple(note for note in notes if (note.code, note.weight) not in said)


def _computed(r: Resampling, choice: Choice) -> Found:
    """What the estimator finds; undefined, with the reason, where splits that it cannot do without are missing."""
    try:
        with np.errstate(invalid="ignore"):  # infinite less infinite is undefined too
            found: Found = choice(r)
    except Refused as why:
        return Found(Undefined(why.says))
    return found


def _interval(m: Scored, asked: Asked, default: str | None = None) -> tuple[Interval | None, tuple[Note, ...]]:
    if asked.interval is not None:
        return attach.attach_interval(m, asked.interval, asked.at, asked.seed, asked.anyway), ()
    return attach.attach_default(m, asked.at, asked.seed, default)


def _remarks(m: Scored) -> tuple[Note, ...]:
    found: tuple[Note, ...] = m.score.entry.remarks(m.evidence, **m.score.given)
    return found


def _other_value(interval: Interval, about: float, pooled: float) -> tuple[Note, ...]:
    """The interval decides the value it surrounds; where the other one is not as good as the same, it is told."""
    apart, near = abs(about - pooled), min(about - interval.low, interval.high - about)
    if math.isnan(pooled) or apart <= near / 50 or f"{about:.4g}" == f"{pooled:.4g}":
        return ()
    says = f"this is the value that {interval.method} is about; over all tested rows together it is {pooled:.4g}"
    return (Note("pooled-value", "caution" if apart > near / 2 else "remark", says),)


def _value(m: Scored, value: float) -> float:
    if not math.isnan(value):
        return value
    return Undefined(f"{m.undefined}: {m.way_out}" if m.way_out else m.undefined)


def _row(run: Run, asked: Asked, choice: Choice, found: Found, interval: Interval | None = None) -> Estimate:
    return Estimate(
        asked.score.spelling,
        asked.typed,
        found.value,
        interval,
        asked.score.entry.better,
        (interval.answers if interval else "") or choice.entry.answers.format(share=trained_share(run.design)),
        run.data,
        run.learner,
        run.design.name,
        rows=run.design.rows,
        notes=incomplete(run, found.value) + found.notes + asked.score.entry.told(found.value, asked.typed),
        splits=len(run.design),
        failed=run.failed,
        facts=found.facts,
    )
