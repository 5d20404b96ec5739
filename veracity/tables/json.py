"""Results as JSON that every reader accepts: no NaN, no Infinity."""

from __future__ import annotations

import json as standard
import math
from collections.abc import Mapping
from typing import Any

from veracity.tables.numbers import Number, in_full
from veracity.tables.table import Table


def json(value: Any) -> str:
    """Any result made of dicts, lists, arrays and numbers; a list of numbers or words stays on one line."""
    return _laid_out(plain(value), "")


def _laid_out(value: Any, margin: str) -> str:
    inner = margin + "  "
    if isinstance(value, dict) and value:
        items = [f"{_text(key)}: {_laid_out(item, inner)}" for key, item in value.items()]
        return f"{{\n{inner}" + f",\n{inner}".join(items) + f"\n{margin}}}"
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        items = [_laid_out(item, inner) for item in value]
        return f"[\n{inner}" + f",\n{inner}".join(items) + f"\n{margin}]"
    return _text(value)


def _text(value: Any) -> str:
    return standard.dumps(value, allow_nan=False, ensure_ascii=False)


def plain(value: Any) -> Any:
    """Ordinary dicts, lists, text and numbers; undefined and infinite numbers are None."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):  # arrays and their scalars
        return plain(value.tolist())
    if isinstance(value, (list, tuple, set, frozenset)):
        return [plain(item) for item in value]
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, Number):
        return plain(value.value)
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)


def records(table: Table) -> list[dict[str, Any]]:
    """The rows of a table as dicts."""
    return [dict(zip(table.titles, map(in_full, row), strict=True)) for row in table.rows]
