"""Measure the defaults of one area, or of all, and write the figures where the catalogue reads them.

Run `python -m bench.defaults [AREA...]`, which is `python -m bench.figures defaults_AREA`; a seed gives the same files.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
from collections.abc import Iterator
from dataclasses import asdict

import bench.defaults
from bench.defaults.cell import LEVEL, Cell, Found, measure
from bench.figures.specification import Room, Row, Specification, brief_row
from bench.figures.writer import measure_area
from veracity.comparisons.entry import ErrorRate
from veracity.core.measurement import Coverage

SEED = 20_261
ROOMS: dict[str, Room] = {"coverage": "intervals", "error rate": "comparisons"}


def areas() -> list[str]:
    """The modules with cells."""
    names = [module.name for module in pkgutil.iter_modules(bench.defaults.__path__)]
    return [name for name in names if name not in ("__main__", "cell")]


def cells(area: str) -> Iterator[Cell]:
    """The cells of one area."""
    yield from importlib.import_module(f"bench.defaults.{area}").cells()


def _row(found: Found) -> Coverage | ErrorRate:
    cell = found.cell
    shared = {
        "method": found.method,
        "world": cell.world,
        "score": cell.score,
        "rows": cell.rows,
        "by": cell.by,
        "level": LEVEL,
        "trials": found.trials,
        "refused": round(1 - found.given / found.trials, 4),
        "default": True,
        "cautioned": round(found.cautioned, 4),
        "silent": round(found.silent_figure, 4) if 0 < found.silent < found.given else None,
    }
    if cell.kind == "coverage":
        return Coverage(**shared, covered=round(found.figure, 4), target=cell.target)
    return ErrorRate(**shared, rejected=round(found.figure, 4))


def specification(number: int, cell: Cell) -> Specification:
    """A cell as a unit of what is measured; without an answer it has no row."""

    def rows(seed: int) -> list[Row]:
        found = measure(cell, seed=seed)
        print(found, flush=True)
        return [brief_row(**asdict(_row(found)))] if found.given else []

    return Specification(f"{number}: {cell}", ROOMS[cell.kind], rows)


def write(area: str, missing: bool = False) -> None:
    """Measure the cells of an area; those without an answer are told and not written."""
    units = (specification(number, cell) for number, cell in enumerate(cells(area)))
    measure_area(f"defaults_{area}", units, missing, SEED)


if __name__ == "__main__":
    for name in sys.argv[1:] or areas():
        write(name)
