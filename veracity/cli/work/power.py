"""The work of `veracity power`, apart from its options."""

from __future__ import annotations

from typing import Any

from veracity.cli.output import Result
from veracity.planning.power import power
from veracity.tables.table import Column, Table


def planned(test: str, told: dict[str, float], level: float, seed: int) -> Result:
    """One sentence, and the numbers in it."""
    given: dict[str, Any] = dict(told)
    found = power(test, level=level, seed=seed, **given)
    said = found.to_json()
    numbers = [(name, value) for name, value in said.items() if isinstance(value, (int, float))] + list(found.given)
    table = Table(tuple(Column(name) for name, _ in numbers), (tuple(value for _, value in numbers),))
    return Result(f"Power of {found.test}", (table,), found.to_json, str(found))
