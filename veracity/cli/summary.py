"""What was scored, before how well: rows, classes and confusion matrices."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.records.predictions import Predictions
    from veracity.tables.estimates import Estimates

    Models = Mapping[str, Predictions]

SHOWN_CLASSES = 12  # a larger matrix fills the screen and tells nobody anything


def lead(files: list[str], models: Models) -> str:
    """One line on what was read."""
    first = next(iter(models.values()))
    where = files[0] if len(files) == 1 else f"{len(files)} files"
    where = "standard input" if where == "-" else where
    said = f"{where}: {len(first):,} rows"
    if first.kind == "numbers":
        return f"{said}, a numeric target"
    said += f", {len(first.classes)} classes"
    if len(first.classes) <= SHOWN_CLASSES:
        said += f" ({', '.join(map(str, first.classes))})"
    return said + ("" if first.positive is None else f", positive {first.classes[first.positive]}")


def matrices(models: Models) -> list[Table]:
    """The confusion matrix of each model that has labels, where a reader can take it in."""
    return [
        _matrix(name, p)
        for name, p in models.items()
        if "label" in p.offers and p.labelled == "all" and len(p.classes) <= SHOWN_CLASSES
    ]


def _matrix(name: str, p: Predictions) -> Table:
    columns = (Column("truth \\ predicted", "left"), *(Column(str(label)) for label in p.classes))
    rows = tuple((str(label), *row) for label, row in zip(p.classes, _confusion(p) or [], strict=True))
    return Table(columns, rows, caption=f"confusion matrix{f' of {name}' if name else ''}")


def shape(models: Models, found: Estimates) -> dict[str, Any]:
    """The JSON of `veracity score`."""
    first = next(iter(models.values()))
    about: dict[str, Any] = {
        "rows": len(first),
        "classes": list(first.classes) if first.kind == "classes" else None,
        "positive": None if first.positive is None else first.classes[first.positive],
    }
    said = found.to_json()
    if "models" not in said:
        return {**about, "confusion": _confusion(first), **said}
    each = {
        name: {"confusion": _confusion(p), **said["models"].get(name, {"scores": {}})} for name, p in models.items()
    }
    return {**about, "models": each, "notes": said["notes"]}


def _confusion(p: Predictions) -> list[list[Any]] | None:
    """Whole numbers where rows count once each; none where there are no labels or no true negatives."""
    if p.kind != "classes" or "label" not in p.offers or p.labelled != "all":
        return None
    return [[int(cell) if cell == int(cell) else float(cell) for cell in row] for row in p.confusion().matrix.tolist()]
