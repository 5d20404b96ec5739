"""From predictions to numbers: score, estimate, scorecard."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from veracity.core.arguments import verb
from veracity.core.confidence import Confidence, Side
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError
from veracity.core.missing import Undefined
from veracity.core.notes import Note
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.evidence import Evidence
from veracity.evidence.looks import best_of_many, enter_look
from veracity.evidence.losses import Losses
from veracity.evidence.ordering import OrderedRows, Ordering
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run, run_of_predictions
from veracity.evidence.runs import Runs
from veracity.evidence.sort_rows import WORTH_A_THREAD
from veracity.findings.estimates import Estimate, Estimates
from veracity.intervals.scored import Scored
from veracity.kernels.beside import run_beside
from veracity.risk.estimate_run import EstimateRequest, estimate_run, undefined_estimate
from veracity.scores import scores
from veracity.scores.entry import RIGHT_OR_WRONG, choice_for_models
from veracity.scores.on_counts import NEVER_TRUE


def applicable_scores(source: Predictions | Evidence) -> list[Choice]:
    """The scores of a scorecard: all that the predictions allow without a parameter that must be given."""
    choices = []
    for entry in scores:
        if any(parameter.required for parameter in entry.parameters):
            continue
        choice = entry.choose()
        if _is_same_of_all(choice, source):
            continue
        if isinstance(source, Predictions):
            entry = entry.for_models(source)
            if entry.needs not in source.offers or not entry.suits(source.kind):
                continue
            choice = _with_test_baseline(choice, source)
        elif not reads_evidence(choice, source):
            continue
        choices.append(choice)
    return choices


def _is_same_of_all(score: Choice, source: Predictions | Evidence) -> bool:
    """A fact about the rows of a class, whose mean over classes is one divided by their number whatever the rows."""
    several = len(getattr(source, "classes", ())) > 2 and getattr(source, "positive", None) is None
    return several and not score.judges and score.reads == "confusion matrix" and score.one_class


def reads_evidence(choice: Choice, evidence: Evidence) -> bool:
    """Whether a score is one of this kind of evidence; losses belong to the one score that made them."""
    if isinstance(evidence, Errors):
        return bool(choice.is_one_of(*RIGHT_OR_WRONG))
    if isinstance(evidence, Losses):
        return False
    return bool(choice.reads == ("ordering" if isinstance(evidence, (Ordering, OrderedRows)) else "confusion matrix"))


def _with_test_baseline(choice: Choice, p: Predictions) -> Choice:
    """Without facts of the training rows, a scorecard measures against the test rows, and its row says so."""
    unknown = p.train_mean is None and p.prior is None and p.provenance == "one model"
    if choice.accepts("baseline") and unknown:
        return choice.setting(baseline="test")
    return choice


Source = Predictions | Evidence
MAKE_THEM = "make them with veracity.predictions(...), or of a file with veracity.read_predictions(...)"


@verb
def score(p: Source, name: MethodLike) -> float:
    """One score of predictions, or of evidence such as a confusion matrix: a float, `Undefined` where there is none."""
    choice = scores.choose(name)
    if isinstance(p, Predictions) and p.provenance != "one model":
        request = EstimateRequest(choice, choice.spelling, Confidence(), value_alone=True)
        return estimate_run(run_of_predictions(p), request).value
    return _value(score_source(p, choice))


@verb
def estimate(
    p: Source | Mapping[str, Source] | Runs,
    names: MethodLike | Iterable[MethodLike],
    *,
    interval: MethodLike | Iterable[MethodLike | None] | None = None,
    level: float = 0.95,
    side: Side = "two",
    seed: int = 0,
    anyway: bool = False,
    deviations: bool = False,
) -> Estimates:
    """Scores with intervals, as one table. A mapping of models gives the rows of each, runs those of each learner.

    Several intervals give a row each, side by side. `deviations=True` shows the standard deviation over splits too.
    """
    at = Confidence(level, side)
    requests = [
        EstimateRequest(
            scores.choose(name), scores.label(name), at, one, seed, anyway, name if isinstance(name, str) else ""
        )
        for name in as_list(names)
        for one in _intervals(interval)
    ]
    if isinstance(p, Runs):
        return replace(estimate_runs(p, requests), deviations=deviations)
    if deviations:
        raise BadInput("standard deviations are over the splits of runs, and these are models: leave out deviations")
    found = _estimate_each(_models(p), requests)
    enter_look(p, "estimate", [request.asked for request in requests])
    return found


def _estimate_each(models: Sequence[tuple[str, Source]], requests: Sequence[EstimateRequest]) -> Estimates:
    """A row for each model and request; what positives alone cannot tell is undefined beside what they can."""
    rows: list[Estimate] = []
    refusals: list[Refused] = []
    for model, source in models:
        for request in requests:
            try:
                rows.append(estimate_source(source, request, model))
            except Refused as why:
                if why.code != "positive-unlabelled":
                    raise
                refusals.append(why)
                rows.append(_unknown_estimate(source, request, model, why))
    if refusals and len(refusals) == len(rows):
        raise refusals[0]
    return Estimates(tuple(rows))


def _unknown_estimate(source: Source, request: EstimateRequest, model: str, why: Refused) -> Estimate:
    score = request.score
    value = Undefined(why.says.removeprefix(f"{score.name} "))
    notes = score.value_notes(value, request.asked)
    rows = len(source) if isinstance(source, Predictions) else math.nan
    about: Any = {"learner": model, "rows": rows, "notes": notes, "typed": request.typed}
    return Estimate(score.spelling, request.asked, value, None, score.direction, **about)


def estimate_runs(runs: Runs, requests: Sequence[EstimateRequest]) -> Estimates:
    """One row per data set, learner, design, score and interval; each run is read from the store once.

    What cannot be had of one run costs that cell alone; what cannot be had of any is refused.
    """
    notes = _left_out_notes(runs, requests)
    rows: list[Estimate] = []
    refusals: list[VeracityError] = []
    for run in runs:
        kind, typed = runs.kind(run.data), runs.as_typed(run.design.name)
        for request in (one for one in requests if one.score.suits(kind)):
            try:
                row = estimate_run(run, request)
            except (BadInput, Refused) as why:
                refusals.append(why)
                row = _refused_estimate(run, request, why)
            rows.append(replace(row, by_asked=typed))
    if refusals and len(refusals) == len(rows):
        raise refusals[0]
    seen = best_of_many(runs, [request.asked for request in requests])
    enter_look(runs, "estimate", [request.asked for request in requests])
    return Estimates(tuple(rows), runs.notes + notes + seen + _test_asked_again(runs, rows))


def _refused_estimate(run: Run, request: EstimateRequest, why: BadInput | Refused) -> Estimate:
    """The value without the interval that was asked for, where that alone is refused; else an undefined cell."""
    try:
        row = estimate_run(run, replace(request, interval=None))
    except (BadInput, Refused):
        return undefined_estimate(run, request, why)
    note = Note("no-interval", "caution", f"no {request.interval} interval here: {why.says}")
    return replace(row, interval=None, notes=(note, *row.notes))


def numbers_hint(classes: Sequence[Any], say: str) -> str:
    """The way out where a score does not suit classes that may have been meant as numbers."""
    numbers = all(isinstance(label, (int, float)) and not isinstance(label, bool) for label in classes)
    return f"{say} if the target is of numbers" if classes and numbers else ""


def _left_out_notes(runs: Runs, requests: Sequence[EstimateRequest]) -> tuple[Note, ...]:
    """What a score is not for is left out, and that is said; where no score is for any data set, that is refused."""
    kinds = {name: runs.kind(name) for name in runs.names}
    notes: tuple[Note, ...] = ()
    asked = {request.asked: request.score for request in requests}
    if asked and not any(choice.suits(kind) for choice in asked.values() for kind in kinds.values()):
        (typed, choice), (name, kind) = next(iter(asked.items())), next(iter(kinds.items()))
        way = numbers_hint(runs.data(name).classes, ": evaluate with `kind='numbers'`")
        raise BadInput(f"{typed} is for {choice.target_kind}, but the target of {name} is of {kind}{way}")
    for typed, choice in asked.items():
        others = [name for name, kind in kinds.items() if not choice.suits(kind)]
        if others:
            says = f"{typed}: it is for {choice.target_kind}, not for {', '.join(others)}"
            notes += (Note("left-out", "caution" if len(others) == len(kinds) else "remark", says),)
    return notes


def _test_asked_again(runs: Runs, rows: list[Estimate]) -> tuple[Note, ...]:
    """A hold-out's test rows wear out: the store counts what was asked of them."""
    questions: dict[tuple[str, str], list[str]] = {}
    for row in rows:
        questions.setdefault((row.data, row.by), []).append(f"{row.learner} {row.score}")
    return tuple(
        note
        for (data, by), of_test in questions.items()
        for note in runs.asked_again_notes(data, by, ", ".join(dict.fromkeys(of_test)))
    )


@verb
def scorecard(
    p: Source | Mapping[str, Source] | Runs, *, level: float = 0.95, side: Side = "two", seed: int = 0
) -> Estimates:
    """Every score that these predictions allow, each with its default interval or a note that says why it has none.

    Of runs it is every score of each learner on each data set, with the intervals of learners.
    """
    at = Confidence(level, side)
    if isinstance(p, Runs):
        return _scorecard_of_runs(p, at, seed)
    rows: list[Estimate] = []
    notes: list[Note] = []
    for model, source in _models(p):
        many = isinstance(source, Predictions) and len(source) >= WORTH_A_THREAD
        if many and isinstance(source, Predictions) and source.proba is not None and source.positive is not None:
            _ = source.ordering  # sorted by all threads, before one of them adds up losses
        with run_beside(partial(getattr, source, "row_sums", None), many):
            for choice in applicable_scores(source):
                try:
                    rows.append(estimate_source(source, EstimateRequest(choice, choice.spelling, at, seed=seed), model))
                except VeracityError as why:
                    notes.append(Note("left-out", "remark", f"{choice}: {why.says}"))
    return Estimates(tuple(rows), tuple(notes))


def _scorecard_of_runs(runs: Runs, at: Confidence, seed: int) -> Estimates:
    """What a score cannot be had of, or a learner that failed everywhere, is told and costs nothing else."""
    rows: list[Estimate] = []
    notes: list[Note] = []
    for run in runs:
        seen, typed = run.fresh.predictions, runs.as_typed(run.design.name)
        if seen is None:
            says = f"{run.learner} on {run.data} by {typed}: no split succeeded, the first failed because {run.reason}"
            notes.append(Note("all-failed", "caution", says if run.failed else says.partition(", the first")[0]))
            continue
        for choice in applicable_scores(seen):
            try:
                row = estimate_run(run, EstimateRequest(choice, choice.spelling, at, seed=seed))
                rows.append(replace(row, by_asked=typed))
            except VeracityError as why:
                says = f"{choice}: not of {run.learner} on {run.data}, {why.says}"
                notes.append(Note("left-out", "remark", says))
    enter_look(runs, "scorecard", [row.score for row in rows])
    return Estimates(tuple(rows), runs.notes + tuple(notes) + _test_asked_again(runs, rows))


def _models(p: Source | Mapping[str, Source]) -> list[tuple[str, Source]]:
    return list(p.items()) if isinstance(p, Mapping) else [("", p)]


def as_list(names: Any) -> list[Any]:
    """One, or all of a list, a tuple or an array of them."""
    several = isinstance(names, Collection) and not isinstance(names, str) and getattr(names, "ndim", 1) > 0
    return list(names) if several else [names]


def _intervals(interval: Any) -> list[Any]:
    names = as_list(interval)
    if not names:
        raise BadInput("`interval=` names no interval: leave it out for the default one")
    return names


def score_source(source: Source, choice: Choice) -> Scored:
    """A score on predictions or evidence; refuses what it cannot read."""
    if isinstance(source, Predictions):
        choice = choice_for_models(choice, source)
        choice.check(source)
        return Scored.of_predictions(choice, source)
    if not isinstance(source, Evidence):
        raise BadInput(f"give predictions or evidence, not {type(source).__name__}: {MAKE_THEM}")
    if isinstance(source, Counts) and source.matrix.ndim > 2:
        raise BadInput(f"these are {source.matrix[..., 0, 0].size} confusion matrices: score each by itself")
    if not isinstance(source, Losses) and not reads_evidence(choice, source):
        raise BadInput(
            f"{choice} cannot be had from {getattr(source, 'label', type(source).__name__)} alone: give predictions"
        )
    return Scored(choice, source)


def _value(m: Scored) -> float:
    if math.isnan(m.value):
        return Undefined(m.undefined)
    return m.value


def _estimate_models(p: Predictions, request: EstimateRequest, model: str) -> Estimate:
    """Of predictions that several models made, or of training rows: the estimate that runs of the same splits have."""
    row = estimate_run(run_of_predictions(p), request)
    notes = p.notes + row.notes
    if p.provenance == "several models":
        ordered = request.score.reads == "ordering"
        says = f"these rows were predicted by the {row.splits} models of {row.by}"
        how = ": the score is the mean over the models, whose values cannot be ordered together" if ordered else ""
        notes = (Note("several-models", "caution" if ordered else "remark", says + how), *notes)
    return replace(row, learner=model, notes=notes)


def estimate_source(
    source: Source, request: EstimateRequest, model: str = "", scored: Scored | None = None
) -> Estimate:
    """One score of one model, with its interval or a note that says why there is none; it may be scored already."""
    if isinstance(source, Predictions) and source.provenance != "one model":
        return _estimate_models(source, request, model)
    m = score_source(source, request.score) if scored is None else scored
    value = _value(m)
    notes = m.score.one_class_notes(source) + m.score.remarks(m.evidence)
    notes += m.score.value_notes(value, request.asked)
    if isinstance(source, Predictions) and source.labelled == "positives":  # where no row is known to be of the rest
        notes = tuple(note for note in notes if note.code != NEVER_TRUE)
    interval, why = request.attach_to(m)
    return Estimate(
        m.score.spelling,
        request.asked,
        value,
        interval,
        m.score.direction,
        learner=model,
        rows=m.evidence.rows,
        notes=(source.notes if isinstance(source, Predictions) else ()) + notes + why,
        typed=request.typed,
    )
