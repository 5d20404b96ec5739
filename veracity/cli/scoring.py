"""Score predictions or counts: what was read, confusion matrices, and the scores of each model, slice or class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from veracity.cli.counts import read_costs
from veracity.cli.options import Inference, IntervalOptions, SourceOptions
from veracity.cli.output import page_of
from veracity.cli.source import (
    FOR_PREDICTIONS,
    FOR_SELECTION,
    FOR_STORE,
    check_names,
    guesses_columns,
    is_stored,
    read_source,
    refuse_typed,
)
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, VeracityError
from veracity.core.notes import Note
from veracity.evidence.counts import Counts, Errors
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.findings.classes_and_rows import PerClass
from veracity.findings.estimates import Estimate, Estimates
from veracity.readers.read_evidence import Reading
from veracity.readers.read_models import alone_or_all, read_slices
from veracity.readers.source import expand_patterns
from veracity.reports.output import Output
from veracity.risk.breakdowns import USUAL, per_class, slices
from veracity.risk.estimates import applicable_scores, estimate, scorecard
from veracity.scores import scores as known
from veracity.tables.cells import Number, decimals
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.reports.report import Report

Readings = Mapping[str, Reading]
MAX_CLASSES_SHOWN = 12  # a larger matrix fills the screen and tells nobody anything
TITLE = "Scores of predictions"
CLASSES = "Scores of each class"


@dataclass(frozen=True)
class ScoreQuestion:
    """Which scores, or all that there are, with which intervals."""

    scores: list[str]
    interval: IntervalOptions
    inference: Inference
    costs: str | None = None  # the file of a cost matrix
    per_class: bool = False
    title: str | None = None

    @property
    def confidence(self) -> dict[str, Any]:
        return {**vars(self.inference), "side": self.interval.side}

    def check(self) -> None:
        """Refuse what is misspelled before a large file is read."""
        if "cost" in self.scores and self.costs is None:
            raise BadInput("cost needs a cost matrix: give --costs FILE, or type cost(matrix=[[0, 1], [5, 0]])")
        names = [name for name in self.scores if name != "cost"]
        check_names(names, self.inference.level, self.interval.side, self.interval.interval)


def score_files(files: list[str], question: ScoreQuestion, options: SourceOptions) -> Output:
    """Return the scores of each model, or of each learner of a store."""
    question.check()
    kind, value = read_source(files, options, ("counts", "runs", "predictions"), each_row=False)
    if kind == "runs":
        return _score_runs(files[0], value, question)
    read: dict[str, Reading] = value
    if kind == "counts":
        files, read = [], {name: Reading.of_counts(one) for name, one in value.items()}
    files = expand_patterns(files) if files else []
    answer, confusion = describe(files, read), confusion_tables(read)
    if question.per_class:
        table = scores_per_class(alone_or_all({name: one.evidence for name, one in read.items()}), question)
        return Output(CLASSES, (*confusion, table.table()), lambda: score_json(read, table), answer)
    card = _estimates(read, question)
    title = question.title or TITLE
    rows = {name: one.evidence for name, one in read.items() if isinstance(one.evidence, Predictions)}

    def page() -> Report:
        """Return the page: it has curves, the explorer and a comparison of models where single rows were read."""
        from veracity.reports.gather import gather_estimates
        from veracity.reports.report import Report

        return Report(gather_estimates(card, rows, title, question.inference.level, question.inference.seed))

    return Output(title, (*confusion, card.table()), lambda: score_json(read, card), answer, page)


def _score_runs(where: str, runs: Runs, question: ScoreQuestion) -> Output:
    """Return every score of the learners of a store, or those named, with the intervals of learners."""
    refuse_typed(where, FOR_PREDICTIONS, "costs")
    answer = f"{runs.store.where}: {runs.size}"
    if question.per_class:
        table = scores_per_class(runs, question)
        return Output(CLASSES, (table.table(),), table.to_json, answer)
    if question.scores:
        card = estimate(runs, question.scores, interval=question.interval.interval, **question.confidence)
    else:
        card = scorecard(runs, **question.confidence)
    return Output("Scores of learners", (card.table(),), card.to_json, answer)


def score_slices(files: list[str], by: str, question: ScoreQuestion, options: SourceOptions) -> Output:
    """Return the scores of each group of rows that a column names."""
    question.check()
    if options.counted.is_typed:
        read_source(files, options, ("counts",))  # which says what is wrong with the counts themselves
        raise BadInput("--slices is a column of a file, and counts have none: count each slice by itself")
    for file in files:
        refuse_typed(file, FOR_SELECTION, "only", "data")
        refuse_typed(file, FOR_STORE, "store")
    if len(files) == 1 and is_stored(files[0]):
        refuse_typed(files[0], FOR_PREDICTIONS, *vars(options.columns).keys() - {"positive"}, "costs", "slices")
    if question.per_class:
        raise BadInput("--slices and --per-class both say what has a line of its own: give one of them")
    files = expand_patterns(files)
    with guesses_columns(files, options.columns):
        models, labels = read_slices(files, vars(options.columns), by)
    read = {name: Reading.of(p) for name, p in models.items()}
    named = _with_costs(question, read)
    interval = question.interval.interval
    card = slices(alone_or_all(models), labels, named or None, interval=interval, **question.confidence)
    card = _as_typed(card, named)
    table = card.table()
    table = replace(table, columns=(Column(by, "left"), *table.columns[1:]))
    page = partial(page_of, card, f"{TITLE} by {by}")
    return Output(
        TITLE, (table,), lambda: {**_input_json(read), "by": by, **card.to_json()}, describe(files, read), page
    )


def scores_per_class(source: Any, question: ScoreQuestion) -> PerClass:
    """Return the scores named of each class, or the usual ones; each has its usual interval."""
    for option, value in (("--interval", question.interval.interval), ("--costs", question.costs)):
        if value is not None:
            raise BadInput(f"--per-class gives each score of each class its usual interval, and takes no {option}")
    return per_class(source, question.scores or USUAL, **question.confidence)


def _estimates(read: Readings, question: ScoreQuestion) -> Estimates:
    models = {name: one.evidence for name, one in read.items()}
    source, interval, confidence = alone_or_all(models), question.interval.interval, question.confidence
    if question.scores:
        named = _with_costs(question, read)
        return _as_typed(estimate(source, named, interval=interval, **confidence), named)
    card = scorecard(source, **confidence) if interval is None else _every_score(models, interval, confidence)
    if question.costs is None:
        return card
    cost = estimate(source, [_cost(question.costs, read)], **confidence)
    rows = (*card.rows, *(replace(row, asked="cost") for row in cost))
    by_model = tuple(row for model in models for row in rows if row.learner == model)
    return Estimates(by_model, card.notes + cost.notes)


def _with_costs(question: ScoreQuestion, read: Readings) -> list[Any]:
    """Return the scores typed; `cost` reads the matrix of --costs, which is scored also when it is not typed."""
    if question.costs is None:
        return list(question.scores)
    typed = question.scores if "cost" in question.scores else [*question.scores, "cost"]
    return [_cost(question.costs, read) if name == "cost" else name for name in typed]


def _cost(file: str, read: Readings) -> Choice:
    classes = next(iter(read.values())).classes
    if not classes:
        raise BadInput("--costs is for classes, but the target is numeric")
    return known["cost"].choose(matrix=read_costs(file, classes))


def _as_typed(card: Estimates, named: list[Any]) -> Estimates:
    """Return the estimates with `cost` by the name it was typed by, without its matrix."""
    spelled = {str(name) for name in named if isinstance(name, Choice)}
    rows = tuple(replace(row, asked="cost") if row.asked in spelled else row for row in card)
    return Estimates(rows, card.notes)


def _every_score(models: Mapping[str, Any], interval: str, confidence: Mapping[str, Any]) -> Estimates:
    """Return every score that allows this interval; a note names the others."""
    rows: list[Estimate] = []
    left_out: dict[str, None] = {}
    why = ""
    for model, p in models.items():
        for choice in applicable_scores(p):
            try:
                rows += estimate({model: p}, choice.spelling, interval=interval, **confidence)
            except VeracityError as refusal:
                left_out[choice.spelling] = None
                why = why or refusal.says
    if not rows:
        raise BadInput(f"no score here allows the interval {interval}: {why}")
    notes = (Note("left-out", "remark", f"{interval} is not for {', '.join(left_out)}"),) if left_out else ()
    return Estimates(tuple(rows), notes)


def describe(files: Sequence[str], read: Readings) -> str:
    """Return one line on what was read: rows, classes, and the class that is looked for."""
    first = next(iter(read.values()))
    if isinstance(first.evidence, Errors):
        counts = {name: one.evidence for name, one in read.items() if isinstance(one.evidence, Errors)}
        return ", ".join(
            f"{name} {one.total - one.correct:g} errors of {one.total:g} rows".strip() for name, one in counts.items()
        )
    where = files[0] if len(files) == 1 else f"{len(files)} files" if files else "a confusion matrix"
    where = "standard input" if where == "-" else where
    p = first.evidence if isinstance(first.evidence, Predictions) else None
    if p is not None and p.kind == "grades":
        return f"{where}: {first.rows:,} graded items"
    unlabelled = None if p is None else p.unlabelled
    rows = "rows" if unlabelled is None else f"labelled rows and {len(unlabelled):,} unlabelled ones"
    line = f"{where}: {first.rows:,} {rows}"
    if p is not None and p.kind in ("correct", "loss"):
        return f"{line}, {'right or wrong' if p.kind == 'correct' else 'a loss of each'}"
    if not first.classes:
        return f"{line}, a numeric target"
    line += f", {len(first.classes)} classes"
    if len(first.classes) <= MAX_CLASSES_SHOWN:
        line += f" ({', '.join(map(str, first.classes))})"
    return line + ("" if first.positive is None else f", positive {first.positive}")


def confusion_tables(read: Readings) -> list[Table]:
    """Return the confusion matrix of each model that has labels, where a reader can take it in."""
    tables = []
    for name, one in read.items():
        matrix = _confusion(one) if len(one.classes) <= MAX_CLASSES_SHOWN else None
        if matrix is not None:
            columns = (Column("truth \\ predicted", "left"), *(Column(str(label)) for label in one.classes))
            if any(isinstance(cell, float) for row in matrix for cell in row):  # sums of weights
                places = decimals(max(max(row) for row in matrix))
                matrix = [[Number(float(cell), places) for cell in row] for row in matrix]
            rows = tuple((str(label), *row) for label, row in zip(one.classes, matrix, strict=True))
            tables.append(Table(columns, rows, caption=f"confusion matrix{f' of {name}' if name else ''}"))
    return tables


def _input_json(read: Readings) -> dict[str, Any]:
    """Return the part of the JSON that all models share."""
    first = next(iter(read.values()))
    return {"rows": first.rows, "classes": list(first.classes) or None, "positive": first.positive}


def score_json(read: Readings, card: Estimates | PerClass) -> dict[str, Any]:
    """Return the JSON of `veracity score`."""
    content = card.to_json()
    if set(read) == {""}:
        return {**_input_json(read), "confusion": _confusion(read[""]), **content}
    scores = content.get("models", {})
    each = {name: {"confusion": _confusion(one), **scores.get(name, {"scores": {}})} for name, one in read.items()}
    return {**_input_json(read), "models": each, "notes": content["notes"]}


def _confusion(read: Reading) -> list[list[Any]] | None:
    """Return the confusion matrix; None where there are no labels or no true negatives."""
    p = read.evidence
    if isinstance(p, Predictions) and p.kind == "classes" and "label" in p.offers and p.labelled != "positives":
        p = p.confusion()
    if not isinstance(p, Counts) or isinstance(p, Errors):
        return None
    return [[int(cell) if cell == int(cell) else float(cell) for cell in row] for row in p.matrix.tolist()]
