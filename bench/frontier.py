"""Measure the frontier for learners: `python -m bench.frontier [TRIALS]` writes what the lab ships.

Everything is kept in `build/frontier.db`: a run that was cut goes on, and one with more trials adds to what there is.
All cases are measured with few samples first, then with more, by one process for each core that the command may use
(`taskset -c 0` leaves it one). Of a case that is not measured yet stays what was shipped.
"""

from __future__ import annotations

import json
import os
import random
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path

import veracity
from bench.figures.writer import end_with
from veracity.core.errors import Refused
from veracity.kernels.beside import processors
from veracity.lab import Covered, coverage, simulate
from veracity.lab.frontier import DESIGNS, FrontierCell, make_frontier, place, shipped_cells
from veracity.lab.judging import Judged, judging_cases
from veracity.lab.learner_coverage import VERSION

SEED, TRIALS = 20_262, 1_000
ROUNDS = (200, 600)  # samples of a case before all that are asked for
TRUTH_DRAWS = 400  # the error of the truth is a hundredth of the width of any of these intervals
FILE = Path(veracity.__file__).parent / "lab" / "measured" / "frontier.json"
STORE = FILE.parents[3] / "build" / "frontier.db"


@cache
def cases() -> list[Judged]:
    """In an order that leaves no learner and no world to the end."""
    found = list(judging_cases())
    random.Random(SEED).shuffle(found)
    return found


def measure_case(number: int, trials: int) -> list[FrontierCell]:
    """One case by every design; what the store has is not measured again."""
    warnings.simplefilter("ignore")
    simulate.TRUTH_DRAWS = TRUTH_DRAWS
    case = cases()[number]
    found = [cell for by, methods in DESIGNS for cell in _measured(case, by, methods, trials)]
    print(trials, case.world, case.says, flush=True)
    return found


def _measured(case: Judged, by: str, methods: tuple[str, ...], trials: int) -> Iterator[FrontierCell]:
    how = {"by": by, "methods": methods, "rows": case.rows, "trials": trials, "seed": SEED, "store": str(STORE)}
    try:
        found = coverage(case.world, case.learner, **how)  # type: ignore[arg-type]
    except Refused as why:
        print(case, by, why, flush=True)
        return
    yield from (_cell(case, row) for row in found)


def _cell(case: Judged, row: Covered) -> FrontierCell:
    about = row.method, row.by, case.world, case.says, row.rows
    figures = round(row.coverage, 4), float(f"{row.width:.5g}"), round(row.fits / row.trials, 1), round(row.refused, 4)
    return FrontierCell(*about, *figures, row.trials)


def write(found: list[FrontierCell], trials: int) -> None:
    head = f'{{"version": {json.dumps(VERSION)}, "seed": {SEED}, "made_by": "python -m bench.frontier {trials}",\n'
    lines = ",\n".join(f" {json.dumps(cell)}" for cell in sorted(found))
    FILE.write_text(f'{head}"measured": [\n{lines}\n]}}\n', "utf-8")


def main(trials: int) -> None:
    STORE.parent.mkdir(exist_ok=True)
    FILE.parent.mkdir(exist_ok=True)
    found = {place(cell): [] for cell in shipped_cells()}
    for cell in shipped_cells():
        found[place(cell)].append(cell)
    with ProcessPoolExecutor(processors(), initializer=end_with, initargs=(os.getpid(),)) as processes:
        for some in (*(fewer for fewer in ROUNDS if fewer < trials), trials):
            asked = [processes.submit(measure_case, number, some) for number in range(len(cases()))]
            for one in as_completed(asked):
                found |= {place(cell): one.result() for cell in one.result()[:1]}
                write([cell for cells in found.values() for cell in cells], trials)  # what is there so far
    print(make_frontier(cell for cells in found.values() for cell in cells))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TRIALS)
