"""`veracity curve`: a chart from a file of predictions, as a figure or as numbers."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import CHOSEN, COLUMNS, OUTPUT, STORED, check_level, method, options
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver
from veracity.core.errors import BadInput


@click.command()
@click.argument("files", nargs=-1, metavar="FILE...|STORE|STUDY.toml", type=click.Path())
@options(COLUMNS, STORED, CHOSEN)
@click.option("--by", metavar="DESIGN", help="Which design of a store, where it has several.")
@method("--kind", "curves", help="Which curve; without it roc, of --number residuals.")
@click.option(
    "--level", type=float, callback=check_level, help="Level of the band or of the intervals, for curves that have one."
)
@click.option("--seed", type=int, help="Seed of the band's random draws.")
@options(OUTPUT)
def curve(files: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Draw a curve (--out roc.png, .svg, .pdf) or give its points.

    Several models, in columns or files, or the learners of a STORE on one data set, share one chart. `veracity list
    curves` names the kinds.

    \b
    veracity curve preds.csv --truth y --value s --positive 1 --kind roc --out roc.png
    veracity curve preds.csv --truth y --proba a --proba b --positive 1 --kind calibration --out c.svg
    veracity curve results.db --data cancer --only nb --only tree --kind roc --out roc.svg
    veracity curve preds.csv --truth y --number yhat --out residuals.png
    """
    check_endings(out, *FIGURES, *PAGES)
    patterns, stray = files_and_scores(files)
    if stray:
        raise BadInput(f"{stray[0]!r} is not a file; a kind of curve is named by --kind")
    from veracity.cli.work.curve import curve_of_files

    deliver(curve_of_files(patterns, given, whole=as_json or bool(out)), as_json, out)
