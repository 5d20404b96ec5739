"""How far each method of the page may be relied on here, and what it was measured to do on data like these."""

from __future__ import annotations

from collections.abc import Iterator
from math import isnan
from typing import Any

from veracity.advice.attempt import Attempt, advice_on_entry
from veracity.advice.nearest_figures import Situation
from veracity.core.notes import Note
from veracity.findings.advice import Advice, MethodAdvice
from veracity.reports.material import Material
from veracity.reports.page import Grid, Section, Words

KINDS = ("interval", "comparison", "post hoc test", "adjustment")
OTHERS = (
    "Methods that were used here: use, or care where a caution came with the result. veracity advise, or vc.advise,"
    " tries every other method on the same data, and says what it would take to see a smaller difference."
)


def advice_section(material: Material) -> Section | None:
    """A row for each method of inference, made of what the page already holds."""
    material = material.undisplayed or material  # figures and notes are found by the names of methods
    rows = tuple(_row(entry, material) for entry in material.methods if entry.kind in KINDS)
    if not rows:
        return None
    return Section("advice", "Advice", (Words(OTHERS), Grid(Advice("", "", rows).table(), folded=len(rows) > 6)))


def _row(entry: Any, material: Material) -> MethodAdvice:
    notes = tuple(note for part in _notes(entry.name, material) for note in part)
    return advice_on_entry(entry, Attempt(notes, answers=1), _situation(entry.name, material))


def _base_name(text: str) -> str:
    return text.partition("(")[0]


def _notes(name: str, material: Material) -> Iterator[tuple[Note, ...]]:
    """Of each result that the method gave."""
    for row in material.estimates or ():
        if row.interval is not None and _base_name(row.interval.method) == name:
            yield row.all_notes
    for one in (*material.comparisons, *(material.verdicts or ())):
        if name in (_base_name(one.using), _base_name(one.interval.method) if one.interval is not None else ""):
            yield one.all_notes
    ranking = material.ranking
    if ranking is not None and name in map(_base_name, (ranking.omnibus.method, ranking.judged_by, ranking.then)):
        yield ranking.all_notes


def _situation(name: str, material: Material) -> Situation:
    """Of the first estimate with this interval; of a ranking where it is none; else of any estimate."""
    every, ranking = list(material.estimates or ()), material.ranking
    own = [row for row in every if row.interval is not None and _base_name(row.interval.method) == name]
    if ranking is not None and not own:
        return Situation(score=ranking.matrix.score, learners=len(ranking.learners), datasets=len(ranking.matrix))
    row = next(iter(own or every), None)
    if row is None or isnan(row.rows):
        return Situation()
    return Situation(int(row.rows), row.score, row.by if row.splits > 1 else "")
