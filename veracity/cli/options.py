"""Options that several commands share, in typed groups: a command receives each group as one object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import click

from veracity.cli.declare import Command, check_level, flag, group, option, repeated
from veracity.core.errors import BadInput

# help of options that stand in several groups
PERCENT = "Read 93 %, and probabilities up to 100, as 0.93."
DECIMAL = "The sign before decimals."
KIND = "What a target of whole numbers is, unless learners say."
KEEP_FITS = "Keep the fits there, without it they are forgotten; of a study file, where its results are."
TRUST_HERE = "Also run learners from modules that lie beside the study, or in this folder."
TRUST_STORE = "Contact the database server that STUDY.toml names; it gets the password of PGPASSWORD or ~/.pgpass."


def check_endings(out: Sequence[str], *allowed: str) -> None:
    """Refuse files of which the format or the folder is not known, before any work is done."""
    for place, file in enumerate(out):
        suffix = Path(file).suffix.lower()
        if suffix not in allowed:
            problem = f"ends in {suffix!r}" if suffix else "has no ending"
            raise BadInput(f"--out {file} {problem}: the format follows from the ending, one of {' '.join(allowed)}")
        if not Path(file).resolve().parent.is_dir():
            raise BadInput(f"--out {file}: there is no folder {Path(file).parent}")
        if file in out[:place]:
            raise BadInput(f"--out {file} is named twice: each file is written once")


def _check_out(context: click.Context, parameter: click.Parameter, out: tuple[str, ...]) -> tuple[str, ...]:
    if isinstance(context.command, Command) and context.command.writes:
        check_endings(out, *context.command.writes)
    return out


@dataclass(frozen=True)
class Output:
    """Where a result goes; a command names the endings of files that it writes where they are not those of pages."""

    as_json: bool = flag("Only JSON on standard output.", "--json")
    out: tuple[str, ...] = repeated(
        "Write to FILE, by its ending; repeat for several. In .csv a text that begins with = + - @, which a"
        " spreadsheet would calculate, has an apostrophe in front.",
        "FILE",
        type=click.Path(dir_okay=False),
        callback=_check_out,
    )


@dataclass(frozen=True)
class Columns:
    """Which columns of a file hold predictions, and how they are read."""

    truth: str | None = option("The column with the truth.", "COLUMN")
    label: tuple[str, ...] = repeated("Predicted classes; repeat for several models.", "COLUMN")
    proba: tuple[str, ...] = repeated(
        "Probability of the positive class, or CLASS=COLUMN for each class.", "[CLASS=]COLUMN"
    )
    value: tuple[str, ...] = repeated("Decision values, higher is more positive.", "COLUMN")
    number: tuple[str, ...] = repeated("Predicted numbers, for a numeric target.", "COLUMN")
    correct: tuple[str, ...] = repeated("In place of these: 1 or true where the model was right, 0 or false.", "COLUMN")
    loss: tuple[str, ...] = repeated("In place of these: a loss of each row, scored by its mean.", "COLUMN")
    grade: tuple[str, ...] = repeated(
        "In place of these: the grade of each answer, higher is better, scored by its mean; needs --item.", "COLUMN"
    )
    item: str | None = option("The question or task that a grade is of: the unit of every interval and test.", "COLUMN")
    model: str | None = option("Says which model a row is of, in a table with a row for each item and model.", "COLUMN")
    positive: str | None = option("The class that is looked for.", "CLASS")
    classes: tuple[str, ...] = repeated("All classes in order; repeat, or a,b,c.", "CLASS")
    threshold: float | None = option("Where labels are cut from probabilities or values.")
    weights: str | None = option("Sampling weights.", "COLUMN")
    counts: str | None = option("How many rows a line stands for.", "COLUMN")
    groups: str | None = option("Rows that belong together, such as one patient's.", "COLUMN")
    rows: str | None = option("Row ids; joins one file per model, or the models of --model.", "COLUMN")
    fold: str | None = option("The fold of a row, where each fold had a model of its own.", "COLUMN")
    repeat: str | None = option(
        "The cross-validation that a row's fold is of, which needs --rows; of grades, which answer to the item.",
        "COLUMN",
    )
    labelled: Literal["all", "positives", "some"] = option(
        "positives: only they are labelled, the rest is unknown; some: rows without a label are set aside.",
        default="all",
    )
    parts: bool = flag(
        "Several files are parts of one table, one behind the other; without, each is a model of its own."
    )
    missing: Literal["refuse", "drop"] = option(
        "drop: leave out rows with missing cells, and rows that not all models have, and count them.", default="refuse"
    )
    percent: bool = flag(PERCENT)
    decimal: Literal[".", ","] = option(DECIMAL, default=".")
    prior: tuple[str, ...] = repeated("Class shares of the training rows.", "CLASS=SHARE")
    train_mean: float | None = option("Mean of the numeric target in the training rows.")


@dataclass(frozen=True)
class Counted:
    """Counts in place of a file of predictions."""

    errors: tuple[str, ...] = repeated(
        "So many errors, in place of a file; repeat with --of for several.", "NUMBER|RATE"
    )
    of: tuple[int, ...] = repeated("How many rows those errors are of.", "ROWS")
    matrix: tuple[str, ...] = repeated(
        "A confusion matrix with class names, lines of truth.", "FILE", type=click.Path()
    )

    @property
    def is_typed(self) -> bool:
        return any(value not in ((), None) for value in vars(self).values())


def _cell(meaning: str) -> Any:
    return option(f"{meaning}; with the other three of tp, fn, fp, tn.", "ROWS", type=int)


@dataclass(frozen=True)
class CountedCells(Counted):
    """Counts in place of a file of predictions, also those of the four cells of two classes."""

    tp: int | None = _cell("Positive rows called positive, in place of a file")
    fn: int | None = _cell("Positive rows called negative")
    fp: int | None = _cell("Negative rows called positive")
    tn: int | None = _cell("Negative rows called negative")


@dataclass(frozen=True)
class CountedPairs(Counted):
    """Counts in place of a file of predictions, also those of two models on the same rows."""

    n01: int | None = option("Rows that only the second model got right; with --n10, --of.", "ROWS")
    n10: int | None = option("Rows that only the first model got right.", "ROWS")
    both: int | None = option("Rows that both got right, where that is known.", "ROWS")
    neither: int | None = option("Rows that neither got right.", "ROWS")


@dataclass(frozen=True)
class Inference:
    """How sure intervals and tests are, and where random draws begin."""

    level: float = option("How sure intervals are.", default=0.95, show_default=True, callback=check_level)
    seed: int = option("Seed of all random draws.", default=0, show_default=True)


@dataclass(frozen=True)
class IntervalOptions:
    """Which interval, or bound."""

    interval: str | None = option("Instead of the default one.", "NAME", methods=("intervals",))
    side: Literal["two", "lower", "upper"] = option("Bound one side only.", default="two")


@dataclass(frozen=True)
class Groups:
    """The class that is looked for, and rows that belong together."""

    positive: str | None = option("The class that is looked for.", "CLASS")
    groups: str | None = option("Rows that belong together, such as one patient's.", "COLUMN")


@dataclass(frozen=True)
class Roles(Groups):
    """What columns of a table to learn from are, besides the target."""

    weights: str | None = option("Sampling weights.", "COLUMN")


@dataclass(frozen=True)
class Target:
    """What is predicted from which columns, and by what."""

    target: str | None = option("The column to be predicted.", "COLUMN")
    leave_out: tuple[str, ...] = repeated("A column that is no feature; repeat for several.", "COLUMN")
    learner: tuple[str, ...] = repeated(
        'Such as "sklearn.neighbors:KNeighborsClassifier(n_neighbors=5)"; repeat for several.', "[NAME=]MODULE:CLASS"
    )
    trust_here: bool = flag(TRUST_HERE)


@dataclass(frozen=True)
class Learners(Target):
    """Learners to be tried on a table, by which designs."""

    kind: Literal["classes", "numbers"] | None = option(KIND)
    by: tuple[str, ...] = repeated(
        'Such as "kfold(k=10)", the default, or "boot632plus(draws=200)"; of a store, one that was run.',
        "DESIGN|ESTIMATOR",
        methods=("designs", "estimators"),
    )
    time: str | None = option("When a row was seen.", "COLUMN")


@dataclass(frozen=True)
class Design:
    """How the rows of one learner's table are split."""

    by: str = option("How rows split.", "DESIGN", methods=("designs",), default="kfold(k=10)", show_default=True)
    time: str | None = option("When a row was seen.", "COLUMN")


@dataclass(frozen=True)
class ResultsStore:
    """Where the results of a study are."""

    store: str | None = option("Where the results of STUDY.toml are, if not where it says.", "FILE|URL")
    trust_store: bool = flag(TRUST_STORE)


@dataclass(frozen=True)
class FitStore(ResultsStore):
    """Where fits are kept, or the results of a study are."""

    store: str | None = option(KEEP_FITS, "FILE|URL")


@dataclass(frozen=True)
class Selection:
    """Which results of a store or table of scores."""

    only: tuple[str, ...] = repeated("Only this learner of a store or table of scores; repeat for several.", "LEARNER")
    data: tuple[str, ...] = repeated("Only this data set of a store or table of scores; repeat for several.", "NAME")


@dataclass(frozen=True)
class Workers:
    """How many processes fit."""

    workers: int = option("How many processes fit.", default=1, show_default=True)


@dataclass(frozen=True)
class Work(Workers):
    """How and where fits are made."""

    engine: Literal["local", "dask"] = option("Where fits run.", default="local", show_default=True)
    address: str | None = option("Of a running dask cluster.", "tcp://HOST:PORT")
    timeout: float | None = option("A fit that takes longer has failed.", "SECONDS")


@dataclass(frozen=True)
class SourceOptions:
    """What a command was told of its input; a command whose group has no learners tries none."""

    columns: Columns = field(default_factory=Columns)
    counted: Counted = field(default_factory=Counted)
    learners: Learners | None = None
    roles: Roles | None = None  # of a table to learn from, where they are not those of `columns`
    store: ResultsStore = field(default_factory=ResultsStore)
    selection: Selection = field(default_factory=Selection)
    work: Work = field(default_factory=Work)


@dataclass(frozen=True)
class PredictionsSource(SourceOptions):
    """Predictions in files, or the results of a study."""

    columns: Columns = group(Columns)
    store: ResultsStore = group(ResultsStore)
    selection: Selection = group(Selection)


@dataclass(frozen=True)
class ScoreSource(PredictionsSource):
    """Predictions in files, counts, or the results of a study."""

    counted: CountedCells = group(CountedCells)


@dataclass(frozen=True)
class RunsSource(SourceOptions):
    """Learners to be tried on a table, or the results of a study."""

    learners: Learners = group(Learners)
    roles: Roles = group(Roles)
    store: ResultsStore = group(FitStore)
    selection: Selection = group(Selection)
    work: Work = group(Work)


@dataclass(frozen=True)
class AdvisedSource(PredictionsSource):
    """Predictions in files, counts, learners to be tried on a table, the results of a study, or a table of scores."""

    counted: CountedPairs = group(CountedPairs)
    learners: Learners = group(Learners)
    store: ResultsStore = group(FitStore)


@dataclass(frozen=True)
class ComparedSource(AdvisedSource):
    """The same, where learners are fitted."""

    work: Work = group(Work)


BETTER = option("Unless it is known from the score.", type=click.Choice(["higher", "lower"]))
ONE_DESIGN = option("Which design of a store, where it has several.", "DESIGN")
SOME_DESIGNS = repeated("Only this design of a store that has several; repeat for several.", "DESIGN")
PER_CLASS = flag("A line for each class: precision, recall, F1 and support, or the scores named.")
