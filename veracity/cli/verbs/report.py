"""`veracity report`: the page of a study."""

from __future__ import annotations

import click

from veracity.cli import complete
from veracity.cli.options import CONFIDENCE, OUTPUT, STORED, options
from veracity.cli.output import PAGES, deliver, ending


@click.command()
@click.argument("where", metavar="STORE|STUDY.toml", type=click.Path())
@options(STORED)
@click.option(
    "--scores",
    multiple=True,
    metavar="SCORE[,SCORE...]",
    shell_complete=complete.methods("scores"),
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
    out: str | None,
) -> None:
    """Write the page of the study in STORE: estimates, ranking, curves, failures and how it was done.

    A study file shows only what it names, of a store that may hold more. Without --out the page is report.html in this
    folder.

    \b
    veracity report results.db --scores error,log_loss --out report.html
    veracity report study.toml --store results.db
    """
    target = out if out is not None or as_json else "report.html"
    ending(target, *PAGES)
    from veracity.cli.work.report import report_study

    deliver(report_study(where, store, scores, title, level, seed), as_json, target)
