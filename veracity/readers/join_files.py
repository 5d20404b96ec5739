"""Several files, one per model, brought to the same rows in the same order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.words import brief
from veracity.evidence.align_models import Member, align_models
from veracity.evidence.predictions import Predictions
from veracity.readers.columns import Columns
from veracity.readers.read_predictions import model_name, predictions_of, read_table
from veracity.readers.source import files_matching, is_path, is_pattern


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
    models = {name: predictions_of(table, asked, name) for name, table in tables.items()}
    models = _same_classes(models, tables, asked)
    if asked.get("fold") or asked.get("repeat"):  # rows come once in each repeat: comparisons match them by split
        return models
    sources = {name: table.source for name, table in tables.items()}
    alike = len({source.name for source in sources.values()}) < len(sources)  # frames have no names of their own
    called = {name: f"the frame of {name}" if alike else source.name for name, source in sources.items()}
    members = {name: Member(p, called[name], sources[name].first) for name, p in models.items()}
    return align_models(members, asked.get("missing", "refuse"))


def expand_patterns(files: str | Path | Sequence[Any]) -> list[Any]:
    """The files that paths and patterns stand for, those of a pattern in order of their names."""
    paths: list[Any] = []
    for each in [files] if isinstance(files, (str, Path)) else files:
        matches = files_matching(str(each)) if is_path(each) and is_pattern(str(each)) else [each]
        if not matches:
            raise BadInput(f"no file matches {brief(str(each))}")
        paths += matches
    if not paths:
        raise BadInput("give at least one file of predictions")
    return list(dict.fromkeys(paths)) if all(map(is_path, paths)) else paths


def unique_names(files: Sequence[Any]) -> dict[str, Any]:
    """A name for each file: its stem; where that is not enough its ending too, or the directories before it."""
    if not files:
        raise BadInput("give at least one file")
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
    return {name: predictions_of(tables[name], {**asked, "classes": classes}, name) for name in models}
