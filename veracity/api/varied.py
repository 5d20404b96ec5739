"""What every procedure asks of its data and of its numbers."""

from __future__ import annotations

from typing import Any

from veracity.core.errors import BadInput
from veracity.records.data import Data


def check_varied(table: Data) -> None:
    """A target that never varies leaves nothing to learn."""
    if (table.truth == table.truth[0]).all():
        shown = table.target[0]
        raise BadInput(f"{table.name}: every row has the target {shown!s}, so there is nothing to learn")


def whole_number(name: str, value: Any, least: int = 1) -> int:
    """A whole number that is large enough."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or int(value) < least:
        raise BadInput(f"{name} is a whole number of at least {least}, not {value!r}")
    return int(value)
