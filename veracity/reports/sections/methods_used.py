"""How it was done: the facts of the study and every method used, so that the page is a methods section."""

from __future__ import annotations

from typing import Any

from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.methods.describe import describe
from veracity.reports.material import Material
from veracity.reports.page import Block, Fold, Folds, Lines, Section, Terms

FEW = 3  # lines of a fact that stand open


def method_section(material: Material) -> Section | None:
    """Data, designs, seed and versions; each method with what it does, assumes and was measured to do; works cited."""
    facts = tuple((term, lines) for term, lines in material.about if len(lines) <= FEW)
    folds = [Fold(f"{term} ({len(lines)})", (Lines(lines),)) for term, lines in material.about if len(lines) > FEW]
    folds += [Fold(entry.title, (Lines(_description(entry)),)) for entry in material.methods]
    keys = sorted({key for entry in material.methods for key in entry.cite})
    works = tuple((key, (REFERENCES.get(key, key),)) for key in keys)
    folds += [Fold(f"References ({len(works)})", (Terms(works),))] if works else []
    blocks: tuple[Block, ...] = (Terms(facts), Folds(tuple(folds)))
    return Section("methods", "How it was done", blocks) if facts or folds else None


def _description(entry: Any) -> tuple[str, ...]:
    lines = [f"Typed as {entry.name} ({entry.kind}).", *describe(entry)[0].lines]
    if entry.assumes:
        lines.append("Assumes: " + "; ".join(f"{ASSUMPTIONS[code]} ({code})" for code in entry.assumes))
    measured = list(map(str, entry.measurements()[:3]))
    if measured:
        lines.append("Measured: " + "; ".join(measured))
    if entry.cite:
        lines.append("See: " + ", ".join(entry.cite))
    return tuple(" ".join(line.split()) for line in lines)
