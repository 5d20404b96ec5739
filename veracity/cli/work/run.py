"""The work of `veracity run` and `veracity status`: a study carried out, and how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veracity.cli.output import deliver
from veracity.cli.work.estimate import tuning_json, tuning_tables
from veracity.cli.work.stored import check_any_done, is_study, store_name, tell_stop
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.evidence.runs import Runs
from veracity.findings.estimates import Estimates
from veracity.reports.output import Output
from veracity.risk.estimates import estimate
from veracity.risk.optimism import tuning_optimism
from veracity.stores.open_store import store_of
from veracity.studies.named_runs import status_of_study
from veracity.studies.study import Study
from veracity.tables.table import Column, Table

if TYPE_CHECKING:
    from veracity.stores.store import Status, Store

SHOWN = 10  # failures that fill no screen
COUNTED = ("planned", "done", "failed", "running")
WORDS = {"data": "data set", "learners": "learner", "by": "design"}


def run_study(
    file: str,
    trust_here: bool,
    trust_store: bool,
    how: Mapping[str, Any],
    seed: int | None,
    level: float,
    as_json: bool,
    out: tuple[str, ...],
) -> None:
    """Run, then show what came of it."""
    Confidence(level)
    how = {**how, "store": store_name(file, how["store"], trust_store)}
    study = Study.read(file, trust_here)
    study.seed = study.seed if seed is None else seed
    try:
        runs = study.run(**how, progress=False if as_json else None)
    except (KeyboardInterrupt, SystemExit):
        tell_stop(lambda: study.plan().against(how["store"]))
        raise
    deliver(_result(study, runs, level), as_json, out)
    check_any_done(runs)


def _result(study: Study, runs: Runs, level: float) -> Output:
    """How far the study is, what failed, and the estimates of its scores."""
    progress = study.plan().against(runs.store)
    running = runs.store.status(study.plan().plan.splits).running
    fits = dict(zip(COUNTED, (progress.fits, progress.done, progress.failed, running), strict=True))
    failed = _failures(runs)
    estimates = _estimates(study, runs, level)
    tables = (*_failure_tables(failed), *((estimates.table(),) if study.scores else ()))
    tuned = tuning_optimism(runs, estimates, level=level, seed=study.seed)
    answers = {**estimates.to_json(), **tuning_json(tuned)}
    shape = {"fits": fits, "extra": runs.store.status().extra, **answers, "failed": failed}
    if not len(estimates):
        shape |= {"estimates": {}, "notes": [note.to_json() for note in estimates.notes or runs.notes]}
    shape["notes"] = [*(note.to_json() for note in study.foreseen), *shape["notes"]]
    lead = f"{runs.store.where}: {progress}"
    return Output("Study", tables or (_counts_table(fits),), lambda: shape, lead, after=tuning_tables(tuned))


def _estimates(study: Study, runs: Runs, level: float) -> Estimates:
    """Those of the study's scores; where none can be had of what was fitted, the reason in their place."""
    try:
        return estimate(runs, list(study.scores), level=level, seed=study.seed)
    except (BadInput, Refused) as why:
        return Estimates((), (*runs.notes, Note("score-undefined", "caution", why.says)))


def _failures(runs: Runs) -> list[dict[str, Any]]:
    """Every split whose fit failed, with its reason."""
    reasons = {outcome.key: outcome.reason for outcome in runs.failures()}
    if not reasons:
        return []
    return [
        {"data": data, "learner": learner, "by": by, "split": split, "reason": reasons[key]}
        for data, learner, by in runs.places()
        for split, key in enumerate(runs.store.cells(data, learner, by))
        if key in reasons
    ]


def _failure_tables(failed: list[dict[str, Any]]) -> tuple[Table, ...]:
    if not failed:
        return ()
    columns = tuple(Column(title, "left") for title in failed[0])
    more = f", the first {SHOWN} of them" if len(failed) > SHOWN else ""
    rows = tuple(tuple(one.values()) for one in failed[:SHOWN])
    return (Table(columns, rows, caption=f"{len(failed)} failed fits{more}"),)


def status_of(where: str, at: str | None = None, trust_store: bool = False) -> Output:
    """How far the study of a store is; the store may be named by a study file, or beside it."""
    with store_of(store_name(where, at, trust_store), create=False) as store:
        study, notes, shown = store.study(), store.notes(), store.where
        counts, more = _status_of_file(where, store) if is_study(where) else (store.status(), ())
    fits = {name: getattr(counts, name) for name in COUNTED}
    about = {name: list(study.get(name, ())) for name in ("data", "learners", "by", "scores")}
    words = study.get("words", "")
    shape = {"fits": fits, "waiting": counts.waiting, "extra": counts.extra, "seed": study.get("seed"), **about}
    shape |= {"words": words, "notes": [note.to_json() for note in (*notes, *more)]}
    sizes = ", ".join(plural(len(about[what]), word) for what, word in WORDS.items())
    said = f"; notes: {' '.join(words.split())}" if words.strip() else ""
    lead = f"{shown}: {sizes}, seed {study.get('seed')}{said}"
    table = _counts_table({**fits, "waiting for a worker": counts.waiting}, (*notes, *more))
    return Output("Status", (table,), lambda: shape, lead)


def _status_of_file(study: str, store: Store) -> tuple[Status, tuple[Note, ...]]:
    """Count what a store holds of the study that a file names now."""
    try:
        status, named = status_of_study(study, store)
    except BadInput as why:
        says = f"{study} cannot be read, so all that {store.where} holds is counted: {why.says}"
        return store.status(), (Note("study-unread", "caution", says),)
    if not named.more:
        return status, ()
    says = f"{study} names more than was run into {store.where}: veracity run {study} fits what is new"
    return status, (Note("not-run-yet", "remark", says),)


def _counts_table(fits: Mapping[str, int], notes: tuple[Note, ...] = ()) -> Table:
    return Table((Column("fits", "left"), Column("")), tuple(fits.items()), notes=notes)
