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
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

import veracity
from bench.fast.fits import Fast
from bench.figures.writer import end_with
from bench.judging import Judged, judging_cases
from veracity.core.errors import Refused
from veracity.kernels.beside import processors
from veracity.lab import Covered, coverage, simulate
from veracity.lab.frontier import Frontier, FrontierPoint
from veracity.lab.measuring import VERSION
from veracity.records.arrays import Array

SEED, TRIALS = 20_262, 1_000
ROUNDS = (200, 600)  # samples of a case before all that are asked for
TRUTH_DRAWS = 400  # the error of the truth is a hundredth of the width of any of these intervals
CELLS_FILE = Path(__file__).parent / "frontier_cells.json"
POINTS_FILE = (
    Path(veracity.__file__).parent / "lab" / "measured" / "frontier.json"
)  # what `veracity.lab.frontier` shows
STORE = CELLS_FILE.parents[1] / "build" / "frontier.db"
LEVEL = 0.95
REFERENCE = ("conservative_t", "repeated_kfold(k=10, repeats=5)")  # whose width is 1
DESIGNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "kfold(k=10)",
        ("conservative_t", "corrected_t", "cv_wald", "cv_wald(form='within_fold')", "naive_t", "percentile(draws=999)"),
    ),
    ("repeated_kfold(k=10, repeats=5)", ("conservative_t", "corrected_t", "naive_t")),
    ("repeated_kfold(k=10, repeats=10)", ("conservative_t", "corrected_t", "naive_t")),
    ("repeated_holdout(repeats=25, test=0.1)", ("conservative_t", "corrected_t", "naive_t")),
    ("five_by_two", ("conservative_t", "corrected_t", "naive_t")),
    ("leave_one_out", ("cv_wald",)),
    ("paired_subsampling(outer=10, inner=15)", ("conservative_z",)),
    ("nested_cv_bates(k=10, repeats=10)", ("nested_cv",)),
    ("loo_bootstrap(draws=200)", ("loo_bootstrap_se",)),
)


class FrontierCell(NamedTuple):
    """One interval by one design, for one learner in one world."""

    method: str
    by: str
    world: str
    learner: str
    rows: int
    covered: float
    width: float
    fits: float  # of one sample
    refused: float
    trials: int


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
        found = coverage(case.world, Fast(case.learner), **how)  # type: ignore[arg-type]
    except Refused as why:
        print(case, by, why, flush=True)
        return
    yield from (_cell(case, row) for row in found)


def _cell(case: Judged, row: Covered) -> FrontierCell:
    about = row.method, row.by, case.world, case.says, row.rows
    figures = round(row.coverage, 4), float(f"{row.width:.5g}"), round(row.fits / row.trials, 1), round(row.refused, 4)
    return FrontierCell(*about, *figures, row.trials)


def write(found: list[FrontierCell], trials: int) -> None:
    """Write the cells for the next run, and the points that are made of them for the library."""
    head = f'{{"version": {json.dumps(VERSION)}, "seed": {SEED}, "made_by": "python -m bench.frontier {trials}",\n'
    lines = ",\n".join(f" {json.dumps(cell)}" for cell in sorted(found))
    CELLS_FILE.write_text(f'{head}"measured": [\n{lines}\n]}}\n', "utf-8")
    samples = [cell.trials for cell in found]
    cases = len({place(cell) for cell in found})
    about = f'"cases": {cases}, "samples": [{min(samples)}, {max(samples)}],\n'
    points = ",\n".join(f" {json.dumps(point.to_json())}" for point in make_frontier(found))
    POINTS_FILE.write_text(f'{head}{about}"measured": [\n{points}\n]}}\n', "utf-8")


@cache
def shipped_cells() -> tuple[FrontierCell, ...]:
    """The figures of every cell that was measured."""
    found = json.loads(CELLS_FILE.read_text("utf-8"))
    return tuple(FrontierCell(*row) for row in found["measured"])


def make_frontier(cells: Iterable[FrontierCell]) -> Frontier:
    """Each interval by each design over all cells."""
    gathered: dict[tuple[str, str], list[FrontierCell]] = {}
    for cell in cells:
        gathered.setdefault((cell.method, cell.by), []).append(cell)
    reference = {place(cell): cell.width for cell in gathered[REFERENCE]}
    points = [_point(group, reference) for group in gathered.values()]
    return Frontier(tuple(sorted(points, key=lambda point: (round(point.short, 4), point.width))))


def place(cell: FrontierCell) -> tuple[str, str, int]:
    """The case that a cell belongs to."""
    return cell.world, cell.learner, cell.rows


def _variance_of_missed(covered: Array, answers: Array) -> Array:
    """Of what coverage lacks, 0 where it lacks nothing: that of a normal law cut at the level.

    A cell that happens to hold its level could as well have fallen short. The deviation is that of two answers more on
    either side, since a share of 1 is not without error.
    """
    from scipy.special import ndtr

    share = (covered * answers + 2) / (answers + 4)
    deviation = np.sqrt(share * (1 - share) / answers)
    short = (LEVEL - covered) / deviation
    below, density = ndtr(short), np.exp(-(short**2) / 2) / np.sqrt(2 * np.pi)
    mean = short * below + density
    found: Array = deviation**2 * ((short**2 + 1) * below + short * density - mean**2).clip(0)
    return found


def _point(cells: list[FrontierCell], reference: dict[tuple[str, str, int], float]) -> FrontierPoint:
    there = [cell for cell in cells if cell.refused < 1]
    covered = np.array([cell.covered for cell in there], float)
    missed = np.maximum(LEVEL - covered, 0.0)
    errors = _variance_of_missed(covered, np.array([cell.trials * (1 - cell.refused) for cell in there]))
    widths = [cell.width / reference[place(cell)] for cell in there if place(cell) in reference]
    low = there[int(covered.argmin())]
    return FrontierPoint(
        cells[0].method,
        cells[0].by,
        float(np.mean([cell.fits for cell in there])),
        float(missed.mean()),
        float(np.sqrt(errors.sum()) / len(there)),
        float(covered.mean()),
        low.covered,
        f"{low.learner}, {low.world}, {low.rows} rows",
        float(np.exp(np.mean(np.log(widths)))),
        float(np.mean([cell.refused for cell in cells])),
        len(there),
    )


def main(trials: int) -> None:
    STORE.parent.mkdir(exist_ok=True)
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
