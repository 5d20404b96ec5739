"""`veracity export`: every test prediction of a study as one file."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.options import CHOSEN, EVERYWHERE, OUTPUT, STORED, options
from veracity.cli.output import announce, check_endings
from veracity.core.errors import BadInput
from veracity.tables.exports import json


@click.command()
@click.argument("where", metavar="STORE|STUDY.toml", type=click.Path())
@options(STORED, CHOSEN, EVERYWHERE, OUTPUT)
def export(where: str, as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Write every test prediction of every run in STORE to a file, Parquet, CSV or ARFF by its ending: data, learner,
    design, split, row, truth, and what was said.

    \b
    veracity export results.db --out predictions.parquet
    veracity export results.db --only nb --data iris --out nb.csv
    """
    if not out:
        raise BadInput("say where to: --out predictions.parquet")
    check_endings(out, ".parquet", ".csv", ".arff")
    from veracity.cli.work.stored import read_stored

    runs = read_stored(where, given).runs
    for file in out:
        runs.export(file)
        announce(file)
    if as_json:
        about = {"files": list(out), "data": runs.names, "learners": runs.learner_names, "by": runs.designs}
        click.echo(json({**about, "notes": [note.to_json() for note in runs.notes]}))
