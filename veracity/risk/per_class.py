"""How well each class is recognised: precision, recall, F and support, each with its interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np

from veracity.core.arguments import verb
from veracity.core.confidence import Confidence, Side
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, VeracityError, ask_each
from veracity.core.missing import Undefined
from veracity.core.notes import Note, unique
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.predictions import Predictions
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.findings.classes_and_rows import ClassScores, PerClass
from veracity.findings.estimates import Estimate
from veracity.records.arrays import Array
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.estimates import as_list, estimate_source
from veracity.scores import scores

USUAL = ("precision", "recall", "fbeta")
AVERAGES = {"macro": "macro mean", "prior": "weighted mean"}  # as most people call them
PLAIN_HERE = ("one-class", "macro-average")  # codes of notes whose say the table itself has
WEIGHTED_RECALL = Note("weighted-recall", "remark", "the weighted mean of recall is the accuracy")
Model = Predictions | Counts


class Part(NamedTuple):
    """One model, or one learner on one data set, and how it is asked for a score of the class at a place."""

    classes: tuple[object, ...]
    support: Array
    ask: Callable[[EstimateRequest, int | None], Estimate]  # without a place: of what the score says itself
    data: str = ""
    learner: str = ""
    by: str = ""


@verb
def per_class(
    source: Model | Mapping[str, Model] | Runs,
    names: MethodLike | Iterable[MethodLike] = USUAL,
    *,
    level: float = 0.95,
    side: Side = "two",
    seed: int = 0,
) -> PerClass:
    """Precision, recall, F1 and support of each class against all others, each score with its usual interval.

    Others know it as the classification report. `source` is predictions, a confusion matrix (`Counts`), a mapping of
    models to either, or runs, whose learners are asked over their folds. Other scores of one class can be named, such
    as specificity, jaccard or auc. Below the classes stand the mean over classes (macro) and the mean weighed by their
    shares (weighted). Each interval has `level` by itself, not all of them together. On the command line it is
    `veracity score ... --per-class`, of runs `veracity estimate ... --per-class`.
    """
    at, choices = Confidence(level, side), _choices(names)
    requests = [EstimateRequest(choice, label, at, seed=seed, typed=typed) for typed, label, choice in choices]
    rows: list[ClassScores] = []
    refusals: list[VeracityError] = []
    for part in _parts(source, requests):
        where = {"data": part.data, "learner": part.learner, "by": part.by}
        support = [*map(float, part.support), *[float(part.support.sum())] * len(AVERAGES)]
        averages = [""] * len(part.classes) + list(AVERAGES)
        titles = (*map(str, part.classes), *AVERAGES.values())
        for place, (title, rows_of_class, average) in enumerate(zip(titles, support, averages, strict=True)):
            asked = [_averaged(request, average) for request in requests] if average else requests
            ask = partial(_estimate_of_class, part, None if average else place)
            estimates, refused = ask_each(asked, ask, _undefined_of_class)
            refusals += [why for _, why in refused]
            rows.append(ClassScores(title, tuple(estimates), rows_of_class, average, **where))
    if not rows:
        raise BadInput("no target here is of classes, which per_class is for")
    if len(refusals) == len(rows) * len(requests):
        raise refusals[0]
    notes = (WEIGHTED_RECALL,) if any(one.score.is_one_of("recall") for one in requests) else ()
    return PerClass(tuple(rows), level, _source_notes(source, rows) + notes)


def _choices(names: MethodLike | Iterable[MethodLike]) -> list[tuple[str, str, Choice]]:
    """The scores, after what was typed and what they are called; refuses those that are not of one class."""
    asked = as_list(names)
    choices = [(str(name), scores.label(name), scores.choose(name)) for name in asked]
    if not choices:
        raise BadInput("name a score of one class, such as precision")
    for _, label, choice in choices:
        if not choice.accepts("average"):
            raise BadInput(f"{label} is of all classes together: per_class takes scores of one class, such as recall")
        if choice.value("average") != "auto":
            raise BadInput(f"{label} is of all classes: per_class gives averages below the classes, leave it out")
    return choices


def _parts(source: object, requests: Sequence[EstimateRequest]) -> Iterator[Part]:
    """Whatever is asked, one after the other; targets that are numbers are passed over."""
    if isinstance(source, Runs):
        yield from (_part_of_run(source, run) for run in source if source.kind(run.data) == "classes")
        return
    models = source if isinstance(source, Mapping) else {"": source}
    for name, model in models.items():
        if isinstance(model, Errors) or not isinstance(model, (Predictions, Counts)):
            what = getattr(model, "label", type(model).__name__)
            raise BadInput(f"per_class reads predictions, a confusion matrix or runs, not {what}")
        if isinstance(model, Counts) or model.kind == "classes":
            yield _part_of_model(name, model, requests)


def _part_of_model(name: str, model: Model, requests: Sequence[EstimateRequest]) -> Part:
    """Of one model the matrix tells all that scores of labels need, and is counted once."""
    by = ""
    if isinstance(model, Predictions):
        for request in requests:
            request.score.check_labelled(model)
        if model.provenance == "one model" and all(one.score.reads == "confusion matrix" for one in requests):
            requests[0].score.check(model)
            model = model.confusion()
        elif model.origin is not None:
            by = model.origin.design.name
    asked = model

    def ask(request: EstimateRequest, place: int | None) -> Estimate:
        return estimate_source(asked if place is None else asked.with_positive(place), request, name)

    support = asked.of_truth if isinstance(asked, Counts) else asked.of_class
    return Part(asked.classes, support, ask, learner=name, by=by)


def _part_of_run(runs: Runs, run: Run) -> Part:
    p, classes = run.predictions, runs.data(run.data).classes
    support = np.zeros(len(classes)) if p is None else p.of_class

    def ask(request: EstimateRequest, place: int | None) -> Estimate:
        of = p if p is None or place is None else p.with_positive(place)
        return estimate_run(replace(run, predictions=of), request)

    return Part(classes, support, ask, run.data, run.learner, run.design.name)


def _estimate_of_class(part: Part, place: int | None, request: EstimateRequest) -> Estimate:
    row = part.ask(request, place)
    return replace(row, notes=tuple(note for note in row.notes if note.code not in PLAIN_HERE))


def _undefined_of_class(request: EstimateRequest, why: VeracityError) -> Estimate:
    score, value = request.score, Undefined(why.says)
    return Estimate(score.spelling, request.asked, value, notes=score.value_notes(value, request.asked))


def _averaged(request: EstimateRequest, average: str) -> EstimateRequest:
    """The same score over all classes."""
    kind = average if request.score.reads == "confusion matrix" else f"{average}_ovr"
    return replace(request, score=request.score.setting(average=kind))


def _source_notes(source: object, rows: Sequence[ClassScores]) -> tuple[Note, ...]:
    """What was noticed where the rows were read; of a store also whether its test rows wear out."""
    if isinstance(source, Runs):
        asked = dict.fromkeys((row.data, row.by) for row in rows)
        question = f"per class {', '.join(rows[0].scores)}"
        return source.notes + tuple(note for place in asked for note in source.asked_again_notes(*place, question))
    models = source.values() if isinstance(source, Mapping) else [source]
    return unique(tuple(note for p in models if isinstance(p, Predictions) for note in p.notes))
