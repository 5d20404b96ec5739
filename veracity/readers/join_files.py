"""Several files, one per model, brought to the same rows in the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.words import brief, option
from veracity.evidence.predictions import Predictions
from veracity.readers.columns import Columns, read_columns
from veracity.readers.read_predictions import columns_of_roles, model_name, read_predictions
from veracity.readers.source import is_path
from veracity.readers.split_columns import with_split_columns
from veracity.records.arrays import Array, freeze, python_value

ROLES = ("truth", "label", "proba", "value", "number", "weights", "counts", "groups", "rows", "fold", "repeat")
PER_ROW = ("truth", "label", "proba", "value", "number", "rows", "weights", "repeats", "groups")
NAME_IDS = f"name a column of row ids ({option('rows')}) to join them"
SHARED = {"truth": "the truth", "weights": "the weights", "repeats": "the counts", "groups": "the groups"}


def join_files(
    files: str | Path | Sequence[Any] | Mapping[str, Any], *, truth: str, rows: str | None = None, **asked: Any
) -> dict[str, Predictions]:
    """One model's predictions per file, over the same rows: matched by the column `rows`, else by their order.

    `files` are paths, a pattern such as `models/*.parquet`, or a mapping from a model's name to its path or frame;
    the other arguments are those of `read_predictions`.
    """
    sources = dict(files) if isinstance(files, Mapping) else unique_names(expand_patterns(files))
    asked = {**asked, "truth": truth, "rows": rows}
    wanted = columns_of_roles(*(asked.get(role) for role in ROLES))
    tables = {name: read_columns(source, partial(with_split_columns, wanted)) for name, source in sources.items()}
    models = {name: read_predictions(table, name=name, **asked) for name, table in tables.items()}
    models = _same_classes(models, tables, asked)
    if asked.get("fold") or asked.get("repeat"):  # rows come once in each repeat: comparisons match them by split
        return models
    first = next(iter(models))
    for name in list(models)[1:]:
        one, other = tables[first].source.name, tables[name].source.name
        if one == other:  # two frames have no names of their own
            one, other = f"the frame of {first}", f"the frame of {name}"
        models[name] = _align(models[first], models[name], one, other)
    _check_unique(next(iter(models.values())), tables[first].source.name)
    return models


def expand_patterns(files: str | Path | Sequence[Any]) -> list[Any]:
    """The files that paths and patterns stand for, those of a pattern in order of their names."""
    paths: list[Any] = []
    for each in [files] if isinstance(files, (str, Path)) else files:
        literal = not is_path(each) or not any(sign in str(each) for sign in "*?[") or Path(each).exists()
        matches = [each] if literal else _matches(str(each))
        if not matches:
            raise BadInput(f"no file matches {brief(str(each))}")
        paths += matches
    if not paths:
        raise BadInput("give at least one file of predictions")
    return list(dict.fromkeys(paths)) if all(map(is_path, paths)) else paths


def _matches(pattern: str) -> list[str]:
    """Files whose path fits a pattern, in the form the pattern was written in."""
    path = Path(pattern)
    files = Path(path.anchor).glob(str(path.relative_to(path.anchor)))
    return sorted(str(file) for file in files if file.is_file())


def unique_names(files: Sequence[Any]) -> dict[str, Any]:
    """A name for each file: its stem; where that is not enough its ending too, or the directories before it."""
    stems = [model_name(each) if is_path(each) else "frame" for each in files]
    paths = [Path(str(each)).absolute() if is_path(each) else Path("frame") for each in files]
    names = stems
    for depth in range(max(len(path.parts) for path in paths)):
        if len(set(names)) == len(names):
            break
        longer = ["/".join((*path.parts[-depth - 1 : -1], model_name(path))) if depth else path.name for path in paths]
        names = [new if stems.count(stem) > 1 else stem for stem, new in zip(stems, longer, strict=True)]
    return {  # what is still the same (frames have no names of their own) has a number behind
        name if names.count(name) == 1 else f"{name} {names[: place + 1].count(name)}": files[place]
        for place, name in enumerate(names)
    }


def _same_classes(
    models: dict[str, Predictions], tables: Mapping[str, Columns], asked: Mapping[str, Any]
) -> dict[str, Predictions]:
    """All models with the union of their classes, since one may predict a class that another never does."""
    if len({model.classes for model in models.values()}) == 1:
        return models
    try:
        classes = tuple(sorted({label for model in models.values() for label in model.classes}))
    except TypeError:
        kinds = {name: type(model.classes[0]).__name__ for name, model in models.items()}
        types = ", ".join(f"{kind} in {tables[name].source.name}" for name, kind in kinds.items())
        raise BadInput(f"column {asked['truth']} holds labels of different types ({types}): make them alike") from None
    return {name: read_predictions(tables[name], name=name, **{**asked, "classes": classes}) for name in models}


def _align(first: Predictions, other: Predictions, one: str, two: str) -> Predictions:
    """The other model's rows in the order of the first's."""
    if first.rows is None or other.rows is None:
        if len(first) != len(other):
            raise BadInput(f"{two} has {len(other)} rows, but {one} has {len(first)}: {NAME_IDS}")
        _check_same(first, other, one, two)
        return other
    _check_unique(first, one)
    _check_unique(other, two)
    by_first, by_other = _order(first.rows, one), _order(other.rows, two)
    if (first.rows.dtype.kind in "OU") != (other.rows.dtype.kind in "OU"):
        raise BadInput(f"the row ids are text in one of {one} and {two} and numbers in the other: make them alike")
    if len(first) != len(other) or (first.rows[by_first] != other.rows[by_other]).any():
        raise _other_rows(first.rows, other.rows, one, two)
    order = np.empty(len(first), np.intp)
    order[by_first] = by_other
    arrays = {role: getattr(other, role) for role in PER_ROW}
    moved: dict[str, Any] = {role: freeze(array[order]) for role, array in arrays.items() if array is not None}
    aligned = replace(other, **moved)
    _check_same(first, aligned, one, two)
    return aligned


def _order(ids: Array, name: str) -> Array:
    try:
        return np.argsort(ids, kind="stable")
    except TypeError:
        raise BadInput(f"{name}: the row ids are of different types: make them alike") from None


def _check_unique(model: Predictions, name: str) -> None:
    if model.rows is None:
        return
    order = _order(model.rows, name)
    ids = model.rows[order]
    again = np.flatnonzero(ids[1:] == ids[:-1])
    if again.size:
        row = int(order[again + 1].min())
        before = int(np.flatnonzero(model.rows[:row] == model.rows[row])[0])
        says = f"{name}: the row id {_word(model.rows[row])} occurs twice, in rows {before + 1} and {row + 1}"
        raise BadInput(f"{says}: each row needs its own")


def _other_rows(first: Array, other: Array, one: str, two: str) -> BadInput:
    lost, extra = np.setdiff1d(first, other), np.setdiff1d(other, first)
    parts = [
        f"{len(ids)} of the rows of {there} {'is' if len(ids) == 1 else 'are'} not in {here} (id {_word(ids[0])} first)"
        for ids, there, here in ((lost, one, two), (extra, two, one))
        if len(ids)
    ]
    return BadInput(f"{' and '.join(parts)}: all models must predict the same rows")


def _check_same(first: Predictions, other: Predictions, one: str, two: str) -> None:
    """What belongs to the rows, not to the models, is the same in all files."""
    for role, words in SHARED.items():
        mine, yours = getattr(first, role), getattr(other, role)
        if mine is None or yours is None:
            continue
        differ = mine != yours
        if differ.any():
            row = int(differ.argmax())
            where = f"row {row + 1}" if first.rows is None else f"id {_word(first.rows[row])}"
            values = f"{_cell_word(first, role, row)} in {one}, {_cell_word(other, role, row)} in {two}"
            way_out = f"; {NAME_IDS}" if first.rows is None else ""
            raise BadInput(f"{words} of {where} differs: {values}{way_out}")


def _cell_word(model: Predictions, role: str, row: int) -> str:
    item = getattr(model, role)[row]
    return _word(model.classes[item] if role == "truth" and model.kind == "classes" else item)


def _word(item: Any) -> str:
    return brief(repr(python_value(item)), 40)
