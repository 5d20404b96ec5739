"""The work of `veracity score`, apart from its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from veracity.api.slices import slices
from veracity.cli.output import Result
from veracity.cli.work.models import Columns, as_read, read_costs, read_evidence, read_slices
from veracity.cli.work.summary import about, lead, matrices, shape
from veracity.core.confidence import Confidence
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, VeracityError
from veracity.core.notes import Note
from veracity.evidence.predictions import Predictions
from veracity.findings.estimate import Estimate
from veracity.findings.estimates import Estimates
from veracity.intervals import intervals
from veracity.readers.aggregate import Reading
from veracity.readers.joined import expanded
from veracity.risk.estimates import applicable_scores, estimate, scorecard
from veracity.scores import scores
from veracity.tables.table import Column

TITLE = "Scores of predictions"
Readings = Mapping[str, Reading]


@dataclass(frozen=True)
class Asked:
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


def scored(files: list[str], columns: Columns, asked: Asked) -> Result:
    """Scores of each model."""
    check(asked)
    files = expanded(files)
    read = read_evidence(files, columns)
    found = _estimates(read, asked)
    tables = (*matrices(read), found.table())
    return Result(TITLE, tables, lambda: shape(read, found), lead(files, read), lambda: _page(read, found))


def _page(read: Readings, found: Estimates) -> Any:
    """The page has curves and the explorer where single rows were read."""
    from veracity.reports.report import of_estimates

    models = {name: one.evidence for name, one in read.items() if isinstance(one.evidence, Predictions)}
    return of_estimates(found, models, TITLE)


def check(asked: Asked) -> None:
    """What is misspelled is told before a large file is read."""
    Confidence(asked.level, asked.side)
    if asked.interval is not None:
        intervals.choose(asked.interval)
    for name in asked.scores:
        if name != "cost":
            scores.choose(name)
        elif asked.costs is None:
            raise BadInput("cost needs a cost matrix: give --costs FILE, or type cost(matrix=[[0, 1], [5, 0]])")


def _estimates(read: Readings, asked: Asked) -> Estimates:
    models = {name: one.evidence for name, one in read.items()}
    source: Any = models[""] if set(models) == {""} else models
    if asked.scores:
        names = _with_costs(asked, read)
        return _as_typed(estimate(source, names, interval=asked.interval, **asked.how), names, asked)
    card = scorecard(source, **asked.how) if asked.interval is None else _each(models, asked)
    if asked.costs is None:
        return card
    cost = estimate(source, [_cost(asked.costs, read)], **asked.how)
    named = tuple(replace(row, asked="cost") for row in cost)
    return Estimates(_by_model(card.rows + named, models), card.notes + cost.notes)


def _by_model(rows: tuple[Estimate, ...], models: Mapping[str, Any]) -> tuple[Estimate, ...]:
    return tuple(row for model in models for row in rows if row.learner == model)


def _with_costs(asked: Asked, read: Readings) -> list[Any]:
    """The scores typed; `cost` reads the matrix of --costs, which is scored also when it is not typed."""
    if asked.costs is None:
        return list(asked.scores)
    typed = asked.scores if "cost" in asked.scores else (*asked.scores, "cost")
    return [_cost(asked.costs, read) if name == "cost" else name for name in typed]


def _cost(file: str, read: Readings) -> Choice:
    classes = next(iter(read.values())).classes
    if not classes:
        raise BadInput("--costs is for classes, but the target is numeric")
    return scores["cost"].choose(matrix=read_costs(file, classes))


def _as_typed(found: Estimates, names: list[Any], asked: Asked) -> Estimates:
    """`cost` keeps the name it was typed by, without its matrix."""
    if asked.costs is None:
        return found
    spelled = {str(name) for name in names if isinstance(name, Choice)}
    rows = tuple(replace(row, asked="cost") if row.asked in spelled else row for row in found)
    return Estimates(rows, found.notes)


def _each(models: Mapping[str, Any], asked: Asked) -> Estimates:
    """Every score that allows the interval asked for; a note names the others."""
    rows: list[Estimate] = []
    left: dict[str, None] = {}
    why = ""
    for model, p in models.items():
        for choice in applicable_scores(p):
            try:
                rows += estimate({model: p}, choice.spelling, interval=asked.interval, **asked.how)
            except VeracityError as refusal:
                left[choice.spelling] = None
                why = why or str(refusal)
    if not rows:
        raise BadInput(f"no score here allows the interval {asked.interval}: {why}")
    notes = (Note("left-out", "remark", f"{asked.interval} is not for {', '.join(left)}"),) if left else ()
    return Estimates(tuple(rows), notes)


def sliced(files: list[str], columns: Columns, by: str, asked: Asked) -> Result:
    """Scores of each group of rows that a column names."""
    check(asked)
    files = expanded(files)
    models, groups = read_slices(files, columns, by)
    read = {name: as_read(p) for name, p in models.items()}
    names = _with_costs(asked, read) or None
    found = slices(models[""] if set(models) == {""} else models, groups, names, interval=asked.interval, **asked.how)
    found = _as_typed(found, names or [], asked)
    table = found.table()
    table = replace(table, columns=(Column(by, "left"), *table.columns[1:]))
    return Result(TITLE, (table,), lambda: {**about(read), "by": by, **found.to_json()}, lead(files, read))
