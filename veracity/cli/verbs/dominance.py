"""`veracity dominance`: is one of two models better at every threshold?"""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from veracity.cli.options import CHOSEN, COLUMNS, EVERYWHERE, OUTPUT, STORED, options
from veracity.cli.output import FIGURES, PAGES, check_endings, deliver, result_of
from veracity.core.errors import BadInput


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...|STORE|STUDY.toml", type=click.Path())
@options(COLUMNS, STORED, CHOSEN)
@click.option("--by", metavar="DESIGN", help="Which design of a store, where it has several.")
@options(EVERYWHERE, OUTPUT)
def dominance(files: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Say which of two models dominates in ROC space, or at which false positive rates their curves cross.

    Two models in columns of one file, or in one file each; or two learners of a STORE by a hold-out.
    A figure (--out x.png, .svg, .pdf) shows both ROC curves.

    \b
    veracity dominance preds.csv --truth y --proba a --proba b --positive 1
    veracity dominance one.csv two.csv --truth y --value s --positive 1 --rows id --out roc.svg
    """
    check_endings(out, *FIGURES, *PAGES)
    from veracity.api.plot import plot
    from veracity.cli.work.stored import read_models_or_runs
    from veracity.curves.costs import dominance as dominance_of

    models, notes = read_models_or_runs(files, given)
    if len(models) != 2:
        raise BadInput(f"dominance is of two models, not of {len(models)}: name two, such as --proba a --proba b")
    draw = partial(plot, models, kind="roc")
    deliver(result_of(dominance_of(*models.values()), "Dominance", draw, notes), as_json, out)
