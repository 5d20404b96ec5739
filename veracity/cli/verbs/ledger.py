"""`veracity ledger`: what was asked of the results of a study, and what its claims are worth after it."""

from __future__ import annotations

import click

from veracity.cli.options import EVERYWHERE, OUTPUT, level_option, options
from veracity.cli.output import PAGES, check_endings, deliver
from veracity.reports.output import Output


@click.command()
@click.argument("store", metavar="STORE", type=click.Path())
@options((level_option(help="How sure claims are."), *EVERYWHERE[1:]))
@options(OUTPUT)
def ledger(store: str, level: float, as_json: bool, out: tuple[str, ...]) -> None:
    """List what was asked of a store: scores, thresholds, learners, configurations, tests and looks.

    Every claim is adjusted for all tests that were made of it, and the best of several learners has an interval that
    holds for all of them. To read the ledger is no look.

    \b
    veracity ledger results.db
    veracity ledger results.db --json
    """
    check_endings(out, *PAGES)
    from veracity.contests.ledger import ledger as read
    from veracity.findings.ledger import Ledger
    from veracity.studies.evaluate import read_runs

    found: Ledger = read(read_runs(store), level=level)
    tables = tuple(
        table for table in (found.counts_table(), found.best_table(), found.table()) if table.rows or table.notes
    )
    deliver(Output("Ledger", tables, found.to_json, found.sentence()), as_json, out)
