"""The defaults with the world in which each does worst: `python -m bench.figures.worst` prints them as a table."""

from __future__ import annotations

from collections.abc import Iterable

from veracity.comparisons.entry import all_error_rates
from veracity.core.measurement import Coverage, Measurement, read_measurements
from veracity.methods.describe import measurement_table
from veracity.tables.formats import markdown


def worst_worlds(rows: Iterable[Measurement], lowest: bool) -> list[Measurement]:
    """One row for each method that the public verbs chose by themselves, the worst first."""
    found: dict[str, Measurement] = {}
    for row in sorted((row for row in rows if row.default), key=lambda row: row.figure, reverse=not lowest):
        found.setdefault(row.method, row)
    return list(found.values())


if __name__ == "__main__":
    print(markdown(measurement_table(worst_worlds(read_measurements(Coverage, "veracity.intervals"), lowest=True))))
    print(markdown(measurement_table(worst_worlds(all_error_rates(), lowest=False))))
