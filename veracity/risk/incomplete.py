"""What an estimate over incomplete evidence must say before anything else."""

from __future__ import annotations

import math

from veracity.core.counting import many
from veracity.core.entry import Choice
from veracity.core.notes import Note
from veracity.designs.variants import spread_groups
from veracity.evidence.run import Run
from veracity.records.design import Design
from veracity.risk.kinds import main_part


def incomplete(run: Run, value: float = 0.0) -> tuple[Note, ...]:
    """How many splits failed and how many were not run; what that means is said of a value that there is."""
    of, left = f"of {many(len(run.design), 'split')} of {run.learner} on {run.data}", _left(run, value)
    notes: tuple[Note, ...] = ()
    if run.failed:
        why = f" (the first: {run.reason})" if run.reason else ""
        notes += (Note("failed-splits", "caution", f"{run.failed} {of} failed{why}{left}"),)
    if run.absent:
        notes += (Note("missing-splits", "caution", f"there is nothing yet of {run.absent} {of}{left}"),)
    return notes


def skipped(score: Choice, number: int, splits: int, run: Run | None = None) -> tuple[Note, ...]:
    """How many splits averages do without, because the score is undefined there; of one run, also what avoids that."""
    if not number:
        return ()
    why = f"where {score.entry.undefined}" + ("" if run is None else f": {_spread(run)}")
    return (Note("skipped-splits", "caution", f"averages are without {number} of {many(splits, 'split')}, {why}"),)


def _spread(run: Run) -> str:
    """What spreads classes over test parts; time order does not, but longer windows hold more of them."""
    if run.design.forward:
        return "fewer windows in time make that rarer"
    p = run.predictions
    if p is not None and p.groups is not None:
        return f"{spread_groups(5)} avoids that"
    return f"a stratified design{unordered(run.design).replace(',', ' with')} avoids that"


def unordered(design: Design) -> str:
    """What a design of rows that have a time must say to deal them at random, as this one did."""
    return ", ordered=False" if any(note.code == "out-of-time-order" for note in design.notes) else ""


def _left(run: Run, value: float) -> str:
    """An undefined value has a reason of its own, and is over nothing."""
    if math.isnan(value):
        return ""
    whole = all(number in run.places for number in main_part(run.design))
    return "; the estimate does without them, its interval may not" if whole else "; the estimate is over the others"
