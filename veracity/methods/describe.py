"""All that is said of a method, once for `explain`, the page of a report and the manual."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from veracity.core.entry import Entry, Known
from veracity.core.measurement import Measurement
from veracity.core.references import ASSUMPTIONS
from veracity.tables.manual import ManualSection
from veracity.tables.table import Column, Table

NEVER_MEASURED = "not measured yet"


def describe(entry: Entry) -> tuple[ManualSection, ...]:
    """What it does, how it is typed, what it assumes, where it stops, what was measured of it and who said so."""
    return tuple(section for section in _sections(entry) if section.lines or section.table)


def _sections(entry: Entry) -> Iterator[ManualSection]:
    yield ManualSection("", (entry.sentence, *(text for text in entry.details.split("\n\n") if text)))
    yield ManualSection("Typed", (entry.signature,))
    for heading, lines in entry.particulars().items():
        yield ManualSection(heading, lines)
    yield ManualSection("Assumes", tuple(f"{code}: {ASSUMPTIONS[code]}" for code in entry.assumes))
    yield ManualSection("Limits", tuple(str(limit.note()) for limit in entry.limits))
    if entry.measured:
        measurements = entry.measurements()
        table = measurement_table(measurements) if measurements else None
        yield ManualSection(f"Measured {entry.measured}", () if table else (NEVER_MEASURED,), table)
    yield ManualSection("Known answers", tuple(map(_known_answer, entry.known)))
    yield ManualSection("References", entry.references)


def heading(entry: Entry) -> str:
    """The title of a method with its kind and name."""
    return f"{entry.title} ({entry.kind} {entry.name})"


def facts(entry: Entry) -> dict[str, Any]:
    """The same for machines."""
    return {
        "kind": entry.kind,
        "title": entry.title,
        "says": entry.sentence,
        "details": entry.details,
        "parameters": [{"name": p.name, "required": p.required, "typed": str(p)} for p in entry.parameters],
        **entry.facts(),
        "measured": [measurement.to_json() for measurement in entry.measurements()],
        "assumes": {code: ASSUMPTIONS[code] for code in entry.assumes},
        "limits": [limit.note().to_json() for limit in entry.limits],
        "references": list(entry.references),
    }


def measurement_table(measurements: Sequence[Measurement]) -> Table:
    """World, rows, design and the figure with its error; what is the same in all rows stands in the caption."""
    first, several = measurements[0], len({m.noun for m in measurements}) > 1  # a test's error rates and coverage
    columns: dict[str, list[Any]] = {
        "method": [m.method for m in measurements],
        "of": [m.subject for m in measurements],
        "world": [m.world for m in measurements],
        "n": [m.rows for m in measurements],
        "by": [m.by for m in measurements],
        "measured" if several else first.noun: [f"{m.noun} {m.text}" if several else m.text for m in measurements],
        "simulations": [m.trials for m in measurements],
    }
    same = {title for title in ("method", "of", "simulations") if len(set(columns[title])) == 1}
    columns = {title: cells for title, cells in columns.items() if title not in same and any(cells)}
    caption = ", ".join(dict.fromkeys(m.what if "of" in same else f"{m.noun} at {m.level_text}" for m in measurements))
    caption = f"{first.method}: {caption}" if "method" in same and "(" in first.method else caption
    heads = tuple(Column(title, "right" if title in ("n", "simulations") else "left") for title in columns)
    rows = tuple(zip(*columns.values(), strict=True))
    return Table(heads, rows, f"{caption} ({first.trials} simulations)" if "simulations" in same else caption)


def _known_answer(known: Known) -> str:
    given = ", ".join(f"{key}={value!r}" for key, value in known.given.items())
    return f"{given} gives {known.answer!r} ({known.source})"
