"""What was measured of a method, as pictures: coverage of intervals, error rates of tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from veracity.reports.page import Picture, Pictures, Section, Words
from veracity.reports.svg.forest import ForestRow, forest
from veracity.reports.svg.paper import THIRD, WIDE

MOST = 24  # figures of a picture
SHORT = 24  # letters of a name that a small picture has room for
ERRORS = 2.0  # standard errors that a line shows
ABOUT = "Each dot is a simulation whose truth is known, its line two standard errors of the simulation to each side."


def measured_section(facts: Iterable[Mapping[str, Any]]) -> Section | None:
    """One picture for each thing that was measured, such as coverage at 95 %."""
    by_what: dict[str, list[Mapping[str, Any]]] = {}
    for one in facts:
        by_what.setdefault(str(one["what"]), []).append(one)
    pictures = tuple(_picture(what, rows) for what, rows in by_what.items())
    return Section("measured", "Measured", (Words(ABOUT), Pictures(pictures))) if pictures else None


def _picture(what: str, rows: list[Mapping[str, Any]]) -> Picture:
    shown = sorted(rows, key=lambda one: float(one["figure"]))[:MOST]
    bars = [
        ForestRow(
            _name(one),
            float(one["figure"]),
            *(float(one["figure"]) + side * float(one["error"]) for side in (-ERRORS, ERRORS)),
        )
        for one in shown
    ]
    cut = f" (the lowest {MOST} of {len(rows)})" if len(rows) > MOST else ""
    wide = WIDE if any(len(bar.name) > SHORT for bar in bars) else THIRD
    says = f"{what}: {', '.join(bar.name for bar in bars)}"
    return Picture(forest(bars, "", says, width=wide), f"{what.capitalize()}{cut}")


def _name(one: Mapping[str, Any]) -> str:
    rows = f", {one['rows']} rows" if one.get("rows") else ""
    return f"{one['world']}{rows}"


def measurements(facts: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """All figures that a page of the manual holds."""
    parts = facts.get("entries") or [facts]
    return [one for part in parts for one in part.get("measured") or ()]
