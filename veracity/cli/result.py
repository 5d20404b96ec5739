"""What a verb of the command line hands to the writer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from veracity.tables.table import Table


@dataclass(frozen=True)
class Result:
    """Tables for a reader, the main one last, and the JSON for a machine, made when it is asked for."""

    title: str
    tables: tuple[Table, ...]
    shape: Callable[[], Any]
    lead: str = ""
    report: Callable[[], Any] | None = None  # the page, where it shows more than the tables
    after: tuple[Table, ...] = ()  # tables that explain the main one
