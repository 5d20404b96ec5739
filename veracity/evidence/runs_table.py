"""Runs at a glance: how many fits of each learner are done, how many failed, and why the first of them did."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from veracity.core.notes import Note
from veracity.core.words import brief
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.evidence.runs import Runs

MOST = 200  # rows that anybody reads
REASON = 120  # letters of a reason
LEFT = ("data", "learner", "by", "first failure")


def runs_table(runs: Runs) -> Table:
    """A row for each data set, learner and design; where there are many, those with failures come first."""
    reasons = {outcome.key: outcome.reason for outcome in runs.failures()}
    finished = set(runs.store.finished())
    rows = [_row(runs, place, finished, reasons) for place in runs.places()]
    planned, done, failed = (sum(row[column] for row in rows) for column in (3, 4, 5))
    shown = sorted(rows, key=lambda row: row[5] == 0)[:MOST] if len(rows) > MOST else rows
    left = f"{len(shown):,} of {len(rows):,} runs stand here, those with failures first"
    notes = (Note("many-runs", "remark", left),) if len(shown) < len(rows) else ()
    titles = ("data", "learner", "by", "fits", "done", "failed", "first failure")
    columns = tuple(Column(title, "left" if title in LEFT else "right") for title in titles)
    caption = f"{runs.size}: {done:,} of {planned:,} fits done, {failed:,} failed"
    return Table(columns, tuple(shown), caption, runs.notes + notes)


def _row(runs: Runs, place: tuple[str, str, str], finished: set[str], reasons: dict[str, str]) -> tuple[Any, ...]:
    keys = runs.store.cells(*place)
    lost = [reasons[key] for key in keys if key in reasons]
    done = sum(key in finished for key in keys) - len(lost)
    data, learner, by = place
    return data, learner, runs.as_typed(by), len(keys), done, len(lost), brief(lost[0], REASON) if lost else ""
