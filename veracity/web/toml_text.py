"""Tables as the text of a TOML file, the way a study is written by hand."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

BARE = re.compile(r"[A-Za-z0-9_-]+")
NESTED = ("data", "learners", "questions")


def toml_of(tables: Mapping[str, Any]) -> str:
    """Single values first, then each table with a line for each of its entries."""
    head = [f"{_key(key)} = {_value(value)}" for key, value in tables.items() if key not in NESTED]
    parts = ["\n".join(head)] if head else []
    for name in NESTED:
        if tables.get(name):
            rows = [f"{_key(key)} = {_value(value)}" for key, value in tables[name].items()]
            parts.append("\n".join([f"[{name}]", *rows]))
    return "\n\n".join(parts) + "\n"


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else _text(key)


def _text(text: str) -> str:
    """A basic string: what JSON escapes, TOML does too, but for the letter that deletes."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + " }"
    return "[" + ", ".join(map(_value, value)) + "]"
