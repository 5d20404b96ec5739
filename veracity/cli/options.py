"""The options that several verbs share, written once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import click

from veracity.cli import complete
from veracity.core.confidence import typed_level

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]
several = partial(click.option, multiple=True)  # an option that may be repeated


def method(name: str, *kinds: str, metavar: str = "NAME", **how: Any) -> Decorator[Any]:
    """An option that names a method of some kinds, which the shell completes."""
    return click.option(name, metavar=metavar, shell_complete=complete.methods(*kinds), **how)


def words_argument(metavar: str) -> Decorator[Any]:
    """The argument of the verbs that take files and names of scores in any order."""
    return click.argument("words", nargs=-1, metavar=metavar, shell_complete=complete.methods("scores", files=True))


WRITTEN = (
    click.option("--percent", is_flag=True, help="Read 93 %, and probabilities up to 100, as 0.93."),
    click.option("--decimal", type=click.Choice([".", ","]), default=".", help="The sign before decimals."),
)
COLUMNS = (
    click.option("--truth", metavar="COLUMN", help="The column with the truth."),
    several("--label", metavar="COLUMN", help="Predicted classes; repeat for several models."),
    several(
        "--proba", metavar="[CLASS=]COLUMN", help="Probability of the positive class, or CLASS=COLUMN for each class."
    ),
    several("--value", metavar="COLUMN", help="Decision values, higher is more positive."),
    several("--number", metavar="COLUMN", help="Predicted numbers, for a numeric target."),
    several("--correct", metavar="COLUMN", help="In place of these: 1 or true where the model was right, 0 or false."),
    several("--loss", metavar="COLUMN", help="In place of these: a loss of each row, scored by its mean."),
    several(
        "--grade",
        metavar="COLUMN",
        help="In place of these: the grade of each answer, higher is better, scored by its mean; needs --item.",
    ),
    click.option(
        "--item", metavar="COLUMN", help="The question or task that a grade is of: the unit of every interval and test."
    ),
    click.option(
        "--model", metavar="COLUMN", help="Says which model a row is of, in a table with a row for each item and model."
    ),
    click.option("--positive", metavar="CLASS", help="The class that is looked for."),
    several("--classes", metavar="CLASS", help="All classes in order; repeat, or a,b,c."),
    click.option("--threshold", type=float, help="Where labels are cut from probabilities or values."),
    click.option("--weights", metavar="COLUMN", help="Sampling weights."),
    click.option("--counts", metavar="COLUMN", help="How many rows a line stands for."),
    click.option("--groups", metavar="COLUMN", help="Rows that belong together, such as one patient's."),
    click.option("--rows", metavar="COLUMN", help="Row ids; joins one file per model, or the models of --model."),
    click.option("--fold", metavar="COLUMN", help="The fold of a row, where each fold had a model of its own."),
    click.option(
        "--repeat",
        metavar="COLUMN",
        help="The cross-validation that a row's fold is of, which needs --rows; of grades, which answer to the item.",
    ),
    click.option(
        "--labelled",
        type=click.Choice(["all", "positives", "some"]),
        default="all",
        help="positives: only they are labelled, the rest is unknown; some: rows without a label are set aside.",
    ),
    click.option(
        "--parts",
        is_flag=True,
        help="Several files are parts of one table, one behind the other; without, each is a model of its own.",
    ),
    click.option(
        "--missing",
        type=click.Choice(["refuse", "drop"]),
        default="refuse",
        help="drop: leave out rows with missing cells, and rows that not all models have, and count them.",
    ),
    *WRITTEN,
    several("--prior", metavar="CLASS=SHARE", help="Class shares of the training rows."),
    click.option("--train-mean", type=float, help="Mean of the numeric target in the training rows."),
)
COUNTED = (
    several(
        "--errors", metavar="NUMBER|RATE", help="So many errors, in place of a file; repeat with --of for several."
    ),
    several("--of", type=int, metavar="ROWS", help="How many rows those errors are of."),
    several("--matrix", type=click.Path(), metavar="FILE", help="A confusion matrix with class names, lines of truth."),
)
CELLS = tuple(
    click.option(f"--{cell}", type=int, metavar="ROWS", help=f"{what}; with the other three of tp, fn, fp, tn.")
    for cell, what in (
        ("tp", "Positive rows called positive, in place of a file"),
        ("fn", "Positive rows called negative"),
        ("fp", "Negative rows called positive"),
        ("tn", "Negative rows called negative"),
    )
)
PAIRED = (
    click.option(
        "--n01", type=int, metavar="ROWS", help="Rows that only the second model got right; with --n10, --of."
    ),
    click.option("--n10", type=int, metavar="ROWS", help="Rows that only the first model got right."),
    click.option("--both", type=int, metavar="ROWS", help="Rows that both got right, where that is known."),
    click.option("--neither", type=int, metavar="ROWS", help="Rows that neither got right."),
)
PAIRS = (
    several(
        "--pair",
        "pairs",
        metavar="A,B",
        help="Only this pair; repeat for several. A name with a comma stands in double quotes: '\"k=1, p=1\",nb'.",
    ),
)


def _checked_level(context: click.Context, option: click.Parameter, level: float | None) -> float | None:
    """The level that was typed, if any, and is no alpha."""
    return None if level is None else typed_level(level)


def level_option(default: float | None = 0.95, help: str = "How sure intervals are.") -> Decorator[Any]:
    """The option --level of a verb."""
    shown = default is not None
    return click.option("--level", type=float, default=default, show_default=shown, callback=_checked_level, help=help)


def _unused(context: click.Context, option: click.Parameter, given: float | None) -> None:
    """Say of an option that every verb takes that it changes nothing here."""
    if given is None:
        return
    if option.name == "level":
        typed_level(given)
    why = "draws no random numbers" if option.name == "seed" else "has no confidence level"
    click.echo(f"--{option.name} changes nothing: {context.command_path} {why}", err=True)


CONFIDENCE = (
    level_option(),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of all random draws."),
)
EFFECT = (
    method("--effect", "effects", multiple=True, help="Also this effect size, such as cohens_d; repeat for several."),
)
INTERVAL = (
    method("--interval", "intervals", help="Instead of the default one."),
    click.option("--side", type=click.Choice(["two", "lower", "upper"]), default="two", help="Bound one side only."),
)
TRUST = (
    click.option(
        "--trust-here",
        is_flag=True,
        help="Also run learners from modules that lie beside the study, or in this folder.",
    ),
)
ROLES = (
    click.option("--positive", metavar="CLASS", help="The class that is looked for."),
    click.option("--groups", metavar="COLUMN", help="Rows that belong together, such as one patient's."),
    click.option("--weights", metavar="COLUMN", help="Sampling weights."),
)
TARGET = (
    click.option("--target", metavar="COLUMN", help="The column to be predicted."),
    several("--leave-out", metavar="COLUMN", help="A column that is no feature; repeat for several."),
)
KIND = (
    click.option(
        "--kind",
        type=click.Choice(["classes", "numbers"]),
        help="What a target of whole numbers is, unless learners say.",
    ),
)
LEARNER = (
    several(
        "--learner",
        "learners",
        metavar="[NAME=]MODULE:CLASS",
        help='Such as "sklearn.neighbors:KNeighborsClassifier(n_neighbors=5)"; repeat for several.',
    ),
    *TRUST,
)
TIME = (click.option("--time", metavar="COLUMN", help="When a row was seen."),)
TRUST_STORE = (
    click.option(
        "--trust-store",
        is_flag=True,
        help="Contact the database server that STUDY.toml names; it gets the password of PGPASSWORD or ~/.pgpass.",
    ),
)
KEPT = (
    click.option(
        "--store",
        metavar="FILE|URL",
        help="Keep the fits there, without it they are forgotten; of a study file, where its results are.",
    ),
)
LEARNERS = (
    *TARGET,
    *KIND,
    *LEARNER,
    method(
        "--by",
        "designs",
        "estimators",
        multiple=True,
        metavar="DESIGN|ESTIMATOR",
        help='Such as "kfold(k=10)", the default, or "boot632plus(draws=200)"; of a store, one that was run.',
    ),
    *TIME,
    *KEPT,
    *TRUST_STORE,
)
SPLITS = (
    method("--by", "designs", metavar="DESIGN", default="kfold(k=10)", show_default=True, help="How rows split."),
)
STORED = (
    click.option("--store", metavar="FILE|URL", help="Where the results of STUDY.toml are, if not where it says."),
    *TRUST_STORE,
)
CHOSEN = (
    several("--only", metavar="LEARNER", help="Only this learner of a store or table of scores; repeat for several."),
    several("--data", metavar="NAME", help="Only this data set of a store or table of scores; repeat for several."),
)
BETTER = (click.option("--better", type=click.Choice(["higher", "lower"]), help="Unless it is known from the score."),)
WORK = (
    click.option("--workers", type=int, default=1, show_default=True, help="How many processes fit."),
    click.option(
        "--engine", type=click.Choice(["local", "dask"]), default="local", show_default=True, help="Where fits run."
    ),
    click.option("--address", metavar="tcp://HOST:PORT", help="Of a running dask cluster."),
    click.option("--timeout", type=float, metavar="SECONDS", help="A fit that takes longer has failed."),
)
EVERYWHERE = (  # which change nothing here and say so: a script can give the same options to every verb
    click.option("--level", type=float, hidden=True, expose_value=False, callback=_unused),
    click.option("--seed", type=int, hidden=True, expose_value=False, callback=_unused),
)
OUTPUT = (
    click.option("--json", "as_json", is_flag=True, help="Only JSON on standard output."),
    several(
        "--out",
        type=click.Path(dir_okay=False),
        metavar="FILE",
        help="Write to FILE, by its ending; repeat for several. In .csv a text that begins with = + - @, which a"
        " spreadsheet would calculate, has an apostrophe in front.",
    ),
)


def options(*groups: tuple[Decorator[Any], ...]) -> Decorator[Any]:
    """All options of some groups, in their order."""

    def decorate(command: Any) -> Any:
        for option in reversed([option for group in groups for option in group]):
            command = option(command)
        return command

    return decorate


def names_of(*groups: tuple[Decorator[Any], ...]) -> tuple[str, ...]:
    """The names by which a command is given the options of some groups."""
    return tuple(str(one.name) for one in options(*groups)(lambda: None).__click_params__)
