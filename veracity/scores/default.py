"""The score where none is named, the same for every verb, the page and the command line."""

from __future__ import annotations

from veracity.evidence.runs import Runs


def default_score(*kinds: str) -> str:
    """The score for targets of these kinds: error, unless all of them are of numbers, or losses or grades already."""
    usual = {"numbers": "rmse", "loss": "mean", "grades": "mean"}
    return usual.get(kinds[0], "error") if len(set(kinds)) == 1 else "error"


def default_score_of(runs: Runs, data: str | None = None) -> str:
    """The score of runs on all their data sets, or on one of them."""
    return default_score(*(runs.kind(name) for name in runs.names if data in (None, name)))
