"""What an address asks of results, and what a view answers: tables, figures and every format they are sent in."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from starlette.responses import Response

from veracity.core.errors import BadInput
from veracity.evidence.runs import Runs
from veracity.findings.comparison import Comparison, Comparisons
from veracity.findings.curve import Curve
from veracity.plots.plot import plot
from veracity.reports.output import FIGURES, Output
from veracity.reports.page import Section
from veracity.reports.report import Report, report
from veracity.reports.sections import sections
from veracity.scores.default import default_score_of
from veracity.studies.study_file import data_files, read_file
from veracity.tables.table import Column, Table
from veracity.web.asked import Asked
from veracity.web.calls import Call, Source, python_call
from veracity.web.places import NotThere, Place

FLAGS = ("deviations", "counts", "average", "significance_only", "swap")
LOOK = (*FLAGS, "sort", "digits")
USUAL_LEVEL = 0.95
WORDS = ("using", "then", "pairs", "control", "by", "kind", "slices")
WHOLE = ("ledger",)  # views of all that a store holds, whatever was picked
SLICED = "slices"  # the view that needs the files of the study


@dataclass(frozen=True)
class Inquiry:
    """What is asked of a store; every word as on the command line."""

    where: str
    view: str = "overview"
    scores: tuple[str, ...] = ()
    using: str | None = None
    then: str | None = None
    pairs: str | None = None
    control: str | None = None
    by: str | None = None
    kind: str | None = None
    slices: str | None = None  # the column that slices the rows
    picked_level: float | None = None
    data: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    look: tuple[tuple[str, Any], ...] = field(default=())
    study: str | None = None  # the file that says what of the store is meant
    files: tuple[str, ...] = ()  # of the data set whose rows are sliced

    @classmethod
    def from_address(cls, place: Place, asked: Asked) -> Inquiry:
        """Return all words of an address that mean something here."""
        view = asked.one("view") or "overview"
        study, data = study_meant(place, view), asked.every("data")
        files: Sequence[Path] = ()
        if view == SLICED and study is not None:  # those of the first data set that is named, or that has any
            every = (data_files(study, name) for name in data or read_file(study).get("data", {}))
            named = next(filter(None, every), ())
            files = [asked.bench.folder.data_file(study.parent, str(file)) for file in named]
        return cls(
            place.shown_store,
            view,
            scores=asked.methods("score"),
            picked_level=asked.level,
            data=data,
            only=asked.every("only"),
            look=_look(asked),
            study=None if study is None else str(study),
            files=tuple(map(str, files)),
            **{name: asked.one(name) for name in WORDS},
        )

    def chosen_of(self, runs: Runs) -> Runs:
        """The runs that were picked."""
        return runs if self.view in WHOLE else runs.only(self.only, self.data, self.by or ())

    def scores_of(self, runs: Runs) -> tuple[str, ...]:
        """The scores that are asked for, or those of the study."""
        return self.scores or tuple(map(str, runs.asked_scores)) or (default_score_of(runs),)

    @property
    def level(self) -> float:
        """The level that is picked, or the usual one."""
        return USUAL_LEVEL if self.picked_level is None else self.picked_level

    @property
    def changed_level(self) -> float | None:
        """The level where it is not the usual one."""
        return None if self.level == USUAL_LEVEL else self.level

    def source(self, runs: Any, data: Sequence[str] | None = None, positive: Any = None) -> Source:
        """Return the runs that were picked, and how they are read elsewhere; `positive` is the class taken for it."""
        data = self.data if data is None else data
        read = python_call("vc.read_runs", self.where, *(() if self.study is None else (self.study,)))
        if any((self.only, data, self.by)):
            read += python_call(".only", learners=list(self.only), data=list(data), by=self.by)
        read += "" if positive is None else python_call(".with_positive", positive)
        picked = {"only": self.only, "data": data, "by": self.by}
        store = {} if self.study is None else {"store": self.where}
        return Source(runs, "runs", read, (self.study or self.where,), {**picked, **store})


def study_meant(place: Place, view: str) -> Path | None:
    """The study file that chooses from the store: that by which it is called, or where columns are needed, any."""
    return None if view in WHOLE else place.study if view == SLICED else place.chosen_by


def _look(asked: Asked) -> tuple[tuple[str, Any], ...]:
    """How the table of verdicts looks."""
    look: dict[str, Any] = {name: True for name in FLAGS if asked.one(name)}
    if asked.every("columns"):
        look["learners"] = asked.every("columns")
    if asked.one("sort"):
        look["sort"] = asked.one("sort")
    digits = asked.one("digits")
    if digits is not None:
        if not digits.isdecimal():
            raise BadInput(f"digits is a whole number, not {digits!r}")
        look["digits"] = int(digits)
    return tuple(look.items())


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
    tables = [Comparisons(material.comparisons).table()] if material.comparisons else []
    for ranking in (material.ranking, material.verdicts):
        tables += list(ranking.tables) if ranking is not None else []
    tables += [material.estimates.table()] if material.estimates is not None else []
    about: dict[str, Any] = {"tables": tuple(tables), "to_json": found.to_json, **changes}
    return View(
        material.title,
        **about,
        answer=material.answer,
        page=lambda: found,
        question=material.question,
        sections=tuple(section for section in sections(material) if section.key not in without),
        call=call,
        explains=tuple(dict.fromkeys(entry.name for entry in material.methods)),
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


def view_of_curve(found: Curve, page: Report, call: Call) -> View:
    """Return a curve, whose table has every point of every line."""
    rows = tuple((line.name, float(x), float(y)) for line in found.lines for x, y in zip(line.x, line.y, strict=True))
    table = Table((Column("line", "left"), Column(found.x_title), Column(found.y_title)), rows, notes=found.notes)
    return view_of_report(page, call, to_json=found.to_json, tables=(table,), draw=partial(plot, found))


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
