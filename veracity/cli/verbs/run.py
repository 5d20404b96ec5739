"""`veracity run`: carry out a study file, as far as its store lacks it."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.options import CONFIDENCE, OUTPUT, TRUST, TRUST_STORE, WORK, options
from veracity.cli.output import PAGES, check_endings
from veracity.cli.start_workers import start_workers_of_study


@click.command()
@click.argument("study", metavar="STUDY.toml", type=click.Path())
@click.option("--store", metavar="FILE|URL", help="Where results are kept: what the study names, else results.db.")
@options(TRUST_STORE, WORK)
@click.option("--retry", type=click.Choice(["failed"]), multiple=True, help="Try failed fits once more.")
@click.option("--refit-outdated", is_flag=True, help="Make fits of other versions of libraries anew.")
@click.option("--seed", type=int, help="In place of the study's seed.")
@options(TRUST, CONFIDENCE[:1], OUTPUT)
def run(
    study: str,
    trust_here: bool,
    trust_store: bool,
    seed: int | None,
    level: float,
    as_json: bool,
    out: tuple[str, ...],
    **how: Any,
) -> None:
    """Run a study: only the fits that the store lacks.

    Stop it at any moment and run the same line again: what is finished is kept. A fit that fails is kept too, with its
    reason, and the others go on. The classes that the file names are code, which runs: look at a file of others first.

    \b
    veracity run study.toml --store results.db --workers 2
    veracity run study.toml --store results.db --retry failed
    veracity run study.toml --store results.db --refit-outdated
    """
    check_endings(out, *PAGES)
    start_workers_of_study(study, {**how, "trust_here": trust_here})
    from veracity.cli.work.run import run_study

    run_study(study, trust_here, trust_store, how, seed, level, as_json, out)
