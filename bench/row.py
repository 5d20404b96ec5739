"""One row of the table of speed: what was measured, how often, and against what."""

from __future__ import annotations

import gc
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path


@dataclass(frozen=True)
class Measure:
    """Seconds of repeated runs; the machine is noisy, so the best stands and the spread is shown."""

    seconds: tuple[float, ...]
    scale: float = 1.0  # a peer too slow to run in full is run in part and scaled up
    smaller: tuple[tuple[str, float], ...] = ()  # best seconds of smaller sizes, in words

    @property
    def best(self) -> float:
        return min(self.seconds) * self.scale

    def __str__(self) -> str:
        worst = max(self.seconds) * self.scale
        scaled = "" if self.scale == 1 else f", scaled from 1/{self.scale:g}"
        smaller = "".join(f"; {_brief(seconds)} of {size}" for size, seconds in self.smaller)
        return f"{_brief(self.best)} (to {_brief(worst)} in {len(self.seconds)} runs{scaled}{smaller})"


@dataclass(frozen=True)
class Row:
    """A claim with its figures. `ratio` is what `aim` is about; `at_most` says in which direction."""

    name: str
    ours: str
    peer: str
    ratio: float
    aim: float
    at_most: bool = False
    unit: str = "x"

    @property
    def reached(self) -> bool:
        return self.ratio <= self.aim if self.at_most else self.ratio >= self.aim

    @property
    def verdict(self) -> str:
        sign = "at most" if self.at_most else "at least"
        outcome = "reached" if self.reached else "MISSED"
        return f"{self.ratio:.3g}{self.unit}, aim {sign} {self.aim:g}{self.unit}: {outcome}"


def measure(
    job: Callable[[], object], times: int = 3, scale: float = 1.0, clock: Callable[[], float] = time.perf_counter
) -> Measure:
    """Run a job several times, collecting garbage before each.

    Of two sides that run in one thread, `time.process_time` tells the same beside whatever else the machine does.
    """
    seconds = []
    for _ in range(times):
        gc.collect()
        start = clock()
        job()
        seconds.append(clock() - start)
    return Measure(tuple(seconds), scale)


def measure_in_turn(jobs: Mapping[str, Callable[[], object]], times: int = 3) -> dict[str, Measure]:
    """Several jobs one after the other, several times: what else the machine does meets all of them alike."""
    taken = [{name: measure(job, 1).best for name, job in jobs.items()} for _ in range(times)]
    return {name: Measure(tuple(each[name] for each in taken)) for name in jobs}


def measure_growth(
    job: Callable[[int], object],
    size: int,
    times: int = 3,
    clock: Callable[[], float] = time.perf_counter,
    smaller: Sequence[int] = (),
    of: str = "",
) -> Measure:
    """A job of some size, with the best times of smaller sizes: of a hundredth and a tenth where none are named.

    Each is done once before, so that what is compiled or imported counts nowhere. `of` says what the size counts.
    """
    best = []
    for part in smaller or (size // 100, size // 10):
        job(part)
        best.append((in_words(part, of), measure(partial(job, part), times, clock=clock).best))
    return replace(measure(partial(job, size), times, clock=clock), smaller=tuple(best))


def in_words(size: int, of: str) -> str:
    """A number of things, as a row of the table tells it."""
    return f"{size:,} {of}".rstrip()


def processor_seconds(words: list[str]) -> float:
    """Processor time of Python in a process of its own, all that it starts included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def peak_bytes() -> int:
    """The most bytes that this process has had; what getrusage tells begins with its parent's."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


def alone(name: str, ours: Measure, aim: float, peer: str = "none") -> Row:
    """The seconds by themselves, where nobody else does the same."""
    return Row(name, str(ours), peer, ours.best, aim, at_most=True, unit=" s")


def faster(name: str, ours: Measure, peer: Measure, aim: float) -> Row:
    """How many times faster than the peer."""
    return Row(name, str(ours), str(peer), peer.best / ours.best, aim)


def within(name: str, ours: Measure, peer: Measure, aim: float) -> Row:
    """How many times the peer's time."""
    return Row(name, str(ours), str(peer), ours.best / peer.best, aim, at_most=True)


def _brief(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 0.1 else f"{seconds * 1000:.3g} ms"
