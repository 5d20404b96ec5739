"""Measure the defaults of one area, or of all, and write the figures where the catalogue reads them.

Run `python -m bench.defaults [AREA...]`; the same seed gives the same files. A run that was cut is continued by the
next one: every cell has random numbers of its own, so nothing depends on where, and what other sources measured counts
for nothing.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path

import bench.defaults
from bench.defaults.cell import LEVEL, Cell, Found, measure
from veracity.comparisons.error_rates import ErrorRate
from veracity.intervals.coverage import Coverage

SEED = 20_261
HOUSE = Path(__file__).parents[2] / "veracity"
UNFINISHED = HOUSE.parent / "build"
FOLDERS = {"coverage": HOUSE / "intervals" / "measured", "error rate": HOUSE / "comparisons" / "measured"}


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


def sources() -> str:
    """A digest of everything that a figure can depend on: one text with another figure is another."""
    digest = hashlib.sha256()
    for folder in (HOUSE, HOUSE.parent / "bench"):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def measured_rows(cells: Iterable[Cell], journal: Path, made_of: str) -> dict[str, list[dict[str, object]]]:
    """The rows of cells by their kind. Each is noted down when it is there; what the same sources noted is taken."""
    rows: dict[str, list[dict[str, object]]] = {kind: [] for kind in FOLDERS}
    lines = journal.read_text().splitlines() if journal.exists() else []
    noted = {note["cell"]: note["row"] for note in map(json.loads, lines) if note["sources"] == made_of}
    for number, cell in enumerate(cells):
        name = f"{number}: {cell}"
        if name not in noted:
            found = measure(cell, seed=SEED)
            print(found, flush=True)
            noted[name] = asdict(_row(found)) if found.given else None
            with journal.open("a") as file:
                print(json.dumps({"sources": made_of, "cell": name, "row": noted[name]}), file=file)
        if noted[name] is not None:
            rows[cell.kind].append(noted[name])
    return rows


def write(area: str) -> None:
    """Measure the cells of an area; those without an answer are told and not written."""
    UNFINISHED.mkdir(exist_ok=True)
    journal = UNFINISHED / f"defaults_{area}.jsonl"
    rows = measured_rows(cells(area), journal, sources())
    for kind, folder in FOLDERS.items():
        if rows[kind]:
            made_by = f"python -m bench.defaults {area}"
            text = json.dumps({"seed": SEED, "made_by": made_by, "measured": rows[kind]}, indent=1)
            (folder / f"defaults_{area}.json").write_text(text + "\n")
    journal.unlink(missing_ok=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or areas():
        write(name)
