"""`veracity failures`: what failed in a study, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from veracity.cli.options import CHOSEN, EVERYWHERE, OUTPUT, STORED, options, several
from veracity.cli.output import PAGES, check_endings, deliver, result_of


@click.command()
@click.argument("where", metavar="STORE|STUDY.toml", type=click.Path())
@several("--by", metavar="DESIGN", help="Only this design of a store that has several; repeat for several.")
@click.option("--tracebacks", is_flag=True, help="Also a traceback of each reason.")
@options(CHOSEN, STORED, EVERYWHERE, OUTPUT)
def failures(where: str, tracebacks: bool, as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """List the fits that failed by reason, the most frequent first, with where they failed.

    `veracity run study.toml --retry failed` tries them again once the reason is mended. JSON has every place, and a
    traceback of each reason.

    \b
    veracity failures results.db
    veracity failures study.toml --store results.db --only tree --json
    """
    check_endings(out, *PAGES)
    from veracity.api.failures import failures as failures_of
    from veracity.cli.work.stored import read_chosen

    found = failures_of(read_chosen(where, given).runs.only(by=given["by"]))
    result = result_of(found, "Failures")
    if tracebacks:
        told = [f"{row.reason}\n\n{row.traceback.rstrip()}" for row in found]
        result = replace(result, answer="\n\n".join(told))
    deliver(result, as_json, out)
