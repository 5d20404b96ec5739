"""Reading `name(param=value)` for calls of other people's code: lists and dicts stay what they are."""

from __future__ import annotations

import ast
from typing import Any


def read_call(text: str) -> tuple[str, list[Any], dict[str, Any]] | None:
    """The name, the positional and the named arguments, all literals and never evaluated; None if it is not that."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
        if isinstance(node, ast.Name):
            return node.id, [], {}
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and all(each.arg for each in node.keywords):
            named = {str(each.arg): ast.literal_eval(each.value) for each in node.keywords}
            return node.func.id, [ast.literal_eval(each) for each in node.args], named
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        pass
    return None
