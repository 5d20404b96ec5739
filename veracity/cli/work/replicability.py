"""The work of `veracity replicability`: what was tested on each data set, or its p-values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veracity.cli.output import Result, result_of
from veracity.cli.work.adjust import read_p_column
from veracity.cli.work.compare import parse_pairs
from veracity.cli.work.stored import is_stored, read_score_table, read_stored
from veracity.contests.replicability import replicability


def replicability_of_file(file: str, score: str | None, given: Mapping[str, Any]) -> Result:
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
