"""What was scored, before how well: rows, classes and confusion matrices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from veracity.tables.numbers import Number, decimals
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.findings.estimates import Estimates
    from veracity.readers.aggregate import Reading

    Readings = Mapping[str, Reading]

SHOWN_CLASSES = 12  # a larger matrix fills the screen and tells nobody anything


def lead(files: list[str], read: Readings) -> str:
    """One line on what was read."""
    first = next(iter(read.values()))
    where = files[0] if len(files) == 1 else f"{len(files)} files"
    where = "standard input" if where == "-" else where
    said = f"{where}: {first.rows:,} rows"
    if not first.classes:
        return f"{said}, a numeric target"
    said += f", {len(first.classes)} classes"
    if len(first.classes) <= SHOWN_CLASSES:
        said += f" ({', '.join(map(str, first.classes))})"
    return said + ("" if first.positive is None else f", positive {first.positive}")


def matrices(read: Readings) -> list[Table]:
    """The confusion matrix of each model that has labels, where a reader can take it in."""
    found = [(name, one.classes, _confusion(one)) for name, one in read.items() if len(one.classes) <= SHOWN_CLASSES]
    return [_matrix(name, classes, matrix) for name, classes, matrix in found if matrix is not None]


def _matrix(name: str, classes: tuple[Any, ...], matrix: list[list[Any]]) -> Table:
    columns = (Column("truth \\ predicted", "left"), *(Column(str(label)) for label in classes))
    rows = tuple((str(label), *map(_alike(matrix), row)) for label, row in zip(classes, matrix, strict=True))
    return Table(columns, rows, caption=f"confusion matrix{f' of {name}' if name else ''}")


def _alike(matrix: list[list[Any]]) -> Callable[[Any], Any]:
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


def shape(read: Readings, found: Estimates) -> dict[str, Any]:
    """The JSON of `veracity score`."""
    said = found.to_json()
    if set(read) == {""}:
        return {**about(read), "confusion": _confusion(read[""]), **said}
    scores = said.get("models", {})
    each = {name: {"confusion": _confusion(one), **scores.get(name, {"scores": {}})} for name, one in read.items()}
    return {**about(read), "models": each, "notes": said["notes"]}


def _confusion(read: Reading) -> list[list[Any]] | None:
    """Whole numbers where rows count once each; none where there are no labels or no true negatives."""
    from veracity.evidence.predictions import Predictions

    p = read.evidence
    if not isinstance(p, Predictions) or p.kind != "classes" or "label" not in p.offers or p.labelled != "all":
        return None
    return [[int(cell) if cell == int(cell) else float(cell) for cell in row] for row in p.confusion().matrix.tolist()]
