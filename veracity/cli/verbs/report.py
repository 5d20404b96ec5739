"""`veracity report`: the page of a study."""

from __future__ import annotations

import click

from veracity.cli.options import CONFIDENCE, OUTPUT, STORED, method, options
from veracity.cli.output import PAGES, Result, check_endings, deliver
from veracity.core.spelling import split_spellings


@click.command()
@click.argument("where", metavar="STORE|STUDY.toml", type=click.Path())
@options(STORED)
@method(
    "--scores",
    "scores",
    multiple=True,
    metavar="SCORE[,SCORE...]",
    help="What to report; without, the scores of the study.",
)
@click.option("--title", metavar="TEXT", help="The heading of the page.")
@options(CONFIDENCE, OUTPUT)
def report(
    where: str,
    store: str | None,
    scores: tuple[str, ...],
    title: str | None,
    level: float,
    seed: int,
    as_json: bool,
    out: tuple[str, ...],
) -> None:
    """Write the page of the study in STORE: estimates, ranking, curves, failures and how it was done.

    A study file shows only what it names, of a store that may hold more. Without --out the page is report.html in this
    folder.

    \b
    veracity report results.db --scores error,log_loss --out report.html
    veracity report study.toml --store results.db
    """
    target = out if out or as_json else ("report.html",)
    check_endings(target, *PAGES)
    from veracity.cli.work.stored import read_stored
    from veracity.findings.comparison import Comparisons
    from veracity.reports.report import report as report_of

    runs, questions = read_stored(where, store)
    names = [name for text in scores for name in split_spellings(text)]
    page = report_of(runs, names or None, title=title, level=level, seed=seed, questions=questions)
    m = page.material
    tables = [Comparisons(m.comparisons).table()] if m.comparisons else []
    if m.estimates is not None:
        tables.append(m.estimates.table())
    after = (m.tuning.short_table(),) if m.tuning else ()
    deliver(Result(m.title, tuple(tables), page.to_json, m.answer, lambda: page, after), as_json, target)
