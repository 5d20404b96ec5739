"""The work of `veracity best_threshold`: chosen on the rows of one file, reported on those of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from veracity.cli.work.class_matrix import read_costs
from veracity.cli.work.read_files import read_models
from veracity.cli.work.summary import lead, shape
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import for_command_line
from veracity.curves.best_threshold import BestThreshold, best_threshold
from veracity.evidence.predictions import Predictions
from veracity.findings.estimates import Estimates
from veracity.readers.read_evidence import Reading
from veracity.readers.read_models import Given
from veracity.reports.output import Output
from veracity.scores import scores as known
from veracity.tables.table import Table

OPTIMISTIC = "optimistic"


def choose_threshold(files: list[str], scores: Sequence[str], given: Given) -> Output:
    """The threshold chosen on the first file; with a second one, what it does there, with folds what it does here."""
    Confidence(given["level"])
    _check_call(files, scores, given)
    validation = _one_model(files[0], given)
    costs = _costs(given["costs"], validation) if given["costs"] else None
    sure = {"level": given["level"], "seed": given["seed"]}
    best = best_threshold(validation, scores[0] if scores else None, costs=costs, **sure)
    test = _one_model(files[1], {**given, "classes": tuple(map(str, validation.classes))}) if files[1:] else None
    reported = best.cross_fit(given["folds"], **sure) if given["folds"] is not None else None
    reported = reported if test is None else best.on(test, **sure)
    more = () if reported is None else (replace(reported.table(), caption=_about(files, given)),)
    tables = (best.matrix_table(), _table(best, files[0], reported is None), *more)
    about = lead(files[:1], {"": Reading.of(validation)})
    return Output("Best threshold", tables, lambda: _shape(best, test, reported), about)


def _check_call(files: list[str], scores: Sequence[str], given: Given) -> None:
    """What can be told before a file is read is told then."""
    if len(files) > 2:
        raise BadInput(f"best_threshold reads a file that chooses and one that tests, not {len(files)}")
    if given["folds"] is not None and len(files) == 2:
        raise BadInput("--folds reports on the rows of the one file: leave it out, or the second file")
    if given["threshold"] is not None:
        raise BadInput("--threshold is what is looked for: leave it out")
    if len(scores) + bool(given["costs"]) != 1:
        raise BadInput("say what to optimise: --costs FP=1 --costs FN=5, or one score of counts such as youden")
    for name in scores:
        known.choose(name)


def _one_model(file: str, columns: Given) -> Predictions:
    models = read_models([file], columns)
    if len(models) > 1:
        raise BadInput(f"a threshold is of one model, not of {len(models)}: {', '.join(models)}")
    return next(iter(models.values()))


def _costs(given: Sequence[str], p: Predictions) -> Any:
    """What each kind of row costs, from CELL=COST; or the matrix of a file."""
    is_file = len(given) == 1 and "=" not in given[0]
    if is_file and Path(given[0]).exists():
        return read_costs(given[0], p.classes)
    try:
        return {cell.strip(): float(cost) for cell, cost in (text.split("=") for text in given)}
    except ValueError:
        says = "--costs is FP=1 and FN=5, once for each kind, or the file of a cost matrix"
        raise BadInput(f"{says}{f', and there is no file {given[0]}' if is_file else ''}") from None


def _table(best: BestThreshold, file: str, alone: bool) -> Table:
    table = best.table()
    notes = tuple(note for note in table.notes if alone or note.code != OPTIMISTIC)
    return replace(table, caption=best.caption(file), notes=notes)


def _about(files: Sequence[str], given: Given) -> str:
    """Of which rows the scores are, and where these were cut."""
    if given["folds"] is not None:
        return f"on the rows of {files[0]}, each of {given['folds']} parts cut at the threshold best on the others"
    return f"on the rows of {files[1]}, cut at this threshold"


def _reword(note: Note, reported: bool) -> Note:
    """In the words of the command line; rows that were named to report on need not be asked for."""
    says = note.says.partition(":")[0] if reported and note.code == OPTIMISTIC else for_command_line(note.says)
    return replace(note, says=says)


def _shape(best: BestThreshold, test: Predictions | None, reported: Estimates | None) -> dict[str, Any]:
    shown = best.to_json()
    on = test is not None and reported is not None
    return {
        **shown,
        "on": shape({"": Reading.of(best.cut(test))}, reported) if test is not None and reported is not None else None,
        "cross_fit": reported.to_json() if reported is not None and not on else None,
        "notes": [_reword(note, reported is not None).to_json() for note in best.all_notes],
    }
