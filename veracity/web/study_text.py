"""The text of a study file: written anew without loss, its learners' modules, its repeats."""

from __future__ import annotations

import os
import re
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput

DESIGN = re.compile(r"(?m)^(\s*by\s*=\s*)(['\"])(?P<name>\w+)\((?P<inside>[^()]*)\)\2")
MODULE = re.compile(r"(?<![\w.])([^\W\d][\w.]*):(?=[^\W\d])")  # before the class
REPEATED = {"kfold": "repeated_kfold", "stratified_kfold": "repeated_stratified_kfold"}


def replace_file(path: Path, text: str) -> None:
    """The new text in place of the old in one step: a reader sees one or the other, never a part."""
    try:
        handle, beside = tempfile.mkstemp(prefix=".veracity-", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(beside).chmod(0o644 if not path.exists() else path.stat().st_mode & 0o777)
        Path(beside).replace(path)
    except OSError as why:
        raise BadInput(f"{path.name} cannot be written: {why.strerror}") from None


def with_repeats(text: str, number: int) -> str:
    """The same study with so many repeats of its design; all else stays as it was typed."""
    found = DESIGN.search(text)
    name = REPEATED.get(found["name"], found["name"]) if found else ""
    if found is None or not name.startswith("repeated_"):
        raise BadInput("repeats are added to a k-fold, and the design here is none: change `by` in the study's text")
    kept = [
        part.strip() for part in found["inside"].split(",") if part.strip() and not part.strip().startswith("repeats")
    ]
    inside = ", ".join([*kept, f"repeats={number}"])
    return text[: found.start()] + f"{found[1]}{found[2]}{name}({inside}){found[2]}" + text[found.end() :]


def modules_of(study: Path) -> list[str]:
    """The modules that the learners and designs of a study file are made from, which a run would import."""
    try:
        given = tomllib.loads(study.read_text("utf-8"))
    except (OSError, ValueError):
        return []
    texts = _texts([given.get("learners"), given.get("by")])
    return sorted({module for text in texts for module in MODULE.findall(text)})


def _texts(part: Any) -> Any:
    if isinstance(part, str):
        yield part
    elif isinstance(part, (dict, list)):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _texts(inner)
