"""The steps of `veracity demo`: a real study, its ranking and its page, each with the line that does it."""

from __future__ import annotations

import os
from importlib.resources import files
from pathlib import Path

import click

from veracity.cli.output import deliver, save, show
from veracity.core.errors import BadInput
from veracity.reports.output import Output
from veracity.reports.report import report
from veracity.studies.study import Study

STUDY, STORE, PAGE = "demo.toml", "demo.db", "report.html"
WORKERS = min(2, os.cpu_count() or 1)


def tour(folder: str, level: float, as_json: bool, out: tuple[str, ...]) -> None:
    """Write the study's file, run it, rank the learners, write the page."""
    place = _make_folder(folder)
    (place / STUDY).write_text(files("veracity.cli").joinpath(STUDY).read_text("utf-8"), "utf-8")
    _say(
        as_json,
        "1. A study: four data sets of scikit-learn and eight generated ones, five learners, 10 folds twice.",
        f"   $ veracity run {place / STUDY} --store {place / STORE} --workers {WORKERS}",
    )
    study = Study.read(place / STUDY)
    runs = study.run(str(place / STORE), WORKERS, progress=False if as_json else None)
    _say(as_json, f"   {study.plan().against(runs.store)}")
    page = report(runs, level=level, title="The demo study of veracity")
    _say(as_json, "", "2. Which learner is better? All of them together first, then pair by pair.", "")
    ranking, estimates = page.material.ranking, page.material.estimates
    assert ranking is not None and estimates is not None  # the study asks for both
    if not as_json:
        show("", (ranking.scores_table(), *ranking.tables))
    _say(as_json, f"\n   {page.material.answer}")
    _say(as_json, "", "3. All of it as one page that opens offline.", f"   $ veracity report {place / STORE}")
    save(str(place / PAGE), page.html)
    _say(as_json, "", "4. The same in the browser, to look at it otherwise.", f"   $ veracity serve {place}")
    content = {**page.to_json(), "page": str(place / PAGE)}
    if as_json or out:
        deliver(Output("veracity demo", (estimates.table(),), lambda: content, page=lambda: page), as_json, out)


def _make_folder(folder: str) -> Path:
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as why:
        raise BadInput(f"the folder {folder} cannot be made: {why.strerror}") from None
    return Path(folder)


def _say(silent: bool, *lines: str) -> None:
    if not silent:
        click.echo("\n".join(lines))
