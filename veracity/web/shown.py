"""What a view shows of a finding, and what it can be exported as."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from veracity.api.plot import plot
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.curve import Curve
from veracity.plots.table_picture import fits_picture, table_picture
from veracity.reports.display import display_material
from veracity.reports.material import Material
from veracity.reports.page import Section
from veracity.reports.report import Report, report
from veracity.reports.sections import sections
from veracity.tables.table import Column, Table
from veracity.web.lines import Lines

WORDS = ("json", "csv", "md", "tex", "html")
WITHOUT_TABLES = ("json", "md", "html")
PICTURES = ("svg", "png", "pdf")


@dataclass(frozen=True, eq=False)
class Shown:
    """The answer first, then what stands behind it; the numbers are those of the finding, unchanged."""

    title: str
    question: str
    answer: str
    sections: tuple[Section, ...]
    lines: Lines
    shape: Callable[[], Any]  # what `--json` prints
    tables: tuple[Table, ...]  # the main one last
    page: Callable[[], str]  # the same as one file of HTML
    axes: Callable[[], Any] | None = None  # draws the picture
    paper: Callable[[], str] | None = None  # LaTeX with its paragraph, where there is one
    explains: tuple[str, ...] = ()  # methods that were used, by the names they are typed as
    words: Mapping[str, str] = field(default_factory=dict)  # what was answered, by the fields of the form
    test: str = ""  # by which it was judged
    looks: tuple[Any, ...] = ()  # what a store counts once this is exported

    @property
    def forms(self) -> tuple[str, ...]:
        """The endings that it can be had with."""
        return (*(WORDS if self.tables else WITHOUT_TABLES), *(PICTURES if self.picture is not None else ()))

    @property
    def picture(self) -> Callable[[], Any] | None:
        """Draws what it is about, or else its tables where they are no longer than somebody looks at."""
        drawn = (lambda: table_picture(self.tables)) if fits_picture(self.tables) else None
        return self.axes or drawn


def show_report(found: Report, lines: Lines, without: tuple[str, ...] = (), **more: Any) -> Shown:
    """A page of a report inside the workbench, without some of its sections."""
    material = display_material(found.material)
    kept = tuple(section for section in sections(material) if section.key not in without)
    used = tuple(dict.fromkeys(entry.name for entry in found.material.methods))
    about: dict[str, Any] = {"shape": found.to_json, "tables": _tables(found.material), **more}
    heads = (material.title, material.question, material.answer)
    return Shown(*heads, kept, lines, page=lambda: found.html, explains=used, **about)


def show_finding(finding: Any, title: str, lines: Lines, picture: bool = False, **changes: Any) -> Shown:
    """A finding of a verb, as its own page shows it; `changes` add to the page's material."""
    found = report(finding, title=title)
    found = replace(found, material=replace(found.material, **changes)) if changes else found
    listed = Comparisons((finding,)) if isinstance(finding, Comparison) else finding
    tables = getattr(listed, "tables", None) or (listed.table(),)
    axes = (lambda: plot(finding)) if picture else None
    paper = getattr(listed, "to_paper", None)
    return show_report(found, lines, shape=finding.to_json, tables=tuple(tables), axes=axes, paper=paper)


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
