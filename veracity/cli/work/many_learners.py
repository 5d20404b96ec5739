"""The work of `veracity bbc_cv` and `veracity replicability`: runs of a store, or what was made of many elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veracity.cli.output import result_of
from veracity.cli.work.adjust import read_p_column
from veracity.cli.work.compare import parse_pairs
from veracity.cli.work.read_files import read_models
from veracity.cli.work.stored import is_stored, read_score_table, read_stored, refuse_choice
from veracity.contests.per_dataset import replicability
from veracity.core.errors import BadInput
from veracity.readers.read_models import has_predictions
from veracity.readers.source import expand_patterns
from veracity.reports.output import Output
from veracity.risk.bbc_cv import bbc_cv
from veracity.scores import scores as known


def best_of_files(files: Sequence[str], scores: Sequence[str], given: Mapping[str, Any]) -> Output:
    """One row for each data set."""
    if len(scores) > 1:
        raise BadInput(f"bbc_cv chooses by one score, not {len(scores)}: {', '.join(scores)}; call it once for each")
    for name in scores:
        known.choose(name)
    score = scores[0] if scores else None
    how = {name: given[name] for name in ("draws", "level", "seed")}
    if has_predictions(given):
        refuse_choice(files[0], given)
        answer = bbc_cv(read_models(expand_patterns(files), given), score, **how)
    else:
        if len(files) != 1:
            raise BadInput(f"{len(files)} files are read for predictions: name the column with the truth, --truth")
        runs = read_stored(files[0], given).runs
        answer = bbc_cv(runs, score or next(iter(runs.asked_scores), None), by=given["by"], **how)
    return Output("The best of many", (answer.table(),), answer.to_json)


def replicability_of_file(file: str, score: str | None, given: Mapping[str, Any]) -> Output:
    """One row for each pair."""
    how = {name: given[name] for name in ("combine", "level", "seed")}
    if given["p_values"] is not None:
        found = replicability(read_p_column(file, given["p_values"]), **how)
        return result_of(found, "Replicability")
    how |= {"using": given["using"], "pairs": parse_pairs(given["pairs"])}
    if is_stored(file):
        runs = read_stored(file, given).runs
        found = replicability(runs, score or next(iter(runs.asked_scores), None), by=given["by"], **how)
    else:
        table = read_score_table([file], {**given, "score": score})
        found = replicability(table, **how)
    return result_of(found, "Replicability")
