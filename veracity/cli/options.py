"""Options that several commands share, in typed groups: a command receives each group as one object.

Nothing here imports numpy: help and completion read the options of all commands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import Field, dataclass, field, fields
from functools import wraps
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from veracity.cli.output import FIGURES, PAGES, check_endings
from veracity.core.confidence import typed_level
from veracity.core.index import index, names
from veracity.core.references import ASSUMPTIONS, REFERENCES

F = TypeVar("F", bound=Callable[..., Any])
GROUP = {"group": True}  # marks a field that is a group of options itself
Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


# help of options that stand in several groups
PERCENT = "Read 93 %, and probabilities up to 100, as 0.93."
DECIMAL = "The sign before decimals."
KIND = "What a target of whole numbers is, unless learners say."
KEEP_FITS = "Keep the fits there, without it they are forgotten; of a study file, where its results are."
TRUST_HERE = "Also run learners from modules that lie beside the study, or in this folder."
TRUST_STORE = "Contact the database server that STUDY.toml names; it gets the password of PGPASSWORD or ~/.pgpass."


def complete_methods(*kinds: str, files: bool = False) -> Completion:
    """Return a completion with the names of methods of some kinds, and with `files` also those of files."""

    def complete(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
        sentences = {name: one.says for kind in kinds or index() for name, one in index()[kind].items()}
        items = [CompletionItem(name, help=sentences[name]) for name in names(*kinds) if name.startswith(typed)]
        return [CompletionItem(typed, type="file"), *items] if files else items

    return complete


def complete_everything(context: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Complete everything that `explain` knows."""
    more = [CompletionItem(key) for key in (*ASSUMPTIONS, *REFERENCES) if typed and key.startswith(typed)]
    return complete_methods()(context, parameter, typed) + more


def option_field(help: str, metavar: str | None = None, *names: str, methods: tuple[str, ...] = (), **how: Any) -> Any:
    """Declare an option as a field of a group: `--target-kind` of the field target_kind, unless names are given.

    The shell completes the names of `methods` of these kinds; all else is passed to click.
    """
    if methods:
        how["shell_complete"] = complete_methods(*methods)
    default = () if how.get("multiple") else False if how.get("is_flag") else None
    metadata = {"names": names, "how": {**how, "help": help, "metavar": metavar}}
    return field(default=how.get("default", default), metadata=metadata)


def options_field(help: str, metavar: str | None = None, *names: str, **how: Any) -> Any:
    """Declare an option that may be repeated as a field of a group."""
    return option_field(help, metavar, *names, multiple=True, **how)


def flag_field(help: str) -> Any:
    """Declare an option without a value as a field of a group."""
    return option_field(help, is_flag=True)


def options(**groups: Any) -> Callable[[F], Any]:
    """Give a command the options of these groups; each group is passed to it as one argument of that name."""

    def decorate(command: F) -> Any:
        @wraps(command)
        def call(*args: Any, **typed: Any) -> Any:
            filled = {name: _filled(kind, typed) for name, kind in groups.items()}
            return command(*args, **typed, **filled)

        for one in reversed([one for kind in groups.values() for one in _fields_of_options(kind)]):
            names = one.metadata["names"] or ("--" + one.name.replace("_", "-"),)
            call = click.option(*names, one.name, **one.metadata["how"])(call)
        return call

    return decorate


def _fields_of_options(kind: Any) -> Iterator[Field[Any]]:
    """Yield the fields of a group that are options, also those of its groups."""
    for one in fields(kind):
        if one.metadata == GROUP:
            yield from _fields_of_options(one.default_factory)
        elif "how" in one.metadata:
            yield one


def _filled(kind: Any, typed: dict[str, Any]) -> Any:
    """Return a group with the values of its options, which are taken out of what was typed."""
    values = {}
    for one in fields(kind):
        if one.metadata == GROUP:
            values[one.name] = _filled(one.default_factory, typed)
        elif "how" in one.metadata:
            values[one.name] = typed.pop(one.name)
    return kind(**values)


def several(*names: str, **how: Any) -> Callable[[F], F]:
    """Declare an option of one command that may be repeated."""
    return click.option(*names, multiple=True, **how)


def method(name: str, *kinds: str, metavar: str = "NAME", **how: Any) -> Callable[[F], F]:
    """Declare an option of one command that names a method of some kinds, which the shell completes."""
    return click.option(name, metavar=metavar, shell_complete=complete_methods(*kinds), **how)


def words_argument(metavar: str) -> Callable[[F], F]:
    """Declare the argument of commands that take files and names of scores in any order."""
    return click.argument("words", nargs=-1, metavar=metavar, shell_complete=complete_methods("scores", files=True))


def check_level(context: click.Context, parameter: click.Parameter, level: float | None) -> float | None:
    """Refuse a level that is surely meant as alpha."""
    return None if level is None else typed_level(level)


def _say_unused(context: click.Context, parameter: click.Parameter, value: float | None) -> None:
    """Say that an option which every command takes changes nothing here."""
    if value is None:
        return
    if parameter.name == "level":
        typed_level(value)
    why = "draws no random numbers" if parameter.name == "seed" else "has no confidence level"
    click.echo(f"--{parameter.name} changes nothing: {context.command_path} {why}", err=True)


def unused(*names: str) -> Callable[[F], F]:
    """Accept --level or --seed where they change nothing: a script can give the same options to every command."""

    def decorate(command: F) -> F:
        for name in reversed(names):
            number = int if name == "seed" else float
            command = click.option(f"--{name}", type=number, hidden=True, expose_value=False, callback=_say_unused)(
                command
            )
        return command

    return decorate


def out_option(*endings: str) -> Any:
    """Declare --out as a field of a group, for files of these endings."""

    def check(context: click.Context, parameter: click.Parameter, out: tuple[str, ...]) -> tuple[str, ...]:
        check_endings(out, *endings)
        return out

    says = (
        "Write to FILE, by its ending; repeat for several. In .csv a text that begins with = + - @, which a"
        " spreadsheet would calculate, has an apostrophe in front."
    )
    return options_field(says, "FILE", type=click.Path(dir_okay=False), callback=check)


@dataclass(frozen=True)
class Output:
    """Where a result goes."""

    as_json: bool = option_field("Only JSON on standard output.", None, "--json", is_flag=True)
    out: tuple[str, ...] = out_option(*PAGES)


@dataclass(frozen=True)
class FigureOutput(Output):
    """Where a result with a figure goes."""

    out: tuple[str, ...] = out_option(*FIGURES, *PAGES)


@dataclass(frozen=True)
class PaperOutput(FigureOutput):
    """Where a result with a figure and references goes."""

    out: tuple[str, ...] = out_option(*FIGURES, *PAGES, ".bib")


@dataclass(frozen=True)
class Columns:
    """Which columns of a file hold predictions, and how they are read."""

    truth: str | None = option_field("The column with the truth.", "COLUMN")
    label: tuple[str, ...] = options_field("Predicted classes; repeat for several models.", "COLUMN")
    proba: tuple[str, ...] = options_field(
        "Probability of the positive class, or CLASS=COLUMN for each class.", "[CLASS=]COLUMN"
    )
    value: tuple[str, ...] = options_field("Decision values, higher is more positive.", "COLUMN")
    number: tuple[str, ...] = options_field("Predicted numbers, for a numeric target.", "COLUMN")
    correct: tuple[str, ...] = options_field(
        "In place of these: 1 or true where the model was right, 0 or false.", "COLUMN"
    )
    loss: tuple[str, ...] = options_field("In place of these: a loss of each row, scored by its mean.", "COLUMN")
    grade: tuple[str, ...] = options_field(
        "In place of these: the grade of each answer, higher is better, scored by its mean; needs --item.", "COLUMN"
    )
    item: str | None = option_field(
        "The question or task that a grade is of: the unit of every interval and test.", "COLUMN"
    )
    model: str | None = option_field(
        "Says which model a row is of, in a table with a row for each item and model.", "COLUMN"
    )
    positive: str | None = option_field("The class that is looked for.", "CLASS")
    classes: tuple[str, ...] = options_field("All classes in order; repeat, or a,b,c.", "CLASS")
    threshold: float | None = option_field("Where labels are cut from probabilities or values.", type=float)
    weights: str | None = option_field("Sampling weights.", "COLUMN")
    counts: str | None = option_field("How many rows a line stands for.", "COLUMN")
    groups: str | None = option_field("Rows that belong together, such as one patient's.", "COLUMN")
    rows: str | None = option_field("Row ids; joins one file per model, or the models of --model.", "COLUMN")
    fold: str | None = option_field("The fold of a row, where each fold had a model of its own.", "COLUMN")
    repeat: str | None = option_field(
        "The cross-validation that a row's fold is of, which needs --rows; of grades, which answer to the item.",
        "COLUMN",
    )
    labelled: str = option_field(
        "positives: only they are labelled, the rest is unknown; some: rows without a label are set aside.",
        type=click.Choice(["all", "positives", "some"]),
        default="all",
    )
    parts: bool = flag_field(
        "Several files are parts of one table, one behind the other; without, each is a model of its own."
    )
    missing: str = option_field(
        "drop: leave out rows with missing cells, and rows that not all models have, and count them.",
        type=click.Choice(["refuse", "drop"]),
        default="refuse",
    )
    percent: bool = flag_field(PERCENT)
    decimal: str = option_field(DECIMAL, type=click.Choice([".", ","]), default=".")
    prior: tuple[str, ...] = options_field("Class shares of the training rows.", "CLASS=SHARE")
    train_mean: float | None = option_field("Mean of the numeric target in the training rows.", type=float)


@dataclass(frozen=True)
class Counted:
    """Counts in place of a file of predictions."""

    errors: tuple[str, ...] = options_field(
        "So many errors, in place of a file; repeat with --of for several.", "NUMBER|RATE"
    )
    of: tuple[int, ...] = options_field("How many rows those errors are of.", "ROWS", type=int)
    matrix: tuple[str, ...] = options_field(
        "A confusion matrix with class names, lines of truth.", "FILE", type=click.Path()
    )

    @property
    def is_typed(self) -> bool:
        return any(value not in ((), None) for value in vars(self).values())


def _cell(meaning: str) -> Any:
    return option_field(f"{meaning}; with the other three of tp, fn, fp, tn.", "ROWS", type=int)


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

    n01: int | None = option_field("Rows that only the second model got right; with --n10, --of.", "ROWS", type=int)
    n10: int | None = option_field("Rows that only the first model got right.", "ROWS", type=int)
    both: int | None = option_field("Rows that both got right, where that is known.", "ROWS", type=int)
    neither: int | None = option_field("Rows that neither got right.", "ROWS", type=int)


@dataclass(frozen=True)
class Inference:
    """How sure intervals and tests are, and where random draws begin."""

    level: float = option_field(
        "How sure intervals are.", type=float, default=0.95, show_default=True, callback=check_level
    )
    seed: int = option_field("Seed of all random draws.", type=int, default=0, show_default=True)


@dataclass(frozen=True)
class IntervalOptions:
    """Which interval, or bound."""

    interval: str | None = option_field("Instead of the default one.", "NAME", methods=("intervals",))
    side: str = option_field("Bound one side only.", type=click.Choice(["two", "lower", "upper"]), default="two")


@dataclass(frozen=True)
class Groups:
    """The class that is looked for, and rows that belong together."""

    positive: str | None = option_field("The class that is looked for.", "CLASS")
    groups: str | None = option_field("Rows that belong together, such as one patient's.", "COLUMN")


@dataclass(frozen=True)
class Roles(Groups):
    """What columns of a table to learn from are, besides the target."""

    weights: str | None = option_field("Sampling weights.", "COLUMN")


@dataclass(frozen=True)
class Target:
    """What is predicted from which columns, and by what."""

    target: str | None = option_field("The column to be predicted.", "COLUMN")
    leave_out: tuple[str, ...] = options_field("A column that is no feature; repeat for several.", "COLUMN")
    learner: tuple[str, ...] = options_field(
        'Such as "sklearn.neighbors:KNeighborsClassifier(n_neighbors=5)"; repeat for several.', "[NAME=]MODULE:CLASS"
    )
    trust_here: bool = flag_field(TRUST_HERE)


@dataclass(frozen=True)
class Learners(Target):
    """Learners to be tried on a table, by which designs."""

    kind: str | None = option_field(KIND, type=click.Choice(["classes", "numbers"]))
    by: tuple[str, ...] = options_field(
        'Such as "kfold(k=10)", the default, or "boot632plus(draws=200)"; of a store, one that was run.',
        "DESIGN|ESTIMATOR",
        methods=("designs", "estimators"),
    )
    time: str | None = option_field("When a row was seen.", "COLUMN")


@dataclass(frozen=True)
class Design:
    """How the rows of one learner's table are split."""

    by: str = option_field("How rows split.", "DESIGN", methods=("designs",), default="kfold(k=10)", show_default=True)
    time: str | None = option_field("When a row was seen.", "COLUMN")


@dataclass(frozen=True)
class ResultsStore:
    """Where the results of a study are."""

    store: str | None = option_field("Where the results of STUDY.toml are, if not where it says.", "FILE|URL")
    trust_store: bool = flag_field(TRUST_STORE)


@dataclass(frozen=True)
class FitStore(ResultsStore):
    """Where fits are kept, or the results of a study are."""

    store: str | None = option_field(KEEP_FITS, "FILE|URL")


@dataclass(frozen=True)
class Selection:
    """Which results of a store or table of scores."""

    only: tuple[str, ...] = options_field(
        "Only this learner of a store or table of scores; repeat for several.", "LEARNER"
    )
    data: tuple[str, ...] = options_field(
        "Only this data set of a store or table of scores; repeat for several.", "NAME"
    )


@dataclass(frozen=True)
class Workers:
    """How many processes fit."""

    workers: int = option_field("How many processes fit.", type=int, default=1, show_default=True)


@dataclass(frozen=True)
class Work(Workers):
    """How and where fits are made."""

    engine: str = option_field(
        "Where fits run.", type=click.Choice(["local", "dask"]), default="local", show_default=True
    )
    address: str | None = option_field("Of a running dask cluster.", "tcp://HOST:PORT")
    timeout: float | None = option_field("A fit that takes longer has failed.", "SECONDS", type=float)


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

    columns: Columns = field(default_factory=Columns, metadata=GROUP)
    store: ResultsStore = field(default_factory=ResultsStore, metadata=GROUP)
    selection: Selection = field(default_factory=Selection, metadata=GROUP)


@dataclass(frozen=True)
class ScoreSource(PredictionsSource):
    """Predictions in files, counts, or the results of a study."""

    counted: CountedCells = field(default_factory=CountedCells, metadata=GROUP)


@dataclass(frozen=True)
class RunsSource(SourceOptions):
    """Learners to be tried on a table, or the results of a study."""

    learners: Learners = field(default_factory=Learners, metadata=GROUP)
    roles: Roles = field(default_factory=Roles, metadata=GROUP)
    store: ResultsStore = field(default_factory=FitStore, metadata=GROUP)
    selection: Selection = field(default_factory=Selection, metadata=GROUP)
    work: Work = field(default_factory=Work, metadata=GROUP)


@dataclass(frozen=True)
class AdvisedSource(PredictionsSource):
    """Predictions in files, counts, learners to be tried on a table, the results of a study, or a table of scores."""

    counted: CountedPairs = field(default_factory=CountedPairs, metadata=GROUP)
    learners: Learners = field(default_factory=Learners, metadata=GROUP)
    store: ResultsStore = field(default_factory=FitStore, metadata=GROUP)


@dataclass(frozen=True)
class ComparedSource(AdvisedSource):
    """The same, where learners are fitted."""

    work: Work = field(default_factory=Work, metadata=GROUP)


BETTER = click.option("--better", type=click.Choice(["higher", "lower"]), help="Unless it is known from the score.")
ONE_DESIGN = click.option("--by", metavar="DESIGN", help="Which design of a store, where it has several.")
SOME_DESIGNS = several(
    "--by", metavar="DESIGN", help="Only this design of a store that has several; repeat for several."
)
PER_CLASS = click.option(
    "--per-class", is_flag=True, help="A line for each class: precision, recall, F1 and support, or the scores named."
)
