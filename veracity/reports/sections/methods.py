"""The methods of a page: how far each may be relied on here, and how everything was done."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import Any

from veracity.advice.trials import Attempt, Situation, advice_on_entry
from veracity.core.notes import Note
from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.findings.advice import Advice
from veracity.methods.describe import measurement_table, summary, worst_measurements
from veracity.reports.material import Material
from veracity.reports.page import Block, Fold, Folds, Grid, Lines, Section, Terms, Words

KINDS = ("interval", "comparison", "post hoc test", "adjustment")
ABOUT_ADVICE = (
    "Methods that were used here: use, or care where a caution came with the result. veracity advise, or vc.advise,"
    " tries every other method on the same data, and says what it would take to see a smaller difference."
)
OPEN_LINES = 3  # lines of a fact that stand open
MEASURED_WORLDS = 4  # worlds of which a method's figures stand on a page


def advice_section(material: Material) -> Section | None:
    """A row for each method of inference, made of what the page already holds."""
    rows = tuple(
        advice_on_entry(entry, Attempt(_notes(entry.name, material), answers=1), _situation(entry.name, material))
        for entry in material.methods
        if entry.kind in KINDS
    )
    if not rows:
        return None
    return Section("advice", "Advice", (Words(ABOUT_ADVICE), Grid(Advice("", "", rows).table(), folded=len(rows) > 6)))


def _base_name(text: str) -> str:
    return text.partition("(")[0]


def _notes(name: str, material: Material) -> tuple[Note, ...]:
    """Return the notes of each result that the method gave."""
    found: list[Note] = []
    for row in material.estimates or ():
        if row.interval is not None and _base_name(row.interval.method) == name:
            found += row.all_notes
    for one in (*material.comparisons, *(material.verdicts or ())):
        if name in (_base_name(one.using), _base_name(one.interval.method) if one.interval is not None else ""):
            found += one.all_notes
    ranking = material.ranking
    if ranking is not None and name in map(_base_name, (ranking.omnibus.method, ranking.judged_by, ranking.then)):
        found += ranking.all_notes
    return tuple(found)


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


def method_section(material: Material) -> Section | None:
    """Data, designs, seed and versions; each method with what it does, assumes and was measured to do; works cited."""
    facts = tuple((term, lines) for term, lines in material.about if len(lines) <= OPEN_LINES)
    folds = [
        Fold(f"{term} ({len(lines)})", (Lines(lines),)) for term, lines in material.about if len(lines) > OPEN_LINES
    ]
    folds += [Fold(entry.title, (Lines(_description(entry)), *_figures(entry))) for entry in material.methods]
    keys = sorted({key for entry in material.methods for key in entry.cite})
    works = tuple((key, (REFERENCES.get(key, key),)) for key in keys)
    folds += [Fold(f"References ({len(works)})", (Terms(works),))] if works else []
    blocks: tuple[Block, ...] = (Terms(facts), Folds(tuple(folds)))
    return Section("methods", "How it was done", blocks) if facts or folds else None


def _figures(entry: Any) -> tuple[Grid, ...]:
    """What was measured of a method where it does worst, as `explain` shows all of it."""
    worst = worst_measurements(entry, MEASURED_WORLDS)
    if not worst:
        return ()
    table = measurement_table(worst)
    number = len(entry.measurements())
    which = f"worst {len(worst)} of {number} worlds" if number > len(worst) else "measured"
    return (Grid(replace(table, caption=f"{which}: {table.caption}")),)


def _description(entry: Any) -> tuple[str, ...]:
    lines = [f"Typed as {entry.name} ({entry.kind}).", *summary(entry)]
    if entry.assumes:
        lines.append("Assumes: " + "; ".join(f"{ASSUMPTIONS[code]} ({code})" for code in entry.assumes))
    if entry.cite:
        lines.append("See: " + ", ".join(entry.cite))
    return tuple(" ".join(line.split()) for line in lines)
