"""The work of `veracity score`: the scores of each model, or of each slice of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from veracity.api.slices import slices
from veracity.cli.options import COLUMNS, names_of
from veracity.cli.output import page_of
from veracity.cli.work.class_matrix import read_costs
from veracity.cli.work.counted import read_counted
from veracity.cli.work.per_class import TITLE as CLASSES
from veracity.cli.work.per_class import scores_per_class
from veracity.cli.work.read_files import read_readings, read_slices
from veracity.cli.work.stored import is_stored, read_stored, refuse_choice, refuse_columns
from veracity.cli.work.summary import Readings, about, lead, matrices, shape
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, VeracityError
from veracity.core.notes import Note
from veracity.evidence.predictions import Predictions
from veracity.findings.estimates import Estimate, Estimates
from veracity.intervals import intervals
from veracity.readers.read_evidence import Reading
from veracity.readers.read_models import Given, alone_or_all
from veracity.readers.source import expand_patterns
from veracity.reports.output import Output
from veracity.risk.estimates import applicable_scores, estimate, scorecard
from veracity.scores import scores
from veracity.tables.table import Column

TITLE = "Scores of predictions"
OF_FILES = (*names_of(COLUMNS), "costs", "by")  # what says how rows are read


def score_files(files: list[str], names: list[str], given: Given) -> Output:
    """Scores of each model."""
    _check_names(names, given)
    if len(files) == 1 and is_stored(files[0]):
        return _score_runs(files[0], names, given)
    _refuse_words_of_stores(files, given)
    counted = read_counted(files, given)
    files = [] if counted else expand_patterns(files)
    read = {name: Reading.of_counts(one) for name, one in counted.items()} or read_readings(files, given)
    if given.get("per_class"):
        return _each_class(files, read, names, given)
    card = _estimates(read, names, given)
    tables = (*matrices(read), card.table())
    title = given.get("title") or TITLE
    page = partial(_page, read, card, title, given["level"], given["seed"])
    return Output(title, tables, lambda: shape(read, card), lead(files, read), page)


def _each_class(files: list[str], read: Readings, names: list[str], given: Given) -> Output:
    """A line for each class in place of one for each score."""
    source = alone_or_all({name: one.evidence for name, one in read.items()})
    table = scores_per_class(source, names, given)
    return Output(CLASSES, (*matrices(read), table.table()), lambda: shape(read, table), lead(files, read))


def _score_runs(where: str, names: list[str], given: Given) -> Output:
    """Every score of the learners of a store, or those named, with the intervals of learners."""
    refuse_columns(where, OF_FILES)
    read_counted([where], given)  # which says that counts are in place of it
    runs = read_stored(where, given).runs
    read = f"{runs.store.where}: {runs.size}"
    if given["per_class"]:
        table = scores_per_class(runs, names, given)
        return Output(CLASSES, (table.table(),), table.to_json, read)
    card = (
        estimate(runs, names, interval=given["interval"], **_confidence(given))
        if names
        else scorecard(runs, **_confidence(given))
    )
    return Output("Scores of learners", (card.table(),), card.to_json, read)


def _refuse_words_of_stores(files: list[str], given: Given) -> None:
    for file in files:
        refuse_choice(file, given)
        if given["store"] is not None:
            raise BadInput(f"--store says where the results of a study file are, and {file} is none: leave it out")


def _page(read: Readings, card: Estimates, title: str, level: float, seed: int) -> Any:
    """The page has curves, the explorer and the comparison of several models where single rows were read."""
    from veracity.reports.report import report_of_estimates

    models = {name: one.evidence for name, one in read.items() if isinstance(one.evidence, Predictions)}
    return report_of_estimates(card, models, title, level, seed)


def score_slices(files: list[str], names: list[str], given: Given) -> Output:
    """Scores of each group of rows that a column names."""
    _check_names(names, given)
    _refuse_words_of_stores(files, given)
    if len(files) == 1 and is_stored(files[0]):
        refuse_columns(files[0], OF_FILES)
    if read_counted(files, given):
        raise BadInput("--slices is a column of a file, and counts have none: count each slice by itself")
    files, by = expand_patterns(files), given["by"]
    if given["per_class"]:
        raise BadInput("--slices and --per-class both say what has a line of its own: give one of them")
    models, groups = read_slices(files, given, by)
    read = {name: Reading.of(p) for name, p in models.items()}
    asked = _with_costs(names, given, read)
    how = _confidence(given)
    card = _as_typed(slices(alone_or_all(models), groups, asked or None, interval=given["interval"], **how), asked)
    table = card.table()
    table = replace(table, columns=(Column(by, "left"), *table.columns[1:]))
    page = partial(page_of, card, f"{TITLE} by {by}")
    return Output(TITLE, (table,), lambda: {**about(read), "by": by, **card.to_json()}, lead(files, read), page)


def _confidence(given: Given) -> dict[str, Any]:
    return {name: given[name] for name in ("level", "side", "seed")}


def _check_names(names: list[str], given: Given) -> None:
    """What is misspelled is told before a large file is read."""
    Confidence(given["level"], given["side"])
    if given["interval"] is not None:
        intervals.choose(given["interval"])
    for name in names:
        if name != "cost":
            scores.choose(name)
        elif given["costs"] is None:
            raise BadInput("cost needs a cost matrix: give --costs FILE, or type cost(matrix=[[0, 1], [5, 0]])")


def _estimates(read: Readings, names: list[str], given: Given) -> Estimates:
    models = {name: one.evidence for name, one in read.items()}
    source, interval, how = alone_or_all(models), given["interval"], _confidence(given)
    if names:
        asked = _with_costs(names, given, read)
        return _as_typed(estimate(source, asked, interval=interval, **how), asked)
    card = scorecard(source, **how) if interval is None else _every_score(models, interval, how)
    if given["costs"] is None:
        return card
    cost = estimate(source, [_cost(given["costs"], read)], **how)
    rows = (*card.rows, *(replace(row, asked="cost") for row in cost))
    by_model = tuple(row for model in models for row in rows if row.learner == model)
    return Estimates(by_model, card.notes + cost.notes)


def _with_costs(names: list[str], given: Given, read: Readings) -> list[Any]:
    """The scores typed; `cost` reads the matrix of --costs, which is scored also when it is not typed."""
    if given["costs"] is None:
        return names
    typed = names if "cost" in names else [*names, "cost"]
    return [_cost(given["costs"], read) if name == "cost" else name for name in typed]


def _cost(file: str, read: Readings) -> Choice:
    classes = next(iter(read.values())).classes
    if not classes:
        raise BadInput("--costs is for classes, but the target is numeric")
    return scores["cost"].choose(matrix=read_costs(file, classes))


def _as_typed(card: Estimates, asked: list[Any]) -> Estimates:
    """`cost` keeps the name it was typed by, without its matrix."""
    spelled = {str(name) for name in asked if isinstance(name, Choice)}
    rows = tuple(replace(row, asked="cost") if row.asked in spelled else row for row in card)
    return Estimates(rows, card.notes)


def _every_score(models: Mapping[str, Any], interval: str, how: Mapping[str, Any]) -> Estimates:
    """Every score that allows the interval asked for; a note names the others."""
    rows: list[Estimate] = []
    left: dict[str, None] = {}
    why = ""
    for model, p in models.items():
        for choice in applicable_scores(p):
            try:
                rows += estimate({model: p}, choice.spelling, interval=interval, **how)
            except VeracityError as refusal:
                left[choice.spelling] = None
                why = why or refusal.says
    if not rows:
        raise BadInput(f"no score here allows the interval {interval}: {why}")
    notes = (Note("left-out", "remark", f"{interval} is not for {', '.join(left)}"),) if left else ()
    return Estimates(tuple(rows), notes)
