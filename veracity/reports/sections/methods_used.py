"""How it was done: the facts of the study and every method used, so that the page is a methods section."""

from __future__ import annotations

from typing import Any

from veracity.core.references import ASSUMPTIONS, REFERENCES
from veracity.methods.describe import describe, heading
from veracity.reports.material import Material
from veracity.reports.page import Section, Terms


def method_section(material: Material) -> Section | None:
    """Data, designs, seed and versions; then each method with what it does, assumes and was measured to do."""
    used = tuple((heading(entry), _description(entry)) for entry in material.methods)
    if not material.about and not used:
        return None
    return Section("methods", "How it was done", (Terms(material.about + used),))


def _description(entry: Any) -> tuple[str, ...]:
    lines = list(describe(entry)[0].lines)
    if entry.assumes:
        lines.append("Assumes: " + "; ".join(f"{ASSUMPTIONS[code]} ({code})" for code in entry.assumes))
    measured = list(map(str, entry.measurements()[:3]))
    if measured:
        lines.append("Measured: " + "; ".join(measured))
    if entry.cite:
        lines.append("See: " + ", ".join(entry.cite))
    return tuple(" ".join(line.split()) for line in lines)


def reference_section(material: Material) -> Section | None:
    """The works that the methods used cite, each once."""
    keys = sorted({key for entry in material.methods for key in entry.cite})
    if not keys:
        return None
    return Section("references", "References", (Terms(tuple((key, (REFERENCES.get(key, key),)) for key in keys)),))
