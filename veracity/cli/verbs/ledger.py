"""`veracity ledger`: what was asked of the results of a study, and what its claims are worth after it."""

from __future__ import annotations

import click

from veracity.cli.options import OUTPUT, check_level, options
from veracity.cli.output import PAGES, Result, check_endings, deliver


@click.command()
@click.argument("store", metavar="STORE", type=click.Path())
@click.option("--level", type=float, default=0.95, show_default=True, callback=check_level, help="How sure claims are.")
@click.option("--seed", type=int, hidden=True, expose_value=False)
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
    deliver(Result("Ledger", tables, found.to_json, found.sentence()), as_json, out)
