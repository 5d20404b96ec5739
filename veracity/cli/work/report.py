"""The work of `veracity report`: the page of a store, or of the predictions in files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click
from click.core import ParameterSource

from veracity.cli.work.guess_options import without_role
from veracity.cli.work.score import score_files
from veracity.cli.work.stored import is_stored, read_stored, refuse_choice, refuse_columns
from veracity.core.errors import BadInput
from veracity.core.spelling import split_spellings
from veracity.findings.comparison import Comparisons
from veracity.readers.read_models import Given, has_predictions
from veracity.readers.source import expand_patterns
from veracity.reports.gather import question_in_words, questions_about, questions_of_store
from veracity.reports.output import Output
from veracity.reports.report import report
from veracity.scores.default import default_score_of

QUESTION = ("using", "then", "pairs", "control")  # words of a question to a store
NO_COUNTS: dict[str, Any] = {"errors": (), "of": (), "matrix": (), "costs": None}  # which a page has no use for


def report_files(files: list[str], scores: Sequence[str], given: Given) -> Output:
    """The page, its tables and its JSON."""
    names = [*(name for text in given["scores"] for name in split_spellings(text)), *scores]
    stored = [file for file in files if is_stored(file)]
    if not stored:
        return _report_predictions(files, names, given)
    if len(files) > 1:
        raise BadInput(f"report reads one store, or files of predictions, not {', '.join(files)} together")
    refuse_columns(files[0])
    runs, questions = read_stored(files[0], given)
    runs = runs.only(by=given["by"])
    how = {name: given[name] for name in ("title", "level", "seed", "deviations")}
    score = next(iter(names or runs.asked_scores), None) or default_score_of(runs)
    asked = question_in_words(runs, score, **{word: given[word] for word in QUESTION})
    is_typed = click.get_current_context().get_parameter_source("level") is not ParameterSource.DEFAULT
    picked_level = given["level"] if is_typed else None
    own = questions_about(questions_of_store(runs) if questions is None else questions, names, picked_level)
    return _result(report(runs, names or None, questions=asked or own, **how))


def _report_predictions(files: list[str], names: list[str], given: Given) -> Output:
    if not has_predictions(given):
        says = f"{files[0]} is no store: to report predictions, name the column with the truth, --truth COLUMN"
        raise without_role(says, expand_patterns(files), given)
    refuse_choice(files[0], given)
    for word in QUESTION:
        if given[word] is not None:
            raise BadInput(f"--{word} asks about learners of a store, and {files[0]} is none: see veracity compare")
    if given["by"]:
        raise BadInput(f"--by chooses from the designs of a study, and {files[0]} is none: leave it out")
    if given["deviations"]:
        raise BadInput(f"--deviations are over the splits of a study, and {files[0]} is none: leave it out")
    if given["store"] is not None:
        raise BadInput(f"--store says where the results of a study file are, and {files[0]} is none: leave it out")
    page = score_files(files, names, {**given, **NO_COUNTS}).page
    assert page is not None  # which scores of predictions always have
    return _result(page())


def _result(page: Any) -> Output:
    m = page.material
    tables = [Comparisons(m.comparisons).table()] if m.comparisons else []
    if m.estimates is not None:
        tables.append(m.estimates.table())
    after = (m.tuning.short_table(),) if m.tuning else ()
    return Output(m.title, tuple(tables), page.to_json, m.answer, lambda: page, after)
