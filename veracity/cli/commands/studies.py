"""Commands about studies: run, status with failures and check, ledger, report, and export, also of scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import click
from click.core import ParameterSource

import veracity as vc
from veracity.cli.declare import PAGES, argument, check_level, command, flag, option, repeated, words_argument
from veracity.cli.options import (
    SOME_DESIGNS,
    TRUST_HERE,
    TRUST_STORE,
    Inference,
    IntervalOptions,
    Output,
    PredictionsSource,
    ResultsStore,
    Selection,
    Work,
    check_endings,
)
from veracity.cli.output import announce, output_of, write_result
from veracity.cli.words import split_files_and_scores
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.spelling import split_spellings
from veracity.core.words import plural
from veracity.reports import output as results
from veracity.tables.exports import json
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.findings.run_results import RunScores

MAX_FAILURES_SHOWN = 10  # on a screen
COUNTED = ("planned", "done", "failed", "running")
WORDS = {"data": "data set", "learners": "learner", "by": "design"}
PAGE = "report.html"  # unless another file is named
FOR_DESIGNS = "chooses from the designs of a study, and {} is none"
FOR_PART = "belongs to {}"
FOR_SPLITS = "are over the splits of a study, and {} is none"


@command()
def run(
    *,
    study: str = argument("STUDY.toml", type=click.Path()),
    store: str | None = option("Where results are kept: what the study names, else results.db.", "FILE|URL"),
    trust_store: bool = flag(TRUST_STORE),
    work: Work,
    retry: tuple[Literal["failed"], ...] = repeated("Try failed fits once more."),
    refit_outdated: bool = flag("Make fits of other versions of libraries anew."),
    seed: int | None = option("In place of the study's seed."),
    trust_here: bool = flag(TRUST_HERE),
    level: float = option("How sure intervals are.", default=0.95, show_default=True, callback=check_level),
    output: Output,
) -> None:
    """Run a study: only the fits that the store lacks.

    Stop it at any moment and run the same line again: what is finished is kept. A fit that fails is kept too, with its
    reason, and the others go on. The classes that the file names are code, which runs: look at a file of others first.

    \b
    veracity run study.toml --store results.db --workers 2
    veracity run study.toml --store results.db --retry failed
    veracity run study.toml --store results.db --refit-outdated
    """
    from veracity.cli.source import check_any_done, check_names, store_name, tells_stop

    check_names(level=level)
    where = store_name(study, store, trust_store)
    the_study = vc.Study.read(study, trust_here)
    the_study.seed = the_study.seed if seed is None else seed
    how = {**vars(work), "retry": retry, "refit_outdated": refit_outdated}
    with tells_stop(where, lambda: the_study.plan().against(where)):
        runs = the_study.run(where, **how, progress=False if output.as_json else None)
    write_result(_run_result(the_study, runs, level), output)
    check_any_done(runs)


def _run_result(study: vc.Study, runs: vc.Runs, level: float) -> results.Output:
    """Return how far the study is, what failed, and the estimates of its scores."""
    from veracity.risk.selection_bias import tuning_optimism

    progress = study.plan().against(runs.store)
    running = runs.store.status(study.plan().plan.splits).running
    fits = dict(zip(COUNTED, (progress.fits, progress.done, progress.failed, running), strict=True))
    reasons = {outcome.key: outcome.reason for outcome in runs.failures()}
    failed = [
        {"data": data, "learner": learner, "by": by, "split": split, "reason": reasons[key]}
        for data, learner, by in (runs.places() if reasons else ())
        for split, key in enumerate(runs.store.cells(data, learner, by))
        if key in reasons
    ]
    try:
        estimates = vc.estimate(runs, list(study.scores), level=level, seed=study.seed)
    except (BadInput, Refused) as why:  # none can be had of what was fitted
        estimates = vc.Estimates((), (*runs.notes, Note("score-undefined", "caution", why.says)))
    tables = [estimates.table()] if study.scores else []
    if failed:
        more = f", the first {MAX_FAILURES_SHOWN} of them" if len(failed) > MAX_FAILURES_SHOWN else ""
        rows = tuple(tuple(one.values()) for one in failed[:MAX_FAILURES_SHOWN])
        columns = tuple(Column(title, "left") for title in failed[0])
        tables.insert(0, Table(columns, rows, caption=f"{len(failed)} failed fits{more}"))
    tuned = tuning_optimism(runs, estimates, level=level, seed=study.seed)
    to_json: dict[str, Any] = {"fits": fits, "extra": runs.store.status().extra, **estimates.to_json()}
    to_json |= {**({"tuning": tuned.choices()} if tuned else {}), "failed": failed}
    if not len(estimates):
        to_json |= {"estimates": {}, "notes": [note.to_json() for note in estimates.notes or runs.notes]}
    to_json["notes"] = [*(note.to_json() for note in study.foreseen), *to_json["notes"]]
    answer = f"{runs.store.where}: {progress}"
    after = (tuned.short_table(),) if tuned else ()
    return results.Output("Study", tuple(tables) or (_fits_table(fits),), lambda: to_json, answer, after=after)


def _fits_table(fits: Mapping[str, int], notes: tuple[Note, ...] = ()) -> Table:
    return Table((Column("fits", "left"), Column("")), tuple(fits.items()), notes=notes)


@command()
def status(
    *,
    where: str = argument("STORE|STUDY.toml", type=click.Path()),
    failures: bool = flag(
        "In place of these: the fits that failed by reason, the most frequent first, with where they failed. `veracity"
        " run study.toml --retry failed` tries them again once the reason is mended. JSON has every place, and a"
        " traceback of each reason."
    ),
    by: tuple[str, ...] = SOME_DESIGNS,
    tracebacks: bool = flag("With --failures, also a traceback of each reason."),
    selection: Selection,
    check: bool = flag(
        "In place of these: look at everything that is stored, and say what is lost or damaged and what to do. That is"
        " the database's own check of an SQLite file, the checksum of every row, and whether each fit predicted the"
        " rows of its splits. Exit status 1 if something is damaged."
    ),
    repair: bool = flag(
        "With --check, take away what is damaged: the next run of the study brings it back, and fits only that."
    ),
    store: ResultsStore,
    output: Output,
) -> int:
    """How many fits in STORE, or of STUDY.toml in its store, are planned, done, failed, running and waiting.

    Those that wait are next in a run, which has more of them at hand than workers; a run that ended has none.

    \b
    veracity status results.db
    veracity status study.toml --store other.db
    veracity status study.toml --trust-store
    veracity status results.db --failures --only tree --json
    veracity status results.db --check --repair
    """
    from veracity.cli.source import read_chosen, refuse_typed, store_name

    if failures and check:
        raise BadInput("--failures and --check each print something else: give one of them")
    if not failures:
        refuse_typed("--failures", FOR_PART, "by", "tracebacks", "only", "data")
    if not check:
        refuse_typed("--check", FOR_PART, "repair")
    if check:
        report = vc.check_store(store_name(where, store.store, store.trust_store), repair)
        if report.sound and not output.as_json and not output.out:
            click.echo(report.sentence)
        else:
            write_result(results.Output("Check", (report.table(),), report.to_json), output)
        return 1 if report.problems else 0
    if failures:
        failed = vc.failures(read_chosen(where, store, selection)[0].only(by=by))
        result = output_of(failed, "Failures")
        if tracebacks:
            listing = "\n\n".join(f"{row.reason}\n\n{row.traceback.rstrip()}" for row in failed)
            result = replace(result, answer="", listing=listing)
    else:
        result = _status_result(where, store)
    write_result(result, output)
    return 0


def _status_result(where: str, store: ResultsStore) -> results.Output:
    """Return how many fits there are in each state, and what the study is about."""
    from veracity.cli.source import is_study, store_name
    from veracity.stores.open_store import store_of

    with store_of(store_name(where, store.store, store.trust_store), create=False) as opened:
        study, notes, shown = opened.study(), opened.notes(), opened.where
        counts = None
        if is_study(where):
            from veracity.studies.evaluate import status_of_study

            try:
                counts, named = status_of_study(where, opened)
                if named.more:
                    message = f"{where} names more than was run into {shown}: veracity run {where} fits what is new"
                    notes = (*notes, Note("not-run-yet", "remark", message))
            except BadInput as why:
                message = f"{where} cannot be read, so all that {shown} holds is counted: {why.says}"
                notes = (*notes, Note("study-unread", "caution", message))
        counts = opened.status() if counts is None else counts
    fits = {name: getattr(counts, name) for name in COUNTED}
    about = {name: list(study.get(name, ())) for name in ("data", "learners", "by", "scores")}
    words, seed = study.get("words", ""), study.get("seed")
    to_json = {"fits": fits, "waiting": counts.waiting, "extra": counts.extra, "seed": seed, **about}
    to_json |= {"words": words, "notes": [note.to_json() for note in notes]}
    sizes = ", ".join(plural(len(about[what]), word) for what, word in WORDS.items())
    said = f"; notes: {' '.join(words.split())}" if words.strip() else ""
    table = _fits_table({**fits, "waiting for a worker": counts.waiting}, notes)
    answer = f"{shown}: {sizes}, seed {seed}{said}"
    return results.Output("Status", (table,), lambda: to_json, answer)


@command()
def ledger(
    *,
    store: str = argument("STORE", type=click.Path()),
    level: float = option("How sure claims are.", default=0.95, show_default=True, callback=check_level),
    output: Output,
) -> None:
    """List what was asked of a store: scores, thresholds, learners, configurations, tests and looks.

    Every claim is adjusted for all tests that were made of it, and the best of several learners has an interval that
    holds for all of them. To read the ledger is no look.

    \b
    veracity ledger results.db
    veracity ledger results.db --json
    """
    found = vc.ledger(vc.read_runs(store), level=level)
    tables = tuple(
        table for table in (found.counts_table(), found.best_table(), found.table()) if table.rows or table.notes
    )
    write_result(results.Output("Ledger", tables, found.to_json, found.sentence()), output)


@command(writes=())
def export(
    *,
    words: tuple[str, ...] = words_argument("STORE|STUDY.toml [SCORE...]", required=True),
    scores: bool = flag(
        "In place of these: the scores of every split, one row each, with the seconds that training and predicting"
        " took. Without a SCORE they are those of the study; seconds_fit and seconds_predict are scores too."
    ),
    by: str | None = option("With --scores, only of this design, where there are several.", "DESIGN"),
    store: ResultsStore,
    selection: Selection,
    output: Output,
) -> None:
    """Write every test prediction of every run in STORE to a file, Parquet, CSV or ARFF by its ending: data, learner,
    design, split, row, truth, and what was said.

    With --scores those of every split are shown, or all of them written: --out scores.csv, .parquet, or .arff as
    Weka's Experimenter writes its results.

    \b
    veracity export results.db --out predictions.parquet
    veracity export results.db --only nb --data iris --out nb.csv
    veracity export results.db --scores error auc --out scores.arff
    """
    check_endings(output.out, *((".parquet", ".arff", *PAGES) if scores else (".parquet", ".csv", ".arff")))
    files, names = split_files_and_scores(words) if scores else (list(words), [])
    if len(files) != 1:
        raise BadInput(f"export reads one store or study, not {len(files)}: {', '.join(files)}")
    from veracity.cli.source import check_names, read_stored, refuse_typed

    if scores:
        check_names(names)
        _write_scores(read_stored(files[0], store, selection).scores(*names, by=by), output)
        return
    refuse_typed("--scores", FOR_PART, "by")
    if not output.out:
        raise BadInput("say where to: --out predictions.parquet")
    runs = read_stored(files[0], store, selection)
    for file in output.out:
        runs.export(file)
        announce(file)
    if output.as_json:
        about = {"files": list(output.out), "data": runs.names, "learners": runs.learner_names, "by": runs.designs}
        click.echo(json({**about, "notes": [note.to_json() for note in runs.notes]}))


def _write_scores(found: RunScores, output: Output) -> None:
    """Write the scores of splits, of which a file holds all rows."""

    def parquet() -> bytes:
        with TemporaryDirectory() as folder:
            path = Path(folder, "scores.parquet")
            found.to_parquet(path)
            return path.read_bytes()

    forms: dict[str, Callable[[], str | bytes]] = {"parquet": parquet, "arff": found.to_weka}
    result = results.Output(
        "Scores of every split", (found.table(),), found.to_json, brief=found.printed, own_forms=forms
    )
    write_result(result, output)


@dataclass(frozen=True)
class ReportQuestion:
    """What is asked of a store in place of the question of its study."""

    using: str | None = option(
        "What the learners of a store are ranked or compared by.", "TEST", methods=("comparisons",)
    )
    then: str | None = option("How their pairs are adjusted.", "NAME", methods=("adjustments", "posthocs"))
    pairs: str | None = option("How each pair of a ranking is tested.", "TEST", methods=("posthocs", "comparisons"))
    control: str | None = option("Hold the others against this one only.", "LEARNER")


@command()
def report(
    *,
    words: tuple[str, ...] = words_argument("STORE|STUDY.toml|FILE... [SCORE...]"),
    source: PredictionsSource,
    by: tuple[str, ...] = SOME_DESIGNS,
    scores: tuple[str, ...] = repeated(
        "What to report; without, the scores of the study, or all that the columns allow.",
        "SCORE[,SCORE...]",
        methods=("scores",),
    ),
    question: ReportQuestion,
    deviations: bool = flag("Standard deviations over splits, and how many, in the tables."),
    title: str | None = option("The heading of the page.", "TEXT"),
    interval: IntervalOptions,
    inference: Inference,
    output: Output,
) -> None:
    """Write the page of the study in STORE: estimates, ranking, curves, failures and how it was done; or that of the
    predictions in a FILE: scores, curves, and of several models their comparison.

    The question of a store is that of its study, by the first of --scores and at --level where these are given, or in
    place of it what --using, --then, --pairs and --control ask.
    A study file shows only what it names, of a store that may hold more. FILE and its columns are as in `veracity
    score`. Without --out the page is report.html in this folder.

    \b
    veracity report results.db --scores error,log_loss --out report.html
    veracity report study.toml --store results.db
    veracity report results.db --only nb --only tree --data iris
    veracity report preds.csv --truth y --proba p_spam --positive spam --out page.html
    """
    is_unnamed = not output.out and not output.as_json
    if is_unnamed:
        check_endings((PAGE,), *PAGES)
    files, named = split_files_and_scores(words)
    from veracity.cli.scoring import ScoreQuestion
    from veracity.cli.source import COLUMNS, FOR_PREDICTIONS, check_any_done, is_stored, read_chosen, refuse_typed
    from veracity.reports.gather import question_in_words, questions_about, questions_of_store
    from veracity.scores.default import default_score_of

    names = [*(name for text in scores for name in split_spellings(text)), *named]
    if not any(map(is_stored, files)):
        for word, value in vars(question).items():
            if value is not None:
                raise BadInput(f"--{word} asks about learners of a store, and {files[0]} is none: see veracity compare")
        refuse_typed(files[0], FOR_DESIGNS, "by")
        refuse_typed(files[0], FOR_SPLITS, "deviations")
        result = _report_predictions(files, source, ScoreQuestion(names, interval, inference, title=title))
    elif len(files) > 1:
        raise BadInput(f"report reads one store, or files of predictions, not {', '.join(files)} together")
    else:
        refuse_typed(files[0], FOR_PREDICTIONS, *COLUMNS, "interval", "side")
        runs, questions = read_chosen(files[0], source.store, source.selection)
        check_any_done(runs)
        positive = source.columns.positive
        runs = (runs if positive is None else runs.with_positive(positive)).only(by=by)
        score = next(iter(names or runs.asked_scores), None) or default_score_of(runs)
        asked = question_in_words(runs, score, **vars(question))
        level_source = click.get_current_context().get_parameter_source("level")
        typed_level = None if level_source is ParameterSource.DEFAULT else inference.level
        own = questions_about(questions_of_store(runs) if questions is None else questions, names, typed_level)
        page = vc.report(
            runs, names or None, questions=asked or own, title=title, deviations=deviations, **vars(inference)
        )
        result = _page_result(page)
    if is_unnamed:
        if Path(PAGE).exists():
            click.echo(f"{PAGE} was here and is replaced: --out names another file", err=True)
        output = Output(out=(PAGE,))
    write_result(result, output)


def _report_predictions(files: list[str], source: PredictionsSource, question: Any) -> results.Output:
    """Return the page of predictions."""
    from veracity.cli.scoring import score_files
    from veracity.cli.source import missing_column_error
    from veracity.readers.read_models import has_predictions
    from veracity.readers.source import expand_patterns

    if not has_predictions(vars(source.columns)):
        message = f"{files[0]} is no store: to report predictions, name the column with the truth, --truth COLUMN"
        raise missing_column_error(message, expand_patterns(files), source.columns)
    page = score_files(files, question, source).page
    assert page is not None  # which scores of predictions always have
    return _page_result(page())


def _page_result(page: Any) -> results.Output:
    m = page.material
    tables = [vc.Comparisons(m.comparisons).table()] if m.comparisons else []
    if m.estimates is not None:
        tables.append(m.estimates.table())
    after = (m.tuning.short_table(),) if m.tuning else ()
    return results.Output(m.title, tuple(tables), page.to_json, m.answer, lambda: page, after)
