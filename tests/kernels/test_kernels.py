"""Every kernel gives the same numbers as plain Python and as machine code."""

import importlib
import pkgutil
from functools import partial
from threading import current_thread

import numpy as np
import pytest

from veracity import kernels
from veracity.kernels.beside import run_beside
from veracity.kernels.compile import PLAIN_BELOW, Kernel, kernel

RANDOM = np.random.default_rng(2)
POSITIVES, NEGATIVES = RANDOM.integers(0, 4, (2, 3, 12))
ALL_POSITIVES, ALL_NEGATIVES = POSITIVES.sum(1).astype(float), NEGATIVES.sum(1).astype(float)
BLOCKS = (POSITIVES, NEGATIVES)
TOTALS = (ALL_POSITIVES, ALL_NEGATIVES)
LOSSES = RANDOM.random(30)
SEES, INSIDE = np.array([6, 5, 11, 4]), np.array([0, 0, 0, 1, 0, 1, 1, 3, 0, -1, -1, -1, 1, -1, -1, -1])
CHANCES, OF_CLASS = np.round(RANDOM.random(80), 2), RANDOM.random(80) < 0.4
GROUPS = (2 * OF_CLASS + (CHANCES > 0.4)).astype(np.int8)
SIGNED = np.where(OF_CLASS, 1, -1)[np.argsort(CHANCES)] * np.sort(CHANCES)
NUMBERS = np.arange(80, dtype=np.int32)[::-1]
MARKS = (np.array([0, 40, 80]), np.append(0, np.cumsum(SIGNED[::-1] > 0)[[39, 79]]))
SEED = (np.uint64(2**63 - 5), np.uint64(3))
# each kernel's arguments, fresh for every call since some are written into
ARGUMENTS = {
    "recursions.coin_sums": lambda: (np.array([2, 3, 3, 8]), 9),
    "recursions.betting_wins": lambda: (LOSSES, np.full(30, 0.8), 0.3, 0.1),
    "recursions.pairs_inside": lambda: (SEES, np.array([14, 13, 11, 7])),
    "recursions.best_partition": lambda: (SEES, INSIDE),
    "recursions.through_sets": lambda: (INSIDE, np.arange(16)),
    "bootstrap.add_to_cells": lambda: (RANDOM_COUNTS, np.array([0, 1, 1, 0, 1]), np.zeros((4, 2), np.int64)),
    "bootstrap.move_rows": lambda: (
        RANDOM_COUNTS,
        np.array([0, 1, 1, 0, 1]),
        np.array([1, 2, 0, 2, 0]),
        np.full((4, 3), 9, np.int64),
    ),
    "bootstrap.draw_counts": lambda: (*SEED, np.zeros((3, 101), np.int32), True),
    "sweep.upper_chain": lambda: (np.sort(LOSSES), LOSSES),
    "recursions.plackett_luce_sweeps": lambda: (
        np.random.default_rng(4),
        np.array([[0, 1, 2], [2, 0, 1], [0, 2, 1]]),
        np.array([[True, False], [False, False], [False, True]]),
        3,
        np.zeros((5, 3)),
    ),
    "recursions.rom_critical_values": lambda: (0.05, np.empty(120)),
    "add_rows.add_rows": lambda: (
        *(CHANCES, GROUPS, CHANCES, np.log(CHANCES + 0.1), np.log(CHANCES + 0.2)),
        *(np.array([0.1, -0.5, -0.4, -0.7, -0.6, -0.5, -0.3]), np.arange(1, 10) / 10),
        *(np.zeros(size) for size in ((1, 4), (2, 4), (4, 4), 10)),
    ),
    "add_rows.tell_rows": lambda: (CHANCES, OF_CLASS, np.array([0.6, 0.4]), np.empty(80), np.empty(80, np.int8)),
    "packed.count_buckets": lambda: (CHANCES,),
    "packed.scatter": lambda: (CHANCES, OF_CLASS, 0, np.arange(2049) * 0, np.empty(80), np.empty(80, np.int32)),
    "packed.sort_buckets": lambda: (
        SIGNED[::-1],
        np.array([0, 80]),
        0,
        1,
        np.zeros(1, bool),
        np.arange(80, dtype=np.int32),
    ),
    "packed.sweep_signed": lambda: (SIGNED, 30.0, 50.0, np.zeros((4, 3), np.int64), np.zeros((4, 7))),
    "packed.placements": lambda: (SIGNED, NUMBERS, 30.0, 50.0, 0.7, np.empty(80)),
    "packed.squares_apart": lambda: (SIGNED, NUMBERS, 30.0, 50.0, 0.7, CHANCES, np.zeros(2)),
    "packed.stretch_blocks": lambda: (SIGNED, *MARKS, np.array([True, False]), *np.zeros((2, 60), np.int64)),
    "sweep.rank_area": lambda: BLOCKS,
    "sweep.area_until": lambda: (*BLOCKS, 0.3 * ALL_NEGATIVES),
    "sweep.precision_sum": lambda: BLOCKS,
    "sweep.cut": lambda: (*BLOCKS, np.array([0.5, 7.0, 30.0])),
    "sweep.crossing": lambda: (*BLOCKS, *TOTALS),
    "sweep.best_f": lambda: (*BLOCKS, ALL_POSITIVES, 4.0),
    "sweep.hull_stacks": lambda: (
        *(*BLOCKS, np.zeros((3, 12), np.int64), np.zeros((3, 12)), np.zeros((3, 12))),
        np.zeros(3, np.int64),
    ),
}
RANDOM_COUNTS = RANDOM.integers(0, 5, (4, 5))


def every_kernel():
    """The kernels of the package, by module and name."""
    found = {}
    for module in pkgutil.iter_modules(kernels.__path__):
        for name, item in vars(importlib.import_module(f"veracity.kernels.{module.name}")).items():
            if isinstance(item, Kernel):
                found[f"{module.name}.{name}"] = item
    return found


KERNELS = every_kernel()


def outcome(function, arguments):
    """What a kernel returns and what it leaves in the arrays it was given."""
    arguments = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    with np.errstate(over="ignore"):  # counters wrap round on purpose
        found = function(*arguments)
    returned = list(found) if isinstance(found, tuple) else [] if found is None else [found]
    return [*returned, *(a for a in arguments if isinstance(a, np.ndarray))]


@pytest.mark.parametrize("name", KERNELS)
def test_plain_and_compiled_agree(name):
    plain = outcome(KERNELS[name].function, ARGUMENTS[name]())
    compiled = outcome(KERNELS[name].compiled, ARGUMENTS[name]())
    assert len(plain) == len(compiled)
    for one, other in zip(plain, compiled, strict=True):
        assert np.asarray(one) == pytest.approx(np.asarray(other), rel=1e-12, abs=1e-12)


def test_little_runs_plain_and_much_compiled():
    @kernel
    def which(array):
        return "plain"

    which.__dict__["compiled"] = lambda array: "compiled"
    assert which(np.zeros(PLAIN_BELOW - 1)) == "plain"
    assert which(np.zeros(PLAIN_BELOW)) == "compiled"


def test_a_kernel_keeps_its_name_and_sentence():
    from veracity.kernels import sweep

    assert sweep.rank_area.__name__ == "rank_area"
    assert sweep.rank_area.__doc__.startswith("Pairs")


def test_no_more_threads_run_than_may(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    where = {}

    def note(job):
        where[job] = current_thread()

    with run_beside(partial(note, "first")), run_beside(partial(note, "second, while the first may run")):
        pass
    with run_beside(partial(note, "after both")):
        pass
    here = {job: thread is current_thread() for job, thread in where.items()}
    assert here == {"first": False, "second, while the first may run": True, "after both": False}


def test_a_job_that_fails_beside_other_work_is_not_lost(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    after = []
    with pytest.raises(MemoryError, match="full"), run_beside(partial(_fail, "full")):
        after.append("the body runs to its end")
    assert after


def _fail(says):
    raise MemoryError(says)
