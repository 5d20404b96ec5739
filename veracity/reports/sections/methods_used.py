"""How it was done: the facts of the study and every method used, so that the page is a methods section."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.methods.describe import measurement_table, summary, worst_measurements
from veracity.reports.material import Material
from veracity.reports.page import Block, Fold, Folds, Grid, Lines, Section, Terms

FEW = 3  # lines of a fact that stand open
MEASURED = 4  # worlds of which a method's figures stand on a page


def method_section(material: Material) -> Section | None:
    """Data, designs, seed and versions; each method with what it does, assumes and was measured to do; works cited."""
    facts = tuple((term, lines) for term, lines in material.about if len(lines) <= FEW)
    folds = [Fold(f"{term} ({len(lines)})", (Lines(lines),)) for term, lines in material.about if len(lines) > FEW]
    folds += [Fold(entry.title, (Lines(_description(entry)), *_figures(entry))) for entry in material.methods]
    keys = sorted({key for entry in material.methods for key in entry.cite})
    works = tuple((key, (REFERENCES.get(key, key),)) for key in keys)
    folds += [Fold(f"References ({len(works)})", (Terms(works),))] if works else []
    blocks: tuple[Block, ...] = (Terms(facts), Folds(tuple(folds)))
    return Section("methods", "How it was done", blocks) if facts or folds else None


def _figures(entry: Any) -> tuple[Grid, ...]:
    """What was measured of a method where it does worst, as `explain` shows all of it."""
    worst = worst_measurements(entry, MEASURED)
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
