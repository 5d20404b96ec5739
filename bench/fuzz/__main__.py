"""python -m bench.fuzz --seed 1 --minutes 1: what came of seeded inputs, and where to look into what went wrong."""

from __future__ import annotations

import argparse
import multiprocessing
import re
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil

from bench.fuzz.case import Outcome
from bench.fuzz.worker import OUTCOMES, ROTA, SHARES, Place, Tally, case_at, outcome_at, place_of, work

SLOW, BYTES = 20.0, 2 * 1024**3  # bounds of one input: seconds of the processor, memory
HANGS = 6  # times the seconds, by the clock: an input that waits for nothing
START = 60.0  # seconds in which a process imports everything
LAST = 30.0  # seconds for the last case, and for ending workers and taking away files
SPAWN = multiprocessing.get_context("spawn")


class Fuzzing:
    """One process works, this one watches it."""

    def __init__(self, seed: int, kinds: tuple[str, ...], folder: Path, slow: float = SLOW) -> None:
        self.seed, self.kinds, self.folder, self.slow = seed, kinds, folder, slow
        self.totals = {kind: [0.0] * (len(OUTCOMES) + 1) for kind in SHARES}
        self.seen: Counter[str] = Counter()
        self.next = 0
        self.stopped = False

    def run(self, inputs: int, minutes: float) -> None:
        """Until so many inputs or minutes are over."""
        end = time.monotonic() + 60 * minutes
        while not self.stopped and self.next < inputs and time.monotonic() < end:
            self._watch(inputs, end)

    def _watch(self, inputs: int, end: float) -> None:
        """A process from the next case on, until it is done or had to be ended."""
        tally = Tally.of(SPAWN, self.next, START)
        mine, its = SPAWN.Pipe(duplex=False)
        process = SPAWN.Process(target=work, args=(self.seed, self.next, self.kinds, tally, its))
        process.start()
        its.close()
        ended: Outcome | None = None
        try:
            while ended is None and tally.number < inputs and time.monotonic() < end:
                self._receive(mine, 0.05)
                ended = _too_much(process.pid, tally, self.slow) if process.is_alive() else _dead(process.exitcode)
        except KeyboardInterrupt:
            self.stopped = True  # what came of all until then is told
        tally.ask_to_stop()
        process.join(LAST if ended is None else 0)
        process.kill()
        process.join()
        self._receive(mine, 0)
        self.next = tally.number
        for kind, numbers in tally.totals().items():
            self.totals[kind] = [a + b for a, b in zip(self.totals[kind], numbers, strict=True)]
        if ended is not None:
            place = Place(self.kinds[self.next % len(self.kinds)], self.seed, self.next)
            self.totals[place.kind][OUTCOMES.index(ended.kind)] += 1
            self._keep(place, ended)
            self.next += 1

    def _receive(self, pipe: Any, seconds: float) -> None:
        """What the process found."""
        try:
            while pipe.poll(seconds):
                self._keep(*pipe.recv())
                seconds = 0
        except EOFError:
            time.sleep(seconds)  # it has ended, which its parent will see

    def _keep(self, place: Place, outcome: Outcome) -> None:
        """A file for the first of each kind of finding, with all that replays it."""
        last = outcome.says.strip().splitlines()
        key = f"{place.kind} {outcome.kind}: {re.sub('[0-9.]+', '0', last[-1])[:100] if last else ''}"
        self.seen[key] += 1
        if self.seen[key] > 3:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        try:
            text = case_at(place).text if outcome.kind != "large" else ""
        except Exception as why:  # the generator itself failed, which is the finding
            text = f"no case: {why!r}"
        replay = f"python -m bench.fuzz --replay {place}"
        (self.folder / f"{place}.txt".replace(":", "-")).write_text(
            f"{outcome.kind}\n{text}\n\n{outcome.says}\n\n{replay}\n", "utf-8", errors="backslashreplace"
        )
        print(f"{place} {outcome.kind}: {last[-1][:300] if last else ''}\n  {text[:300]!r}", flush=True)


def _too_much(pid: int | None, tally: Tally, slow: float) -> Outcome | None:
    """What the case under way takes more of than any may."""
    process = psutil.Process(pid)
    busy = sum(process.cpu_times()[:2]) - tally.busy_before
    waits = time.monotonic() - tally.since > HANGS * slow and not _is_starved(process)
    if (tally.busy_before and busy > slow) or waits:
        return Outcome("slow", f"more than {slow:g} s")
    if process.memory_info().rss > BYTES:
        return Outcome("large", f"more than {BYTES / 1024**3:g} GB")
    return None


def _is_starved(process: psutil.Process) -> bool:
    """Whether it, or one that it started, would run if others left it a processor: on a busy machine nothing hangs."""
    try:
        family = [process, *process.children(recursive=True)]
        return any(one.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP) for one in family)
    except psutil.NoSuchProcess:
        return True


def _dead(status: int | None) -> Outcome:
    return Outcome("traceback", f"the process ended with {status}")


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--inputs", type=int, default=10**6)
    parser.add_argument("--slow", type=float, default=SLOW, help="seconds of the processor that an input may take")
    parser.add_argument("--kinds", default=",".join(SHARES), help="only these kinds of inputs")
    parser.add_argument("--folder", type=Path, default=Path("fuzz-findings"), help="where findings are written")
    parser.add_argument("--replay", type=place_of, metavar="KIND:SEED:NUMBER", help="one input again, in this process")
    asked = parser.parse_args()
    if asked.replay:
        outcome = outcome_at(asked.replay)
        print(case_at(asked.replay).text, *outcome, sep="\n")
        return outcome.kind not in ("accepted", "refused")
    kinds = tuple(kind for kind in ROTA if kind in asked.kinds.split(","))
    fuzzing, start = Fuzzing(asked.seed, kinds, asked.folder, asked.slow), time.monotonic()
    fuzzing.run(asked.inputs, asked.minutes)
    return report(fuzzing, time.monotonic() - start)


def report(fuzzing: Fuzzing, seconds: float) -> int:
    """The figures of each kind; the status says whether all is well."""
    print(f"seed {fuzzing.seed}, {seconds:.0f} s")
    print(f"{'kind':<10}{'inputs':>9}{'a second':>9}", *(f"{outcome:>9}" for outcome in OUTCOMES))
    sums = [sum(column) for column in zip(*fuzzing.totals.values(), strict=True)]
    for kind, numbers in {**fuzzing.totals, "all": sums}.items():
        inputs = sum(numbers[:-1])
        if inputs:
            print(
                f"{kind:<10}{inputs:>9,.0f}{inputs / max(numbers[-1], 1e-9):>9.0f}",
                *(f"{n:>9,.0f}" for n in numbers[:-1]),
            )
    for key, number in fuzzing.seen.most_common():
        print(f"{number:>7} {key}")
    share = sums[0] / max(sum(sums[:-1]), 1)
    print(f"{share:.1%} accepted, {sum(fuzzing.seen.values())} findings")
    return int(bool(fuzzing.seen) or share < 0.5)


if __name__ == "__main__":
    sys.exit(main())
