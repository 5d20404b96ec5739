"""From predictions to numbers: score, estimate, scorecard."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from veracity.core.confidence import Confidence, Side
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, VeracityError
from veracity.core.notes import Note
from veracity.core.undefined import Undefined
from veracity.evidence.evidence import Evidence
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import Ordering
from veracity.evidence.orderings import Orderings
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import Estimates
from veracity.intervals import attach
from veracity.intervals.scored import Scored
from veracity.risk.estimate_run import Asked, estimated
from veracity.scores import scores
from veracity.scores.on_counts import CountScore
from veracity.scores.on_orderings import OrderingScore

Source = Predictions | Evidence


def score(p: Source, name: Any) -> float:
    """One score of predictions, or of evidence such as a confusion matrix: a float, `Undefined` where there is none."""
    return _value(_measured(p, scores.choose(name)))


def estimate(
    p: Source | Mapping[str, Source] | Runs,
    names: Any,
    *,
    interval: Any = None,
    level: float = 0.95,
    side: Side = "two",
    seed: int = 0,
    anyway: bool = False,
) -> Estimates:
    """Scores with intervals, as one table. A mapping of models gives the rows of each, runs those of each learner.

    Several intervals give a row each, side by side.
    """
    at = Confidence(level, side)
    asked = _listed(names)
    if isinstance(p, Runs):
        return of_runs(p, [(scores.choose(one), _typed(one)) for one in asked], at, interval, seed, anyway)
    rows = [
        _estimated(_measured(source, scores.choose(one)), _typed(one), at, each, seed, anyway, model)
        for model, source in _models(p)
        for one in asked
        for each in _intervals(interval)
    ]
    return Estimates(tuple(rows))


def of_runs(
    runs: Runs, asked: list[tuple[Choice, str]], at: Confidence, interval: Any, seed: int, anyway: bool
) -> Estimates:
    """One row per data set, learner, design, score and interval; each run is read from the store once."""
    notes = _left_out(runs, asked)
    rows: list[Estimate] = []
    for run in runs:
        kind = runs.kind(run.data)
        for choice, typed in asked:
            for each in _intervals(interval) if choice.entry.suits(kind) else ():
                found = estimated(run, Asked(choice, typed, at, each, seed, anyway))
                rows.append(replace(found, by_asked=runs.typed(run.design.name)))
    return Estimates(tuple(rows), runs.notes + notes + _asked_again(runs, rows))


def said_numbers(classes: Sequence[Any], say: str) -> str:
    """The way out where a score does not suit classes that may have been meant as numbers."""
    numbers = all(isinstance(label, (int, float)) and not isinstance(label, bool) for label in classes)
    return f"{say} if the target is of numbers" if classes and numbers else ""


def _left_out(runs: Runs, asked: list[tuple[Choice, str]]) -> tuple[Note, ...]:
    """A score that is for none of the data sets is refused; one that is for some leaves the others out, and says so."""
    kinds = {name: runs.kind(name) for name in runs.names}
    notes: tuple[Note, ...] = ()
    for choice, typed in asked:
        others = [name for name, kind in kinds.items() if not choice.entry.suits(kind)]
        of = choice.entry.target_kind
        if len(others) == len(kinds):
            way = said_numbers(runs.data(others[0]).classes, ": evaluate with kind='numbers'")
            raise BadInput(f"{typed} is for {of}, but the target of {others[0]} is of {kinds[others[0]]}{way}")
        if others:
            notes += (Note("left-out", "remark", f"{typed}: it is for {of}, not for {', '.join(others)}"),)
    return notes


def _asked_again(runs: Runs, rows: list[Estimate]) -> tuple[Note, ...]:
    """A hold-out's test rows wear out: the store counts what was asked of them."""
    asked: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        asked.setdefault((row.data, row.by), []).append(f"{row.learner} {row.score}")
    notes: tuple[Note, ...] = ()
    for (data, by), questions in asked.items():
        if runs.tests_once(data, by):
            notes += _asked_times(data, runs.ask(data, by, ", ".join(dict.fromkeys(questions))))
    return notes


def _asked_times(data: str, times: int) -> tuple[Note, ...]:
    if times < 2:
        return ()
    says = f"the same test rows have been asked {times} times; what was chosen by the answers is too good on them"
    return (Note("test-asked-again", "caution", f"{data}: {says}"),)


def scorecard(p: Source | Mapping[str, Source], *, level: float = 0.95, side: Side = "two", seed: int = 0) -> Estimates:
    """Every score that these predictions allow, each with its default interval or a note that says why it has none."""
    at = Confidence(level, side)
    rows: list[Estimate] = []
    notes: list[Note] = []
    for model, source in _models(p):
        for choice in applicable(source):
            try:
                m = _measured(source, choice)
                rows.append(_estimated(m, choice.spelling, at, None, seed, False, model))
            except VeracityError as why:
                notes.append(Note("left-out", "remark", f"{choice}: {why}"))
    return Estimates(tuple(rows), tuple(notes))


def applicable(source: Source) -> list[Choice]:
    """The scores of a scorecard: all that the predictions allow without a parameter that must be given."""
    choices = []
    for entry in scores:
        if any(parameter.required for parameter in entry.parameters):
            continue
        choice = entry.choose()
        if isinstance(source, Predictions):
            if entry.needs not in source.offers or not entry.suits(source.kind):
                continue
            choice = _told(choice, source)
        elif not _reads(choice, source):
            continue
        choices.append(choice)
    return choices


def _reads(choice: Choice, evidence: Evidence) -> bool:
    """Whether a score is one of this kind of evidence; losses belong to the one score that made them."""
    kind = OrderingScore if isinstance(evidence, (Ordering, Orderings)) else CountScore
    return isinstance(choice.entry, kind) and not isinstance(evidence, Losses)


def _told(choice: Choice, p: Predictions) -> Choice:
    """Without facts of the training rows, a scorecard measures against the test rows, and its row says so."""
    if choice.accepts("baseline") and p.train_mean is None and p.prior is None:
        return choice.setting(baseline="test")
    return choice


def _models(p: Source | Mapping[str, Source]) -> list[tuple[str, Source]]:
    return list(p.items()) if isinstance(p, Mapping) else [("", p)]


def _listed(names: Any) -> list[Any]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        return [names]
    return list(names)


def _intervals(interval: Any) -> list[Any]:
    found = _listed(interval)
    if not found:
        raise BadInput("interval= names no interval: leave it out for the default one")
    return found


def _typed(one: Any) -> str:
    return one if isinstance(one, str) else scores.choose(one).spelling


def _measured(source: Source, choice: Choice) -> Scored:
    if isinstance(source, Predictions):
        choice.entry.check(source)
        return Scored.of_predictions(choice, source)
    if not isinstance(source, Evidence):
        raise BadInput(
            f"give predictions or evidence, not {type(source).__name__}: make them with veracity.predictions(...)"
        )
    if not isinstance(source, Losses) and not _reads(choice, source):
        raise BadInput(f"{choice} cannot be had from {type(source).__name__} alone: give predictions")
    return Scored(choice, source)


def _value(m: Scored) -> float:
    if math.isnan(m.value):
        return Undefined(m.undefined)
    return m.value


def _estimated(m: Scored, typed: str, at: Confidence, interval: Any, seed: int, anyway: bool, model: str) -> Estimate:
    value = _value(m)
    notes = m.score.entry.remarks(m.evidence, **m.score.given)
    notes += m.score.entry.told(value, typed)
    if interval is not None:
        found: Any = attach.attach_interval(m, interval, at, seed, anyway)
    else:
        found, why = attach.attach_default(m, at, seed)
        notes += why
    entry = m.score.entry
    return Estimate(
        m.score.spelling, typed, value, found, entry.better, learner=model, rows=m.evidence.rows, notes=notes
    )
