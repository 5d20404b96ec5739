"""Read what a command is about: counts, predictions, the results of a study, learners to be tried, or scores."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal, get_args

import click
from click.core import ParameterSource

from veracity.cli.counts import read_counted
from veracity.cli.options import Columns, ResultsStore, Selection, SourceOptions, Target
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, StoreError, VeracityError
from veracity.core.notes import Note, unique
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.intervals import intervals
from veracity.readers.guess_predictions import guess_predictions
from veracity.readers.read_evidence import Reading
from veracity.readers.read_models import MissingRole, alone_or_all, has_predictions, read_models, read_readings
from veracity.readers.read_scores import read_scores
from veracity.readers.source import ENDINGS, expand_patterns, near_names, quote_names, unique_names
from veracity.records.data import Data
from veracity.records.plan import Progress
from veracity.scores import scores as known
from veracity.stores.open_store import is_database

Kind = Literal["counts", "predictions", "runs", "learners", "scores"]
Source = tuple[Kind, Any]  # counts, predictions or their readings by model, runs, or a matrix of scores
OUTPUTS = ("label", "proba", "value", "number")
GUESSED_OUTPUTS = (*OUTPUTS, "correct", "loss")
GUESSED = ("truth", "positive", "model", "rows")
# why an option does nothing with an input
FOR_PREDICTIONS = "is for predictions in a file, and {} holds runs"
FOR_NEW_FITS = "is for learners tried on a table now, and {} was run"
FOR_SELECTION = "chooses from the results of a study, and {} is none"
FOR_STORE = "says where the results of a study file are, and {} is none"
FOR_STUDY = "is for the results of a study, and {} is a table of scores"
OTHER_ROWS = "where models were tried on different rows, name `using='two_proportion_z'`"
COLUMNS = tuple(one.name for one in fields(Columns) if one.name != "positive")  # a class is looked for in runs too


class NothingDone(VeracityError):
    """Everything that was tried failed."""

    exit_status = 1


def read_source(
    files: list[str],
    options: SourceOptions,
    accepts: Sequence[Kind],
    *,
    scores: Sequence[str] = (),
    each_row: bool = True,
    keep_values: bool = False,
    same_rows: bool = True,
    seed: int = 0,
    quiet: bool = False,
    **roles: Any,
) -> Source:
    """Decide what the user gave, and read it.

    Predictions are read by row, or with `each_row=False` as far as counts and orderings of a large file need, and
    `same_rows` says whether models must be of the same rows. `roles` say what the columns of a table of scores are.
    Learners that are tried begin with `seed`, and `quiet` ones show no progress.
    """
    kind = source_kind(files, options)
    if kind not in accepts:
        kind = "predictions" if "predictions" in accepts else "runs"
    if kind == "counts":
        return kind, read_counted(files, options.counted, options.columns)
    where = files[0]
    if kind == "runs":
        return kind, _read_runs(where, options)
    if kind == "learners":
        return kind, try_learners(where, scores, options, seed, quiet)
    if kind == "scores":
        return kind, read_score_table(files, options.selection, **roles)
    for file in files:
        refuse_typed(file, FOR_SELECTION, "only", "data")
        if options.learners is None:
            refuse_typed(file, FOR_STORE, "store")
    patterns = expand_patterns(files)
    with guesses_columns(patterns, options.columns):
        columns = vars(options.columns)
        if each_row:
            return kind, read_models(patterns, columns, same_rows)
        return kind, read_readings(patterns, columns, keep_values)


def source_kind(files: Sequence[str], options: SourceOptions) -> Kind:
    """Return what the user gave, by what was typed of it."""
    if options.counted.is_typed:
        return "counts"
    if len(files) == 1 and is_stored(files[0]):
        return "runs"
    if has_predictions(vars(options.columns)):
        return "predictions"
    if options.learners is not None and (options.learners.learner or options.learners.target):
        return "learners"
    return "scores"


def refuse_typed(where: str, why: str, *names: str) -> None:
    """Refuse an option of these names that was typed, as it does nothing with this input."""
    context = click.get_current_context()
    for one in context.command.params:
        if one.name in names and context.get_parameter_source(one.name) is ParameterSource.COMMANDLINE:
            raise BadInput(f"{one.opts[0]} {why.format(where)}: leave it out")


def check_names(
    scores: Sequence[str] = (), level: float = 0.95, side: Any = "two", interval: str | None = None
) -> None:
    """Refuse what is misspelled before anything is read or fitted."""
    for name in scores:
        known.choose(name)
    if interval is not None:
        intervals.choose(interval)
    Confidence(level, side)


def is_study(where: str) -> bool:
    """Return whether this is the name of a study file."""
    return Path(where).suffix.lower() == ".toml"


def is_stored(where: str) -> bool:
    """Return whether this is a study file, the address of a store, or a file that is one."""
    return is_study(where) or "://" in where or is_database(where)


def _read_runs(where: str, options: SourceOptions) -> Runs:
    """Return the runs of a store, of which none is to be made or read now."""
    if options.learners is not None:
        refuse_typed(where, FOR_NEW_FITS, "kind", "groups", "weights", "time", "leave_out", "learner", "target")
        if not is_stored(where) and Path(where).is_file() and Path(where.removesuffix(".gz")).suffix in ENDINGS:
            raise _no_learners(where)
    if options.columns != Columns():
        refuse_typed(where, FOR_PREDICTIONS, *COLUMNS)
    roles = options.columns if options.roles is None else options.roles
    return read_stored(where, options.store, options.selection, roles.positive)


def read_stored(
    where: str, store: ResultsStore, selection: Selection | None = None, positive: str | None = None
) -> Runs:
    """Return what was chosen of a store, of which some fit must have succeeded.

    `positive` is the class that is looked for, in place of the study's own.
    """
    runs = read_chosen(where, store, selection)[0]
    check_any_done(runs)
    return runs if positive is None else runs.with_positive(positive)


def read_chosen(
    where: str, store: ResultsStore, selection: Selection | None = None
) -> tuple[Runs, Mapping[str, Any] | None]:
    """Return what was chosen of a store, and of a study file what that names, with the questions that it asks."""
    # stores and studies take a quarter of a second to import, for which a command that scores a file need not wait
    from veracity.studies.evaluate import read_questions, read_runs

    if store.store is not None and not is_stored(where):
        raise _no_learners(where)
    place = store_name(where, store.store, store.trust_store)
    runs, questions = read_questions(place, where) if is_study(where) else (read_runs(place), None)
    return (runs if selection is None else runs.only(selection.only, selection.data)), questions


def _no_learners(where: str) -> BadInput:
    """Return what to say of a table where a store is read, or learners are tried on a table."""
    hint = "to try learners on it, name --target COLUMN and --learner MODULE:CLASS"
    return BadInput(f"{where} is not a store but a table: {hint}")


def store_name(where: str, store: str | None, trust_store: bool) -> str:
    """Return where results are: a store itself, or that of a study file, which may be named beside it."""
    from veracity.stores.open_store import RESULTS, trusted_store

    if is_study(where):
        if not Path(where).is_file():
            raise BadInput(f"there is no study file {where}{near_names(Path(where))}")
        return store or trusted_store(where, trust_store) or RESULTS
    if store is not None:
        raise BadInput(f"--store {FOR_STORE.format(where)}: leave it out")
    return where


def check_any_done(runs: Runs) -> None:
    """Refuse runs of which every fit failed."""
    if not runs.store.status().failed:
        return
    keys = {key for place in runs.places() for key in runs.store.cells(*place)}
    counts = runs.store.status(keys)
    if counts.failed and not counts.done:
        reason = next(outcome.reason for outcome in runs.failures() if outcome.key in keys)
        raise NothingDone(f"all {counts.failed} fits failed, the first because {reason}")


def read_charted_models(
    files: list[str], options: SourceOptions, by: str | None = None, each_row: bool = True
) -> tuple[dict[str, Predictions], tuple[Note, ...]]:
    """Return predictions by model, with what is to be said of them: of files, or of a store's learners by one design.

    Where no row is asked for by itself, a large file of one model is counted.
    """
    kind, found = read_source(files, options, ("predictions", "runs"), each_row=each_row, keep_values=not each_row)
    if kind == "predictions":
        read = {name: one.evidence if isinstance(one, Reading) else one for name, one in found.items()}
        return {name: one for name, one in read.items() if isinstance(one, Predictions)}, ()
    from veracity.risk.estimate_run import with_positive

    runs: Runs = found
    models: dict[str, Predictions] = {}
    notes = runs.selection_notes
    for name in runs.learner_names:
        run, taken = with_positive(runs.run(name, by=by).fresh, known.choose("auc"))
        if run.predictions is None:
            message = f"no split of {name} succeeded, so it is left out: {run.reason}"
            taken = (Note("left-out", "caution", message),)
        else:
            models[name] = run.predictions
        notes += taken
    return models, unique(notes)


def read_score_table(files: Sequence[str], selection: Selection, **roles: Any) -> ScoreMatrix:
    """Return the matrix of a table of scores, or of several; sizes of splits are columns or numbers."""
    refuse_typed(files[0], FOR_STUDY, "by", "store", "positive")
    for name in ("train", "test"):  # a column, or a number of rows
        try:
            size = float(roles.get(name) or "")
        except ValueError:
            continue
        if not size > 0:
            raise BadInput(f"--{name} is a column or a number of rows, not {roles[name]}")
        roles[name] = size
    if roles.get("fold") and selection.only:  # learners in columns, beside which others may hold no scores of theirs
        roles["learners"] = list(selection.only)
    matrix = read_scores(files[0] if len(files) == 1 else list(files), **roles)
    matrix = matrix.only(*selection.only) if selection.only else matrix
    return matrix.on(*selection.data) if selection.data else matrix


def try_learners(where: str, scores: Sequence[str], options: SourceOptions, seed: int, quiet: bool) -> Runs:
    """Return the runs of the learners named, in a store or forgotten afterwards."""
    from veracity.risk.estimates import numbers_hint
    from veracity.studies.evaluate import evaluate_data

    typed = options.learners
    assert typed is not None  # as only a command with learners gets here
    refuse_typed(where, FOR_SELECTION, "only", "data")
    learners, data = learners_and_data(where, typed, typed.by, **roles_of_data(options))
    wrong = [name for name in scores if not known.choose(name).suits(data.kind)]
    if wrong:
        hint = numbers_hint(data.classes, ": say --kind numbers")
        raise BadInput(f"{wrong[0]} is not for a target of {data.kind}, which {typed.target} is{hint}")
    store = options.store.store
    with tells_stop(store):
        runs = evaluate_data(
            data,
            learners,
            list(typed.by) or "kfold(k=10)",
            store=store,
            seed=seed,
            progress=False if quiet else None,
            **vars(options.work),
        )
    check_any_done(runs)
    return runs


def roles_of_data(options: SourceOptions) -> dict[str, Any]:
    """Return what the columns of a table to learn from are, besides the target."""
    roles = options.columns if options.roles is None else options.roles
    named = {name: getattr(roles, name) for name in ("positive", "groups", "weights")}
    return named | {name: getattr(options.learners, name) for name in ("time", "kind")}


def learners_and_data(where: str, target: Target, by: Sequence[str], **roles: Any) -> tuple[dict[str, Any], Data]:
    """Return the learners named and the table that they learn, after a look at whether all code is within reach."""
    from veracity.learners.from_text import Reach
    from veracity.learners.inspection import target_kind
    from veracity.studies.parse import parse_design, parse_learners, parse_table

    if not target.learner:
        raise BadInput("name a learner: --learner MODULE:CLASS, such as sklearn.naive_bayes:GaussianNB")
    if not target.target and not where.startswith("sklearn:"):
        raise BadInput("name the column to be predicted: --target COLUMN")
    reach = Reach(folder=Path.cwd(), trusted=target.trust_here)
    for design in by:
        parse_design(design, reach)
    learners = parse_learners(_learners_by_name(target.learner), reach)
    roles = {"target": target.target, **roles, "leave_out": target.leave_out}
    table = {"file": where, **{role: named for role, named in roles.items() if named}}
    return learners, parse_table("", table, meant=target_kind(learners.values()))


def _learners_by_name(texts: Sequence[str]) -> dict[str, str]:
    """Return learners by the text typed, or by the name typed before it."""
    learners: dict[str, str] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        has_name = bool(equals) and name.isidentifier()
        label = name if has_name else text
        if label in learners:
            raise BadInput(f"the learner {label!r} is given twice: give each a name, --learner NAME=MODULE:CLASS")
        learners[label] = rest if has_name else text
    return learners


@contextmanager
def tells_stop(store: str | None, progress: Callable[[], Progress] | None = None) -> Iterator[None]:
    """Tell a user who stops the fits how far they came, and that those in a store are not lost."""
    from veracity.stores.open_store import store_of

    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        if store is None:
            click.echo("stopped; nothing is kept, as no --store was named", err=True)
            raise
        with suppress(StoreError):  # one that cannot be reached has nothing to say
            if progress is not None:
                shown = progress()
            else:
                with store_of(store) as opened:
                    counts = opened.status()
                shown = Progress(counts.planned, counts.done, counts.failed)
            click.echo(f"stopped; {shown}; the same line goes on from here", err=True)
        raise


@contextmanager
def guesses_columns(files: Sequence[str], columns: Columns) -> Iterator[None]:
    """Tell the columns of the file, and a guess at them, where columns are missing."""
    try:
        yield
    except MissingRole as why:
        raise missing_column_error(why.says, files, columns) from None


def missing_column_error(message: str, files: Sequence[str], columns: Columns) -> BadInput:
    """Return what is missing, and a guess at it that can be pasted; the guess is never taken by itself."""
    typed = {role: list(getattr(columns, role)) for role in GUESSED_OUTPUTS}
    typed |= {role: [getattr(columns, role)] for role in GUESSED if getattr(columns, role) is not None}
    guess = guess_predictions(files[0], typed) if files and files[0] != "-" else None
    if guess is None:
        return BadInput(message)
    message = f"{message}; {files[0]} has {quote_names(guess.names)}"
    options = dict.fromkeys([*guess.options, *((role, name) for role, names in typed.items() for name in names)])
    roles = {role for role, _ in options}
    if guess.advice:
        return BadInput(f"{message}; {guess.advice}")
    if not roles & {"truth", "correct", "loss"} or not roles & set(GUESSED_OUTPUTS):
        return BadInput(message)
    context = click.get_current_context(silent=True)
    command = "score" if context is None or context.info_name is None else context.info_name
    words = context.params.get("words", ()) if context is not None else ()
    line = [*(words or files), *(part for role, name in options for part in (f"--{role}", name))]
    return BadInput(f"{message}; perhaps: veracity {command} {' '.join(map(shlex.quote, line))}")


def read_compared(
    files: list[str], scores: Sequence[str], options: SourceOptions, using: str | None = None, **roles: Any
) -> Source:
    """Read what is compared; models of several files are of the same rows unless the test named needs no pairs."""
    from veracity.comparisons import comparisons
    from veracity.evidence.align_models import NAME_IDS
    from veracity.evidence.interval_evidence import Shares

    kind = source_kind(files, options)
    has_outputs = any(getattr(options.columns, role) for role in OUTPUTS)
    if kind in ("learners", "scores") and (len(files) > 1 or has_outputs):
        said = f"{len(files)} files are compared by their predictions: " if len(files) > 1 else ""
        message = f"{said}name the column with the truth, --truth COLUMN"
        raise missing_column_error(message, expand_patterns(files), options.columns)
    is_unpaired = using is not None and comparisons.choose(using).reads is Shares

    def read(files: list[str], **more: Any) -> Source:
        return read_source(files, options, get_args(Kind), scores=scores, **roles, **more)

    if kind == "predictions" and is_unpaired and len(files := expand_patterns(files)) > 1:
        models = {name: read([file])[1] for name, file in unique_names(files).items()}
        return kind, {f"{name} {column}".strip(): p for name, m in models.items() for column, p in m.items()}
    try:
        kind, value = read(files, same_rows=not is_unpaired)
    except BadInput as why:
        if kind == "predictions" and NAME_IDS in why.says:
            raise BadInput(f"{why.says}; {OTHER_ROWS}") from None
        raise
    return kind, alone_or_all(value) if isinstance(value, dict) else value
