"""`veracity scores`: the scores of every split of a study."""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import CHOSEN, EVERYWHERE, OUTPUT, STORED, options, words_argument
from veracity.cli.output import PAGES, check_endings, deliver
from veracity.core.errors import BadInput


@click.command()
@words_argument("STORE|STUDY.toml [SCORE...]")
@click.option("--by", metavar="DESIGN", help="Only of this design, where there are several.")
@options(CHOSEN, STORED, EVERYWHERE, OUTPUT)
def scores(words: tuple[str, ...], by: str | None, as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """The scores of every split, one row each, with the seconds that training and predicting took.

    Without a SCORE they are those of the study; seconds_fit and seconds_predict are scores too. A file holds all rows:
    --out scores.csv, .parquet, or .arff as Weka's Experimenter writes its results.

    \b
    veracity scores results.db error
    veracity scores results.db error auc --out scores.arff
    """
    check_endings(out, ".parquet", ".arff", *PAGES)
    files, names = files_and_scores(words)
    if len(files) != 1:
        raise BadInput(f"scores reads one store or study, not {len(files)}: {', '.join(files)}")
    from veracity.cli.work.stored import scores_of_stored

    deliver(scores_of_stored(files[0], names, by, given), as_json, out)
