"""The work of `veracity rank`, apart from its options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from veracity.cli.output import Result
from veracity.cli.work.curve import save_plot
from veracity.cli.work.stored import is_kept, read_kept, read_table, scores_alone
from veracity.comparisons import comparisons
from veracity.contests.rank import rank
from veracity.core.confidence import Confidence
from veracity.core.errors import BadInput
from veracity.findings.ranking import Ranking
from veracity.findings.verdicts import Verdicts

ASKED = ("using", "then", "pairs", "control", "level", "seed", "anyway")


def ranked(file: str, given: Mapping[str, Any]) -> tuple[Result, Ranking | Verdicts]:
    """A ranking; or, by a test of splits, the verdicts of every data set."""
    comparisons.choose(given["using"])
    Confidence(given["level"])
    how = {name: given[name] for name in ASKED if given[name] is not None}
    if is_kept(file):
        runs = read_kept(file, given["store"]).runs
        score = given["score"] or next(iter(runs.scores), None)
        found = rank(runs, score, better=given["better"], by=given["by"], **how)
    else:
        scores_alone(file, given)
        found = rank(read_table(file, given), **how)
    if isinstance(found, Verdicts):
        return Result("Verdicts", found.tables, found.to_json), found
    return Result("Ranking", found.tables, found.to_json), found


def drawn(found: Ranking | Verdicts, out: str) -> None:
    """The critical-difference diagram of a ranking."""
    if isinstance(found, Verdicts):
        raise BadInput(f"--out {out}: verdicts for each data set have no diagram; write them as a table, or as .json")
    save_plot(found, out)
