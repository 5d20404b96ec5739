"""The work of `veracity lab coverage | bias | size | power`: worlds, learners and designs by name, table by table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from veracity.api.plot import plot
from veracity.core.errors import BadInput
from veracity.core.notes import unique
from veracity.lab.bias import bias
from veracity.lab.coverage import coverage
from veracity.lab.plasmode import plasmode_of
from veracity.lab.results import Coverages, Qualities, Rejections
from veracity.lab.size import power, size
from veracity.learners.from_text import Reach, learner_from_text
from veracity.readers.read_data import from_file
from veracity.reports.output import Output
from veracity.studies.progress import is_watched

SHARED = ("rows", "trials", "seed", "store", "workers")


def measure_coverage(given: Mapping[str, Any], quiet: bool) -> Output:
    """Every world, learner and design."""
    how = {name: given[name] for name in (*SHARED, "methods", "score", "level")}
    tables = [
        coverage(world, learner, by=by, progress=_teller(quiet), **how)
        for world in _worlds(given)
        for learner in _learners(given) or (None,)
        for by in given["by"]
    ]
    found = Coverages(tuple(row for table in tables for row in table.rows), _notes(tables))
    return Output("Coverage of intervals", (found.table(),), found.to_json, draw=partial(plot, found.curve()))


def measure_bias(given: Mapping[str, Any], quiet: bool) -> Output:
    """Every world, learner and estimator."""
    how = {name: given[name] for name in (*SHARED, "by")}
    learners = _learners(given)
    if not learners:
        raise BadInput("--learner is needed: an estimator of risk is about what learners do")
    tables = [bias(world, one, progress=_teller(quiet), **how) for world in _worlds(given) for one in learners]
    found = Qualities(tuple(row for table in tables for row in table.rows), _notes(tables))
    return Output("Bias of estimates of risk", (found.table(),), found.to_json, draw=partial(plot, found.curve()))


def measure_rejections(title: str, verb: str, given: Mapping[str, Any], quiet: bool) -> Output:
    """Size or power of every test in every world."""
    how = {name: given[name] for name in (*SHARED, "methods", "by", "score", "level", "anyway")}
    measure: Callable[..., Rejections] = size
    if verb == "power":
        measure = partial(power, effects=given["effects"] or None)
    learners = _learners(given)
    tables = [measure(world, learners, progress=_teller(quiet), **how) for world in _worlds(given)]
    found = Rejections(tuple(row for table in tables for row in table.rows), _notes(tables))
    return Output(title, (found.table(),), found.to_json, draw=partial(plot, found.curve()))


def _worlds(given: Mapping[str, Any]) -> list[Any]:
    """Those named, and that of a data file."""
    named = list(given["world"])
    if given["data"] is None:
        if given["target"] is not None:
            raise BadInput("--target is a column of --data: name the file, or leave it out")
        return named
    if given["target"] is None:
        raise BadInput(f"--target is needed: which column of {given['data']} is to be predicted")
    return [*named, plasmode_of(from_file(given["data"], target=given["target"]))]


def _learners(given: Mapping[str, Any]) -> list[Callable[[], Any]]:
    reach = Reach(folder=Path.cwd(), trusted=given["trust_here"])
    return [partial(learner_from_text, text, reach=reach) for text in given["learners"]]


def _notes(tables: Sequence[Any]) -> Any:
    return unique(tuple(note for table in tables for note in table.notes))


def _teller(quiet: bool) -> Callable[[int, int], None] | None:
    """A line that says how far it is, where somebody looks."""
    if quiet or not is_watched():
        return None

    def tell(done: int, trials: int) -> None:
        print(f"\r{done:,} of {trials:,} samples", end="\n" if done == trials else "", file=sys.stderr, flush=True)

    return tell
