"""The work of `veracity estimate`: runs of a store, or of learners tried on a data file just now; also by slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from veracity.api.slices import slices
from veracity.cli.output import page_of
from veracity.cli.work.per_class import TITLE, scores_per_class
from veracity.cli.work.stored import (
    check_any_done,
    is_stored,
    is_study,
    no_learners,
    read_stored,
    refuse_choice,
    refuse_fresh_words,
    tells_stop,
)
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.evidence.runs import Runs
from veracity.findings.optimism import Optimism
from veracity.intervals import intervals
from veracity.learners.from_text import Reach
from veracity.learners.inspection import target_kind
from veracity.readers.read_predictions import read_column
from veracity.readers.source import ENDINGS
from veracity.records.data import Data
from veracity.reports.output import Output
from veracity.reports.report import report
from veracity.risk.estimates import estimate, numbers_hint
from veracity.risk.optimism import tuning_optimism
from veracity.scores import scores as known
from veracity.scores.default import default_score_of
from veracity.studies.evaluate import evaluate_data
from veracity.studies.parse import parse_design, parse_learners, parse_table
from veracity.studies.study_file import data_files
from veracity.tables.table import Column, Table

ROLES = ("target", "positive", "groups", "weights", "time", "leave_out", "kind")
WITHOUT_SLICES = ("per_class", "deviations")
FITS = ("store", "seed", "workers", "engine", "address", "timeout")


def estimate_learners(where: str, scores: Sequence[str], given: Mapping[str, Any], as_json: bool) -> Output:
    """Estimates of a store's runs, or of learners tried on a file just now."""
    for name in scores:
        known.choose(name)
    if given["interval"] is not None:
        intervals.choose(given["interval"])
    how = {name: given[name] for name in ("interval", "side", "level", "seed")}
    Confidence(how["level"], how["side"])
    runs = runs_of(where, scores, given, as_json)
    sizes = [f"{name} {len(runs.data(name)):,} rows" for name in runs.names]
    more = f" and {len(sizes) - 5} more" if len(sizes) > 5 else ""
    shown = runs.store.where if "://" in where else where  # an address without its password
    lead = f"{shown}: {', '.join(sizes[:5])}{more}"
    if given["slices"] is not None:
        return estimate_slices(runs, where, scores, given)
    if given["per_class"]:
        table = scores_per_class(runs, scores, given)
        return Output(TITLE, (table.table(),), table.to_json, lead)
    asked = list(scores) or list(runs.asked_scores) or [default_score_of(runs)]
    estimates = estimate(runs, asked, **how, deviations=given["deviations"])
    tuned = tuning_optimism(runs, estimates, level=how["level"], seed=how["seed"])
    asked = list(dict.fromkeys(row.asked for row in estimates.rows))
    return Output(
        "Risk of learners",
        (estimates.table(),),
        lambda: {**estimates.to_json(), **tuning_json(tuned)},
        lead,
        lambda: report(runs, asked, level=how["level"]),
        tuning_tables(tuned),
    )


def runs_of(where: str, scores: Sequence[str], given: Mapping[str, Any], as_json: bool) -> Runs:
    """The runs of a store, or of learners tried on a file just now."""
    if given["learners"] or given["target"]:
        return try_learners(where, scores, given, as_json)
    if is_stored(where):
        refuse_fresh_words(where, given)
    elif Path(where).is_file() and Path(where.removesuffix(".gz")).suffix in ENDINGS:
        raise no_learners(where)
    return read_stored(where, given).runs.only(by=given["by"])


def try_learners(where: str, scores: Sequence[str], given: Mapping[str, Any], as_json: bool) -> Runs:
    """The runs of the learners named, in a store or forgotten afterwards."""
    refuse_choice(where, given)
    learners, data = learners_and_data(where, given, given["by"])
    wrong = [name for name in scores if not known.choose(name).suits(data.kind)]
    if wrong:
        way = numbers_hint(data.classes, ": say --kind numbers")
        raise BadInput(f"{wrong[0]} is not for a target of {data.kind}, which {given['target']} is{way}")
    how = {name: given[name] for name in FITS}
    with tells_stop(how["store"]):
        by = list(given["by"]) or "kfold(k=10)"
        runs = evaluate_data(data, learners, by, **how, progress=False if as_json else None)
    check_any_done(runs)
    return runs


def learners_and_data(where: str, given: Mapping[str, Any], by: Sequence[str]) -> tuple[dict[str, Any], Data]:
    """The learners named and the table that they learn, after a look at whether all code is within reach."""
    if not given["learners"]:
        raise BadInput("name a learner: --learner MODULE:CLASS, such as sklearn.naive_bayes:GaussianNB")
    if not given["target"] and not where.startswith("sklearn:"):
        raise BadInput("name the column to be predicted: --target COLUMN")
    reach = Reach(folder=Path.cwd(), trusted=given["trust_here"])
    for design in by:
        parse_design(design, reach)
    learners = parse_learners(_learners_by_name(given["learners"]), reach)
    table = {"file": where, **{name: given[name] for name in ROLES if given.get(name)}}
    return learners, parse_table("", table, meant=target_kind(learners.values()))


def _learners_by_name(texts: Sequence[str]) -> dict[str, str]:
    """Learners by the text typed, or by the name typed before it."""
    learners: dict[str, str] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        has_name = bool(equals) and name.isidentifier()
        label = name if has_name else text
        if label in learners:
            raise BadInput(f"the learner {label!r} is given twice: give each a name, --learner NAME=MODULE:CLASS")
        learners[label] = rest if has_name else text
    return learners


def tuning_json(tuned: Optimism) -> dict[str, Any]:
    """What JSON says of learners that choose for themselves, where there are some."""
    return {"tuning": tuned.choices()} if tuned else {}


def tuning_tables(tuned: Optimism) -> tuple[Table, ...]:
    """What those learners chose, where there are some."""
    return (tuned.short_table(),) if tuned else ()


def estimate_slices(runs: Runs, where: str, scores: Sequence[str], given: Mapping[str, Any]) -> Output:
    """Scores of each slice, with intervals that hold together."""
    column = given["slices"]
    wrong = [f"--{word.replace('_', '-')}" for word in WITHOUT_SLICES if given[word]]
    if wrong:
        raise BadInput(f"--slices has a line for each slice, and none for what {wrong[0]} asks: give one of them")
    how = {name: given[name] for name in ("interval", "level", "side", "seed")}
    labels = list(chain.from_iterable(read_column(file, column) for file in _files_of_rows(runs, where)))
    card = slices(runs, labels, list(scores) or list(runs.asked_scores) or None, **how)
    table = card.table()
    table = replace(table, columns=(Column(column, "left"), *table.columns[1:]))
    title = f"Risk of learners by {column}"
    page = partial(page_of, card, title)
    return Output(title, (table,), lambda: {"by": column, **card.to_json()}, f"{where}: {runs.names[0]}", page)


def _files_of_rows(runs: Runs, where: str) -> list[str | Path]:
    """Where the rows of the one data set stand, which a store does not keep."""
    if not is_stored(where):
        return [where]
    if not is_study(where):
        raise BadInput(f"a store keeps no columns of the data: name the study file of {where}, and --store {where}")
    if len(runs.names) > 1:
        raise BadInput(f"--slices is of one data set: name it, --data NAME; there are {', '.join(runs.names)}")
    files: list[str | Path] = list(data_files(where, runs.names[0]))
    if not files:
        raise BadInput(f"{runs.names[0]} is built in and has no file with columns: --slices is of one that has")
    return files
