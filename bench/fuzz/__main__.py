"""python -m bench.fuzz --seed 1 --minutes 1: what came of seeded inputs, and where to look into what went wrong."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil

from bench.fuzz.case import Outcome
from bench.fuzz.worker import KINDS, ROTA, Place, case_at, outcome_at, place_of, work

SECONDS, BYTES = 20.0, 2 * 1024**3  # bounds of one input: time of the processor, memory
HANGS = 6  # times the seconds, by the clock: an input that waits for nothing
SPAWN = multiprocessing.get_context("spawn")


class Fuzzing:
    """One process works, this one watches it."""

    def __init__(self, seed: int, kinds: tuple[str, ...], folder: Path) -> None:
        self.seed, self.kinds, self.folder = seed, kinds, folder
        self.totals: Counter[str] = Counter()
        self.seen: Counter[str] = Counter()
        self.next = 0

    def run(self, inputs: int, minutes: float) -> None:
        """Until so many inputs or minutes are over."""
        end = time.monotonic() + 60 * minutes
        while self.next < inputs and time.monotonic() < end:
            self._watch(inputs, end)

    def _watch(self, inputs: int, end: float) -> None:
        """A process from the next case on, until it is done or had to be ended."""
        shared: Any = SPAWN.Array("d", 3 + len(KINDS), lock=False)
        mine, its = SPAWN.Pipe(duplex=False)
        shared[0], shared[1] = self.next, time.monotonic() + 60  # it starts up
        process = SPAWN.Process(target=work, args=(self.seed, self.next, self.kinds, shared, its), daemon=True)
        process.start()
        its.close()
        before = self.next
        while self.next < inputs and time.monotonic() < end:
            if not self._receive(mine, 0.05) or not process.is_alive():
                self._note(int(shared[0]), Outcome("traceback", f"the process ended with {process.exitcode}"))
                break
            self.next = int(shared[0])
            too_much = _too_much(process.pid, shared)
            if too_much is not None:
                self._note(self.next, too_much)
                break
        process.kill()
        process.join()
        self._receive(mine, 0)
        for place, kind in enumerate(KINDS):
            self.totals[kind] += int(shared[3 + place])
        self.next = max(self.next, before) + (self.next < inputs and time.monotonic() < end)

    def _receive(self, pipe: Any, seconds: float) -> bool:
        """What the process found; whether it may find more."""
        try:
            while pipe.poll(seconds):
                self._keep(*pipe.recv())
                seconds = 0
        except EOFError:
            return False
        return True

    def _note(self, number: int, outcome: Outcome) -> None:
        self.totals[outcome.kind] += 1
        self._keep(Place(self.kinds[number % len(self.kinds)], self.seed, number), outcome)

    def _keep(self, place: Place, outcome: Outcome) -> None:
        """A file for the first of each kind of finding, with all that replays it."""
        last = outcome.says.strip().splitlines()
        key = f"{outcome.kind}: {last[-1][:100] if last else ''}"
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
        print(f"{place} {key}\n  {text[:300]!r}", flush=True)


def _too_much(pid: int | None, shared: Any) -> Outcome | None:
    """What the case under way takes more of than any may."""
    process = psutil.Process(pid)
    busy = sum(process.cpu_times()[:2]) - shared[2]
    if (shared[2] and busy > SECONDS) or time.monotonic() - shared[1] > HANGS * SECONDS:
        return Outcome("slow", f"more than {SECONDS:g} s")
    if process.memory_info().rss > BYTES:
        return Outcome("large", f"more than {BYTES / 1024**3:g} GB")
    return None


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--inputs", type=int, default=10**5)
    parser.add_argument("--kinds", default=",".join(ROTA), help="the kinds of inputs in turn")
    parser.add_argument("--folder", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--replay", type=place_of, metavar="KIND:SEED:NUMBER", help="one input again, in this process")
    asked = parser.parse_args()
    if asked.replay:
        outcome = outcome_at(asked.replay)
        print(case_at(asked.replay).text, *outcome, sep="\n")
        return outcome.kind not in ("accepted", "refused")
    fuzzing, start = Fuzzing(asked.seed, tuple(asked.kinds.split(",")), asked.folder), time.monotonic()
    fuzzing.run(asked.inputs, asked.minutes)
    return report(fuzzing, time.monotonic() - start)


def report(fuzzing: Fuzzing, seconds: float) -> int:
    """The figures; the status says whether all is well."""
    totals = fuzzing.totals
    inputs = sum(totals.values())
    share = totals["accepted"] / max(inputs, 1)
    print(f"seed {fuzzing.seed}: {inputs:,} inputs in {seconds:.0f} s, {inputs / seconds:.0f} a second")
    print(f"{share:.1%} accepted,", ", ".join(f"{totals[kind]:,} {kind}" for kind in KINDS[1:]))
    for key, number in fuzzing.seen.most_common():
        print(f"{number:>7} {key}")
    return int(bool(fuzzing.seen) or share < 0.5)


if __name__ == "__main__":
    sys.exit(main())
