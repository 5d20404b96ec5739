"""`veracity optimism`: how much too good is the score that a tuned learner won by?"""

from __future__ import annotations

from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import CHOSEN, CONFIDENCE, LEARNERS, OUTPUT, ROLES, WORK, options, words_argument
from veracity.cli.output import PAGES, check_endings, deliver, result_of
from veracity.cli.start_workers import start_workers
from veracity.core.errors import BadInput


@click.command()
@words_argument("STORE|STUDY.toml|FILE [SCORE]")
@options(CHOSEN, LEARNERS, ROLES, WORK, CONFIDENCE, OUTPUT)
def optimism(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Set the nested estimate of each learner that tunes itself beside the score that its winner won by, too good.

    STORE is what `veracity run` has filled, of which STUDY.toml shows only what it names; FILE is a table with a column
    to be predicted by a learner that chooses, such as a search of scikit-learn. The SCORE is the one tuned by.

    \b
    veracity optimism results.db
    veracity optimism results.db --only logit --data cancer log_loss
    """
    check_endings(out, *PAGES)
    start_workers(given, words)
    files, scores = files_and_scores(words)
    if len(files) != 1 or len(scores) > 1:
        raise BadInput("optimism reads one file or store, and one score at most")
    from veracity.cli.work.estimate import runs_of
    from veracity.risk.optimism import optimism as optimism_of

    runs = runs_of(files[0], scores, given, as_json)
    found = optimism_of(runs, *scores, level=given["level"], seed=given["seed"])
    deliver(result_of(found, "Optimism of tuning", notes=runs.selection_notes), as_json, out)
