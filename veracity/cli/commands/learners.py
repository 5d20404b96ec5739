"""Commands about learners and models: estimate, optimism, bbc_cv, compare, rank and replicability."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import click

import veracity as vc
from veracity.cli.options import (
    BETTER,
    DECIMAL,
    ONE_DESIGN,
    PER_CLASS,
    PERCENT,
    Columns,
    ComparedSource,
    Inference,
    IntervalOptions,
    Output,
    PaperOutput,
    PredictionsSource,
    ResultsStore,
    RunsSource,
    Selection,
    flag_field,
    method,
    option_field,
    options,
    options_field,
    several,
    words_argument,
)
from veracity.cli.output import output_of, page_of, paper_forms, write_result
from veracity.cli.words import split_files_and_scores
from veracity.core.confidence import ALTERNATIVES
from veracity.core.errors import BadInput, VeracityError
from veracity.reports import output as results
from veracity.tables.table import Column

MAX_DATA_SETS_SHOWN = 5  # with their sizes
DATA_SET_COLUMNS = ("data", "data set")  # by which `rank --sort` may order the data sets
EFFECT = "Also this effect size, such as cohens_d; repeat for several."
PAIR = "Only this pair; repeat for several. A name with a comma stands in double quotes: '\"k=1, p=1\",nb'."
SOURCES = "a store, such as results.db, or a table of scores, such as results.csv"
Measure = Callable[[str], Any]  # the matrix of another score, of the same learners and data sets


@click.command()
@words_argument("FILE|STORE|STUDY.toml [SCORE...]")
@options(source=RunsSource)
@PER_CLASS
@click.option("--slices", metavar="COLUMN", help="On each group of rows in this column of the data file.")
@options(interval=IntervalOptions)
@click.option("--deviations", is_flag=True, help="Standard deviations over splits too.")
@options(inference=Inference, output=Output)
def estimate(
    words: tuple[str, ...],
    source: RunsSource,
    per_class: bool,
    slices: str | None,
    interval: IntervalOptions,
    deviations: bool,
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
    """
    files, scores = split_files_and_scores(words)
    if len(files) != 1:
        raise BadInput(f"estimate reads one file or store, not {len(files)}: {', '.join(files)}")
    from veracity.cli.scoring import CLASSES, ScoreQuestion, scores_per_class
    from veracity.risk.selection_bias import tuning_optimism
    from veracity.scores.default import default_score_of

    where = files[0]
    question = ScoreQuestion(scores, interval, inference, per_class=per_class)
    question.check()
    runs = _read_runs(where, scores, source, inference, output)
    sizes = [f"{name} {len(runs.data(name)):,} rows" for name in runs.names]
    more = f" and {len(sizes) - MAX_DATA_SETS_SHOWN} more" if len(sizes) > MAX_DATA_SETS_SHOWN else ""
    shown = runs.store.where if "://" in where else where  # an address without its password
    answer = f"{shown}: {', '.join(sizes[:MAX_DATA_SETS_SHOWN])}{more}"
    if slices is not None:
        for typed, name in ((per_class, "--per-class"), (deviations, "--deviations")):
            if typed:
                raise BadInput(f"--slices has a line for each slice, and none for what {name} asks: give one of them")
        write_result(_estimate_slices(runs, where, slices, question), output)
        return
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


def _read_runs(where: str, scores: Sequence[str], options: RunsSource, inference: Inference, output: Output) -> vc.Runs:
    """Return the runs of a store, or of learners tried on a data file just now."""
    from veracity.cli.source import read_source

    how: dict[str, Any] = {"scores": scores, "seed": inference.seed, "quiet": output.as_json}
    source = read_source([where], options, ("learners", "runs"), **how)
    runs: vc.Runs = source.value
    return runs.only(by=options.learners.by) if source.kind == "runs" else runs


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


@click.command()
@words_argument("STORE|STUDY.toml|FILE [SCORE]")
@options(source=RunsSource, inference=Inference, output=Output)
def optimism(words: tuple[str, ...], source: RunsSource, inference: Inference, output: Output) -> None:
    """Set the nested estimate of each learner that tunes itself beside the score that its winner won by, too good.

    STORE is what `veracity run` has filled, of which STUDY.toml shows only what it names; FILE is a table with a column
    to be predicted by a learner that chooses, such as a search of scikit-learn. The SCORE is the one tuned by.

    \b
    veracity optimism results.db
    veracity optimism results.db --only logit --data cancer log_loss
    """
    files, scores = split_files_and_scores(words)
    if len(files) != 1 or len(scores) > 1:
        raise BadInput("optimism reads one file or store, and one score at most")
    runs = _read_runs(files[0], scores, source, inference, output)
    found = vc.optimism(runs, *scores, **vars(inference))
    write_result(output_of(found, "Optimism of tuning", notes=runs.selection_notes), output)


@click.command()
@words_argument("FILE|STORE|STUDY.toml... [SCORE]")
@options(source=PredictionsSource)
@ONE_DESIGN
@click.option("--draws", type=int, default=1000, show_default=True, help="Samples of rows.")
@options(inference=Inference, output=Output)
def bbc_cv(
    words: tuple[str, ...], source: PredictionsSource, by: str | None, draws: int, inference: Inference, output: Output
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


@dataclass(frozen=True)
class PairTest:
    """How two models or learners are compared."""

    using: str | None = option_field(
        "Instead of the usual one; `veracity list comparisons` names them.", "TEST", methods=("comparisons",)
    )
    interval: str | None = option_field("Of the difference.", "NAME", methods=("intervals",))
    alternative: str | None = option_field(
        "About the score of the first less that of the second: is it below 0, above 0, or either, as usual?",
        type=click.Choice(ALTERNATIVES),
    )
    then: str | None = option_field("Adjusts several p-values.", "NAME", methods=("adjustments",))
    effect: tuple[str, ...] = options_field(EFFECT, "NAME", methods=("effects",))
    pairs: tuple[str, ...] = options_field(PAIR, "A,B", "--pair")
    anyway: bool = flag_field("Also a test that is not valid here; its result decides nothing.")


@click.command()
@words_argument("FILE|STORE|STUDY.toml... [SCORE...]")
@options(test=PairTest)
@click.option("--slices", metavar="COLUMN", help="Models on each group of rows in this column.")
@BETTER
@options(source=ComparedSource, inference=Inference, output=PaperOutput)
def compare(
    words: tuple[str, ...],
    test: PairTest,
    slices: str | None,
    better: str | None,
    source: ComparedSource,
    inference: Inference,
    output: PaperOutput,
) -> None:
    """Compare two models or learners: the difference, its interval, a p-value and what they say.

    Predictions in columns of one file, or in one file per model; learners that are tried on a data file now, or were
    tried in the STORE of a study, of which STUDY.toml shows only what it names; or the columns of a table of scores.
    The score is error, or rmse for numbers, unless others are named; several are one family, and their p-values are
    adjusted together. Of a table of scores, SCORE is the one that it holds, or which of them.
    A figure (--out x.png, .svg, .pdf) shows the differences with their intervals, or the posterior.

    \b
    veracity compare preds.csv --truth y --label a --label b --using mcnemar error
    veracity compare preds.csv --truth y --proba a --proba b --positive 1 error auc brier
    veracity compare preds.csv --truth y --label a --label b --slices country error
    veracity compare one.csv two.csv --truth y --label yhat --using two_proportion_z error
    veracity compare data.csv --target y --learner A --learner B --by "kfold(k=10)" --using corrected_t error
    veracity compare results.csv --using wilcoxon --pair nb,tree --effect cliffs_delta accuracy
    veracity compare log.csv --model model --rows question --correct correct --groups passage
    veracity compare log.jsonl --grade score --item question --repeat sample --model model --groups passage
    veracity compare --n01 9 --n10 22 --of 1000 --using mcnemar error
    veracity compare --errors 12 --of 40 --errors 8 --of 50 --using two_proportion_z error
    """
    files, scores = split_files_and_scores(words, needed=not source.counted.is_typed)
    from veracity.cli.source import check_names, read_compared, source_kind
    from veracity.comparisons import comparisons
    from veracity.contests.compare import choose_effects

    columns, selection, by = source.columns, source.selection, source.learners.by
    # a file about which nothing was said of rows, learners or counts holds scores already, by any name
    said = slices is not None or any((columns.label, columns.proba, columns.value, columns.number))
    is_table = len(files) == 1 and not said and source_kind(files, source) == "scores"
    check_names(() if is_table else scores, inference.level, interval=test.interval)
    if test.using is not None:
        comparisons.choose(test.using)
    choose_effects(test.effect)
    if better and not is_table:
        raise BadInput("--better is for a table of scores: of rows and of runs the score tells it, so leave it out")
    if is_table and len(scores) > 1:
        says = f"{', '.join(scores)} are {len(scores)}"
        raise BadInput(f"{files[0]} is a table of scores, compared by one of them: {says}")
    question: dict[str, Any] = {**vars(test), "pairs": parse_pairs(test.pairs), **vars(inference)}
    score: str | list[str] | None = scores if len(scores) > 1 else next(iter(scores), None)
    if slices is not None:
        write_result(_compare_slices(files, score, slices, columns, question), output)
        return
    roles: dict[str, Any] = {"better": better, "percent": columns.percent, "decimal": columns.decimal}
    if is_table:
        roles, score = {**roles, "score": score}, None
    roles |= {"seed": inference.seed, "quiet": output.as_json}
    kind, evidence = read_compared(files, scores, source, test.using, **roles)
    is_runs = kind in ("runs", "learners")
    if score is None and is_runs:
        score = next(iter(evidence.asked_scores), None)
    # several designs of runs are all compared; of other evidence any design is refused
    design = by[0] if len(by) == 1 or (by and not is_runs) else None
    data = list(selection.data) if is_runs and len(selection.data) > 1 else None
    answer = vc.compare(evidence, score, data=data, by=design, **question)
    is_alone = isinstance(answer, vc.Comparisons) and len(answer) == 1 and answer.omnibus is None
    if isinstance(answer, vc.Comparisons) and is_alone and not isinstance(score, list):
        answer = replace(answer[0], adjusted_p_value=None)  # one pair is no family
    title = type(answer).__name__
    draw, page = partial(vc.plot, answer), partial(page_of, answer, title)
    if isinstance(answer, vc.Comparison):
        family, sentence = vc.Comparisons((answer,)), answer.sentence()
    else:
        omnibus = answer.omnibus
        family, sentence = answer, "" if omnibus is None else f"{omnibus.method} of all together: {omnibus.result}"
    result = results.Output(
        title, (family.table(),), answer.to_json, sentence, page, draw=draw, own_forms=paper_forms(family)
    )
    write_result(result, output)


def _compare_slices(
    files: list[str], score: str | list[str] | None, column: str, columns: Columns, question: dict[str, Any]
) -> results.Output:
    """Compare models on each slice of their rows."""
    from veracity.cli.source import guesses_columns
    from veracity.readers.read_models import alone_or_all, has_predictions, read_slices
    from veracity.readers.source import expand_patterns

    if not has_predictions(vars(columns)):
        raise BadInput("--slices is a column beside predictions: name the column with the truth, --truth")
    files = expand_patterns(files)
    with guesses_columns(files, columns):
        models, labels = read_slices(files, vars(columns), column)
    answer = vc.compare(alone_or_all(models), score, slices=labels, **question)
    assert isinstance(answer, vc.Comparisons)  # as slices are a family, be it of one
    family = answer
    table = family.table()
    table = replace(table, columns=tuple(replace(c, title=column) if c.title == "data" else c for c in table.columns))
    return results.Output(
        "Comparisons",
        (table,),
        lambda: {"by": column, **family.to_json()},
        page=partial(page_of, family, f"Comparison by {column}"),
        draw=partial(vc.plot, family),
        own_forms=paper_forms(family),
    )


def parse_pairs(typed: Sequence[str]) -> list[tuple[str, ...]] | None:
    """Return the pairs of names that were typed; a name with a comma stands in double quotes, as in CSV."""
    pairs = [tuple(next(csv.reader([text]), [])) for text in typed]
    wrong = [text for text, pair in zip(typed, pairs, strict=True) if len(pair) != 2]
    if wrong:
        hint = "a name with a comma stands in double quotes, as in --pair '\"knn k=1, p=1\",nb'"
        raise BadInput(f"--pair names two, as in --pair a,b, not {wrong[0]!r}; {hint}")
    return pairs or None


@dataclass(frozen=True)
class RankTest:
    """How learners are ranked."""

    using: str | None = option_field(
        "Of all learners together, friedman on few data sets or else iman_davenport unless said; a test of splits such"
        " as corrected_t gives verdicts for each data set.",
        "TEST",
        methods=("comparisons",),
    )
    then: str | None = option_field(
        "How the pairs are adjusted, holm unless said.", "NAME", methods=("adjustments", "posthocs")
    )
    pairs: str | None = option_field(
        "How each pair is tested, wilcoxon unless said; mean_ranks for those of ranks.",
        "TEST",
        methods=("posthocs", "comparisons"),
    )
    control: str | None = option_field("Hold the others against this one only.", "LEARNER")
    effect: tuple[str, ...] = options_field(EFFECT, "NAME", methods=("effects",))
    intervals: str | None = option_field(
        "Of ranks: each by itself, or all at once.", type=click.Choice(["marginal", "simultaneous"])
    )
    anyway: bool = flag_field("Also a test that is not valid here.")


@dataclass(frozen=True)
class ScoreColumns:
    """What the columns of a table of scores are."""

    dataset: str | None = option_field("Names the data sets, unless its name or text tells.", "COLUMN")
    learner: str | None = option_field("Names the learners of a long table, unless its name tells.", "COLUMN")
    repeat: str | None = option_field("Tells repeats apart.", "COLUMN")
    fold: str | None = option_field("Tells folds apart.", "COLUMN")
    train: str | None = option_field("Rows that train in a split.", "COLUMN|NUMBER")
    test: str | None = option_field("Rows tested in a split.", "COLUMN|NUMBER")
    percent: bool = flag_field(PERCENT)
    decimal: str = option_field(DECIMAL, type=click.Choice([".", ","]), default=".")


@dataclass(frozen=True)
class TableStyle:
    """How the table of scores looks."""

    deviations: bool = flag_field("Standard deviations over splits.")
    counts: bool = flag_field("How many results each mean is of.")
    average: bool = flag_field("A row with the mean of each column.")
    significance_only: bool = flag_field("Marks without scores, by a test of splits.")
    sort: str | None = option_field("Order data sets by this learner or measure, -NAME the largest first.", "NAME")
    digits: int | None = option_field("Decimals of the scores.", "NUMBER", type=int)
    columns: tuple[str, ...] = options_field(
        "Beside the base only this column, by a test of splits; repeat.", "LEARNER"
    )
    swap: bool = flag_field("Learners in rows, data sets in columns.")


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="FILE...|STORE|STUDY.toml [SCORE]", type=click.Path())
@options(question=RankTest)
@click.option("--score", metavar="NAME", help="Which score of a store, measure of Weka's or column of a long table.")
@BETTER
@ONE_DESIGN
@click.option("--positive", metavar="CLASS", help="The class that is looked for, in the data sets of a store.")
@options(
    store=ResultsStore,
    selection=Selection,
    columns=ScoreColumns,
    style=TableStyle,
    inference=Inference,
    output=PaperOutput,
)
def rank(
    words: tuple[str, ...],
    question: RankTest,
    score: str | None,
    better: str | None,
    by: str | None,
    positive: str | None,
    store: ResultsStore,
    selection: Selection,
    columns: ScoreColumns,
    style: TableStyle,
    inference: Inference,
    output: PaperOutput,
) -> None:
    """Rank learners over data sets: mean ranks, a test of all, every pair with its adjusted p-value, and groups.

    FILE is a table of scores (a column that names the data sets and one for each learner, or a row for each score), a
    result file of Weka's Experimenter (.arff, .csv), or - for standard input; STORE is what `veracity run` has filled,
    of which STUDY.toml shows only what it names.
    Several files are one table: Weka's results of each run, or scores of each data set or each learner.
    A figure (--out cd.png, .svg, .pdf) is the critical-difference diagram; --out paper.tex has the paragraph of a paper
    and its tables, --out paper.bib the works that it cites. One call writes several: --out cd.svg --out paper.tex.

    \b
    veracity rank results.csv --using iman_davenport --then bergmann_hommel --pairs mean_ranks
    veracity rank results.db error --control nb --out cd.svg --out paper.tex --out paper.bib
    veracity rank 'run*.csv' --score Percent_correct
    veracity rank weka_results.arff --score Percent_correct --using corrected_t
    """
    patterns, named = split_files_and_scores(words, reads=SOURCES)
    from veracity.cli.source import check_names, is_stored, read_score_table, read_stored
    from veracity.comparisons import comparisons
    from veracity.contests.score_sources import matrix_of_runs
    from veracity.findings.dataset_tests import Verdicts
    from veracity.readers.source import expand_patterns
    from veracity.scores import scores

    named += [score] if score is not None else []
    if len(named) > 1:
        raise BadInput(f"learners are ranked by one score, and {len(named)} are named: {', '.join(named)}")
    score = named[0] if named else None
    if question.using is not None:
        comparisons.choose(question.using)
    check_names(level=inference.level)
    how = {name: value for name, value in vars(question).items() if value not in (None, (), False)}
    how |= vars(inference)
    stored = next((file for file in patterns if is_stored(file)), None)
    if stored is not None and len(patterns) > 1:
        raise BadInput(f"rank reads one store, or tables of scores, and {stored} is one among others: name it alone")
    answer: Any
    if stored is not None:
        runs = read_stored(stored, store, selection, positive)
        answer = vc.rank(runs, score or next(iter(runs.asked_scores), None), better=better, by=by, **how)

        def measure(name: str | None) -> vc.ScoreMatrix:
            return matrix_of_runs(runs, scores.choose(name or ""), scores.label(name or ""), by)

    else:
        files = expand_patterns(patterns)

        def measure(name: str | None) -> vc.ScoreMatrix:
            return read_score_table(files, selection, score=name, better=better, **vars(columns))

        answer = vc.rank(measure(score), **how)
    answer = _with_style(answer, style, measure)
    is_verdicts = isinstance(answer, Verdicts)
    title = "Verdicts" if is_verdicts else "Ranking"
    result = results.Output(
        title,
        answer.tables if is_verdicts else (answer.scores_table(), *answer.tables),
        answer.to_json,
        answer.sentence() if is_verdicts else answer.conclusion(),
        page=partial(page_of, answer, title),
        brief=() if is_verdicts else answer.printed,
        draw=partial(_draw_ranking, answer),
        own_forms=paper_forms(answer),
    )
    write_result(result, output)


def _with_style(answer: Any, style: TableStyle, measure: Measure) -> Any:
    """Return the answer with the table that was asked for; what orders the data sets may be another measure."""
    look: dict[str, Any] = {
        name: value for name, value in vars(style).items() if value or (name, value) == ("digits", 0)
    }
    for word in ("significance_only", "columns"):
        if isinstance(answer, vc.Ranking) and word in look:
            typed = f"--{word.replace('_', '-')}"
            raise BadInput(f"{typed} is for a test on each data set: name one, such as --using corrected_t")
    if "columns" in look:
        look["learners"] = look.pop("columns")
    if "sort" in look:
        name = look["sort"].removeprefix("-")
        look["measures"] = {}
        if name not in DATA_SET_COLUMNS:
            try:
                answer.matrix.learner(name)
            except BadInput as why:
                try:
                    look["measures"] = {name: measure(name)}
                except VeracityError as other:
                    raise BadInput(f"--sort: {why.says}; nor is it a measure: {other.says}") from None
    return answer.with_look(**look) if look else answer


def _draw_ranking(answer: Any) -> Any:
    """Draw the critical-difference diagram of a ranking."""
    if not isinstance(answer, vc.Ranking):
        raise BadInput("verdicts for each data set have no diagram; write them to --out as a table, or as .json")
    return vc.plot(answer)


@click.command()
@words_argument("FILE|STORE|STUDY.toml [SCORE]")
@method("--using", "comparisons", metavar="TEST", help="On each data set; the usual test of its splits unless said.")
@several("--pair", "pairs", metavar="A,B", help=PAIR)
@click.option(
    "--combine",
    type=click.Choice(["bonferroni", "fisher"]),
    default="bonferroni",
    show_default=True,
    help="fisher where data sets are independent.",
)
@click.option("--p-values", metavar="COLUMN", help="FILE has p-values of one learner being better, a line a data set.")
@options(store=ResultsStore, selection=Selection)
@BETTER
@click.option("--percent", is_flag=True, help=PERCENT)
@click.option("--decimal", type=click.Choice([".", ","]), default=".", help=DECIMAL)
@click.option("--positive", metavar="CLASS", help="The class that is looked for, in the data sets of a store.")
@ONE_DESIGN
@options(inference=Inference, output=Output)
def replicability(
    words: tuple[str, ...],
    using: str | None,
    pairs: tuple[str, ...],
    combine: str,
    p_values: str | None,
    store: ResultsStore,
    selection: Selection,
    better: str | None,
    percent: bool,
    decimal: str,
    positive: str | None,
    by: str | None,
    inference: Inference,
    output: Output,
) -> None:
    """Count the data sets on which one learner is better: at least so many, and those that can be named.

    FILE is a table of scores of splits, as of Weka's Experimenter, or with --p-values a column of one-sided p-values;
    STORE is what `veracity run` has filled.

    \b
    veracity replicability results.db error --pair nb,tree
    veracity replicability weka_results.arff Percent_correct --combine fisher
    veracity replicability p.csv --p-values p
    """
    files, scores = split_files_and_scores(words, measures=True)
    if len(files) != 1 or len(scores) > 1:
        raise BadInput("replicability reads one file or store, and one score")
    from veracity.cli.p_values import read_p_value_column
    from veracity.cli.source import is_stored, read_score_table, read_stored

    file, score = files[0], next(iter(scores), None)
    question: dict[str, Any] = {"combine": combine, **vars(inference)}
    if p_values is not None:
        found = vc.replicability(read_p_value_column(file, p_values), **question)
    else:
        question |= {"using": using, "pairs": parse_pairs(pairs)}
        if is_stored(file):
            runs = read_stored(file, store, selection, positive)
            found = vc.replicability(runs, score or next(iter(runs.asked_scores), None), by=by, **question)
        else:
            typed: dict[str, Any] = {"score": score, "better": better, "percent": percent, "decimal": decimal}
            found = vc.replicability(read_score_table([file], selection, **typed), **question)
    write_result(output_of(found, "Replicability"), output)
