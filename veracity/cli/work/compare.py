"""The work of `veracity compare`: what is compared, by what was said of it, and the answer."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from veracity.api.plot import plot
from veracity.cli.output import page_of, paper_forms
from veracity.cli.work.counted import read_counted, read_pairs
from veracity.cli.work.estimate import try_learners
from veracity.cli.work.guess_options import OUTPUTS, without_role
from veracity.cli.work.read_files import read_models, read_slices
from veracity.cli.work.stored import is_stored, read_score_table, read_stored, refuse_choice, refuse_fresh_words
from veracity.comparisons import comparisons
from veracity.contests.compare import choose_effects, compare
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.evidence.align_models import NAME_IDS
from veracity.evidence.predictions import Predictions
from veracity.evidence.proportion import Shares
from veracity.evidence.runs import Runs
from veracity.findings.comparison import Comparison, Comparisons
from veracity.intervals import intervals
from veracity.readers.read_models import alone_or_all, has_predictions
from veracity.readers.source import expand_patterns, unique_names
from veracity.reports.output import Output
from veracity.scores import scores as known

OTHER_ROWS = "where models were tried on different rows, name `using='two_proportion_z'`"


def compare_files(files: list[str], scores: Sequence[str], given: Mapping[str, Any], as_json: bool) -> Output:
    """One comparison, or several as a family."""
    table = _is_score_table(files, given)
    _check_names(() if table else scores, given)
    score = list(scores) if len(scores) > 1 else next(iter(scores), None)
    if given["better"] and not table:
        raise BadInput("--better is for a table of scores: of rows and of runs the score tells it, so leave it out")
    if table:
        given, score = {**given, "score": _one_measure(scores, files[0])}, None
    if given["slices"] is not None:
        return _compare_slices(files, score, given)
    source = compared_source(files, scores, given, as_json)
    if score is None and isinstance(source, Runs):
        score = next(iter(source.asked_scores), None)
    one = len(given["by"]) == 1 or (given["by"] and not isinstance(source, Runs))  # which is then refused
    by = given["by"][0] if one else None
    data = list(given["data"]) if isinstance(source, Runs) and len(given["data"]) > 1 else None
    answer = compare(source, score, data=data, by=by, **_how(given))
    alone = isinstance(answer, Comparisons) and len(answer) == 1 and answer.omnibus is None
    if isinstance(answer, Comparisons) and alone and not isinstance(score, list):
        answer = replace(answer[0], adjusted_p_value=None)  # one pair is no family
    title = type(answer).__name__
    draw, page = partial(plot, answer), partial(page_of, answer, title)
    if isinstance(answer, Comparison):
        one = Comparisons((answer,))
        paper = paper_forms(one)
        return Output(title, (one.table(),), answer.to_json, answer.sentence(), page, draw=draw, own_forms=paper)
    omnibus = answer.omnibus
    lead = "" if omnibus is None else f"{omnibus.method} of all together: {omnibus.result}"
    return Output(title, (answer.table(),), answer.to_json, lead, page, draw=draw, own_forms=paper_forms(answer))


def _is_score_table(files: Sequence[str], given: Mapping[str, Any]) -> bool:
    """Whether what is compared are scores already: nothing was said of rows, learners or counts."""
    said = has_predictions(given) or any(given[name] for name in (*OUTPUTS, "learners", "target", "slices"))
    return len(files) == 1 and not said and not is_stored(files[0])


def _one_measure(scores: Sequence[str], file: str) -> str | None:
    if len(scores) > 1:
        raise BadInput(f"{file} is a table of scores, compared by one of them: {', '.join(scores)} are {len(scores)}")
    return next(iter(scores), None)


def _compare_slices(files: list[str], score: str | list[str] | None, given: Mapping[str, Any]) -> Output:
    """Models on each slice of their rows."""
    if not has_predictions(given):
        raise BadInput("--slices is a column beside predictions: name the column with the truth, --truth")
    column = given["slices"]
    models, labels = read_slices(expand_patterns(files), given, column)
    answer = compare(alone_or_all(models), score, slices=labels, **_how(given))
    assert isinstance(answer, Comparisons)  # as slices are a family, be it of one
    table = answer.table()
    table = replace(table, columns=tuple(replace(c, title=column) if c.title == "data" else c for c in table.columns))
    draw, page = partial(plot, answer), partial(page_of, answer, f"Comparison by {column}")
    shape, paper = lambda: {"by": column, **answer.to_json()}, paper_forms(answer)
    return Output("Comparisons", (table,), shape, page=page, draw=draw, own_forms=paper)


def _how(given: Mapping[str, Any]) -> dict[str, Any]:
    names = ("using", "interval", "alternative", "then", "effect", "level", "seed", "anyway")
    how = {name: given[name] for name in names}
    return {**how, "pairs": parse_pairs(given["pairs"])}


def _check_names(scores: Sequence[str], given: Mapping[str, Any]) -> None:
    """What is misspelled is told before anything is read or fitted."""
    for score in scores:
        known.choose(score)
    if given["using"] is not None:
        comparisons.choose(given["using"])
    if given["interval"] is not None:
        intervals.choose(given["interval"])
    choose_effects(given["effect"])
    Confidence(given["level"])


def compared_source(files: list[str], scores: Sequence[str], given: Mapping[str, Any], as_json: bool) -> Any:
    """What is compared, by what was said of it."""
    counted = read_pairs(files, given) or alone_or_all(read_counted(files, given))
    if counted:
        return counted
    if has_predictions(given):
        refuse_choice(files[0], given)
        return alone_or_all(_models(expand_patterns(files), given))
    said = f"{len(files)} files are compared by their predictions: " if len(files) > 1 else ""
    if said or any(given[role] for role in OUTPUTS):
        raise without_role(f"{said}name the column with the truth, --truth COLUMN", expand_patterns(files), given)
    if given["learners"] or given["target"]:
        return try_learners(files[0], scores, given, as_json)
    if is_stored(files[0]):
        refuse_fresh_words(files[0], given)
        return read_stored(files[0], given).runs
    return read_score_table(files[:1], given)


def _models(files: list[str], given: Mapping[str, Any]) -> dict[str, Predictions]:
    """The predictions by model; those of several files are of the same rows unless the test says otherwise."""
    apart = given["using"] is not None and comparisons.choose(given["using"]).reads is Shares
    if len(files) > 1 and apart:
        return {
            f"{name} {column}".strip(): p
            for name, file in unique_names(files).items()
            for column, p in read_models([file], given).items()
        }
    try:
        return read_models(files, given, same_rows=not apart)
    except BadInput as why:
        if NAME_IDS in why.says:
            raise BadInput(f"{why.says}; {OTHER_ROWS}") from None
        raise


def parse_pairs(given: Sequence[str]) -> list[tuple[str, ...]] | None:
    """The pairs of names that were typed; a name with a comma stands in double quotes, as in CSV."""
    pairs = [tuple(next(csv.reader([text]), [])) for text in given]
    wrong = [text for text, pair in zip(given, pairs, strict=True) if len(pair) != 2]
    if wrong:
        way = "a name with a comma stands in double quotes, as in --pair '\"knn k=1, p=1\",nb'"
        raise BadInput(f"--pair names two, as in --pair a,b, not {wrong[0]!r}; {way}")
    return pairs or None
