"""`veracity advise`: what may I use here, and what would make the answer possible?"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from veracity.cli.arguments import files_and_scores
from veracity.cli.options import (
    BETTER,
    CHOSEN,
    COLUMNS,
    CONFIDENCE,
    COUNTED,
    LEARNERS,
    OUTPUT,
    PAIRED,
    options,
    words_argument,
)
from veracity.cli.output import PAGES, check_endings, deliver
from veracity.core.errors import BadInput
from veracity.reports.output import Output

TYPED = ("errors", "of", "matrix", "n01", "n10", "both", "neither")  # counts in place of a file


@click.command()
@words_argument("FILE|STORE|STUDY.toml... [SCORE]")
@click.option("--question", metavar="estimate|compare|rank", help="What is asked; without, what the file is for.")
@click.option("--difference", type=float, help="The difference of interest: whether it can be found here.")
@click.option("--fit-seconds", type=float, help="How long one fit takes; without, one of each learner is timed.")
@click.option("--budget", type=float, metavar="SECONDS", help="How long all fits of a study may take.")
@options(CHOSEN, BETTER, COLUMNS, COUNTED, PAIRED, LEARNERS, CONFIDENCE, OUTPUT)
def advise(words: tuple[str, ...], as_json: bool, out: tuple[str, ...], **given: Any) -> None:
    """Say of every method that could answer a question whether it may be used here, why, and what was measured of it.

    Predictions in columns, the STORE of a study, or a table of scores: each method is tried on it, and nothing is
    counted as asked. A data file with learners, or a STUDY.toml, is not run: which design to choose is answered, with
    its fits, its time and the difference that it can show.

    \b
    veracity advise preds.csv --truth y --label a --label b --difference 0.01
    veracity advise preds.csv --truth y --proba p --positive 1 auc
    veracity advise results.db --question compare
    veracity advise results.csv
    veracity advise data.csv --target y --learner A --learner B --difference 0.02 --budget 600
    """
    check_endings(out, *PAGES)
    files, scores = files_and_scores(words, needed=not any(given[name] not in ((), None) for name in TYPED))
    if len(scores) > 1:
        raise BadInput(f"advise is about one score, not {len(scores)}: {', '.join(scores)}; call it once for each")
    from veracity.advice.advise import advise as ask

    names = ("question", "difference", "fit_seconds", "budget", "level", "seed")
    source = _source(files, scores, given, as_json)
    one = given["by"][0] if len(given["by"]) == 1 and not _is_plan(files, given) else None
    advice = ask(source, score=next(iter(scores), None), by=one, **{name: given[name] for name in names})
    deliver(Output("Advice", (advice.table(),), advice.to_json, advice.answer), as_json, out)


def _source(files: list[str], scores: Sequence[str], given: dict[str, Any], as_json: bool) -> Any:
    """What was seen, or a study that is still to be run."""
    if not _is_plan(files, given):
        from veracity.cli.work.compare import compared_source

        return compared_source(files, scores, {**given, "using": None}, as_json)
    from veracity.cli.work.estimate import learners_and_data
    from veracity.studies.study import Study, plan

    if not given["learners"] and not given["target"]:
        return plan(files[0])
    learners, data = learners_and_data(files[0], given, given["by"])
    return Study({data.name: data}, learners)


def _is_plan(files: Sequence[str], given: dict[str, Any]) -> bool:
    study = bool(files) and Path(files[0]).suffix == ".toml"
    return study or (bool(given["learners"] or given["target"]) and not given["truth"])
