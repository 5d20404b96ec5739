"""Predictions out of a file or a frame, so that every sentence names the file, the column and the row."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.verb import verb
from veracity.core.words import brief
from veracity.evidence.labels import Places
from veracity.evidence.make_predictions import EACH_CLASS, predictions
from veracity.evidence.predictions import Predictions
from veracity.readers.columns import Columns, check_complete, read_columns
from veracity.readers.split_columns import split_notes, with_split_columns
from veracity.readers.target import as_label
from veracity.records.arrays import Array, as_numbers, python_value


@verb
def read_predictions(
    source: Any,
    *,
    truth: str | int,
    label: str | int | None = None,
    proba: str | int | Mapping[Any, Any] | None = None,
    value: str | int | None = None,
    number: str | int | None = None,
    positive: Any = None,
    classes: Any = None,
    weights: str | int | None = None,
    counts: str | int | None = None,
    groups: str | int | None = None,
    rows: str | int | None = None,
    fold: str | int | None = None,
    repeat: str | int | None = None,
    threshold: float | None = None,
    labelled: str = "all",
    name: str = "model",
) -> Predictions:
    """Predictions from named columns of a file's path, `-`, a frame, or columns that were read already.

    `proba` is the column of the positive class, or a mapping from each class to its column. Labels given as text
    (`positive`, `classes`, the keys of `proba`) are read in the type of the truth column.
    """
    roles: dict[str, Any] = {"truth": truth, "label": label, "value": value, "number": number}
    roles |= {"weights": weights, "counts": counts, "groups": groups, "rows": rows, "fold": fold, "repeat": repeat}
    asked = {role: column for role, column in roles.items() if column is not None}
    chances: dict[Any, Any] = dict(proba) if isinstance(proba, Mapping) else {} if proba is None else {None: proba}
    wanted = [*asked.values(), *chances.values()]
    columns = source if isinstance(source, Columns) else read_columns(source, partial(with_split_columns, wanted))
    at = _places(columns, asked, list(chances.values()))
    check_complete(columns, wanted)
    given: dict[str, Any] = {role: columns[column] for role, column in asked.items()}
    given |= {"positive": positive, "classes": classes}
    if number is None:
        given |= labels_in_type(positive, classes, given["truth"])
    given |= _chances(columns, chances, given, at) if chances else {}
    if columns.weights is not None and weights is None:
        given["weights"] = columns.weights
    y = given.pop("truth")
    p = predictions(y, **given, threshold=threshold, labelled=labelled, name=name, places=at)
    return replace(p, notes=split_notes(columns, asked, chances.values()))


def labels_in_type(positive: Any, classes: Any, truth: Array) -> dict[str, Any]:
    """The positive class and the classes in the type of the truth column."""
    return {
        "positive": None if positive is None else as_label(positive, truth),
        "classes": None if classes is None else tuple(as_label(each, truth) for each in classes),
    }


def columns_of_roles(*names: str | Mapping[Any, str] | None) -> list[str]:
    """The names of all columns in the given roles, for reading them at once."""
    several = (name.values() if isinstance(name, Mapping) else (name,) for name in names if name is not None)
    return list(dict.fromkeys(column for part in several for column in part))


def model_name(path: str | Path) -> str:
    """What a file's model is called: the file's name without its endings."""
    name = Path(str(path).removesuffix(".gz")).stem
    return "standard input" if str(path) == "-" else name


def _places(columns: Columns, asked: Mapping[str, str], chances: list[str]) -> Places:
    source = columns.source
    names = {role: source.column(str(column)) for role, column in asked.items()}
    if len(chances) == 1:
        names["proba"] = source.column(str(chances[0]))
    elif chances:
        names["proba"] = f"{source.name}, columns {brief(', '.join(map(str, chances)))}"
    names.setdefault("weights", f"{source.name}, weights in braces")
    return Places(names, first=source.first)


def _chances(columns: Columns, chances: Mapping[Any, str], given: Mapping[str, Any], at: Places) -> dict[str, Any]:
    """The classes, the positive one and the probabilities, in the order of the classes."""
    truth, classes, positive = given["truth"], given["classes"], given["positive"]
    keys = [None if key is None else as_label(key, truth) for key in chances]
    by_class = dict(zip(keys, chances.values(), strict=True))
    if len(by_class) < len(chances):
        raise BadInput(f"{at['proba']}: each class has one column, but a class was given two")
    if len(keys) == 1:
        return {"positive": _class_of_column(keys[0], positive, at), "proba": columns[next(iter(chances.values()))]}
    order = tuple(sorted(keys, key=lambda key: (type(key).__name__, key))) if classes is None else tuple(classes)
    if set(order) != set(by_class):
        says = f"a column is needed for each of the classes {brief(str(list(order)))}, and no other"
        raise BadInput(f"{at['proba']}: {says}")
    unknown = [each for each in map(python_value, np.unique(truth[: 10**6])) if each not in order]
    if unknown:
        held = f"{at['truth']} holds {brief(repr(unknown[0]))}"
        raise BadInput(f"{held}, but probabilities are given for {brief(str(list(order)))}: {EACH_CLASS}")
    parts = [_numbers(columns, by_class[key]) for key in order]
    return {"classes": order, "proba": np.column_stack(parts)}


def _class_of_column(key: Any, positive: Any, at: Places) -> Any:
    """The class that a single column of probabilities speaks for."""
    if key is not None and positive is not None and key != positive:
        held = f"{at['proba']} holds the probability of {key!r}"
        raise BadInput(f"{held}, but positive is {positive!r}: name the same class")
    return positive if key is None else key


def _numbers(columns: Columns, name: str) -> Array:
    return as_numbers(columns[name], columns.source.column(str(name)), columns.source.first)
