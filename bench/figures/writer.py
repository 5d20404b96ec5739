"""The one writer of figures: a journal of units that are there, and a file of each area in each room of methods."""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from bench.figures.specification import Row, Specification
from veracity.kernels import compile

SEED = 20_262
HOUSE = Path(__file__).parents[2] / "veracity"
JOURNAL = HOUSE.parent / "build" / "figures.jsonl"
ROOMS = ("core", "kernels", "records", "evidence", "findings", "scores", "designs", "intervals", "risk", "comparisons")
ROOMS += ("effects", "posthoc", "adjustments", "contests", "curves", "api", "lab", "learners", "tuning")


def sources() -> str:
    """A digest of all rooms, and of what measures, that a figure can depend on: another text is another digest."""
    digest = hashlib.sha256()
    for folder in (*(HOUSE / room for room in ROOMS), HOUSE.parent / "bench"):
        for file in sorted(folder.rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def measure_area(
    area: str,
    units: Iterable[Specification],
    missing: bool = False,
    seed: int = SEED,
    processes: int = 1,
    again: str = "",
) -> list[float]:
    """Measure the units of an area and write its files; if only `missing` is asked, what is shipped is kept.

    Not so what has `again` in its name, as long as that is some text.
    Told are the seconds of a processor that each unit took that was measured, now or when it was noted down.
    """
    by_room: dict[str, dict[str, list[Row]]] = {}
    listed = list(units)
    kept = {room: shipped_units(area, room) for room in {one.room for one in listed}} if missing else {}
    for of_room in kept.values():
        for unit in [unit for unit in of_room if again and again in unit]:
            del of_room[unit]
    asked = [one for one in listed if one.unit not in kept.get(one.room, {})]
    found = noted_rows(asked, JOURNAL, sources(), seed, processes)
    for one in listed:
        of_unit = kept.get(one.room, {})
        by_room.setdefault(one.room, {})[one.unit] = of_unit[one.unit] if one.unit in of_unit else found[one.unit].rows
    for room, of_room in by_room.items():
        write_file(file_of(area, room), area, of_room, seed)
    return [found[one.unit].seconds for one in asked]


class Noted(NamedTuple):
    """The rows of a unit, and how long a processor took to find them."""

    rows: list[Row]
    seconds: float


def noted_rows(
    units: Iterable[Specification], journal: Path, made_of: str, seed: int = SEED, processes: int = 1
) -> dict[str, Noted]:
    """The rows of units. Each is noted down when it is there; what the same sources noted by the same seed is taken."""
    journal.parent.mkdir(exist_ok=True)
    notes = [note for note in _notes(journal) if (note["sources"], note["seed"]) == (made_of, seed)]
    noted = {note["unit"]: Noted(note["rows"], note["seconds"]) for note in notes}
    missing = [one for one in units if one.unit not in noted]
    for unit, rows, seconds in _measured_rows(missing, seed, processes):
        stamped = [{**row, "seed": seed, "version": version("veracity")} for row in rows]
        noted[unit] = Noted(stamped, round(seconds, 2))
        with journal.open("a") as file:
            print(json.dumps({"sources": made_of, "seed": seed, "unit": unit, **noted[unit]._asdict()}), file=file)
        print(unit, *map(_figure, stamped), sep="\n  ", flush=True)
    return noted


def _measured_rows(units: list[Specification], seed: int, processes: int) -> Iterator[tuple[str, list[Row], float]]:
    """Units as they come. Each has random numbers of its own, so that it does not matter which process measures it."""
    if processes == 1 or len(units) < 2:
        yield from (_rows_of(one, seed) for one in units)
        return
    how = units, seed, os.getpid()
    with get_context("fork").Pool(processes, _take_units, how) as pool:  # units are closures: not to be sent
        yield from pool.imap_unordered(_rows_of_number, range(len(units)))


TAKEN: list[Any] = []  # in a process of a pool: its units and their seed


def _take_units(units: list[Specification], seed: int, parent: int) -> None:
    TAKEN[:] = [units, seed]
    end_with(parent)


def end_with(parent: int) -> None:
    """End this process with its parent: else it would measure what nobody notes down, and then wait for ever."""
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _rows_of_number(number: int) -> tuple[str, list[Row], float]:
    units, seed = TAKEN
    return _rows_of(units[number], seed)


def _rows_of(one: Specification, seed: int) -> tuple[str, list[Row], float]:
    usual, compile.PLAIN_BELOW = compile.PLAIN_BELOW, 0  # of thousands of samples compiled loops pay at once
    began = time.process_time()
    try:
        return one.unit, one.rows(seed), time.process_time() - began
    finally:
        compile.PLAIN_BELOW = usual


def _notes(journal: Path) -> Iterator[dict[str, Any]]:
    """What was noted down; a line that was cut when its writer was stopped is of a unit that is measured again."""
    text = journal.read_text() if journal.exists() else ""
    if text and not text.endswith("\n"):
        journal.write_text(text + "\n")  # what is noted next begins a line
    for line in text.splitlines():
        try:
            yield json.loads(line)
        except json.JSONDecodeError:
            continue


def _figure(row: Row) -> str:
    figure = next(row[name] for name in ("covered", "rejected", "bias") if name in row)
    return f"{row['method']}: {figure}"


def file_of(area: str, room: str) -> Path:
    """Where the figures of an area are kept."""
    return HOUSE / room / "measured" / f"{area}.json"


def shipped_units(area: str, room: str) -> dict[str, list[Row]]:
    """The rows that are shipped, by their unit."""
    file = file_of(area, room)
    content: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    rows = iter(content.get("measured", ()))
    return {unit: [next(rows) for _ in range(number)] for unit, number in content.get("units", {}).items()}


def write_file(file: Path, area: str, units: dict[str, list[Row]], seed: int) -> None:
    """A row on each line; `units` say how many rows each of them has."""
    file.parent.mkdir(exist_ok=True)
    lines = ",\n".join(f"  {json.dumps(row)}" for rows in units.values() for row in rows)
    counts = ",\n".join(f"  {json.dumps(unit)}: {len(rows)}" for unit, rows in units.items())
    head = f'"made_by": "python -m bench.figures {area}", "seed": {seed}'
    file.write_text(f'{{{head},\n"units": {{\n{counts}\n}},\n"measured": [\n{lines}\n]}}\n', "utf-8")
