"""The work of `veracity score`: the scores of each model, or of each slice of the rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from veracity.api.slices import slices
from veracity.cli.output import Result
from veracity.cli.work.models import Given, alone_or_all, read_costs, read_readings, read_slices
from veracity.cli.work.summary import Readings, about, lead, matrices, shape
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, VeracityError
from veracity.core.notes import Note
from veracity.core.words import template
from veracity.evidence.predictions import Predictions
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import Estimates
from veracity.intervals import intervals
from veracity.readers.join_files import expand_patterns
from veracity.readers.read_evidence import Reading
from veracity.risk.estimates import applicable_scores, estimate, scorecard
from veracity.scores import scores
from veracity.tables.table import Column

TITLE = "Scores of predictions"


@dataclass(frozen=True)
class ScoreCall:
    """What to compute of the predictions."""

    scores: tuple[str, ...] = ()
    interval: str | None = None
    side: Any = "two"
    costs: str | None = None
    level: float = 0.95
    seed: int = 0

    @property
    def how(self) -> dict[str, Any]:
        return {"level": self.level, "side": self.side, "seed": self.seed}


def score_files(files: list[str], columns: Given, call: ScoreCall) -> Result:
    """Scores of each model."""
    _check_names(call)
    files = expand_patterns(files)
    read = read_readings(files, columns)
    card = _estimates(read, call)
    tables = (*matrices(read), card.table())
    return Result(TITLE, tables, lambda: shape(read, card), lead(files, read), lambda: _page(read, card))


def _page(read: Readings, card: Estimates) -> Any:
    """The page has curves and the explorer where single rows were read."""
    from veracity.reports.report import report_of_estimates

    models = {name: one.evidence for name, one in read.items() if isinstance(one.evidence, Predictions)}
    return report_of_estimates(card, models, TITLE)


def score_slices(files: list[str], columns: Given, by: str, call: ScoreCall) -> Result:
    """Scores of each group of rows that a column names."""
    _check_names(call)
    files = expand_patterns(files)
    models, groups = read_slices(files, columns, by)
    read = {name: Reading.of(p) for name, p in models.items()}
    names = _with_costs(call, read) or None
    card = slices(alone_or_all(models), groups, names, interval=call.interval, **call.how)
    card = _as_typed(card, names or [], call)
    table = card.table()
    table = replace(table, columns=(Column(by, "left"), *table.columns[1:]))
    return Result(TITLE, (table,), lambda: {**about(read), "by": by, **card.to_json()}, lead(files, read))


def _check_names(call: ScoreCall) -> None:
    """What is misspelled is told before a large file is read."""
    Confidence(call.level, call.side)
    if call.interval is not None:
        intervals.choose(call.interval)
    for name in call.scores:
        if name != "cost":
            scores.choose(name)
        elif call.costs is None:
            raise BadInput("cost needs a cost matrix: give --costs FILE, or type cost(matrix=[[0, 1], [5, 0]])")


def _estimates(read: Readings, call: ScoreCall) -> Estimates:
    models = {name: one.evidence for name, one in read.items()}
    source = alone_or_all(models)
    if call.scores:
        names = _with_costs(call, read)
        return _as_typed(estimate(source, names, interval=call.interval, **call.how), names, call)
    card = scorecard(source, **call.how) if call.interval is None else _every_score(models, call)
    if call.costs is None:
        return card
    cost = estimate(source, [_cost(call.costs, read)], **call.how)
    rows = (*card.rows, *(replace(row, asked="cost") for row in cost))
    by_model = tuple(row for model in models for row in rows if row.learner == model)
    return Estimates(by_model, card.notes + cost.notes)


def _with_costs(call: ScoreCall, read: Readings) -> list[Any]:
    """The scores typed; `cost` reads the matrix of --costs, which is scored also when it is not typed."""
    if call.costs is None:
        return list(call.scores)
    typed = call.scores if "cost" in call.scores else (*call.scores, "cost")
    return [_cost(call.costs, read) if name == "cost" else name for name in typed]


def _cost(file: str, read: Readings) -> Choice:
    classes = next(iter(read.values())).classes
    if not classes:
        raise BadInput("--costs is for classes, but the target is numeric")
    return scores["cost"].choose(matrix=read_costs(file, classes))


def _as_typed(card: Estimates, names: list[Any], call: ScoreCall) -> Estimates:
    """`cost` keeps the name it was typed by, without its matrix."""
    if call.costs is None:
        return card
    spelled = {str(name) for name in names if isinstance(name, Choice)}
    rows = tuple(replace(row, asked="cost") if row.asked in spelled else row for row in card)
    return Estimates(rows, card.notes)


def _every_score(models: Mapping[str, Any], call: ScoreCall) -> Estimates:
    """Every score that allows the interval asked for; a note names the others."""
    rows: list[Estimate] = []
    left: dict[str, None] = {}
    why = ""
    for model, p in models.items():
        for choice in applicable_scores(p):
            try:
                rows += estimate({model: p}, choice.spelling, interval=call.interval, **call.how)
            except VeracityError as refusal:
                left[choice.spelling] = None
                why = why or template(refusal.says)
    if not rows:
        raise BadInput(f"no score here allows the interval {call.interval}: {why}")
    notes = (Note("left-out", "remark", f"{call.interval} is not for {', '.join(left)}"),) if left else ()
    return Estimates(tuple(rows), notes)
