"""Commands that plan or need no rows: adjust, advise, power, interval_width and finite_class."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

import veracity as vc
from veracity.cli.options import (
    BETTER,
    AdvisedSource,
    FigureOutput,
    Inference,
    Output,
    complete_methods,
    method,
    options,
    unused,
    words_argument,
)
from veracity.cli.output import output_of, page_of, write_result
from veracity.cli.suggestions import refuse_unknown_options
from veracity.cli.words import split_files_and_scores
from veracity.core.errors import BadInput
from veracity.reports import output as results


@click.command(context_settings={"ignore_unknown_options": True})  # a negative number is none
@click.argument("words", nargs=-1, required=True, metavar="FILE|P...", type=click.Path())
@method("--using", "adjustments", default="holm", show_default=True, help="`veracity list adjustments` names them.")
@click.option("--column", metavar="COLUMN", help="Where the p-values are, unless it is p, p_value or the only one.")
@unused("level", "seed")
@options(output=Output)
def adjust(words: tuple[str, ...], using: str, column: str | None, output: Output) -> None:
    """Adjust p-values for the number of tests.

    P is a p-value, typed behind the others; or FILE has a column of p-values, or a symmetric matrix of them with a
    column for each learner and an empty diagonal; - is standard input. Empty cells are missing and leave the family.

    \b
    veracity adjust 0.01 0.02 0.04
    veracity adjust p.csv --using hommel
    veracity adjust pairs.csv --using bergmann_hommel
    """
    refuse_unknown_options(words)
    from veracity.adjustments import adjustments
    from veracity.cli.p_values import read_p_values_of_file, typed_p_values

    choice = adjustments.choose(using)
    learners: list[str] = []
    p = typed_p_values(words)
    if p is not None:
        if column is not None:
            raise BadInput("--column names one of a file, and these are p-values: leave it out")
        adjusted = vc.adjust(p, choice)
    elif len(words) > 1:
        raise BadInput(f"adjust reads one file, or p-values such as 0.01 0.02, not {', '.join(map(repr, words))}")
    else:
        p, learners, name = read_p_values_of_file(words[0], column)
        try:
            adjusted = vc.adjust(p, choice)
        except BadInput as why:
            raise BadInput(f"{name}: {why.says}") from None
    to_json: dict[str, Any] = {"using": choice.spelling, "p_values": p.tolist(), "adjusted": adjusted.tolist()}
    if adjusted.notes:
        to_json["notes"] = [note.to_json() for note in adjusted.notes]
    if p.ndim == 2:
        adjusted.learners = learners
    title = f"veracity: {choice.spelling}"
    page = partial(page_of, adjusted, title)
    write_result(results.Output(title, (adjusted.table(),), lambda: to_json, page=page), output)


@click.command()
@words_argument("FILE|STORE|STUDY.toml... [SCORE]")
@click.option("--question", metavar="estimate|compare|rank", help="What is asked; without, what the file is for.")
@click.option("--difference", type=float, help="The difference of interest: whether it can be found here.")
@click.option("--fit-seconds", type=float, help="How long one fit takes; without, one of each learner is timed.")
@click.option("--budget", type=float, metavar="SECONDS", help="How long all fits of a study may take.")
@BETTER
@options(source=AdvisedSource, inference=Inference, output=Output)
def advise(
    words: tuple[str, ...],
    question: str | None,
    difference: float | None,
    fit_seconds: float | None,
    budget: float | None,
    better: str | None,
    source: AdvisedSource,
    inference: Inference,
    output: Output,
) -> None:
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
    files, scores = split_files_and_scores(words, needed=not source.counted.is_typed)
    if len(scores) > 1:
        raise BadInput(f"advise is about one score, not {len(scores)}: {', '.join(scores)}; call it once for each")
    from veracity.cli.source import is_study, learners_and_data, read_compared, roles_of_data

    learners = source.learners
    named, is_file_of_study = bool(learners.learner or learners.target), bool(files) and is_study(files[0])
    by: str | None = None
    evidence: Any
    if is_file_of_study and not named:
        evidence = vc.plan(files[0])
    elif is_file_of_study or (named and source.columns.truth is None):
        by_name, data = learners_and_data(files[0], learners, learners.by, **roles_of_data(source))
        evidence = vc.Study({data.name: data}, by_name)
    else:
        evidence = read_compared(files, scores, source, quiet=output.as_json, better=better).value
        by = learners.by[0] if len(learners.by) == 1 else None
    advice = vc.advise(
        evidence,
        question,
        next(iter(scores), None),
        difference=difference,
        by=by,
        fit_seconds=fit_seconds,
        budget=budget,
        **vars(inference),
    )
    write_result(results.Output("Advice", (advice.table(),), advice.to_json, advice.answer), output)


@click.command()
@click.argument("test", metavar="TEST", shell_complete=complete_methods("power"))
@click.option("--power", type=float, help="The chance to conclude that is wanted.")
@click.option("--difference", type=float, help="The difference to be found.")
@click.option("--win", type=float, help="Probability that one learner wins a data set, for the sign test.")
@click.option("--rows", type=int, help="Test rows, for tests of fixed models.")
@click.option("--groups", type=int, help="Groups of test rows, for paired_loss_t.")
@click.option("--datasets", type=int, help="Data sets, for tests over them.")
@click.option("--splits", type=int, help="Splits of one data set, for corrected_t.")
@click.option("--discordant", type=float, help="Share of rows on which one model alone is right, for mcnemar.")
@click.option("--value", type=float, help="The stated share of rows, for one_proportion.")
@click.option("--sd", type=float, help="Standard deviation of the differences over rows, data sets or splits.")
@click.option("--each", type=float, help="Rows of a group, for paired_loss_t.")
@click.option("--alike", type=float, help="Correlation of two rows' differences in a group, for paired_loss_t.")
@click.option("--train", type=float, help="Rows that train in a split, or a number in proportion.")
@click.option("--test", "tested", type=float, help="Rows tested in a split, or a number in proportion.")
@click.option("--by", metavar="DESIGN", help="In place of --splits, --train and --test; --rows are those it splits.")
@click.option("--k", type=int, help="Folds, for conservative_t_rows.")
@click.option("--repeats", type=int, help="How often these are made, for conservative_t_rows.")
@click.option("--learners", type=int, help="How many there are, for friedman and friedman_pairs.")
@click.option("--pairs", help="How each pair is tested, for friedman_pairs: wilcoxon or mean_ranks.")
@click.option("--then", help="How pairs are adjusted, for friedman_pairs: holm, bonferroni or nemenyi.")
@click.option("--draws", type=int, help="Simulated collections of data sets, for wilcoxon and friedman.")
@options(inference=Inference, output=FigureOutput)
def power(test: str, inference: Inference, output: FigureOutput, **given: Any) -> None:
    """Plan a comparison: give two of size, effect and --power, and the third is answered.

    The size is --rows, --groups, --datasets or --splits and the effect --difference or --win, as TEST has it; `veracity
    list power` names the tests and what each must be told besides. A figure (--out x.png, .svg, .pdf) shows power
    against the size.

    \b
    veracity power mcnemar --difference 0.03 --discordant 0.10 --power 0.8
    veracity power paired_t --datasets 15 --difference 0.02 --sd 0.03
    veracity power corrected_t --splits 100 --train 9 --test 1 --sd 0.03 --power 0.8
    veracity power corrected_t --by "repeated_kfold(k=10, repeats=10)" --sd 0.03 --power 0.8
    veracity power friedman_pairs --learners 5 --difference 0.02 --sd 0.03 --power 0.8
    veracity power mcnemar --difference 0.03 --discordant 0.10 --power 0.8 --out curve.svg
    """
    facts = {"test" if name == "tested" else name: value for name, value in given.items() if value is not None}
    answer = vc.power(test, **vars(inference), **facts)
    write_result(output_of(answer, f"Power of {answer.test}", partial(vc.plot, answer)), output)


@click.command()
@click.argument("of", metavar="share|mean|auc", shell_complete=complete_methods("widths"))
@click.option("--rows", type=int, help="How many rows there are.")
@click.option("--width", type=float, help="How wide the interval may be.")
@click.option("--value", type=float, help="The true share, or area, as far as it is known.")
@click.option("--interval", help="Of a share: wilson unless said, or clopper_pearson.")
@click.option("--sd", type=float, help="Standard deviation of a row's loss, for mean.")
@click.option("--prevalence", type=float, help="Share of positive rows, for auc.")
@options(inference=Inference, output=Output)
def interval_width(of: str, inference: Inference, output: Output, **given: Any) -> None:
    """Plan an interval: give --width, and the rows are answered that make it so narrow; or --rows, and its width is.

    `veracity list widths` names what it can be of, and what each must be told.

    \b
    veracity interval_width share --value 0.1 --width 0.04
    veracity interval_width mean --sd 0.4 --rows 500
    veracity interval_width auc --value 0.85 --prevalence 0.2 --width 0.1
    """
    facts = {name: value for name, value in given.items() if value is not None}
    answer = vc.interval_width(of, level=inference.level, **facts)
    write_result(output_of(answer, f"Width of the interval of {answer.about}"), output)


@click.command()
@click.option("--rows", type=int, help="How many rows the errors are of.")
@click.option("--epsilon", type=float, help="How far the error on them may lie from the risk.")
@click.option("--delta", type=float, help="The chance to fail.")
@click.option("--size-h", type=float, help="How many hypotheses could be chosen.")
@click.option("--side", type=click.Choice(["two", "upper"]), default="two", help="upper: only from above.")
@unused("level", "seed")
@options(output=Output)
def finite_class(output: Output, **given: Any) -> None:
    """Solve the finite-class (PAC) bound: give three of --rows, --epsilon, --delta and --size-h.

    \b
    veracity finite_class --epsilon 0.05 --delta 0.05 --size-h 1000
    veracity finite_class --rows 2000 --delta 0.05 --size-h 1000
    """
    write_result(output_of(vc.finite_class(**given), "Finite-class bound"), output)
