"""From predictions to numbers: score, estimate, scorecard, and the scores of every split of runs."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from veracity.core.arguments import verb
from veracity.core.confidence import Confidence, Side
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError, ask_each
from veracity.core.missing import Undefined
from veracity.core.notes import Note, unique
from veracity.core.words import plural
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
from veracity.findings.run_results import RunScore, RunScores
from veracity.intervals.scored import Scored
from veracity.kernels.beside import run_beside
from veracity.records.arrays import Array
from veracity.risk.estimate_run import EstimateRequest, check_readable, estimate_run, undefined_estimate, with_positive
from veracity.risk.fold_scores import incomplete_notes, main_splits, split_scores
from veracity.scores import scores
from veracity.scores.default import default_score_of
from veracity.scores.entry import RIGHT_OR_WRONG, choice_for_models
from veracity.scores.on_counts import NEVER_TRUE


def applicable_scores(source: Predictions | Evidence) -> list[Choice]:
    """Return the scores of a scorecard: all that the predictions allow without a parameter that must be given."""
    several_classes = len(getattr(source, "classes", ())) > 2 and getattr(source, "positive", None) is None
    choices = []
    for entry in scores:
        if any(parameter.required for parameter in entry.parameters):
            continue
        choice = entry.choose()
        if several_classes and not choice.judges and choice.reads == "confusion matrix" and choice.one_class:
            continue  # the mean over classes is one divided by their number, whatever the rows
        if isinstance(source, Predictions):
            entry = entry.for_models(source)
            if entry.needs not in source.offers or not entry.suits(source.kind):
                continue
            unknown = source.train_mean is None and source.prior is None and source.provenance == "one model"
            if choice.accepts("baseline") and unknown:
                choice = choice.setting(baseline="test")  # measured against the test rows, which its row says
        elif not reads_evidence(choice, source):
            continue
        choices.append(choice)
    return choices


def reads_evidence(choice: Choice, evidence: Evidence) -> bool:
    """Return whether a score is one of this kind of evidence; losses belong to the one score that made them."""
    if isinstance(evidence, Errors):
        return bool(choice.is_one_of(*RIGHT_OR_WRONG))
    if isinstance(evidence, Losses):
        return False
    return bool(choice.reads == ("ordering" if isinstance(evidence, (Ordering, OrderedRows)) else "confusion matrix"))


Source = Predictions | Evidence
MAKE_THEM = "make them with veracity.predictions(...), or of a file with veracity.read_predictions(...)"


@verb
def score(p: Source, name: MethodLike) -> float:
    """One score of predictions, or of evidence such as a confusion matrix: a float, `Undefined` where there is none.

    Parameters
    ----------
    p
        Predictions, counts of a confusion matrix or errors.
    name
        A score by its name, such as 'log_loss', or your own.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> vc.score(p, "auc")
    0.8333333333333334
    """
    choice = scores.choose(name)
    if isinstance(p, Predictions) and p.provenance != "one model":
        request = EstimateRequest(choice, choice.spelling, Confidence(), value_alone=True)
        return estimate_run(run_of_predictions(p), request).value
    return score_source(p, choice).value_or_reason


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

    Parameters
    ----------
    p
        Predictions, counts, a mapping of names to them, or runs of learners.
    names
        Scores by name, such as 'auc' or 'fbeta(beta=2)', or your own; one or several.
    interval
        One method or several, which then stand side by side; the default of each score unless said.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    side
        'two' for an interval, 'lower' or 'upper' for a bound on one side.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    anyway
        Go on where a method is refused as not valid here; the result carries a note that says so.
    deviations
        Show the standard deviation over splits beside each value.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> card = vc.estimate(p, ["error", "auc"])
    >>> print(card["error"])
    error 0.4 [0.1176, 0.7693] (95% wilson)
    """
    at = Confidence(level, side)
    if not as_list(interval):
        raise BadInput("`interval=` names no interval: leave it out for the default one")
    requests = [
        EstimateRequest(
            scores.choose(name), scores.label(name), at, one, seed, anyway, name if isinstance(name, str) else ""
        )
        for name in as_list(names)
        for one in as_list(interval)
    ]
    if isinstance(p, Runs):
        return replace(estimate_runs(p, requests), deviations=deviations)
    if deviations:
        raise BadInput("standard deviations are over the splits of runs, and these are models: leave out deviations")
    # what positives alone cannot tell is undefined beside what they can
    pairs = [(model, source, request) for model, source in _models(p) for request in requests]
    rows, refusals = ask_each(pairs, lambda pair: estimate_source(pair[1], pair[2], pair[0]), _unknown_estimate)
    if refusals and len(refusals) == len(rows):
        raise refusals[0][1]
    enter_look(p, "estimate", [request.asked for request in requests])
    return Estimates(tuple(rows))


def _unknown_estimate(question: tuple[str, Source, EstimateRequest], why: VeracityError) -> Estimate:
    if not isinstance(why, Refused) or why.code != "positive-unlabelled":
        raise why
    model, source, request = question
    value = Undefined(why.says.removeprefix(f"{request.score.name} "))
    rows = len(source) if isinstance(source, Predictions) else math.nan
    return undefined_cell(request, value, learner=model, rows=rows, typed=request.typed)


def undefined_cell(request: EstimateRequest, value: Undefined, **about: Any) -> Estimate:
    """Return the cell of a score that has no value, with its notes."""
    score, notes = request.score, request.score.value_notes(value, request.asked)
    return Estimate(score.spelling, request.asked, value, None, score.direction, notes=notes, **about)


def estimate_runs(runs: Runs, requests: Sequence[EstimateRequest]) -> Estimates:
    """One row per data set, learner, design, score and interval; each run is read from the store once.

    What cannot be had of one run costs that cell alone; what cannot be had of any is refused.
    """
    notes = _left_out_notes(runs, requests)
    rows: list[Estimate] = []
    refusals: list[VeracityError] = []
    for run in runs:
        suited = [one for one in requests if one.score.suits(runs.kind(run.data))]
        found, refused = ask_each(suited, partial(estimate_run, run), partial(_refused_estimate, run))
        rows += [replace(row, by_asked=runs.as_typed(run.design.name)) for row in found]
        refusals += [why for _, why in refused]
    if refusals and len(refusals) == len(rows):
        raise refusals[0]
    seen = best_of_many(runs, [request.asked for request in requests])
    enter_look(runs, "estimate", [request.asked for request in requests])
    return Estimates(tuple(rows), runs.notes + notes + seen + _test_asked_again(runs, rows))


def _refused_estimate(run: Run, request: EstimateRequest, why: VeracityError) -> Estimate:
    """Return the value without the interval asked for, where that alone is refused; else an undefined cell."""
    try:
        row = estimate_run(run, replace(request, interval=None))
    except (BadInput, Refused):
        return undefined_estimate(run, request, why)
    note = Note("no-interval", "caution", f"no {request.interval} interval here: {why.says}")
    return replace(row, interval=None, notes=(note, *row.notes))


def numbers_hint(classes: Sequence[Any], say: str) -> str:
    """Return the way out where a score does not suit classes that may have been meant as numbers."""
    numbers = all(isinstance(label, (int, float)) and not isinstance(label, bool) for label in classes)
    return f"{say} if the target is of numbers" if classes and numbers else ""


def _left_out_notes(runs: Runs, requests: Sequence[EstimateRequest]) -> tuple[Note, ...]:
    """Return notes on data sets that a score is not for; refuse scores of which none is for any data set."""
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
    """Return notes on test rows of a hold-out that were asked before: the store counts that."""
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

    Parameters
    ----------
    p
        Predictions, counts, a mapping of names to them, or runs of learners.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    side
        'two' for an interval, 'lower' or 'upper' for a bound on one side.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> len(vc.scorecard(p)) > 20
    True
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
            requests = requests_of_all_scores(source, at, seed)
            found, refused = ask_each(requests, partial(estimate_source, source, model=model))
        rows += found
        notes += [Note("left-out", "remark", f"{request.score}: {why.says}") for request, why in refused]
    return Estimates(tuple(rows), tuple(notes))


def requests_of_all_scores(source: Source, at: Confidence, seed: int) -> list[EstimateRequest]:
    """Return what a scorecard asks of a source."""
    return [EstimateRequest(choice, choice.spelling, at, seed=seed) for choice in applicable_scores(source)]


def _scorecard_of_runs(runs: Runs, at: Confidence, seed: int) -> Estimates:
    rows: list[Estimate] = []
    notes: list[Note] = []
    for run in runs:
        seen, typed = run.fresh.predictions, runs.as_typed(run.design.name)
        if seen is None:
            why_not = f", the first failed because {run.reason}" if run.failed else ""
            says = f"{run.learner} on {run.data} by {typed}: no split succeeded{why_not}"
            notes.append(Note("all-failed", "caution", says))
            continue
        found, refused = ask_each(requests_of_all_scores(seen, at, seed), partial(estimate_run, run))
        rows += [replace(row, by_asked=typed) for row in found]
        where = f"not of {run.learner} on {run.data}"
        notes += [Note("left-out", "remark", f"{request.score}: {where}, {why.says}") for request, why in refused]
    enter_look(runs, "scorecard", [row.score for row in rows])
    return Estimates(tuple(rows), runs.notes + tuple(notes) + _test_asked_again(runs, rows))


def _models(p: Source | Mapping[str, Source]) -> list[tuple[str, Source]]:
    return list(p.items()) if isinstance(p, Mapping) else [("", p)]


def as_list(names: Any) -> list[Any]:
    """Return a list of one, or of all in a list, a tuple or an array."""
    several = isinstance(names, Collection) and not isinstance(names, str) and getattr(names, "ndim", 1) > 0
    return list(names) if several else [names]


def score_source(source: Source, choice: Choice) -> Scored:
    """Return a score on predictions or evidence; refuse what it cannot read."""
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


def estimate_source(
    source: Source, request: EstimateRequest, model: str = "", scored: Scored | None = None
) -> Estimate:
    """Return one score of one model, with its interval or a note on why it has none; it may be scored already."""
    if isinstance(source, Predictions) and source.provenance != "one model":  # as runs of the same splits have it
        row = estimate_run(run_of_predictions(source), request)
        notes = source.notes + row.notes
        if source.provenance == "several models":
            ordered = request.score.reads == "ordering"
            says = f"these rows were predicted by the {row.splits} models of {row.by}"
            how = ": the score is the mean over the models, whose values cannot be ordered together" if ordered else ""
            notes = (Note("several-models", "caution" if ordered else "remark", says + how), *notes)
        return replace(row, learner=model, notes=notes)
    m = score_source(source, request.score) if scored is None else scored
    value = m.value_or_reason
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


def scores_of_runs(runs: Runs, names: Sequence[Any], by: str | None = None) -> RunScores:
    """One row per data set, learner, design, split and score; a split without one has a row too.

    What cannot be had of one run leaves its values empty and is said; what cannot be had of any is refused.
    """
    names = names[0] if len(names) == 1 and isinstance(names[0], (list, tuple)) else names
    asked = list(names) or list(runs.asked_scores) or [default_score_of(runs)]
    choices = {scores.label(name): scores.choose(name) for name in asked}
    wanted = runs.designs if by is None else [runs.design_name(by)]
    rows: list[RunScore] = []
    notes: list[Note] = list(runs.selection_notes)
    refusals: list[VeracityError] = []
    asked_of_rows = 0
    for run in (run for run in runs if run.design.name in wanted):
        notes += incomplete_notes(run)
        suited = {label: choice for label, choice in choices.items() if choice.suits(runs.kind(run.data))}
        asked_of_rows += len(suited) if run.predictions is not None else 0
        main = run.design.main_splits
        found, refused = ask_each(
            suited.values(), partial(_split_values, run), lambda *_, main=main: np.full(len(main), math.nan)
        )
        refusals += [why for _, why in refused]
        notes += [Note("score-undefined", "caution", f"{run.learner} on {run.data}: {why.says}") for _, why in refused]
        for (label, choice), values in zip(suited.items(), found, strict=True):
            without = int(np.isnan(values).sum()) - (len(values) - len(main_splits(run)))
            if without and choice not in [one for one, _ in refused]:
                says = f"{label} is undefined in {without} of {plural(len(values), 'split')}, where {choice.undefined}"
                notes.append(Note("undefined", "remark", f"{run.learner} on {run.data}: {says}"))
            for number, value in zip(main, values.tolist(), strict=True):
                split = run.design.splits[number]
                fit, predict = (math.nan, math.nan) if run.seconds is None else run.seconds[number].tolist()
                place = (run.data, run.learner, run.design.name, split.repeat, split.fold)
                rows.append(RunScore(*place, label, value, fit, predict, split.learned_from, len(split.test)))
    if not rows:
        raise BadInput(f"{', '.join(choices)}: no data set here has a target that this is for")
    if refusals and len(refusals) == asked_of_rows:
        raise refusals[0]
    return RunScores(tuple(rows), unique(tuple(notes)))


def _split_values(run: Run, choice: Choice) -> Array:
    """The score of each main split, NaN where it failed or has none."""
    run, _ = with_positive(run, choice)
    values = np.full(len(run.design), math.nan)
    if run.predictions is not None:
        check_readable(run, choice)
        numbers = main_splits(run)
        values[numbers] = split_scores(choice, run, numbers).values
    return values[list(run.design.main_splits)]
