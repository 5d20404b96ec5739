"""Which intervals a score may have here, each tried on what there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any

from veracity.advice.attempt import advice_on, attempt, draws_too_often, make_advice, not_tried
from veracity.advice.nearest_figures import Situation
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import Refused
from veracity.core.notes import Note
from veracity.evidence.looks import uncounted
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.findings.advice import Advice, MethodAdvice
from veracity.findings.estimates import Estimate
from veracity.intervals import intervals
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.estimates import estimate_source, score_source

FIRST = 6  # models or runs on which methods are tried
EXAMPLES: dict[str, Any] = {"size_h": 1000, "vc_dim": 10}  # of what must be told
Subject = Callable[[EstimateRequest], Estimate]


def advise_on_estimates(source: Any, score: Choice, at: Confidence, seed: int) -> Advice:
    """Every interval of one model's or learner's score."""
    subjects, here, notes = _subjects(source, score)
    ask = partial(EstimateRequest, score, score.spelling, at, seed=seed)
    usual = [subject(ask()) for subject in subjects]
    default = next((row.interval.method.partition("(")[0] for row in usual if row.interval is not None), "")
    of_all = source.notes if isinstance(source, Runs) else ()
    rows: list[MethodAdvice] = []
    for entry in intervals:
        if entry.answers == "difference":
            continue
        choice = entry.choose(**{one.name: EXAMPLES[one.name] for one in entry.parameters if one.required})
        if draws_too_often(choice, here.rows):
            rows.append(not_tried(choice, here.rows, here))
            continue
        found = attempt(partial(_notes, subject, ask(interval=choice), of_all) for subject in subjects)
        rows.append(advice_on(choice, found, here, entry.name == default))
    return make_advice("estimate", rows, f"the usual interval of {score.spelling} here", notes)


def _notes(subject: Subject, request: EstimateRequest, of_all: tuple[Note, ...]) -> tuple[Note, ...]:
    """What is said of an estimate with this interval; one that has none has no answer."""
    row = subject(request)
    if row.interval is None:
        why = next((note.says for note in row.notes if note.code == "no-interval"), f"{row.asked} has no interval here")
        raise Refused(why, "no-interval")
    return of_all + row.all_notes


def _subjects(source: Any, score: Choice) -> tuple[Sequence[Subject], Situation, tuple[Note, ...]]:
    """What is estimated, of the first few where there are many."""
    if isinstance(source, Runs):
        places = list(source.places())
        runs = list(islice(uncounted(source), FIRST))
        return [partial(estimate_run, run) for run in runs], situation_of(runs[0], score), _first(len(places), "runs")
    models = dict(source) if isinstance(source, Mapping) else {"": source}
    some = list(islice(models.items(), FIRST))
    one = some[0][1]
    if isinstance(one, Predictions) and one.provenance != "one model":
        here = Situation(one.different_rows, score.spelling, one.origin.design.name if one.origin else "")
    else:
        evidence = score_source(one, score).evidence
        here = Situation(int(evidence.rows), score.spelling, grouped=evidence.sampling is not None)
    return [_of_model(name, model, score) for name, model in some], here, _first(len(models), "models")


def _of_model(name: str, model: Any, score: Choice) -> Subject:
    """With the score measured once for all methods."""
    fixed = not isinstance(model, Predictions) or model.provenance == "one model"
    scored = score_source(model, score) if fixed else None
    return lambda request: estimate_source(model, request, name, scored)


def situation_of(run: Run, score: Choice) -> Situation:
    """The rows and the design of a run; a hold-out is one fixed model."""
    if len(run.design) == 1:
        return Situation(len(run.design.splits[0].test), score.spelling)
    return Situation(run.design.rows, score.spelling, run.design.name)


def _first(number: int, what: str) -> tuple[Note, ...]:
    says = f"tried on the first {FIRST} of {number} {what}"
    return (Note("first-few", "remark", says),) if number > FIRST else ()
