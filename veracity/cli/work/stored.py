"""What was made before: the runs of a store, or what a study file names of them, or a table of scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click
from click.core import ParameterSource

from veracity.cli.options import COLUMNS, INTERVAL, names_of
from veracity.cli.work.read_files import read_models, read_readings
from veracity.core.errors import BadInput, StoreError, VeracityError
from veracity.core.notes import Note, unique
from veracity.evidence.predictions import Predictions
from veracity.evidence.runs import Runs
from veracity.evidence.score_matrix import ScoreMatrix
from veracity.findings.run_results import RunScores
from veracity.readers.read_scores import read_scores
from veracity.readers.source import expand_patterns, near_names
from veracity.records.plan import Progress
from veracity.reports.output import Output
from veracity.risk.estimate_run import with_positive
from veracity.scores import scores as known
from veracity.stores.open_store import is_database

STUDY = ".toml"
FRESH = ("kind", "groups", "weights", "time", "leave_out")
SCORE_ROLES = ("score", "better", "dataset", "learner", "repeat", "fold", "train", "test", "percent", "decimal")


class Stored(NamedTuple):
    """Runs, and the questions of the study file that selected them."""

    runs: Runs
    questions: Mapping[str, Any] | None = None


class NothingDone(VeracityError):
    """Everything that was tried failed."""

    exit_status = 1


def is_stored(where: str) -> bool:
    """A study file, the address of a store, or a file that is one."""
    return is_study(where) or "://" in where or is_database(where)


def is_study(where: str) -> bool:
    """The name of a study file."""
    return Path(where).suffix.lower() == STUDY


def read_stored(where: str, given: Mapping[str, Any]) -> Stored:
    """What was chosen of a store, of which some fit must have succeeded, with the class that is looked for.

    Of what was given `store`, `trust_store`, `only`, `data` and `positive` are looked at; the latter in place of the
    study's own.
    """
    chosen = read_chosen(where, given)
    check_any_done(chosen.runs)
    positive = given.get("positive")
    return chosen if positive is None else chosen._replace(runs=chosen.runs.with_positive(positive))


def read_chosen(where: str, given: Mapping[str, Any]) -> Stored:
    """All of a store, or what was chosen of it; through a study file, what that names, from its store."""
    # stores and studies take a quarter of a second to import, which who scores a file need not wait for
    from veracity.studies.evaluate import read_questions, read_runs

    store = given["store"]
    if store is not None and not is_stored(where):
        raise no_learners(where)
    place = store_name(where, store, given["trust_store"])
    stored = Stored(*read_questions(place, where)) if is_study(where) else Stored(read_runs(place))
    return stored._replace(runs=stored.runs.only(given["only"], given["data"]))


def no_learners(where: str) -> BadInput:
    """What to say of a table where a store is read, or learners are tried on a table."""
    way = "to try learners on it, name --target COLUMN and --learner MODULE:CLASS"
    return BadInput(f"{where} is not a store but a table: {way}")


def store_name(where: str, store: str | None, trust_store: bool) -> str:
    """Where results are: a store itself, or that of a study file, which may be named beside it."""
    from veracity.stores.named_store import RESULTS, trusted_store

    if is_study(where):
        if not Path(where).is_file():
            raise BadInput(f"there is no study file {where}{near_names(Path(where))}")
        return store or trusted_store(where, trust_store) or RESULTS
    if store is not None:
        raise BadInput(f"--store says where the results of a study file are, and {where} is none: leave it out")
    return where


def check_any_done(runs: Runs) -> None:
    """A call of which every fit failed has failed itself."""
    if not runs.store.status().failed:
        return
    keys = {key for place in runs.places() for key in runs.store.cells(*place)}
    counts = runs.store.status(keys)
    if counts.failed and not counts.done:
        reason = next(outcome.reason for outcome in runs.failures() if outcome.key in keys)
        raise NothingDone(f"all {counts.failed} fits failed, the first because {reason}")


class Models(NamedTuple):
    """Predictions by model, one of a file alone by the empty name, and what is to be said of them."""

    by_name: dict[str, Predictions]
    notes: tuple[Note, ...] = ()


def read_models_or_runs(files: Sequence[str], given: Mapping[str, Any], each_row: bool = True) -> Models:
    """The models of files of predictions; or the learners of a store, on one data set by one design.

    Where no row is asked for by itself, a large file of one model is counted.
    """
    if len(files) > 1 or not is_stored(files[0]):
        refuse_choice(files[0], given)
        if each_row:
            return Models(read_models(expand_patterns(files), given))
        readings = read_readings(expand_patterns(files), given, keep_values=True)
        return Models({name: one.evidence for name, one in readings.items() if isinstance(one.evidence, Predictions)})
    refuse_columns(files[0])
    runs = read_stored(files[0], given).runs
    models: dict[str, Predictions] = {}
    notes = runs.selection_notes
    for name in runs.learner_names:
        run, taken = with_positive(runs.run(name, by=given["by"]).fresh, known.choose("auc"))
        if run.predictions is None:
            says = f"no split of {name} succeeded, so it is left out: {run.reason}"
            taken = (Note("left-out", "caution", says),)
        else:
            models[name] = run.predictions
        notes += taken
    return Models(models, unique(notes))


def refuse_columns(where: str, words: Sequence[str] = ()) -> None:
    """Refuse what says how predictions in a file are read and scored, of runs that hold theirs; a class is no such."""
    context = click.get_current_context()
    for name in words or names_of(COLUMNS, INTERVAL):
        if name != "positive" and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = next(one.opts[0] for one in context.command.params if one.name == name)
            raise BadInput(f"{option} is for predictions in a file, and {where} holds runs: leave it out")


def refuse_fresh_words(where: str, given: Mapping[str, Any]) -> None:
    """Refuse what says how data are read or split, of runs that are made already."""
    for word in FRESH:
        if given[word]:
            raise BadInput(
                f"--{word.replace('_', '-')} is for learners tried on a table now, and {where} was run: leave it out"
            )


def refuse_choice(where: str, given: Mapping[str, Any]) -> None:
    """Refuse to choose from what was not run: what is tried or read now is named as such."""
    for word in ("only", "data"):
        if given[word]:
            raise BadInput(f"--{word} chooses from the results of a study, and {where} is none: leave it out")


def read_score_table(files: Sequence[str], given: Mapping[str, Any]) -> ScoreMatrix:
    """The matrix of a table of scores, or of several; sizes of splits are columns or numbers."""
    for word in ("by", "store", "positive"):
        if given[word]:
            raise BadInput(f"--{word} is for the results of a study, and {files[0]} is a table of scores: leave it out")
    roles: dict[str, Any] = {name: given.get(name) for name in SCORE_ROLES}
    for name in ("train", "test"):
        roles[name] = _size(name, roles[name])
    if given.get("fold") and given["only"]:  # learners in columns, beside which others may hold no scores of theirs
        roles["learners"] = list(given["only"])
    matrix = read_scores(files[0] if len(files) == 1 else list(files), **roles)
    matrix = matrix.only(*given["only"]) if given["only"] else matrix
    return matrix.on(*given["data"]) if given["data"] else matrix


def _size(name: str, text: str | None) -> str | float | None:
    try:
        size = float(text or "")
    except ValueError:
        return text
    if not size > 0:
        raise BadInput(f"--{name} is a column or a number of rows, not {text}")
    return size


def tell_stop(progress: Callable[[], Progress] | None) -> None:
    """What a user who stopped the fits must know: how far they came, and that they are not lost."""
    if progress is None:
        click.echo("stopped; nothing is kept, as no --store was named", err=True)
        return
    with suppress(StoreError):  # one that cannot be reached has nothing to say
        click.echo(f"stopped; {progress()}; the same line goes on from here", err=True)


@contextmanager
def tells_stop(where: str | None) -> Iterator[None]:
    """Says how far the fits that go into a store have come when they are stopped."""
    try:
        yield
    except (KeyboardInterrupt, SystemExit):
        tell_stop(None if where is None else lambda: _stored_progress(where))
        raise


def _stored_progress(where: str) -> Progress:
    """How far all that a store was asked to keep has come."""
    from veracity.stores.open_store import store_of

    with store_of(where) as store:
        counts = store.status()
    return Progress(counts.planned, counts.done, counts.failed)


def scores_of_stored(where: str, names: Sequence[str], by: str | None, given: Mapping[str, Any]) -> Output:
    """The scores of every split of a store."""
    for name in names:
        known.choose(name)
    found: RunScores = read_stored(where, given).runs.scores(*names, by=by)
    forms: dict[str, Callable[[], str | bytes]] = {"parquet": partial(_parquet, found), "arff": found.to_weka}
    return Output("Scores of every split", (found.table(),), found.to_json, brief=found.printed, own_forms=forms)


def _parquet(found: RunScores) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder, "scores.parquet")
        found.to_parquet(path)
        return path.read_bytes()
