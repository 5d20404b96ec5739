"""Commands that plan or need no rows: adjust, advise, power, interval_width and finite_class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import click

import veracity as vc
from veracity.cli.declare import FIGURES, PAGES, argument, command, complete_methods, option, words_argument
from veracity.cli.options import BETTER, AdvisedSource, Inference, Output
from veracity.cli.output import output_of, page_of, write_result
from veracity.cli.suggestions import refuse_unknown_options
from veracity.cli.words import split_files_and_scores
from veracity.core.errors import BadInput
from veracity.reports import output as results


@command(context_settings={"ignore_unknown_options": True})  # a negative number is none
def adjust(
    *,
    words: tuple[str, ...] = argument("FILE|P...", nargs=-1, required=True, type=click.Path()),
    using: str = option(
        "`veracity list adjustments` names them.", "NAME", methods=("adjustments",), default="holm", show_default=True
    ),
    column: str | None = option("Where the p-values are, unless it is p, p_value or the only one.", "COLUMN"),
    output: Output,
) -> None:
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


@command()
def advise(
    *,
    words: tuple[str, ...] = words_argument("FILE|STORE|STUDY.toml... [SCORE]"),
    question: str | None = option("What is asked; without, what the file is for.", "estimate|compare|rank"),
    difference: float | None = option("The difference of interest: whether it can be found here."),
    fit_seconds: float | None = option("How long one fit takes; without, one of each learner is timed."),
    budget: float | None = option("How long all fits of a study may take.", "SECONDS"),
    better: str | None = BETTER,
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
        _, evidence = read_compared(files, scores, source, quiet=output.as_json, better=better)
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


@dataclass(frozen=True)
class PowerFacts:
    """What a planned comparison is told: its size, the effect and how scores vary."""

    power: float | None = option("The chance to conclude that is wanted.")
    difference: float | None = option("The difference to be found.")
    win: float | None = option("Probability that one learner wins a data set, for the sign test.")
    rows: int | None = option("Test rows, for tests of fixed models.")
    groups: int | None = option("Groups of test rows, for paired_loss_t.")
    datasets: int | None = option("Data sets, for tests over them.")
    splits: int | None = option("Splits of one data set, for corrected_t.")
    discordant: float | None = option("Share of rows on which one model alone is right, for mcnemar.")
    value: float | None = option("The stated share of rows, for one_proportion.")
    sd: float | None = option("Standard deviation of the differences over rows, data sets or splits.")
    each: float | None = option("Rows of a group, for paired_loss_t.")
    alike: float | None = option("Correlation of two rows' differences in a group, for paired_loss_t.")
    train: float | None = option("Rows that train in a split, or a number in proportion.")
    tested: float | None = option("Rows tested in a split, or a number in proportion.", None, "--test")
    by: str | None = option("In place of --splits, --train and --test; --rows are those it splits.", "DESIGN")
    k: int | None = option("Folds, for conservative_t_rows.")
    repeats: int | None = option("How often these are made, for conservative_t_rows.")
    learners: int | None = option("How many there are, for friedman and friedman_pairs.")
    pairs: str | None = option("How each pair is tested, for friedman_pairs: wilcoxon or mean_ranks.")
    then: str | None = option("How pairs are adjusted, for friedman_pairs: holm, bonferroni or nemenyi.")
    draws: int | None = option("Simulated collections of data sets, for wilcoxon and friedman.")


@command(writes=FIGURES + PAGES)
def power(
    *,
    test: str = argument("TEST", shell_complete=complete_methods("power")),
    facts: PowerFacts,
    inference: Inference,
    output: Output,
) -> None:
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
    how = {"test" if name == "tested" else name: value for name, value in vars(facts).items() if value is not None}
    answer = vc.power(test, **vars(inference), **how)
    write_result(output_of(answer, f"Power of {answer.test}", partial(vc.plot, answer)), output)


@command()
def interval_width(
    *,
    of: str = argument("share|mean|auc", shell_complete=complete_methods("widths")),
    rows: int | None = option("How many rows there are."),
    width: float | None = option("How wide the interval may be."),
    value: float | None = option("The true share, or area, as far as it is known."),
    interval: str | None = option("Of a share: wilson unless said, or clopper_pearson."),
    sd: float | None = option("Standard deviation of a row's loss, for mean."),
    prevalence: float | None = option("Share of positive rows, for auc."),
    inference: Inference,
    output: Output,
) -> None:
    """Plan an interval: give --width, and the rows are answered that make it so narrow; or --rows, and its width is.

    `veracity list widths` names what it can be of, and what each must be told.

    \b
    veracity interval_width share --value 0.1 --width 0.04
    veracity interval_width mean --sd 0.4 --rows 500
    veracity interval_width auc --value 0.85 --prevalence 0.2 --width 0.1
    """
    facts = {"value": value, "interval": interval, "sd": sd, "prevalence": prevalence}
    known = {name: value for name, value in facts.items() if value is not None}
    answer = vc.interval_width(of, rows=rows, width=width, level=inference.level, **known)
    write_result(output_of(answer, f"Width of the interval of {answer.about}"), output)


@command()
def finite_class(
    *,
    rows: int | None = option("How many rows the errors are of."),
    epsilon: float | None = option("How far the error on them may lie from the risk."),
    delta: float | None = option("The chance to fail."),
    size_h: float | None = option("How many hypotheses could be chosen."),
    side: Literal["two", "upper"] = option("upper: only from above.", default="two"),
    output: Output,
) -> None:
    """Solve the finite-class (PAC) bound: give three of --rows, --epsilon, --delta and --size-h.

    \b
    veracity finite_class --epsilon 0.05 --delta 0.05 --size-h 1000
    veracity finite_class --rows 2000 --delta 0.05 --size-h 1000
    """
    write_result(
        output_of(
            vc.finite_class(rows=rows, epsilon=epsilon, delta=delta, size_h=size_h, side=side), "Finite-class bound"
        ),
        output,
    )
