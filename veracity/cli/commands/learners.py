"""Commands about the risk of learners: estimate, with the optimism of tuning, and bbc_cv."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import veracity as vc
from veracity.cli.declare import command, flag, option, words_argument
from veracity.cli.options import (
    ONE_DESIGN,
    PER_CLASS,
    Inference,
    IntervalOptions,
    Output,
    PredictionsSource,
    RunsSource,
)
from veracity.cli.output import output_of, page_of, write_result
from veracity.cli.words import split_files_and_scores
from veracity.core.errors import BadInput
from veracity.reports import output as results
from veracity.tables.table import Column

MAX_DATA_SETS_SHOWN = 5  # with their sizes
OF_ESTIMATES = "is of estimates, which {} takes the place of"  # why an option does nothing with --optimism


@command()
def estimate(
    *,
    words: tuple[str, ...] = words_argument("FILE|STORE|STUDY.toml [SCORE...]"),
    source: RunsSource,
    optimism: bool = flag(
        "In place of these: for each learner that tunes itself the nested estimate beside the score that its winner won"
        " by, too good. The SCORE is the one tuned by."
    ),
    per_class: bool = PER_CLASS,
    slices: str | None = option("On each group of rows in this column of the data file.", "COLUMN"),
    interval: IntervalOptions,
    deviations: bool = flag("Standard deviations over splits too."),
    inference: Inference,
    output: Output,
) -> None:
    """Estimate the risk of learners, each number with its interval and the question it answers.

    FILE is a table with a column to be predicted; STORE is what `veracity run` has filled, of which
    STUDY.toml shows only what it names.

    \b
    veracity estimate data.csv --target y --learner sklearn.naive_bayes:GaussianNB --by "kfold(k=10)" error auc
    veracity estimate results.db error log_loss
    veracity estimate results.db --per-class
    veracity estimate study.toml --store results.db --data credit --slices country error
    veracity estimate results.db --optimism
    """
    files, scores = split_files_and_scores(words)
    if optimism and (len(files) != 1 or len(scores) > 1):
        raise BadInput("optimism reads one file or store, and one score at most")
    if len(files) != 1:
        raise BadInput(f"estimate reads one file or store, not {len(files)}: {', '.join(files)}")
    from veracity.cli.scoring import CLASSES, ScoreQuestion, scores_per_class
    from veracity.cli.source import read_source, refuse_typed
    from veracity.risk.selection_bias import tuning_optimism
    from veracity.scores.default import default_score_of

    where = files[0]
    question = ScoreQuestion(scores, interval, inference, per_class=per_class)
    if optimism:
        refuse_typed("--optimism", OF_ESTIMATES, "per_class", "slices", "deviations", "interval", "side")
    else:
        question.check()
    how: dict[str, Any] = {"scores": scores, "seed": inference.seed, "quiet": output.as_json}
    kind, runs = read_source([where], source, ("learners", "runs"), **how)
    runs = runs.only(by=source.learners.by) if kind == "runs" else runs
    if optimism:
        found = vc.optimism(runs, *scores, **vars(inference))
        write_result(output_of(found, "Optimism of tuning", notes=runs.selection_notes), output)
        return
    if slices is not None:
        for typed, name in ((per_class, "--per-class"), (deviations, "--deviations")):
            if typed:
                raise BadInput(f"--slices has a line for each slice, and none for what {name} asks: give one of them")
        write_result(_estimate_slices(runs, where, slices, question), output)
        return
    sizes = [f"{name} {len(runs.data(name)):,} rows" for name in runs.names]
    more = f" and {len(sizes) - MAX_DATA_SETS_SHOWN} more" if len(sizes) > MAX_DATA_SETS_SHOWN else ""
    shown = runs.store.where if "://" in where else where  # an address without its password
    answer = f"{shown}: {', '.join(sizes[:MAX_DATA_SETS_SHOWN])}{more}"
    if per_class:
        by_class = scores_per_class(runs, question)
        write_result(results.Output(CLASSES, (by_class.table(),), by_class.to_json, answer), output)
        return
    asked = scores or list(runs.asked_scores) or [default_score_of(runs)]
    estimates = vc.estimate(runs, asked, interval=interval.interval, **question.confidence, deviations=deviations)
    tuned = tuning_optimism(runs, estimates, **vars(inference))
    asked = list(dict.fromkeys(row.asked for row in estimates.rows))
    result = results.Output(
        "Risk of learners",
        (estimates.table(),),
        lambda: {**estimates.to_json(), **({"tuning": tuned.choices()} if tuned else {})},
        answer,
        lambda: vc.report(runs, asked, level=inference.level),
        after=(tuned.short_table(),) if tuned else (),
    )
    write_result(result, output)


def _estimate_slices(runs: vc.Runs, where: str, column: str, question: Any) -> results.Output:
    """Return the scores of each slice, with intervals that hold together."""
    from veracity.cli.source import is_stored, is_study
    from veracity.studies.study_file import data_files

    files: list[str | Path] = [where]
    if is_stored(where):  # which keeps no columns of the data
        if not is_study(where):
            raise BadInput(f"a store keeps no columns of the data: name the study file of {where}, and --store {where}")
        if len(runs.names) > 1:
            raise BadInput(f"--slices is of one data set: name it, --data NAME; there are {', '.join(runs.names)}")
        files = list(data_files(where, runs.names[0]))
        if not files:
            raise BadInput(f"{runs.names[0]} is built in and has no file with columns: --slices is of one that has")
    labels = list(chain.from_iterable(vc.read_column(file, column) for file in files))
    scores = question.scores or list(runs.asked_scores) or None
    card = vc.slices(runs, labels, scores, interval=question.interval.interval, **question.confidence)
    table = card.table()
    table = replace(table, columns=(Column(column, "left"), *table.columns[1:]))
    title = f"Risk of learners by {column}"
    return results.Output(
        title,
        (table,),
        lambda: {"by": column, **card.to_json()},
        f"{where}: {runs.names[0]}",
        partial(page_of, card, title),
    )


@command()
def bbc_cv(
    *,
    words: tuple[str, ...] = words_argument("FILE|STORE|STUDY.toml... [SCORE]"),
    source: PredictionsSource,
    by: str | None = ONE_DESIGN,
    draws: int = option("Samples of rows.", default=1000, show_default=True),
    inference: Inference,
    output: Output,
) -> None:
    """Tell the risk of the best of many learners: what choosing it on the same rows flatters is taken off.

    All learners of a STORE (or those of --only) by one design, or predictions of several models in columns or files,
    out of fold (--fold) or of a test set. In samples of rows the best learner is chosen, and scored on the rows left
    out: bootstrap bias-corrected cross-validation. The score is error, or rmse for numbers, unless one is named.

    \b
    veracity bbc_cv results.db error
    veracity bbc_cv preds.csv --truth y --label a --label b --label c --fold fold error
    """
    files, scores = split_files_and_scores(words)
    if len(scores) > 1:
        raise BadInput(f"bbc_cv chooses by one score, not {len(scores)}: {', '.join(scores)}; call it once for each")
    from veracity.cli.source import check_names, read_source, source_kind

    check_names(scores)
    is_table = source_kind(files, source) == "scores"
    if is_table and len(files) != 1:
        raise BadInput(f"{len(files)} files are read for predictions: name the column with the truth, --truth")
    kind, evidence = read_source(files, source, ("runs",) if is_table else ("predictions", "runs"))
    score = scores[0] if scores else None
    if kind == "runs":
        score = score or next(iter(evidence.asked_scores), None)
        answer = vc.bbc_cv(evidence, score, by=by, draws=draws, **vars(inference))
    else:
        answer = vc.bbc_cv(evidence, score, draws=draws, **vars(inference))
    write_result(results.Output("The best of many", (answer.table(),), answer.to_json), output)
