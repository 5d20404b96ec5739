"""Which columns of which files make which models."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from veracity.core.errors import BadInput
from veracity.evidence.align_models import Member, align_models
from veracity.evidence.predictions import Predictions
from veracity.readers.columns import Columns
from veracity.readers.read_evidence import Reading, read_evidence
from veracity.readers.read_predictions import READY, check_grade_roles, models_of, predictions_of, read_table
from veracity.readers.source import expand_patterns, model_name, unique_names
from veracity.records.arrays import Array

ROLES = ("label", "proba", "value", "number", "correct", "loss", "grade")
OF_ALL = (
    *("truth", "model", "positive", "threshold", "weights", "counts", "groups", "rows", "item", "fold", "repeat"),
    *("labelled", "missing", "percent", "decimal"),
)
Given = Mapping[str, Any]  # what was typed, by the name of its option
Models = Mapping[str, Mapping[str, Any]]  # what is asked of each model by its name


class MissingRole(BadInput):
    """No column was named for the truth, or for what the model said."""


def read_models(files: Sequence[str], given: Given, same_rows: bool = True) -> dict[str, Predictions]:
    """Return the predictions of every model by name; one alone goes by the empty name."""
    asked = _asked_of_models(given)
    if len(files) == 1 or are_parts(given):
        return _with_training_facts(_models_of_file(files, asked, same_rows=same_rows)[0], given)
    return _with_training_facts(_models_of_files(files, asked), given)


def are_parts(given: Given) -> bool:
    """Whether several files are parts of one table: of a long one always, as models are told apart by a column."""
    return bool(given.get("parts") or given.get("model"))


def read_readings(files: Sequence[str], given: Given, keep_values: bool = False) -> dict[str, Reading]:
    """As `read_models`, but one large file of one model is counted instead of held row by row."""
    asked = _asked_of_models(given)
    facts = any(given.get(name) for name in ("train_mean", "prior", "model"))
    if len(files) == 1 and len(asked) == 1 and not facts:
        return {"": read_evidence(files[0], keep_values=keep_values, **asked[""])}
    return {name: Reading.of(p) for name, p in read_models(files, given).items()}


def read_slices(files: Sequence[str], given: Given, by: str) -> tuple[dict[str, Predictions], Array]:
    """Return the models, and the slice of each of their rows: of rows picked or put in order, found by their ids."""
    asked = _asked_of_models(given)
    of_first = next(iter(asked.values()))
    if len(files) == 1 or are_parts(given):
        models, columns = _models_of_file(files, asked, by)
    elif files[0] == "-":
        raise BadInput("--slices needs the first of several files twice: name it instead of -")
    else:
        models = _models_of_files(files, asked)
        columns = read_table(files[0], [of_first], by)
    models = _with_training_facts(models, given)
    p, source = next(iter(models.values())), columns.source
    id_column = of_first.get("item", of_first.get("rows"))
    slices, ids = columns[by], None if id_column is None else columns[id_column]
    if len(slices) == len(p) and (ids is None or "model" not in of_first):
        return models, slices
    if ids is None or p.rows is None:
        raise BadInput(f"{source.column(by)}: to slice models that stand in different rows, name --rows COLUMN")
    of_id: dict[Any, Any] = {}
    for place, (row, label) in enumerate(zip(ids.tolist(), slices.tolist(), strict=True)):
        if of_id.setdefault(row, label) != label:
            held = f"row {place + source.first} is {label!r}, but another of {row!r} is {of_id[row]!r}"
            raise BadInput(f"{source.column(by)}: {held}: a slice is the same for all models")
    return models, np.array([of_id[row] for row in p.rows.tolist()])


def has_predictions(given: Given) -> bool:
    """Whether columns of predictions were named, with the truth or what takes its place: no row may have a label."""
    ready_made = any(given.get(role) for role in (*READY, "item")) or given.get("labelled") == "some"
    return given.get("truth") is not None or ready_made


def alone_or_all(models: Mapping[str, Any]) -> Any:
    """One model by itself, several by their names."""
    return models[""] if set(models) == {""} else models


def join_files(
    files: str | Path | Sequence[Any] | Mapping[str, Any], *, rows: str | None = None, **asked: Any
) -> dict[str, Predictions]:
    """One model's predictions per file, over the same rows: matched by the column `rows`, else by their order.

    `files` are paths, a pattern such as `models/*.parquet`, or a mapping from a model's name to its path or frame;
    the other arguments are those of `read_predictions`.
    """
    sources = dict(files) if isinstance(files, Mapping) else unique_names(expand_patterns(files))
    asked = {role: said for role, said in {**asked, "rows": rows}.items() if said is not None}
    tables = {name: read_table(source, [asked]) for name, source in sources.items()}

    def read(**classes: Any) -> dict[str, Predictions]:
        return {name: predictions_of(table, {**asked, **classes}, name) for name, table in tables.items()}

    models = _read_with_same_classes(read, tables, asked)
    if asked.get("fold") or asked.get("repeat"):  # rows come once in each repeat: comparisons match them by split
        return models
    sources = {name: table.source for name, table in tables.items()}
    alike = len({source.name for source in sources.values()}) < len(sources)  # frames have no names of their own
    called = {name: f"the frame of {name}" if alike else source.name for name, source in sources.items()}
    members = {name: Member(p, called[name], sources[name].first) for name, p in models.items()}
    return align_models(members, asked.get("missing", "refuse"))


def _read_with_same_classes(
    read: Callable[..., dict[str, Predictions]], tables: Mapping[str, Columns], asked: Mapping[str, Any]
) -> dict[str, Predictions]:
    """Return all models with the union of their classes, since one may predict a class that another never does."""
    models = read()
    if len({model.classes for model in models.values()}) == 1:
        return models
    try:
        classes = tuple(sorted({label for model in models.values() for label in model.classes}))
    except TypeError:
        kinds = {name: type(model.classes[0]).__name__ for name, model in models.items()}
        types = ", ".join(f"{kind} in {tables[name].source.name}" for name, kind in kinds.items())
        raise BadInput(f"column {asked['truth']} holds labels of different types ({types}): make them alike") from None
    return read(classes=classes)


def columns_by_model(given: Given) -> dict[str, dict[str, Any]]:
    """For each model, its column of each role. Roles named several times make several models, named by their column."""
    check_grade_roles({role: said for role, said in given.items() if said not in (None, ())})
    if not has_predictions(given):
        raise MissingRole("name the column with the truth, --truth COLUMN")
    roles: dict[str, list[Any]] = {role: list(given[role]) for role in ROLES if given.get(role)}
    if not roles:
        says = "name what the model said: --label, --proba, --value or --number COLUMN, or --correct, --loss or --grade"
        raise MissingRole(says)
    if "proba" in roles and all("=" in column for column in roles["proba"]):
        by_class = dict(column.split("=", 1) for column in roles["proba"])
        if len(by_class) < len(roles["proba"]):
            raise BadInput("--proba names a class twice: give CLASS=COLUMN once for each class")
        roles["proba"] = [by_class]
    sizes = {role: len(names) for role, names in roles.items()}
    several = max(sizes.values())
    uneven = [role for role, size in sizes.items() if size != several]
    if uneven:
        most = max(sizes, key=lambda role: sizes[role])
        raise BadInput(f"--{most} is given {several} times and --{uneven[0]} {sizes[uneven[0]]}: give each model both")
    models = [{role: names[k] for role, names in roles.items()} for k in range(several)]
    if several == 1:
        return {"": models[0]}
    by_name = {str(next(iter(model.values()))): model for model in models}
    if len(by_name) < several:
        raise BadInput(f"--{next(iter(roles))} names a column twice: each model needs a column of its own")
    return by_name


def _asked_of_models(given: Given) -> dict[str, dict[str, Any]]:
    """Return what is asked of each model: its own columns, and what holds for all, without what was not given."""
    common = {name: given[name] for name in OF_ALL if given.get(name) is not None}
    classes = given.get("classes")
    if classes:
        common["classes"] = classes[0].split(",") if len(classes) == 1 else list(classes)
    return {name: {**model, **common} for name, model in columns_by_model(given).items()}


def _models_of_file(
    files: Sequence[str], asked: Models, *more: str, same_rows: bool = True
) -> tuple[dict[str, Predictions], Columns]:
    """Return all models of one file, or of one table in several, which are read once."""
    columns = read_table(files[0] if len(files) == 1 else list(files), list(asked.values()), *more)
    if all("model" in model for model in asked.values()):
        long = {name: models_of(columns, model, same_rows) for name, model in asked.items()}
        return {f"{model} {name}".strip(): p for name, models in long.items() for model, p in models.items()}, columns

    def read(**classes: Any) -> dict[str, Predictions]:
        return {
            name: predictions_of(columns, {**model, **classes}, name or model_name(files[0]))
            for name, model in asked.items()
        }

    return _read_with_same_classes(read, dict.fromkeys(asked, columns), next(iter(asked.values()))), columns


def _models_of_files(files: Sequence[str], asked: Models) -> dict[str, Predictions]:
    """One model per file and column, over the same rows."""
    return {
        f"{file} {column}".strip(): p
        for column, model in asked.items()
        for file, p in join_files(list(files), **model).items()
    }


def _with_training_facts(models: dict[str, Predictions], given: Given) -> dict[str, Predictions]:
    """Return the same predictions with the facts of the training rows."""
    mean, prior = given.get("train_mean"), given.get("prior")
    if mean is None and not prior:
        return models
    numeric = next(iter(models.values())).kind == "numbers"
    if mean is not None and not (numeric and math.isfinite(mean)):
        raise BadInput(
            f"--train-mean is the mean of a numeric target, {'a finite number' if numeric else 'not of classes'}"
        )
    if prior and numeric:
        raise BadInput("--prior is for classes, but the target is numeric")
    return {name: replace(p, train_mean=mean, prior=_prior(prior, p)) for name, p in models.items()}


def _prior(prior: Sequence[str] | None, p: Predictions) -> tuple[float, ...] | None:
    if not prior:
        return None
    try:
        shares = {label: float(share) for label, share in (pair.rsplit("=", 1) for pair in prior)}
    except ValueError:
        raise BadInput("--prior is given as CLASS=SHARE, once for each class") from None
    names = [str(label) for label in p.classes]
    if set(shares) != set(names) or min(shares.values()) < 0 or not abs(sum(shares.values()) - 1) <= 1e-6:
        raise BadInput(f"--prior gives each of the classes {', '.join(names)} a share, and the shares sum to 1")
    return tuple(shares[name] for name in names)
