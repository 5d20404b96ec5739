"""`veracity report`: the page of a study."""

from __future__ import annotations

import click

from veracity.cli import complete
from veracity.cli.options import CONFIDENCE, OUTPUT, options
from veracity.cli.output import PAGES, deliver, ending


@click.command()
@click.argument("store", metavar="STORE", type=click.Path())
@click.option(
    "--scores",
    multiple=True,
    metavar="SCORE[,SCORE...]",
    shell_complete=complete.of("scores"),
    help="What to report; without, the scores of the study.",
)
@click.option("--title", metavar="TEXT", help="The heading of the page.")
@options(CONFIDENCE, OUTPUT)
def report(
    store: str, scores: tuple[str, ...], title: str | None, level: float, seed: int, as_json: bool, out: str | None
) -> None:
    """Write the page of the study in STORE: estimates, ranking, curves, failures and how it was done.

    Without --out the page is report.html in this folder.

    \b
    veracity report results.db --scores error,log_loss --out report.html
    """
    target = out if out is not None or as_json else "report.html"
    if target is not None:
        ending(target, *PAGES)
    from veracity.cli.reporting import reported

    result = reported(store, scores, title, level, seed)
    deliver(result.title, result.tables, result.shape, as_json, target, result.lead, result.report)
