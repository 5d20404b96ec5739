"""What a store records beside its scores: what failed, what learners chose for themselves, and what was asked."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from veracity.api.failures import failures
from veracity.contests.ledger import ledger
from veracity.core.errors import Refused
from veracity.evidence.runs import Runs
from veracity.reports.page import Grid, Section
from veracity.risk.optimism import optimism
from veracity.tables.table import Column, Table
from veracity.web.inquiry import Inquiry
from veracity.web.lines import Lines, Name, python_call, python_text, shell_line
from veracity.web.shown import Shown, show_finding


def failed_fits(runs: Runs, asked: Inquiry) -> Shown:
    """What failed, by reason, with where it struck and a traceback."""
    return show_finding(failures(runs), "Failures", asked.lines("failures", (), "vc.failures(runs)", {}))


def tuning(runs: Runs, asked: Inquiry) -> Shown:
    """What learners that tune themselves chose in each split, and how much too good the winning score is."""
    if not tunes(runs):
        raise Refused("no learner of this study tunes itself: give one a grid in Set up", "nothing-tuned")
    how = {"level": asked.changed_level}
    found = optimism(runs, *asked.scores[:1], level=asked.level)
    call = python_call("vc.optimism", Name("runs"), *asked.scores[:1], **how)
    shown = show_finding(found, "Tuning", asked.lines("optimism", asked.scores[:1], call, how))
    return replace(shown, shape=lambda: _with_notes(found.to_json(), runs))


def _with_notes(content: dict[str, Any], runs: Runs) -> dict[str, Any]:
    """What is said of the choice of runs comes first, as the command says it."""
    return {**content, "notes": [*(note.to_json() for note in runs.selection_notes), *content["notes"]]}


def tunes(runs: Runs) -> bool:
    """Whether some learner of the study chooses its own settings."""
    held = runs.store.study().get("learners", {})
    parts = (held.get(name) for name in runs.learner_names)
    return any(isinstance(part, dict) and "settings" in part for part in parts)


def questions_asked(runs: Runs, asked: Inquiry) -> Shown:
    """Everything that was asked of the store, whatever is picked here, and what claims are worth after it."""
    how = {"level": asked.changed_level}
    before = f"runs = {python_call('vc.read_runs', asked.where)}"
    call = python_call("vc.ledger", Name("runs"), **how)
    lines = Lines(shell_line("ledger", asked.where, **how), python_text((before,), call))
    shown = show_finding(ledger(runs, level=asked.level), "Ledger", lines)
    return replace(shown, sections=(*shown.sections, *asked_before(runs)))


def asked_before(runs: Runs) -> tuple[Section, ...]:
    """The questions that were asked of the test rows of hold-outs, this one among them."""
    rows = tuple(
        (data, question, times)
        for data in runs.names
        for by in runs.designs
        for question, times in runs.questions(data, by).items()
    )
    if not rows:
        return ()
    columns = (Column("data", "left"), Column("question", "left"), Column("times"))
    table = Table(columns, rows, "What is chosen by the answers is too good on these rows")
    return (Section("asked", "Questions asked of the same test rows", (Grid(table),)),)
