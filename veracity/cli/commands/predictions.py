"""Commands about ready-made predictions: score, curve, best_threshold, worst and dominance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

import veracity as vc
from veracity.cli.declare import FIGURES, PAGES, argument, check_level, command, option, repeated, words_argument
from veracity.cli.options import (
    ONE_DESIGN,
    PER_CLASS,
    Columns,
    Inference,
    IntervalOptions,
    Output,
    PredictionsSource,
    ScoreSource,
)
from veracity.cli.output import output_of, page_of, write_result
from veracity.cli.words import split_files_and_scores
from veracity.core.errors import BadInput
from veracity.reports import output as results
from veracity.tables.cells import Number, decimals
from veracity.tables.table import Column, Table

MAX_POINTS_SHOWN = 40  # on a screen; files get all of them
OPTIMISTIC = "optimistic"


@command()
def score(
    *,
    words: tuple[str, ...] = words_argument("FILE|STORE|STUDY.toml... [SCORE...]"),
    source: ScoreSource,
    interval: IntervalOptions,
    costs: str | None = option("Cost matrix with class names; adds the score cost.", "FILE", type=click.Path()),
    slices: str | None = option("Scores for each group of rows in this column.", "COLUMN"),
    per_class: bool = PER_CLASS,
    inference: Inference,
    output: Output,
) -> None:
    """Score ready-made predictions, each number with its interval.

    FILE is CSV, TSV, Parquet, JSON lines or ARFF (text ones also as .gz), a quoted pattern, or - for standard input.
    Without a SCORE, all scores that the columns allow are given; `veracity list scores` names them. A STORE
    gives those of its learners, with the intervals of learners.

    \b
    veracity score preds.csv --truth y --proba p_spam --positive spam
    veracity score preds.csv --truth y --label a --label b error "fbeta(beta=2)"
    veracity score 'models/*.parquet' --truth y --proba p --positive 1 --rows id auc
    veracity score log.csv --model model --rows question --correct correct
    veracity score log.jsonl --grade score --item question --repeat sample mean "pass_at(k=3)"
    veracity score --errors 12 --of 40 error --interval wilson
    veracity score --matrix matrix.csv --positive bad
    veracity score --tp 45 --fn 5 --fp 12 --tn 138 sensitivity specificity
    veracity score preds.csv --truth y --label yhat --per-class
    veracity score results.db --only nb --data iris
    """
    files, scores = split_files_and_scores(words, needed=not source.counted.is_typed)
    from veracity.cli.scoring import ScoreQuestion, score_files, score_slices

    question = ScoreQuestion(scores, interval, inference, costs, per_class)
    if slices is not None:
        write_result(score_slices(files, slices, question, source), output)
    else:
        write_result(score_files(files, question, source), output)


@command(writes=FIGURES + PAGES)
def curve(
    *,
    files: tuple[str, ...] = argument("FILE...|STORE|STUDY.toml", nargs=-1, type=click.Path()),
    source: PredictionsSource,
    by: str | None = ONE_DESIGN,
    kind: str | None = option("Which curve; without it roc, of --number residuals.", "NAME", methods=("curves",)),
    level: float | None = option(
        "Level of the band or of the intervals, for curves that have one.", callback=check_level
    ),
    seed: int | None = option("Seed of the band's random draws."),
    output: Output,
) -> None:
    """Draw a curve (--out roc.png, .svg, .pdf) or give its points.

    Several models, in columns or files, or the learners of a STORE on one data set, share one chart. `veracity list
    curves` names the kinds.

    \b
    veracity curve preds.csv --truth y --value s --positive 1 --kind roc --out roc.png
    veracity curve preds.csv --truth y --proba a --proba b --positive 1 --kind calibration --out c.svg
    veracity curve results.db --data cancer --only nb --only tree --kind roc --out roc.svg
    veracity curve preds.csv --truth y --number yhat --out residuals.png
    """
    patterns, stray = split_files_and_scores(files)
    if stray:
        raise BadInput(f"{stray[0]!r} is not a file; a kind of curve is named by --kind")
    from veracity.cli.scoring import describe
    from veracity.cli.source import read_charted_models
    from veracity.curves import curves
    from veracity.curves.from_predictions import WITHOUT_TRUTH
    from veracity.readers.read_evidence import Reading
    from veracity.readers.read_models import alone_or_all
    from veracity.readers.source import expand_patterns

    choice = curves.choose(kind or ("residuals" if source.columns.number else "roc"))
    wanted = {"level": level, "band": level, "seed": seed}  # a level makes a band where the curve can have one
    parameters = {name: value for name, value in wanted.items() if value is not None and choice.accepts(name)}
    if level is not None and not {"level", "band"} & set(parameters):
        raise BadInput(f"the curve {choice.name} has neither band nor intervals, so it takes no --level")
    choice = choice.setting(**parameters)
    if source.columns.truth is None and choice.is_one_of(*WITHOUT_TRUTH):
        source = replace(source, columns=replace(source.columns, labelled="some"))
    by_name, notes = read_charted_models(patterns, source, by, each_row=False)
    models = alone_or_all(by_name)
    drawn = vc.curve(models, choice)
    drawn = replace(drawn, notes=(*notes, *drawn.notes))
    marks = Table(
        (Column("point", "left"), Column("x"), Column("y"), Column("threshold"), Column("says", "left")),
        tuple((mark.name, mark.x, mark.y, mark.threshold, mark.says) for mark in drawn.marks),
        caption="named points",
    )
    tables = (marks, _line_table(drawn, every_point=output.as_json or bool(output.out)))
    answer = describe(expand_patterns(patterns), {name: Reading.of(p) for name, p in by_name.items()})
    page, draw = partial(page_of, drawn, drawn.title), partial(vc.plot, models, kind=choice)
    shown = tuple(table for table in tables if table.rows)
    write_result(results.Output(drawn.title, shown, drawn.to_json, answer, page, draw=draw), output)


def _line_table(drawn: vc.Curve, every_point: bool) -> Table:
    """Return the points of a curve and of its bands; a screen gets some, the first and the last among them."""
    lines = [*drawn.lines]
    for band in drawn.guides:
        if band.style == "band":
            name = f"{band.of}: {band.name}" if len(drawn.lines) > 1 and band.of else band.name
            lines.append(replace(band, name=name))
    extra = [name for name in ("low", "high", "threshold") if any(getattr(line, name) is not None for line in lines)]
    rows: list[tuple[Any, ...]] = []
    for line in lines:
        last = len(line.x) - 1
        places: Sequence[int] = range(last + 1)
        if not every_point and last >= MAX_POINTS_SHOWN:
            places = sorted({round(k * last / (MAX_POINTS_SHOWN - 1)) for k in range(MAX_POINTS_SHOWN)})
        columns = (_point_cells(column, places) for column in (line.x, line.y, *(getattr(line, one) for one in extra)))
        rows += [(line.name, *cells) for cells in zip(*columns, strict=True)]
    heads = (Column("line", "left"), *(Column(title) for title in (drawn.x_title, drawn.y_title, *extra)))
    points = sum(len(line.x) for line in lines)
    is_cut = not every_point and 0 < len(rows) < points
    caption = f"{len(rows)} of {points} points; --json or --out FILE gives all" if is_cut else ""
    return Table(heads, tuple(rows), caption=caption, notes=drawn.notes)


def _point_cells(column: Any, places: Sequence[int]) -> list[Number | None]:
    """Return the cells of some points, all with the decimals that the largest needs."""
    if column is None:
        return [None] * len(places)
    shown = [float(column[place]) for place in places]
    digits = decimals(max((abs(number) for number in shown if math.isfinite(number)), default=0.0))
    return [Number(number, digits) for number in shown]


@command()
def best_threshold(
    *,
    words: tuple[str, ...] = words_argument("FILE [TEST] [SCORE]"),
    columns: Columns,
    costs: tuple[str, ...] = repeated(
        "What a mistake costs, FP=1 and FN=5, or a cost matrix with class names.", "CELL=COST|FILE"
    ),
    folds: int | None = option("Report on the rows of FILE: each of K parts cut at the best of the others.", "K"),
    inference: Inference,
    output: Output,
) -> None:
    """Choose the threshold on the rows of FILE, by costs or by a SCORE of counts, and report it on the rows of TEST.

    Its value on the rows that chose it is optimistic: TEST holds other rows, with the same columns. Without others,
    --folds cuts each part of the rows at the threshold that the other parts choose.

    \b
    veracity best_threshold validation.csv test.csv --truth y --proba p --positive spam --costs FP=1 --costs FN=5
    veracity best_threshold validation.csv test.csv --truth y --value s --positive 1 "fbeta(beta=2)"
    veracity best_threshold preds.csv --truth y --proba p --positive spam --costs FP=1 --costs FN=5 --folds 10
    """
    files, scores = split_files_and_scores(words)
    from veracity.cli.scoring import describe, score_json
    from veracity.cli.source import check_names
    from veracity.core.words import for_command_line
    from veracity.readers.read_evidence import Reading

    check_names(level=inference.level)
    if len(files) > 2:
        raise BadInput(f"best_threshold reads a file that chooses and one that tests, not {len(files)}")
    if folds is not None and len(files) == 2:
        raise BadInput("--folds reports on the rows of the one file: leave it out, or the second file")
    if columns.threshold is not None:
        raise BadInput("--threshold is what is looked for: leave it out")
    if len(scores) + bool(costs) != 1:
        raise BadInput("say what to optimise: --costs FP=1 --costs FN=5, or one score of counts such as youden")
    check_names(scores)

    validation = _read_one_model(files[0], columns)
    confidence: Any = vars(inference)
    best = vc.best_threshold(
        validation,
        scores[0] if scores else None,
        costs=_costs_of_cells(costs, validation) if costs else None,
        **confidence,
    )
    test, reported, about = None, None, ""
    if len(files) == 2:
        test = _read_one_model(files[1], replace(columns, classes=tuple(map(str, validation.classes))))
        reported = best.on(test, **confidence)
        about = f"on the rows of {files[1]}, cut at this threshold"
    elif folds is not None:
        reported = best.cross_fit(folds, **confidence)
        about = f"on the rows of {files[0]}, each of {folds} parts cut at the threshold best on the others"

    # rows that were named to report on need not be asked for
    chosen = best.table()
    notes = tuple(note for note in chosen.notes if reported is None or note.code != OPTIMISTIC)
    tables = [best.matrix_table(), replace(chosen, caption=best.caption(files[0]), notes=notes)]
    if reported is not None:
        tables.append(replace(reported.table(), caption=about))

    def to_json() -> dict[str, Any]:
        notes = []
        for note in best.all_notes:
            is_answered = reported is not None and note.code == OPTIMISTIC
            message = note.says.partition(":")[0] if is_answered else for_command_line(note.says)
            notes.append(replace(note, says=message).to_json())
        on = None if test is None or reported is None else score_json({"": Reading.of(best.cut(test))}, reported)
        cross_fit = reported.to_json() if reported is not None and test is None else None
        return {**best.to_json(), "on": on, "cross_fit": cross_fit, "notes": notes}

    answer = describe(files[:1], {"": Reading.of(validation)})
    write_result(results.Output("Best threshold", tuple(tables), to_json, answer), output)


def _read_one_model(file: str, columns: Columns) -> vc.Predictions:
    from veracity.cli.source import guesses_columns
    from veracity.readers.read_models import read_models

    with guesses_columns([file], columns):
        models = read_models([file], vars(columns))
    if len(models) > 1:
        raise BadInput(f"a threshold is of one model, not of {len(models)}: {', '.join(models)}")
    return next(iter(models.values()))


def _costs_of_cells(typed: Sequence[str], p: vc.Predictions) -> Any:
    """Return what each kind of row costs, from CELL=COST; or the matrix of a file."""
    from veracity.cli.counts import read_costs

    is_file = len(typed) == 1 and "=" not in typed[0]
    if is_file and Path(typed[0]).exists():
        return read_costs(typed[0], p.classes)
    try:
        return {cell.strip(): float(cost) for cell, cost in (text.split("=") for text in typed)}
    except ValueError:
        message = "--costs is FP=1 and FN=5, once for each kind, or the file of a cost matrix"
        raise BadInput(f"{message}{f', and there is no file {typed[0]}' if is_file else ''}") from None


@command()
def worst(
    *,
    files: tuple[str, ...] = argument("FILE|STORE|STUDY.toml", nargs=-1, required=True, type=click.Path()),
    most: int = option("How many rows.", default=20, show_default=True),
    source: PredictionsSource,
    by: str | None = ONE_DESIGN,
    output: Output,
) -> None:
    """Show the rows with the largest loss of one model, or of one learner of a STORE.

    The loss is log loss of probabilities, absolute error of numbers, else how far a decision value lies on the wrong
    side; of labels alone, the wrong ones in their order.

    \b
    veracity worst preds.csv --truth y --proba p_spam --positive spam --rows id
    veracity worst results.db --only tree --data iris --most 10
    """
    from veracity.cli.source import read_charted_models

    models, notes = read_charted_models(list(files), source, by)
    if len(models) != 1:
        raise BadInput(f"worst is of one model, not of {len(models)}: name one of {', '.join(models)}")
    (model,) = models.values()
    write_result(output_of(vc.worst(model, most), "Rows most wrong", notes=notes), output)


@command(writes=FIGURES + PAGES)
def dominance(
    *,
    files: tuple[str, ...] = argument("FILE...|STORE|STUDY.toml", nargs=-1, required=True, type=click.Path()),
    source: PredictionsSource,
    by: str | None = ONE_DESIGN,
    output: Output,
) -> None:
    """Say which of two models dominates in ROC space, or at which false positive rates their curves cross.

    Two models in columns of one file, or in one file each; or two learners of a STORE by a hold-out.
    A figure (--out x.png, .svg, .pdf) shows both ROC curves.

    \b
    veracity dominance preds.csv --truth y --proba a --proba b --positive 1
    veracity dominance one.csv two.csv --truth y --value s --positive 1 --rows id --out roc.svg
    """
    from veracity.cli.source import read_charted_models

    models, notes = read_charted_models(list(files), source, by)
    if len(models) != 2:
        raise BadInput(f"dominance is of two models, not of {len(models)}: name two, such as --proba a --proba b")
    first, second = models.values()
    draw = partial(vc.plot, models, kind="roc")
    write_result(output_of(vc.dominance(first, second), "Dominance", draw, notes), output)
