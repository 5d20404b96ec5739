"""What a view shows of a result, and the file that it can be saved as."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from starlette.responses import Response

from veracity.api.plot import plot
from veracity.core.errors import BadInput
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.curve import Curve
from veracity.reports.material import Material
from veracity.reports.output import FIGURES, Output
from veracity.reports.page import Section
from veracity.reports.report import Report, report
from veracity.reports.sections import sections
from veracity.tables.table import Column, Table
from veracity.web.calls import Call
from veracity.web.places import NotThere

MEDIA_TYPES = {
    "json": "application/json",
    "csv": "text/csv",
    "md": "text/markdown",
    "tex": "application/x-tex",
    "html": "text/html",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
}
DPI = 200
NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9._-]+")  # of a file that is saved


@dataclass(frozen=True, eq=False, kw_only=True)
class View(Output):
    """The answer first, then what stands behind it; the numbers are those of the result, unchanged."""

    question: str
    sections: tuple[Section, ...]
    call: Call
    explains: tuple[str, ...] = ()  # methods that were used, by the names they are typed as
    words: Mapping[str, str] = field(default_factory=dict)  # what was answered, by the fields of the form
    test: str = ""  # by which it was judged
    looks: tuple[Any, ...] = ()  # what a store counts once this is exported


def view_of_report(found: Report, call: Call, without: tuple[str, ...] = (), **changes: Any) -> View:
    """Return a page of a report inside the workbench, without some of its sections."""
    material = found.material
    about: dict[str, Any] = {"tables": _tables(found.material), "to_json": found.to_json, **changes}
    return View(
        material.title,
        **about,
        answer=material.answer,
        page=lambda: found,
        question=material.question,
        sections=tuple(section for section in sections(material) if section.key not in without),
        call=call,
        explains=tuple(dict.fromkeys(entry.name for entry in found.material.methods)),
    )


def view_of_result(result: Any, title: str, call: Call, picture: bool = False, **changes: Any) -> View:
    """Return a result of a function, as its own page shows it; `changes` add to the page's material."""
    found = report(result, title=title)
    found = replace(found, material=replace(found.material, **changes)) if changes else found
    listed = Comparisons((result,)) if isinstance(result, Comparison) else result
    tables = getattr(listed, "tables", None) or (listed.table(),)
    draw = partial(plot, result) if picture else None
    forms = {"tex": listed.to_paper} if hasattr(listed, "to_paper") else {}
    return view_of_report(found, call, to_json=result.to_json, tables=tuple(tables), draw=draw, own_forms=forms)


def _tables(material: Material) -> tuple[Table, ...]:
    """The tables of a report: comparisons, ranking, estimates."""
    found = [Comparisons(material.comparisons).table()] if material.comparisons else []
    found += list(material.ranking.tables) if material.ranking is not None else []
    found += list(material.verdicts.tables) if material.verdicts is not None else []
    return (*found, *([material.estimates.table()] if material.estimates is not None else []))


def curve_points(found: Curve) -> Table:
    """Every point of every line of a curve."""
    rows = tuple((line.name, float(x), float(y)) for line in found.lines for x, y in zip(line.x, line.y, strict=True))
    return Table((Column("line", "left"), Column(found.x_title), Column(found.y_title)), rows, notes=found.notes)


def export(view: View, form: str, name: str) -> Response:
    """The file, to be saved under a plain name."""
    if form not in MEDIA_TYPES:
        raise NotThere(f"there is no export .{form}: there are {' '.join(f'.{one}' for one in MEDIA_TYPES)}")
    if form not in view.forms:
        why = "its tables are too long for a picture" if view.tables and form in FIGURES else "it has no tables"
        raise BadInput(
            f"there is no .{form} of this view, as {why}: there are {', '.join(f'.{one}' for one in view.forms)}"
        )
    plain = NOT_IN_NAMES.sub("-", name).strip("-.") or "veracity"
    way = "inline" if form == "json" else "attachment"
    headers = {"content-disposition": f'{way}; filename="{plain}.{form}"'}
    return Response(view.content(form, DPI), headers=headers, media_type=MEDIA_TYPES[form])
