"""Run the rows of speed and memory: all of them, or those whose names contain a word given."""

from __future__ import annotations

import os
import platform
import sys

from bench import (
    comparisons,
    in_memory,
    large,
    on_disk,
    page,
    posteriors,
    procedures,
    rankings,
    results,
    risk,
    start,
    studies,
)
from bench.row import Row


def main(words: list[str]) -> int:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    jobs = [
        job
        for module in (
            start,
            in_memory,
            comparisons,
            posteriors,
            rankings,
            studies,
            page,
            large,
            risk,
            procedures,
            on_disk,
        )
        for job in module.ROWS
    ]
    chosen = [job for job in jobs if not words or any(word in job.__name__ for word in words)]
    if not chosen:
        print(f"no row is called {' or '.join(words)}: there are {', '.join(job.__name__ for job in jobs)}")
        return 2
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores\n")
    missed = 0
    for job in chosen:
        found = job()
        rows = [found] if isinstance(found, Row) else found
        results.write(job.__name__, rows, [one.__name__ for one in jobs])
        for row in rows:
            print(f"{row.name}\n  ours {row.ours}\n  peer {row.peer}\n  {row.verdict}\n", flush=True)
            missed += not row.reached
    return 1 if missed else 0


sys.exit(main(sys.argv[1:]))
