"""From the predictions of a run to an estimate of its risk."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from veracity.core.confidence import Confidence
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.missing import Undefined
from veracity.core.notes import Note, check
from veracity.core.words import plural
from veracity.evidence.run import Run
from veracity.findings.estimates import Estimate
from veracity.findings.interval import Interval
from veracity.intervals.compute import WITHOUT_INTERVAL, attach_default, attach_interval
from veracity.intervals.scored import Scored
from veracity.records.arrays import Array, ratio
from veracity.risk import OWN, SPLITS, PointEstimate
from veracity.risk.designs import estimator_of, trained_share
from veracity.risk.fold_scores import (
    Resampling,
    incomplete_notes,
    larger_parts_advice,
    skipped_notes,
    with_training_mean,
)
from veracity.risk.interval_evidence import interval_evidence
from veracity.scores.entry import METHODS, missing_output
from veracity.scores.times import NO_LAW, OF_A_MACHINE

MIN_EXCESS = 0.1  # of the distance to the lower limit, beyond which small test parts are told; by simulation


@dataclass(frozen=True)
class EstimateRequest:
    """What is asked of a run: which score, what results call it, and at which confidence."""

    score: Choice
    asked: str
    at: Confidence
    interval: MethodLike | None = None
    seed: int = 0
    anyway: bool = False
    typed: str = ""  # the very word for the score
    value_alone: bool = False  # without any interval, which costs more than the value

    def attach_to(self, m: Scored, default: str | None = None) -> tuple[Interval | None, tuple[Note, ...]]:
        """Return the interval asked for; or the default one, or none and a note that says why."""
        if self.value_alone:
            return None, ()
        if self.interval is not None:
            return attach_interval(m, self.interval, self.at, self.seed, self.anyway), ()
        return attach_default(m, self.at, self.seed, default)


@dataclass(frozen=True, eq=False)
class ScoredSplits(Scored):
    """All tested rows together, with the value of the estimator."""

    resampling: Resampling
    point: float

    @cached_property
    def value(self) -> float:
        return self.point

    @property
    def undefined(self) -> str:
        scores = self.resampling.split_scores()
        if np.isinf(scores.values).any():
            return f"it is infinite in some splits: {self.score.infinite}"
        if scores.undefined:
            return f"in {scores.undefined} of {plural(len(scores), 'split')} {self.score.undefined}"
        return super().undefined

    @property
    def way_out(self) -> str:
        return larger_parts_advice(self.resampling.run) if self.resampling.split_scores().undefined else ""

    def view(self, wanted: type) -> Any:
        return interval_evidence(self.resampling, wanted)


def estimate_run(run: Run, request: EstimateRequest) -> Estimate:
    """Return the estimate of one score of one run; notes on what is missing come first."""
    run, taken = with_positive(run, request.score)
    notes = run.design.notes + taken
    if run.predictions is None:
        return _make_estimate(run, request, PointEstimate(Undefined("no split succeeded"), notes))
    check_readable(run, request.score)
    r = Resampling(request.score, run)
    if not r.main_splits:
        nothing = Undefined("no split that an estimate is made of succeeded")
        return _make_estimate(run, request, PointEstimate(nothing, notes))
    if request.score.reads == "time":
        return _estimate_time(r, request, notes)
    notes += request.score.one_class_notes(run.predictions)
    estimator = estimator_of(run.design)
    if estimator.interval == {"any": OWN}:  # a hold-out is one fixed model on its test rows
        m = Scored.of_predictions(request.score, next(iter(r.main_predictions.values())))
        interval, why = request.attach_to(m)
        point = PointEstimate(m.value_or_reason, notes + request.score.remarks(m.evidence) + why)
        return _make_estimate(run, request, point, interval)
    return replace(_estimate_splits(r, request, estimator, notes), deviation=r.split_scores().spread)


def undefined_estimate(run: Run, request: EstimateRequest, why: VeracityError) -> Estimate:
    """Return the cell of a score that cannot be had of a run: undefined, with the reason."""
    return _make_estimate(run, request, PointEstimate(Undefined(why.says), run.design.notes))


def check_readable(run: Run, score: Choice) -> None:
    """Refuse a score that needs what the learner does not tell."""
    if score.reads == "time":
        score.check_run(run)
        return
    p, needs = run.predictions, score.needs
    if p is not None and p.kind == "classes" and needs in METHODS and needs not in p.offers:
        raise BadInput(missing_output(score, [run.learner], len(p.classes)))
    score.check(p)


def with_positive(run: Run, choice: Choice) -> tuple[Run, tuple[Note, ...]]:
    """Return a run whose last of two classes is positive where none was named, and a note where that matters."""
    p = run.predictions
    if p is None or not p.binary or p.positive is not None:
        return run, ()
    says = f"no class was named positive: it is taken to be {p.classes[1]!r}, the last in order"
    matters = choice.reads == "ordering" or (choice.reads == "confusion matrix" and choice.one_class)
    note = (Note("positive-taken", "remark", says),) if matters else ()
    return replace(run, predictions=replace(p, positive=1)), note


def _estimate_time(r: Resampling, request: EstimateRequest, notes: tuple[Note, ...]) -> Estimate:
    """Return the mean over splits, whatever the estimator makes of a score; an interval only where one is named."""
    times, interval = r.split_scores(), None
    m = ScoredSplits(request.score, None, r, times.mean)  # type: ignore[arg-type]
    if request.interval is None:
        notes += (Note("on-request", "remark", f"{request.asked} has no interval by default: {NO_LAW}"),)
    else:
        interval, _ = request.attach_to(m)
        notes += (OF_A_MACHINE,)
    row = _make_estimate(r.run, request, PointEstimate(m.value_or_reason, notes), interval)
    return replace(row, answers="", deviation=times.spread)  # it is no risk


def _estimate_splits(r: Resampling, request: EstimateRequest, estimator: Choice, notes: tuple[Note, ...]) -> Estimate:
    score, p = request.score, r.run.fresh.predictions
    assert p is not None
    notes += check(estimator.limits, r, anyway=True)
    notes += skipped_notes(r.score, r.skipped_splits, len(r.main_splits), r.run)
    point = point_estimate(r, estimator)
    m = ScoredSplits.of_predictions(score, with_training_mean(p, r.run), r, point.value)
    notes += score.remarks(m.evidence) + point.notes
    if isinstance(point.value, Undefined):
        return _make_estimate(r.run, request, point._replace(notes=notes))
    own = (estimator.note(),) if estimator.says and not math.isnan(point.value) else ()
    default = estimator.default_interval(score)
    without = WITHOUT_INTERVAL.get(score.name, "") if default == SPLITS and score.is_builtin else ""
    if request.interval is None and (default is None or without):
        if without:
            notes += (Note("on-request", "remark", f"{request.asked} has no interval by default: {without}"),)
        return _make_estimate(r.run, request, PointEstimate(m.value_or_reason, notes + own, point.facts))
    interval, why = request.attach_to(m, default)
    if interval is not None:  # of two notes of one code, such as numbers of draws advised, the interval's own stands
        said = {(note.code, note.weight) for note in interval.notes}
        notes = tuple(note for note in notes if (note.code, note.weight) not in said)
        why = _other_centre(interval, point.value) + _small_parts_notes(r, point.value, interval)
    notes += tuple(note for note in own if note.weight == "caution") + why  # of the value, whatever its interval
    return _make_estimate(r.run, request, PointEstimate(m.value_or_reason, notes, point.facts), interval)


def point_estimate(r: Resampling, choice: Choice) -> PointEstimate:
    """Return the estimate; undefined, with the reason, where splits that it cannot do without are missing."""
    try:
        with np.errstate(invalid="ignore"):  # infinite less infinite is undefined too
            point: PointEstimate = choice(r)
    except Refused as why:
        return PointEstimate(Undefined(why.says))
    return point


def _other_centre(interval: Interval, value: float) -> tuple[Note, ...]:
    """Return a note on an interval about another number than the value, as one that corrects a bias is."""
    about = interval.about
    if about is None or math.isnan(value):
        return ()
    apart, near = abs(about - value), min(about - interval.low, interval.high - about)
    if apart <= near / 50 or f"{about:.4g}" == f"{value:.4g}":
        return ()
    says = (
        f"the {interval.method} interval is laid about {about:.4g}, its own estimate of the {interval.answers}:"
        " report that number with this interval"
    )
    return (Note("other-centre", "caution" if apart > near / 2 else "remark", says),)


def _small_parts_notes(r: Resampling, value: float, interval: Interval) -> tuple[Note, ...]:
    """Return a caution where few ordered rows decide the average precision, which is higher the fewer they are."""
    if not r.score.is_one_of("average_precision"):
        return ()
    parts = r.main_predictions.values()
    rows = np.array([len(part) for part in parts], float)
    positives = np.array([np.count_nonzero(part.truth == part.positive) for part in parts], float)
    by_chance = chance_precision(rows, positives)
    # what orderings by chance have beyond their share of positive rows, in proportion to what is left of 1
    excess = float(np.mean((by_chance - positives / rows) * ratio(1 - value, 1 - by_chance)))
    if not excess > MIN_EXCESS * (value - interval.low):
        return ()
    says = (
        f"average_precision is higher the fewer rows are ordered, by about {excess:.2g} here, and the interval is about"
        f" test parts of so few: use `by='repeated_holdout(test=0.5)'`, or compare it with such parts alone"
    )
    return (Note("small-test-parts", "caution", says),)


def chance_precision(rows: Array, positives: Array) -> Array:
    """Return the mean average precision of all orders of so many rows, of which so many are positive."""
    harmonic = np.array([np.sum(1 / np.arange(1, number + 1)) for number in rows])
    others = ratio(positives - 1, rows - 1)
    return np.asarray((harmonic + others * (rows - harmonic)) / rows)


def _make_estimate(
    run: Run, request: EstimateRequest, point: PointEstimate, interval: Interval | None = None
) -> Estimate:
    answers = estimator_of(run.design).answers.format(share=trained_share(run.design))
    if interval is not None and (interval.about is None or math.isclose(interval.about, point.value, abs_tol=1e-12)):
        answers = interval.answers or answers
    return Estimate(
        request.score.spelling,
        request.asked,
        point.value,
        interval,
        request.score.direction,
        answers,
        run.data,
        run.learner,
        run.design.name,
        rows=run.design.rows,
        notes=incomplete_notes(run, point.value) + point.notes + request.score.value_notes(point.value, request.asked),
        splits=len(run.design),
        failed=run.failed,
        facts=point.facts,
        typed=request.typed,
    )
