"""Whether figures that were measured again agree with those of a commit: `python -m bench.figures.agreement [COMMIT]`.

Each file of figures is held against what it was: how many rows are the same, how many lie within four of their errors,
and which lie farther apart.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.figures.specification import FIGURES, Row
from bench.figures.writer import HOUSE

ERRORS = 4.0
ABOUT = ("method", "world", "rows", "by", "score", "noun", "target", "splits")  # what tells rows apart


def agreement(before: list[Row], after: list[Row]) -> tuple[int, int, list[str]]:
    """How many rows are the same, how many agree within their errors, and sentences on those that do not."""
    known = {_key(row): row for row in before}
    same = near = 0
    apart = []
    for row in after:
        was = known.get(_key(row))
        if was is None:
            continue
        gap, error = abs(_figure(row) - _figure(was)), math.hypot(_error(row), _error(was))
        if gap == 0:
            same += 1
        elif gap <= ERRORS * error:
            near += 1
        else:
            apart.append(
                f"{', '.join(map(str, _key(row)))}: {_figure(was)} became {_figure(row)}, {gap / error:.1f} errors"
            )
    return same, near, apart


def _key(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ABOUT if row.get(name))


def _figure(row: Row) -> float:
    return float(next(row[name] for name in FIGURES if name in row))


def _error(row: Row) -> float:
    """Of a share of trials that was rounded; a row that tells its own error is believed."""
    if "spread" in row:
        return max(float(row["spread"]), 1e-4)
    share = min(max(_figure(row), 1 / row["trials"]), 1 - 1 / row["trials"])
    return math.sqrt(share * (1 - share) / row["trials"]) if not row.get("enumerated") else 1e-4


def files_of(commit: str) -> Iterator[tuple[Path, list[Row], list[Row]]]:
    """Files of figures that differ from those of a commit, with the rows of then and of now."""
    for file in sorted(HOUSE.glob("*/measured/*.json")):
        name = file.relative_to(HOUSE.parent)
        shown = subprocess.run(
            ["git", "show", f"{commit}:{name}"], cwd=HOUSE.parent, capture_output=True, text=True, check=False
        )
        now = file.read_text("utf-8")
        if file.parent.parent.name != "lab" and not shown.returncode and shown.stdout != now:
            yield name, json.loads(shown.stdout)["measured"], json.loads(now)["measured"]


if __name__ == "__main__":
    for file, before, after in files_of(sys.argv[1] if len(sys.argv) > 1 else "HEAD"):
        same, near, apart = agreement(before, after)
        others = len(after) - same - near - len(apart)
        print(f"{file}: {same} the same, {near} within {ERRORS:g} errors, {len(apart)} apart, {others} new")
        print(*(f"  {one}" for one in apart), sep="\n", end="\n" if apart else "")
