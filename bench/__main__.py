"""Run the rows of speed and memory: all of them, or those whose names contain a word given."""

from __future__ import annotations

import importlib
import os
import platform
import sys
from collections.abc import Callable
from typing import Any

from bench import results
from bench.row import Row

MODULES = (
    "start", "in_memory", "comparisons", "posteriors", "rankings", "evidence", "studies", "page", "large", "risk",
    "other_packages", "procedures", "on_disk", "large_curves", "workbench", "lab_speed",
)  # fmt: skip


def jobs() -> tuple[list[Callable[[], Any]], list[str]]:
    """The rows whose peers are installed, and sentences about the others."""
    found: list[Callable[[], Any]] = []
    missing: list[str] = []
    for name in MODULES:
        try:
            found += importlib.import_module(f"bench.{name}").ROWS
        except ModuleNotFoundError as why:
            missing.append(f"rows of bench/{name}.py are left out: {why.name} is not installed")
    return found, missing


def main(words: list[str]) -> int:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    every, missing = jobs()
    chosen = [job for job in every if not words or any(word in job.__name__ for word in words)]
    if not chosen:
        print(f"no row is called {' or '.join(words)}: there are {', '.join(job.__name__ for job in every)}")
        return 2
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores\n")
    missed = 0
    for job in chosen:
        found = job()
        rows = [found] if isinstance(found, Row) else found
        results.write(job.__name__, rows, [one.__name__ for one in every])
        for row in rows:
            print(f"{row.name}\n  ours {row.ours}\n  peer {row.peer}\n  {row.verdict}\n", flush=True)
            missed += not row.reached
    print("\n".join(missing))
    return 1 if missed or (missing and not words) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
