"""The table of results: what was run last of each row, and on what machine."""

from __future__ import annotations

import os
import platform
from datetime import date
from pathlib import Path

from bench.row import Row

FILE = Path(__file__).with_name("results.md")
HEAD = """# Speed and memory, measured

Written by `make bench`; `make bench ROWS=scorecard` measures some rows anew and leaves the others. Times are the best
of several runs, in brackets the worst. On a machine that does other work beside, processor time is what tells.

| row | what; beside what | ours | peer | result | where |
|---|---|---|---|---|---|
"""


def machine() -> str:
    """The processor and what runs on it."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [
            line.partition(":")[2].strip() for line in info.read_text().splitlines() if line.startswith("model name")
        ]
        model = names[0] if names else model
    load = f", load {os.getloadavg()[0]:.0f}" if hasattr(os, "getloadavg") else ""
    return f"{date.today()}, {os.cpu_count()} x {model}, Python {platform.python_version()}{load}"


def write(job: str, rows: list[Row], order: list[str]) -> None:
    """Put what a job measured in the place of what it measured before."""
    kept: dict[str, list[str]] = {}
    if FILE.exists():
        lines = [line for line in FILE.read_text("utf-8").splitlines() if line.startswith("| `")]
        for line in lines:
            kept.setdefault(line.split("`")[1], []).append(line)
    kept[job] = [f"| `{job}` | {row.name} | {row.ours} | {row.peer} | {row.verdict} | {machine()} |" for row in rows]
    table = [line for name in dict.fromkeys(order) for line in kept.get(name, [])]
    FILE.write_text(HEAD + "\n".join(table) + "\n", "utf-8")
