"""The work of `veracity run`, `status` and `estimate`, apart from their options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import click

from veracity.cli.output import Result, deliver
from veracity.cli.work.evaluate import Work, evaluated, nothing_done
from veracity.cli.work.stored import is_kept, made_before, read_kept
from veracity.core.confidence import Confidence
from veracity.evidence.runs import Runs
from veracity.findings.optimism_table import OptimismTable
from veracity.intervals import intervals
from veracity.records.plan import Progress
from veracity.reports.report import report
from veracity.risk.estimates import estimate
from veracity.risk.optimism import tuning_optimism
from veracity.scores import scores as known
from veracity.scores.default import default_score_of
from veracity.stores.open_store import store_of
from veracity.studies.study import Study
from veracity.tables.table import Column, Table

SHOWN = 10  # failures that fill no screen
COUNTED = ("planned", "done", "failed", "running")


def run_study(
    file: str,
    store: str,
    work: Work,
    retry: Sequence[str],
    seed: int | None,
    level: float,
    as_json: bool,
    out: str | None,
) -> None:
    """Run, then show what came of it."""
    Confidence(level)
    study = Study.read(file)
    study.seed = study.seed if seed is None else seed
    progress = False if as_json else None
    try:
        runs = study.run(store, **work.how, retry=tuple(retry), progress=progress)
    except KeyboardInterrupt:
        _stopped(study, store)
        raise
    result = _ran(study, runs, level)
    deliver(result.title, result.tables, result.shape, as_json, out, result.lead, after=result.after)
    nothing_done(runs)


def _stopped(study: Study, store: str) -> None:
    click.echo(f"stopped; {study.plan().against(store)}; the same line goes on from here", err=True)


def _ran(study: Study, runs: Runs, level: float) -> Result:
    progress: Progress = study.plan().against(runs.store)
    running = runs.store.status(study.plan().plan.splits).running
    fits = dict(zip(COUNTED, (progress.fits, progress.done, progress.failed, running), strict=True))
    failed = failures(runs)
    found = estimate(runs, list(study.scores), level=level, seed=study.seed)
    tables = (*_failed_table(failed), *((found.table(),) if study.scores else ()))
    chosen = tuning_optimism(runs, found, level=level, seed=study.seed)
    shape = {"fits": fits, "extra": runs.store.status().extra, **found.to_json(), **_tuned(chosen), "failed": failed}
    if not study.scores:
        shape |= {"estimates": {}, "notes": [note.to_json() for note in runs.notes]}
    shown, lead = tables or (_counts_table(shape["fits"]),), f"{runs.store.where}: {progress}"
    return Result("Study", shown, lambda: shape, lead, after=_after(chosen))


def failures(runs: Runs) -> list[dict[str, Any]]:
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


def _failed_table(failed: list[dict[str, Any]]) -> tuple[Table, ...]:
    if not failed:
        return ()
    columns = tuple(Column(title, "left") for title in failed[0])
    more = f", the first {SHOWN} of them" if len(failed) > SHOWN else ""
    rows = tuple(tuple(one.values()) for one in failed[:SHOWN])
    return (Table(columns, rows, caption=f"{len(failed)} failed fits{more}"),)


def told_status(where: str) -> Result:
    """How far the study of a store is."""
    with store_of(where, create=False) as store:
        study, counted, shown = store.study(), _counted(store), store.where
    about = {name: list(study.get(name, ())) for name in ("data", "learners", "by", "scores")}
    shape = {**counted, "seed": study.get("seed"), **about}
    lead = (
        f"{shown}: {', '.join(f'{len(about[what])} {word}' for what, word in WORDS.items())}, seed {study.get('seed')}"
    )
    return Result("Status", (_counts_table(counted["fits"]),), lambda: shape, lead)


WORDS = {"data": "data sets", "learners": "learners", "by": "designs"}


def _counted(store: Any) -> dict[str, Any]:
    found = store.status()
    return {"fits": {name: getattr(found, name) for name in COUNTED}, "extra": found.extra}


def _counts_table(fits: Mapping[str, int]) -> Table:
    return Table((Column("fits", "left"), Column("")), tuple(fits.items()))


def estimated(where: str, scores: Sequence[str], given: Mapping[str, Any], as_json: bool) -> Result:
    """Estimates of a store's runs, or of learners tried on a file just now."""
    for name in scores:
        known.choose(name)
    if given["interval"] is not None:
        intervals.choose(given["interval"])
    how = {name: given[name] for name in ("interval", "side", "level", "seed")}
    Confidence(how["level"], how["side"])
    runs = evaluated(where, scores, given, as_json) if _fresh(given) else _kept(where, given)
    shown = runs.store.where if "://" in where else where  # an address without its password
    found = estimate(runs, list(scores) or list(runs.scores) or [default_score_of(runs)], **how)
    chosen = tuning_optimism(runs, found, level=how["level"], seed=how["seed"])
    made = lambda: report(runs, list(dict.fromkeys(row.asked for row in found.rows)), level=how["level"])  # noqa: E731
    shape = lambda: {**found.to_json(), **_tuned(chosen)}  # noqa: E731
    return Result("Risk of learners", (found.table(),), shape, _about(shown, runs), made, _after(chosen))


def _fresh(given: Mapping[str, Any]) -> bool:
    return bool(given["learners"] or given["target"])


def _kept(where: str, given: Mapping[str, Any]) -> Runs:
    if is_kept(where):
        made_before(where, given)
    return read_kept(where, given["store"]).runs


def _tuned(chosen: OptimismTable) -> dict[str, Any]:
    """What JSON says of learners that choose for themselves, where there are some."""
    return {"tuning": chosen.choices()} if chosen else {}


def _after(chosen: OptimismTable) -> tuple[Table, ...]:
    return (chosen.short(),) if chosen else ()


def _about(where: str, runs: Runs) -> str:
    sizes = [f"{name} {len(runs.data(name)):,} rows" for name in runs.names]
    return f"{where}: {', '.join(sizes[:5])}" + (f" and {len(sizes) - 5} more" if len(sizes) > 5 else "")
