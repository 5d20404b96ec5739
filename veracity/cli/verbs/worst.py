"""`veracity worst`: the rows that a model gets most wrong."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.options import CHOSEN, COLUMNS, EVERYWHERE, OUTPUT, STORED, options
from veracity.cli.output import PAGES, check_endings, deliver, result_of
from veracity.core.errors import BadInput


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|STORE|STUDY.toml", type=click.Path())
@click.option("--most", type=int, default=20, show_default=True, help="How many rows.")
@options(COLUMNS, STORED, CHOSEN)
@click.option("--by", metavar="DESIGN", help="Which design of a store, where it has several.")
@options(EVERYWHERE, OUTPUT)
def worst(files: tuple[str, ...], most: int, as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Show the rows with the largest loss of one model, or of one learner of a STORE.

    The loss is log loss of probabilities, absolute error of numbers, else how far a decision value lies on the wrong
    side; of labels alone, the wrong ones in their order.

    \b
    veracity worst preds.csv --truth y --proba p_spam --positive spam --rows id
    veracity worst results.db --only tree --data iris --most 10
    """
    check_endings(out, *PAGES)
    from veracity.api.worst import worst as worst_of
    from veracity.cli.work.stored import read_models_or_runs

    models, notes = read_models_or_runs(files, given)
    if len(models) != 1:
        raise BadInput(f"worst is of one model, not of {len(models)}: name one of {', '.join(models)}")
    (model,) = models.values()
    deliver(result_of(worst_of(model, most), "Rows most wrong", notes=notes), as_json, out)
