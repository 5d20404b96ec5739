"""The work of `veracity power`, apart from its options."""

from __future__ import annotations

from typing import Any

from veracity.cli.output import Result, page_of
from veracity.planning.power import power


def planned(test: str, told: dict[str, float], level: float, seed: int) -> Result:
    """One sentence, and the numbers in it."""
    given: dict[str, Any] = dict(told)
    found = power(test, level=level, seed=seed, **given)
    title = f"Power of {found.test}"
    return Result(title, (found.table(),), found.to_json, str(found), lambda: page_of(found, title))
