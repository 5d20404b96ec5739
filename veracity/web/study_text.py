"""The text of a study file: values written as TOML, and small changes that keep everything else."""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, time
from typing import Any

from veracity.core.errors import BadInput
from veracity.core.words import plural

BARE = re.compile(r"[A-Za-z0-9_-]+")
KINDS = "it has numbers, texts, true and false, lists, and tables whose names are texts"
NESTED = ("data", "learners", "questions")


def toml_of(tables: Mapping[str, Any]) -> str:
    """Single values first, then each table with a line for each of its entries."""
    nested = [name for name in NESTED if isinstance(tables.get(name), Mapping)]  # else a mistake, told elsewhere
    head = [f"{_key(key)} = {toml_value(value)}" for key, value in tables.items() if key not in nested]
    parts = ["\n".join(head)] if head else []
    for name in nested:
        if tables[name]:
            rows = [f"{_key(key)} = {toml_value(value)}" for key, value in tables[name].items()]
            parts.append("\n".join([f"[{name}]", *rows]))
    return "\n\n".join(parts) + "\n"


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise BadInput(f"a study file cannot hold a table with {key!r} for a name: {KINDS}")
    return key if BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """A basic string: what JSON escapes, TOML does too, but for the letter that deletes."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_value(value: Any) -> str:
    """A value as it stands behind its name."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {toml_value(item)}" for key, item in value.items()) + " }"
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    raise BadInput(f"a study file cannot hold {value!r}: {KINDS}")


DESIGN = re.compile(r"(?m)^(\s*by\s*=\s*)(['\"])(?P<name>\w+)\((?P<inside>[^()]*)\)\2")
MODULE = re.compile(r"(?<![\w.])([^\W\d][\w.]*):(?=[^\W\d])")  # before the class
USUAL_REPEATS = 10  # of a repeated k-fold that names none
REPEATED = {"kfold": "repeated_kfold", "stratified_kfold": "repeated_stratified_kfold"}


def mark_of(content: bytes) -> str:
    """By which a file is known to be the one that was read."""
    return hashlib.sha256(content).hexdigest()[:16]


def with_repeats(text: str, number: int) -> str:
    """The same study with so many repeats of its design, more than before; all else stays as it was typed."""
    found = DESIGN.search(text)
    name = REPEATED.get(found["name"], found["name"]) if found else ""
    if found is None or not name.startswith("repeated_"):
        raise BadInput("repeats are added to a k-fold, and the design here is none: change `by` in the study's text")
    parts = [part.strip() for part in found["inside"].split(",") if part.strip()]
    if number <= (there := _repeats(found["name"], parts)):
        raise BadInput(f"the design has {plural(there, 'repeat')} already: give a larger number, only new fits are run")
    kept = [part for part in parts if not part.startswith("repeats")]
    inside = ", ".join([*kept, f"repeats={number}"])
    return text[: found.start()] + f"{found[1]}{found[2]}{name}({inside}){found[2]}" + text[found.end() :]


def repeats_of(text: str) -> int | None:
    """How many repeats the design of a study has; None where it can have none, or they cannot be read."""
    found = DESIGN.search(text)
    if found is None or not REPEATED.get(found["name"], found["name"]).startswith("repeated_"):
        return None
    return _repeats(found["name"], [part.strip() for part in found["inside"].split(",")])


def _repeats(name: str, parts: Sequence[str]) -> int:
    """As typed, or as it is usual."""
    said = (re.fullmatch(r"repeats\s*=\s*(\d+)", part) for part in parts)
    return next((int(one[1]) for one in said if one), USUAL_REPEATS if name.startswith("repeated_") else 1)


def modules_of(text: str) -> list[str]:
    """The modules that the learners and designs of a study are made from, which a run would import."""
    try:
        given = tomllib.loads(text)
    except ValueError:
        return []
    texts = _texts([given.get("learners"), given.get("by")])
    return sorted({module for text in texts for module in MODULE.findall(text)})


def _texts(part: Any) -> Any:
    if isinstance(part, str):
        yield part
    elif isinstance(part, (dict, list)):
        for inner in part.values() if isinstance(part, dict) else part:
            yield from _texts(inner)
