"""Tables as the text of a TOML file, the way a study is written by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

from veracity.core.errors import BadInput

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
