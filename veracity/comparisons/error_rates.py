"""How often each test rejects, where nothing differs and where something does, as `bench.figures` measured it."""

from __future__ import annotations

from functools import cache

from veracity.core.measurement import ErrorRate, read_measurements


@cache
def all_rejections() -> tuple[ErrorRate, ...]:
    """Every measurement there is, of size and of power."""
    return read_measurements(ErrorRate, "veracity.comparisons")


@cache
def all_error_rates() -> tuple[ErrorRate, ...]:
    """Those of worlds in which nothing differs."""
    return tuple(row for row in all_rejections() if row.noun == "error rate")


@cache
def rejections_of(name: str) -> tuple[ErrorRate, ...]:
    """What was measured of one test; empty where nothing was."""
    return tuple(row for row in all_rejections() if row.method.split("(")[0] == name)


def error_rates_of(name: str) -> tuple[ErrorRate, ...]:
    """How often one test rejects where nothing differs."""
    return tuple(row for row in rejections_of(name) if row.noun == "error rate")


@cache
def worst_error_rate(name: str) -> ErrorRate | None:
    """The world in which a test errs most often."""
    return max(error_rates_of(name), key=lambda row: row.rejected, default=None)
