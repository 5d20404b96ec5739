"""`python -m bench.parity [PEER ...]` compares results with every peer and writes the table of the manual."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from datetime import date
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from bench.parity.row import Row
from docs.markdown import cell, table

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "parity.md"
PEERS = {
    "scikit-learn": "scikit_learn",
    "scipy": "scipy_stats",
    "statsmodels": "stats_models",
    "mlxtend": "mlxtend_evaluate",
    "autorank": "auto_rank",
    "scikit-posthocs": "posthocs",
    "baycomp": "bay_comp",
    "pycm": "py_cm",
    "confidenceinterval": "confidence_interval",
    "R": "r",
    "weka": "weka",
}
HEAD = """# Parity

Results beside those of other packages on the same random inputs: {same} quantities are the same, {explained} differ for
a reason that is told. Written by `make parity` on {day} with veracity {version}.

"Same" means equal to nine digits, or to the digits that a peer prints where it prints few. The largest difference over
all inputs is relative to the larger number, absolute below one."""


def section(name: str, version: str, rows: list[Row]) -> str:
    lines = [
        (f"`{cell(row.ours)}`", f"`{cell(row.theirs)}`", row.verdict, f"{row.difference:.1g}", cell(row.because))
        for row in rows
    ]
    head = ("veracity", "peer", "result", "largest difference", "why")
    return f"## {name}\n\nVersion {version}.\n\n{table(head, lines)}"


def measure(asked: Iterable[str]) -> tuple[list[str], list[Row], list[str]]:
    """Sections, all rows, and a line for each peer that is not there."""
    sections, every, absent = [], [], []
    for name in asked:
        try:
            peer = import_module(f"bench.parity.{PEERS[name]}")
        except ImportError as why:
            absent.append(f"{name} is not installed, so it was not compared: {why}")
            print(absent[-1], flush=True)
            continue
        rows = list(peer.rows())
        for row in rows:
            told = row.because if row.verdict == "explained" else ""
            print(f"{name}: {row.ours} | {row.theirs} | {row.verdict} {row.difference:.2g} {told}", flush=True)
        every += rows
        sections.append(section(peer.NAME, peer.VERSION, rows))
    return sections, every, absent


def main(words: list[str]) -> int:
    if unknown := set(words) - set(PEERS):
        sys.exit(f"there is no peer {', '.join(sorted(unknown))}: there are {', '.join(PEERS)}")
    sections, rows, absent = measure(words or PEERS)
    wrong = [row for row in rows if not row.sound]
    if not words:
        counts = {kind: sum(row.verdict == kind for row in rows) for kind in ("same", "explained")}
        head = HEAD.format(**counts, day=date.today().isoformat(), version=version("veracity"))
        notes = [f"- {line}" for line in absent]
        PAGE.write_text("\n\n".join([head, *(["\n".join(notes)] if notes else []), *sections]) + "\n")
    print(f"{len(rows)} quantities, {len(wrong)} without an explanation, {len(absent)} peers not installed")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
