"""What was scored, before how well: rows, classes and confusion matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from veracity.evidence.counts import Counts, Errors
from veracity.evidence.predictions import Predictions
from veracity.findings.classes_and_rows import PerClass
from veracity.findings.estimates import Estimates
from veracity.readers.read_evidence import Reading
from veracity.records.arrays import Array
from veracity.tables.cells import Number, decimals
from veracity.tables.table import Column, Table

Readings = Mapping[str, Reading]
SHOWN_CLASSES = 12  # a larger matrix fills the screen and tells nobody anything


def lead(files: Sequence[str], read: Readings) -> str:
    """One line on what was read."""
    first = next(iter(read.values()))
    if isinstance(first.evidence, Errors):
        counts = {name: one.evidence for name, one in read.items() if isinstance(one.evidence, Errors)}
        return ", ".join(
            f"{name} {one.total - one.correct:g} errors of {one.total:g} rows".strip() for name, one in counts.items()
        )
    where = files[0] if len(files) == 1 else f"{len(files)} files" if files else "a confusion matrix"
    where = "standard input" if where == "-" else where
    if isinstance(first.evidence, Predictions) and first.evidence.kind == "grades":
        return f"{where}: {first.rows:,} graded items"
    line = f"{where}: {first.rows:,} {_unlabelled(first.evidence)}"
    if isinstance(first.evidence, Predictions) and first.evidence.kind in ("correct", "loss"):
        return f"{line}, {'right or wrong' if first.evidence.kind == 'correct' else 'a loss of each'}"
    if not first.classes:
        return f"{line}, a numeric target"
    line += f", {len(first.classes)} classes"
    if len(first.classes) <= SHOWN_CLASSES:
        line += f" ({', '.join(map(str, first.classes))})"
    return line + ("" if first.positive is None else f", positive {first.positive}")


def _unlabelled(evidence: Any) -> str:
    """What rows there are, and how many more that have no label."""
    apart = evidence.unlabelled if isinstance(evidence, Predictions) else None
    return "rows" if apart is None else f"labelled rows and {len(apart):,} unlabelled ones"


def matrices(read: Readings) -> list[Table]:
    """The confusion matrix of each model that has labels, where a reader can take it in."""
    few = {name: one for name, one in read.items() if len(one.classes) <= SHOWN_CLASSES}
    counts = {name: _confusion(one) for name, one in few.items()}
    return [_matrix(name, few[name].classes, matrix) for name, matrix in counts.items() if matrix is not None]


def _matrix(name: str, classes: tuple[Any, ...], matrix: list[list[Any]]) -> Table:
    columns = (Column("truth \\ predicted", "left"), *(Column(str(label)) for label in classes))
    rows = tuple((str(label), *map(_cell_format(matrix), row)) for label, row in zip(classes, matrix, strict=True))
    return Table(columns, rows, caption=f"confusion matrix{f' of {name}' if name else ''}")


def _cell_format(matrix: list[list[Any]]) -> Callable[[Any], Any]:
    """Whole numbers as they are; sums of weights all with the decimals that the largest needs."""
    cells = [cell for row in matrix for cell in row]
    if all(isinstance(cell, int) for cell in cells):
        return int
    places = decimals(max(cells))
    return lambda cell: Number(float(cell), places)


def about(read: Readings) -> dict[str, Any]:
    """The part of the JSON that all models share."""
    first = next(iter(read.values()))
    return {"rows": first.rows, "classes": list(first.classes) or None, "positive": first.positive}


def shape(read: Readings, card: Estimates | PerClass) -> dict[str, Any]:
    """The JSON of `veracity score`."""
    content = card.to_json()
    if set(read) == {""}:
        return {**about(read), "confusion": _confusion(read[""]), **content}
    scores = content.get("models", {})
    each = {name: {"confusion": _confusion(one), **scores.get(name, {"scores": {}})} for name, one in read.items()}
    return {**about(read), "models": each, "notes": content["notes"]}


def _confusion(read: Reading) -> list[list[Any]] | None:
    """Whole numbers where rows count once each; none where there are no labels or no true negatives."""
    p = read.evidence
    if isinstance(p, Counts):
        return None if isinstance(p, Errors) else _whole(p.matrix)
    if not isinstance(p, Predictions) or p.kind != "classes" or "label" not in p.offers or p.labelled == "positives":
        return None
    return _whole(p.confusion().matrix)


def _whole(matrix: Array) -> list[list[Any]]:
    return [[int(cell) if cell == int(cell) else float(cell) for cell in row] for row in matrix.tolist()]
