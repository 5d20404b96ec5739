"""Commands that compare models and learners: compare, rank and replicability."""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import click

import veracity as vc
from veracity.cli.declare import FIGURES, PAGES, argument, command, flag, group, option, repeated, words_argument
from veracity.cli.options import (
    BETTER,
    DECIMAL,
    ONE_DESIGN,
    PERCENT,
    Columns,
    ComparedSource,
    Inference,
    Output,
    ResultsStore,
    Selection,
)
from veracity.cli.output import output_of, page_of, paper_forms, write_result
from veracity.cli.words import split_files_and_scores
from veracity.core.confidence import ALTERNATIVES
from veracity.core.errors import BadInput, VeracityError
from veracity.reports import output as results

DATA_SET_COLUMNS = ("data", "data set")  # by which `rank --sort` may order the data sets
EFFECT = "Also this effect size, such as cohens_d; repeat for several."
PAIR = "Only this pair; repeat for several. A name with a comma stands in double quotes: '\"k=1, p=1\",nb'."
SOURCES = "a store, such as results.db, or a table of scores, such as results.csv"
Measure = Callable[[str], Any]  # the matrix of another score, of the same learners and data sets


@dataclass(frozen=True)
class PairTest:
    """Options of a comparison: test, interval, alternative, adjustment, effect sizes, pairs."""

    using: str | None = option(
        "Instead of the usual one; `veracity list comparisons` names them.", "TEST", methods=("comparisons",)
    )
    interval: str | None = option("Of the difference.", "NAME", methods=("intervals",))
    alternative: str | None = option(
        "About the score of the first less that of the second: is it below 0, above 0, or either, as usual?",
        type=click.Choice(ALTERNATIVES),
    )
    then: str | None = option("Adjusts several p-values.", "NAME", methods=("adjustments",))
    effect: tuple[str, ...] = repeated(EFFECT, "NAME", methods=("effects",))
    pairs: tuple[str, ...] = repeated(PAIR, "A,B", "--pair")
    anyway: bool = flag("Also a test that is not valid here; its result decides nothing.")


@command(writes=(*FIGURES, *PAGES, ".bib"))
def compare(
    *,
    words: tuple[str, ...] = words_argument("FILE|STORE|STUDY.toml... [SCORE...]"),
    test: PairTest,
    slices: str | None = option("Models on each group of rows in this column.", "COLUMN"),
    better: str | None = BETTER,
    source: ComparedSource,
    inference: Inference,
    output: Output,
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
    family = answer if isinstance(answer, vc.Comparisons) else vc.Comparisons((answer,))
    if len(family) == 1 and family.omnibus is None and not isinstance(score, list):
        answer = replace(family[0], adjusted_p_value=None)  # one pair is no family
        family = vc.Comparisons((answer,))
    title, omnibus = type(answer).__name__, family.omnibus
    sentence = answer.sentence() if isinstance(answer, vc.Comparison) else ""
    sentence = sentence if omnibus is None else f"{omnibus.method} of all together: {omnibus.result}"
    draw, page = partial(vc.plot, answer), partial(page_of, answer, title)
    forms = paper_forms(family)
    write_result(
        results.Output(title, (family.table(),), answer.to_json, sentence, page, draw=draw, own_forms=forms), output
    )


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
    """Options of a ranking: tests of all learners and of pairs, adjustment, control."""

    using: str | None = option(
        "Of all learners together, friedman on few data sets or else iman_davenport unless said; a test of splits such"
        " as corrected_t gives verdicts for each data set.",
        "TEST",
        methods=("comparisons",),
    )
    then: str | None = option(
        "How the pairs are adjusted, holm unless said.", "NAME", methods=("adjustments", "posthocs")
    )
    pairs: str | None = option(
        "How each pair is tested, wilcoxon unless said; mean_ranks for those of ranks.",
        "TEST",
        methods=("posthocs", "comparisons"),
    )
    control: str | None = option("Hold the others against this one only.", "LEARNER")
    effect: tuple[str, ...] = repeated(EFFECT, "NAME", methods=("effects",))
    intervals: Literal["marginal", "simultaneous"] | None = option("Of ranks: each by itself, or all at once.")
    anyway: bool = flag("Also a test that is not valid here.")


@dataclass(frozen=True)
class ScoreColumns:
    """What the columns of a table of scores are."""

    dataset: str | None = option("Names the data sets, unless its name or text tells.", "COLUMN")
    learner: str | None = option("Names the learners of a long table, unless its name tells.", "COLUMN")
    repeat: str | None = option("Tells repeats apart.", "COLUMN")
    fold: str | None = option("Tells folds apart.", "COLUMN")
    train: str | None = option("Rows that train in a split.", "COLUMN|NUMBER")
    test: str | None = option("Rows tested in a split.", "COLUMN|NUMBER")


@dataclass(frozen=True)
class ScoresSource:
    """The results of a study, or a table of scores."""

    store: ResultsStore = group(ResultsStore)
    selection: Selection = group(Selection)
    better: str | None = BETTER
    percent: bool = flag(PERCENT)
    decimal: Literal[".", ","] = option(DECIMAL, default=".")
    positive: str | None = option("The class that is looked for, in the data sets of a store.", "CLASS")
    by: str | None = ONE_DESIGN


@dataclass(frozen=True)
class TableStyle:
    """How the table of scores looks."""

    deviations: bool = flag("Standard deviations over splits.")
    counts: bool = flag("How many results each mean is of.")
    average: bool = flag("A row with the mean of each column.")
    significance_only: bool = flag("Marks without scores, by a test of splits.")
    sort: str | None = option("Order data sets by this learner or measure, -NAME the largest first.", "NAME")
    digits: int | None = option("Decimals of the scores.", "NUMBER")
    columns: tuple[str, ...] = repeated("Beside the base only this column, by a test of splits; repeat.", "LEARNER")
    swap: bool = flag("Learners in rows, data sets in columns.")


@command(writes=(*FIGURES, *PAGES, ".bib"))
def rank(
    *,
    words: tuple[str, ...] = argument("FILE...|STORE|STUDY.toml [SCORE]", nargs=-1, required=True, type=click.Path()),
    question: RankTest,
    score: str | None = option("Which score of a store, measure of Weka's or column of a long table.", "NAME"),
    source: ScoresSource,
    columns: ScoreColumns,
    style: TableStyle,
    inference: Inference,
    output: Output,
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
    table = {"better": source.better, "percent": source.percent, "decimal": source.decimal}
    stored = next((file for file in patterns if is_stored(file)), None)
    if stored is not None and len(patterns) > 1:
        raise BadInput(f"rank reads one store, or tables of scores, and {stored} is one among others: name it alone")
    answer: Any
    if stored is not None:
        runs = read_stored(stored, source.store, source.selection, source.positive)
        score = score or next(iter(runs.asked_scores), None)
        answer = vc.rank(runs, score, better=source.better, by=source.by, **how)

        def measure(name: str | None) -> vc.ScoreMatrix:
            return matrix_of_runs(runs, scores.choose(name or ""), scores.label(name or ""), source.by)

    else:
        files = expand_patterns(patterns)

        def measure(name: str | None) -> vc.ScoreMatrix:
            return read_score_table(files, source.selection, score=name, **table, **vars(columns))

        answer = vc.rank(measure(score), **how)
    answer = _with_style(answer, style, measure)
    is_verdicts = isinstance(answer, Verdicts)
    title = "Verdicts" if is_verdicts else "Ranking"

    def draw() -> Any:
        if is_verdicts:
            raise BadInput("verdicts for each data set have no diagram; write them to --out as a table, or as .json")
        return vc.plot(answer)

    result = results.Output(
        title,
        answer.tables if is_verdicts else (answer.scores_table(), *answer.tables),
        answer.to_json,
        answer.sentence() if is_verdicts else answer.conclusion(),
        page=partial(page_of, answer, title),
        brief=() if is_verdicts else answer.printed,
        draw=draw,
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


@command()
def replicability(
    *,
    words: tuple[str, ...] = words_argument("FILE|STORE|STUDY.toml [SCORE]"),
    using: str | None = option(
        "On each data set; the usual test of its splits unless said.", "TEST", methods=("comparisons",)
    ),
    pairs: tuple[str, ...] = repeated(PAIR, "A,B", "--pair"),
    combine: Literal["bonferroni", "fisher"] = option(
        "fisher where data sets are independent.", default="bonferroni", show_default=True
    ),
    p_values: str | None = option("FILE has p-values of one learner being better, a line a data set.", "COLUMN"),
    source: ScoresSource,
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
            runs = read_stored(file, source.store, source.selection, source.positive)
            found = vc.replicability(runs, score or next(iter(runs.asked_scores), None), by=source.by, **question)
        else:
            table = {"better": source.better, "percent": source.percent, "decimal": source.decimal}
            matrix = read_score_table([file], source.selection, score=score, **table)
            found = vc.replicability(matrix, **question)
    write_result(output_of(found, "Replicability"), output)
