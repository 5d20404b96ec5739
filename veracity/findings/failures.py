"""Fits that failed, by reason: how many, where, and one traceback of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from veracity.core.arguments import verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import plural, spell_out_controls, without_passwords
from veracity.evidence.runs import Runs
from veracity.tables.result import RowsResult
from veracity.tables.table import Column, Table

SHOWN = 3  # places that a table names
TITLES = ("fits", "reason", "learners", "data sets", "where")


class FailedPlace(NamedTuple):
    """A split whose fit failed."""

    data: str
    learner: str
    by: str
    split: int

    def __str__(self) -> str:
        return f"{self.learner} on {self.data}, split {self.split}"


@dataclass(frozen=True)
class FailureReason:
    """Why fits failed: once for all that failed so."""

    reason: str
    fits: int
    places: tuple[FailedPlace, ...]  # more than the fits where designs share them
    traceback: str  # of the first

    def to_json(self) -> dict[str, Any]:
        places = [place._asdict() for place in self.places]
        return {"reason": self.reason, "fits": self.fits, "places": places, "traceback": self.traceback}


@dataclass(frozen=True, repr=False)
class Failures(RowsResult[FailureReason]):
    """The reasons, the most frequent first; the fits of a reason that is mended are tried again by a retry."""

    rows: tuple[FailureReason, ...]
    fits: int  # that were planned
    notes: tuple[Note, ...] = ()

    def sentence(self) -> str:
        """How many failed."""
        failed = sum(row.fits for row in self.rows)
        if not failed:
            return f"None of {plural(self.fits, 'fit')} failed."
        return f"{failed:,} of {plural(self.fits, 'fit')} failed, for {plural(len(self.rows), 'reason')}."

    def table(self) -> Table:
        """A line for each reason."""
        rows = tuple(
            (
                row.fits,
                row.reason,
                len({place.learner for place in row.places}),
                len({place.data for place in row.places}),
                _where(row.places),
            )
            for row in self.rows
        )
        columns = tuple(Column(title, "left" if title in ("reason", "where") else "right") for title in TITLES)
        return Table(columns, rows, self.sentence(), self.notes)

    def to_json(self) -> dict[str, Any]:
        """The shape of `veracity failures --json`."""
        notes = [note.to_json() for note in self.notes]
        return {"fits": self.fits, "failures": [row.to_json() for row in self.rows], "notes": notes}


def _where(places: tuple[FailedPlace, ...]) -> str:
    more = f"; and {len(places) - SHOWN} more" if len(places) > SHOWN else ""
    return "; ".join(map(str, places[:SHOWN])) + more


@verb
def failures(runs: Runs) -> Failures:
    """Return the fits of these runs that failed, by reason, the most frequent first, each with its places.

    `veracity run --retry failed` tries them again. Passwords of addresses are left out of what is told.
    """
    if not isinstance(runs, Runs):
        raise BadInput(f"failures are those of runs, not of {type(runs).__name__}: give read_runs('results.db')")
    planned = runs.store.planned_keys()
    places: dict[str, list[FailedPlace]] = {}
    for data, learner, by in runs.places():
        for number, key in enumerate(planned[data, learner, by]):
            places.setdefault(key, []).append(FailedPlace(data, learner, by, number))
    keys: dict[str, list[str]] = {}
    tracebacks: dict[str, str] = {}
    for outcome in runs.failures():
        if outcome.key in places:
            reason = without_passwords(" ".join(outcome.reason.split()))
            keys.setdefault(reason, []).append(outcome.key)
            told = without_passwords(spell_out_controls(outcome.traceback, keep="\n"))
            tracebacks.setdefault(reason, told)
    rows = [
        FailureReason(
            reason, len(failed), tuple(sorted(place for key in failed for place in places[key])), tracebacks[reason]
        )
        for reason, failed in keys.items()
    ]
    ordered = sorted(rows, key=lambda row: (-row.fits, row.reason))
    return Failures(tuple(ordered), len(places), runs.selection_notes)
