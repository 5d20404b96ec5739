"""Where a model errs: scores of each class and of each group of rows, and the rows most wrong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from veracity.core.arguments import Column, verb
from veracity.core.confidence import Confidence, Side
from veracity.core.entry import Choice, MethodLike
from veracity.core.errors import BadInput, Refused, VeracityError, ask_each
from veracity.core.missing import Undefined
from veracity.core.notes import Note, unique
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.labels import as_labels, simultaneous_note, slice_rows
from veracity.evidence.looks import enter_look, one_look, sliced_words
from veracity.evidence.predictions import Predictions, check_predictions, subset
from veracity.evidence.run import Run
from veracity.evidence.runs import Runs
from veracity.findings.classes_and_rows import ClassScores, PerClass, Worst, WorstRow
from veracity.findings.estimates import Estimate, Estimates
from veracity.records.arrays import Array, python_value
from veracity.risk.estimate_run import EstimateRequest, estimate_run
from veracity.risk.estimates import as_list, estimate, estimate_source, undefined_cell
from veracity.scores import scores
from veracity.scores.default import default_score
from veracity.scores.entry import UNLABELLED
from veracity.scores.numeric import mae
from veracity.scores.probability import log_loss

USUAL = ("precision", "recall", "fbeta")
AVERAGES = {"macro": "macro mean", "prior": "weighted mean"}  # as most people call them
PLAIN_HERE = ("one-class", "macro-average")  # codes of notes whose say the table itself has
WEIGHTED_RECALL = Note("weighted-recall", "remark", "the weighted mean of recall is the accuracy")
Model = Predictions | Counts


class Part(NamedTuple):
    """One model, or one learner on one data set, with its classes and the rows of each."""

    source: Model | Run
    classes: tuple[object, ...]
    support: Array
    data: str = ""
    learner: str = ""
    by: str = ""

    def estimate(self, request: EstimateRequest, place: int | None) -> Estimate:
        """Return a score of the class at a place; without one, of what the score says itself."""
        source = self.source
        if isinstance(source, Run):
            p = source.predictions
            positive = p if p is None or place is None else p.with_positive(place)
            row = estimate_run(replace(source, predictions=positive), request)
        else:
            row = estimate_source(source if place is None else source.with_positive(place), request, self.learner)
        return replace(row, notes=tuple(note for note in row.notes if note.code not in PLAIN_HERE))


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

    Parameters
    ----------
    source
        Predictions, a confusion matrix, a mapping of names to either, or runs.
    names
        Scores by name, such as 'auc' or 'fbeta(beta=2)', or your own; one or several.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    side
        'two' for an interval, 'lower' or 'upper' for a bound on one side.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> vc.per_class(vc.Counts([[8, 2], [1, 9]]))["macro"]["recall"].value
    0.8500000000000001
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
            ask = partial(part.estimate, place=None if average else place)
            estimates, refused = ask_each(asked, ask, lambda one, why: undefined_cell(one, Undefined(why.says)))
            refusals += [why for _, why in refused]
            rows.append(ClassScores(title, tuple(estimates), rows_of_class, average, **where))
    if not rows:
        raise BadInput("no target here is of classes, which per_class is for")
    if len(refusals) == len(rows) * len(requests):
        raise refusals[0]
    notes = (WEIGHTED_RECALL,) if any(one.score.is_one_of("recall") for one in requests) else ()
    return PerClass(tuple(rows), level, _source_notes(source, rows) + notes)


def _choices(names: MethodLike | Iterable[MethodLike]) -> list[tuple[str, str, Choice]]:
    """Return what was typed, what results call it and the score; refuse scores that are not of one class."""
    choices = [(str(name), scores.label(name), scores.choose(name)) for name in as_list(names)]
    if not choices:
        raise BadInput("name a score of one class, such as precision")
    for _, label, choice in choices:
        if not choice.accepts("average"):
            raise BadInput(f"{label} is of all classes together: per_class takes scores of one class, such as recall")
        if choice.value("average") != "auto":
            raise BadInput(f"{label} is of all classes: per_class gives averages below the classes, leave it out")
    return choices


def _parts(source: object, requests: Sequence[EstimateRequest]) -> Iterator[Part]:
    """Yield each model or learner; targets that are numbers are passed over."""
    if isinstance(source, Runs):
        for run in source:
            if source.kind(run.data) == "classes":
                classes = source.data(run.data).classes
                support = np.zeros(len(classes)) if run.predictions is None else run.predictions.of_class
                yield Part(run, classes, support, run.data, run.learner, run.design.name)
        return
    models = source if isinstance(source, Mapping) else {"": source}
    for name, model in models.items():
        if isinstance(model, Errors) or not isinstance(model, (Predictions, Counts)):
            what = getattr(model, "label", type(model).__name__)
            raise BadInput(f"per_class reads predictions, a confusion matrix or runs, not {what}")
        if isinstance(model, Counts) or model.kind == "classes":
            yield _part_of_model(name, model, requests)


def _part_of_model(name: str, model: Model, requests: Sequence[EstimateRequest]) -> Part:
    """Return one model; its confusion matrix, counted once, where that is all that the scores need."""
    by = ""
    if isinstance(model, Predictions):
        for request in requests:
            request.score.check_labelled(model)
        if model.provenance == "one model" and all(one.score.reads == "confusion matrix" for one in requests):
            requests[0].score.check(model)
            model = model.confusion()
        elif model.origin is not None:
            by = model.origin.design.name
    support = model.of_truth if isinstance(model, Counts) else model.of_class
    return Part(model, model.classes, support, learner=name, by=by)


def _averaged(request: EstimateRequest, average: str) -> EstimateRequest:
    """Return the request of the same score over all classes."""
    kind = average if request.score.reads == "confusion matrix" else f"{average}_ovr"
    return replace(request, score=request.score.setting(average=kind))


def _source_notes(source: object, rows: Sequence[ClassScores]) -> tuple[Note, ...]:
    """Return notes of reading the rows; of a store also on test rows that were asked before."""
    if isinstance(source, Runs):
        asked = dict.fromkeys((row.data, row.by) for row in rows)
        question = f"per class {', '.join(rows[0].scores)}"
        return source.notes + tuple(note for place in asked for note in source.asked_again_notes(*place, question))
    models = source.values() if isinstance(source, Mapping) else [source]
    return unique(tuple(note for p in models if isinstance(p, Predictions) for note in p.notes))


EXACT = "clopper_pearson"
EXACT_SHARES = Note(
    "exact-shares",
    "remark",
    "shares have Clopper and Pearson's interval here: near level 1 Wilson's misses more often than it may",
)
FEW = 50
SMALL_SLICE = Note(
    "small-slice",
    "caution",
    f"a slice has fewer than {FEW} rows, too few for a level near 1: all slices hold together less often than told",
)
Sliced = dict[str, tuple[Predictions, Any]]  # by model: its rows and the label of each
MORE = {"value": "auc", "proba": "brier"}  # beside the default score, by what the predictions offer


@verb
def slices(
    p: Predictions | Mapping[str, Predictions] | Runs,
    by: Column,
    names: MethodLike | Iterable[MethodLike] | None = None,
    *,
    interval: MethodLike | Iterable[MethodLike] | None = None,
    level: float = 0.95,
    side: Side = "two",
    seed: int = 0,
) -> Estimates:
    """Scores of each group of rows that `by` names (one label per row), the slice as `data` in the table.

    Of runs, which must be on one data set by one design, `by` has a label for each row of the data set. Intervals
    hold together: with k slices each has level 1 - (1 - level)/k (Bonferroni), and shares have Clopper and Pearson's
    unless another is named. Without `names` the scores are error, auc and brier, or rmse, as far as the predictions
    offer them.

    Parameters
    ----------
    p
        Predictions, or a mapping of names to them.
    by
        One label per row.
    names
        Scores by name, such as 'auc' or 'fbeta(beta=2)', or your own; one or several.
    interval
        The method of the interval by its name, such as 'wilson'; the default of the score unless said.
    level
        The share of samples in which an interval holds the truth; 1 - level is that of false findings.
    side
        'two' for an interval, 'lower' or 'upper' for a bound on one side.
    seed
        Where random numbers begin; the same seed gives the same numbers.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> [one.data for one in vc.slices(p, by=["a", "a", "a", "b", "b"], names="error")]
    ['a', 'b']
    """
    if isinstance(p, Runs):
        sliced = _learners(p, by)
    else:
        sliced = {name: (source, by) for name, source in (p if isinstance(p, Mapping) else {"": p}).items()}
    with one_look():
        found = _estimate_slices(sliced, names, interval=interval, level=level, side=side, seed=seed)
    enter_look(p, "slices", list(dict.fromkeys(row.asked for row in found)), **sliced_words(p, by))
    if not isinstance(p, Runs):
        return found
    says = "no split succeeded, so it is left out"
    lost = (Note("left-out", "caution", f"{name}: {says}") for name in p.learner_names if name not in sliced)
    return replace(found, notes=(*found.notes, *p.selection_notes, *lost))


def _estimate_slices(sliced: Sliced, names: Any, *, level: float, side: Side, **how: Any) -> Estimates:
    rows: list[Estimate] = []
    together: tuple[Note, ...] = ()
    for model, (source, labels) in sliced.items():
        check_predictions(source, "slices")
        parts = slice_rows(labels, "by", len(source))
        each = 1 - Confidence(level, side).miss / max(len(parts), 1)
        asked = usual_scores(source) if names is None else names
        for label, places in parts:
            part = {model: subset(source, places)}
            estimates = estimate(part, asked, level=each, side=side, **how)
            found = estimates.rows
            if len(parts) > 1 and how["interval"] is None:
                found = _near_level_one(found, part, asked, level=each, side=side, **how)
            rows += [replace(row, data=label) for row in found]
        together = (simultaneous_note(len(parts), each, level, "score"),)
    exact = any(row.interval is not None and row.interval.method == EXACT for row in rows)
    return Estimates(tuple(rows), together + ((EXACT_SHARES,) if exact and how["interval"] is None else ()))


def _near_level_one(
    rows: tuple[Estimate, ...], part: Mapping[str, Predictions], asked: Any, **how: Any
) -> tuple[Estimate, ...]:
    """Return exact intervals in place of Wilson's, which misses up to five times as often as it may near level 1."""
    found: list[Estimate] = []
    for row, name in zip(rows, as_list(asked), strict=True):
        method = None if row.interval is None else row.interval.method
        if method == "wilson":
            found += estimate(part, [name], **{**how, "interval": EXACT}).rows
        elif method is not None and row.rows < FEW:
            found.append(replace(row, notes=(*row.notes, SMALL_SLICE)))
        else:
            found.append(row)
    return tuple(found)


def _learners(runs: Runs, by: Column) -> Sliced:
    """Return the test predictions of each learner, and the labels of their rows; without those that failed."""
    data = runs.data(runs.run(runs.learner_names[0]).data)
    labels = as_labels(by, "by")
    if len(labels) != len(data):
        raise BadInput(f"by has {len(labels)} labels, but {data.name} has {len(data)} rows: they must match")
    found = {name: runs.run(name).fresh.predictions for name in runs.learner_names}
    kept = {name: (p, labels[p.rows]) for name, p in found.items() if p is not None}
    if not kept:
        raise Refused("no split of any learner succeeded: see failures(runs)", "all-failed")
    return kept


def usual_scores(p: Predictions) -> list[str]:
    """Return the scores of slices when none are named."""
    if p.labelled == "positives":
        return sorted(UNLABELLED)
    first = [default_score(p.kind)] if {"label", "number", "loss", "grade"} & set(p.offers) else []
    return first + [name for offer, name in MORE.items() if offer in p.offers]


@verb
def worst(p: Predictions, rows: int = 20) -> Worst:
    """The rows with the largest loss: the one given, log loss of probabilities, absolute error of numbers, else how far
    a decision value lies on the wrong side of the threshold (0 where none is given), else wrong labels in their order.

    Parameters
    ----------
    p
        Predictions, counts of a confusion matrix or errors.
    rows
        How many rows.

    Examples
    --------
    >>> p = vc.predictions([0, 0, 1, 1, 1], proba=[0.2, 0.6, 0.4, 0.7, 0.9], positive=1)
    >>> [(row.row, row.truth, row.said, row.probability) for row in vc.worst(p, 2).rows]
    [(1, 0, 1, 0.4), (2, 1, 0, 0.4)]
    """
    check_predictions(p, "worst")
    if rows < 1:
        raise BadInput(f"worst: rows is a whole number of at least 1, not {rows}")
    p.permits("worst", UNLABELLED)
    if p.kind == "grades":
        raise BadInput("worst shows the rows with the largest loss, and grades are none: sort the log by its grades")
    name, loss = _loss(p)
    each, notes = np.arange(len(p)), p.notes
    if p.origin is not None and p.rows is not None:  # of a row that several models tested, where it was most wrong
        order = np.argsort(-loss, kind="stable")
        each = np.sort(order[np.unique(p.origin.row_numbers(p.rows)[order], return_index=True)[1]])
    if p.provenance == "training rows":
        notes += (Note("optimistic", "caution", "these rows had trained the model, which may remember the truth"),)
    elif p.different_rows < len(p):
        says = "each row is shown as the model most wrong about it predicted it"
        notes += (Note("several-models", "remark", says),)
    if name == "wrong label":
        rows = min(int(rows), int(np.count_nonzero(loss[each])))
    found = tuple(_row(p, int(index), float(loss[index])) for index in each[_largest(loss[each], int(rows))])
    return Worst(name, found, len(each), notes)


def _loss(p: Predictions) -> tuple[str, Array]:
    if p.kind == "numbers":
        return "absolute error", mae.function(p)
    if p.loss is not None:
        return "loss", p.loss
    if p.proba is not None:
        return "log loss", log_loss.function(p)
    if p.value is not None:
        beyond = p.value - (p.threshold or 0.0)
        return "wrong side by", np.where(p.truth == p.named_positive, -beyond, beyond)
    return "wrong label", (p.labels() != p.truth).astype(float)


def _largest(loss: Array, number: int) -> Array:
    """Return the places of the largest losses, largest first, equal ones in their own order."""
    last = len(loss) - number
    least = np.partition(loss, last)[last] if 0 < number < len(loss) else -np.inf  # far faster than to sort all
    chosen = np.flatnonzero(loss >= least)
    return chosen[np.argsort(-loss[chosen], kind="stable")[:number]]


def _row(p: Predictions, index: int, loss: float) -> WorstRow:
    row = index if p.rows is None else python_value(p.rows[index])
    if p.kind == "loss":
        return WorstRow(index, row, None, None, loss)
    truth = float(p.truth[index]) if p.kind == "numbers" else p.classes[int(p.truth[index])]
    probability = None if p.proba is None else float(p.truth_probability[index])
    prediction: Any
    if p.number is None and "label" in p.offers:
        prediction = p.classes[int(p.labels()[index])]
    else:
        prediction = float(np.asarray(p.value if p.number is None else p.number)[index])
    return WorstRow(index, row, truth, prediction, loss, probability)
