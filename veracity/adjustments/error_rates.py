"""How often families of tests claim what is not so, and find what is, as `bench.figures` measured it."""

from __future__ import annotations

from functools import cache

from veracity.core.measurement import ErrorRate, read_measurements


@cache
def all_family_rates() -> tuple[ErrorRate, ...]:
    """Every measurement there is: family-wise errors, false discovery rates and power."""
    return read_measurements(ErrorRate, "veracity.adjustments")


def pair_test_rates(name: str) -> tuple[ErrorRate, ...]:
    """What was measured of a post hoc test, alone or with an adjustment."""
    return tuple(row for row in all_family_rates() if _part(row.method.partition(" then ")[0]) == name)


def adjustment_rates(name: str) -> tuple[ErrorRate, ...]:
    """What was measured of an adjustment, of p-values or of the pairs that a test gave."""
    return tuple(row for row in all_family_rates() if _part(row.method.rpartition(" then ")[2]) == name)


def _part(method: str) -> str:
    return method.split("(")[0]
