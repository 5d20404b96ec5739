"""Learners tried on a data file just now, as `estimate` and `compare` do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veracity.core.errors import BadInput, VeracityError
from veracity.evidence.runs import Runs
from veracity.risk.estimates import numbers_hint
from veracity.scores import scores as known
from veracity.stores.open_store import temporary_store
from veracity.studies.parse import importable
from veracity.studies.study import Study


@dataclass(frozen=True)
class Work:
    """By whom the fits are done."""

    workers: int = 1
    engine: str = "local"
    address: str | None = None
    timeout: float | None = None

    @property
    def how(self) -> dict[str, Any]:
        return {"workers": self.workers, "engine": self.engine, "address": self.address, "timeout": self.timeout}


def evaluated(where: str, scores: Sequence[str], given: Mapping[str, Any], as_json: bool) -> Runs:
    """The runs of the learners named, in a store or forgotten afterwards."""
    if not given["learners"]:
        raise BadInput("name a learner: --learner MODULE:CLASS, such as sklearn.naive_bayes:GaussianNB")
    if not given["target"] and not where.startswith("sklearn:"):
        raise BadInput("name the column to be predicted: --target COLUMN")
    importable(Path.cwd())
    roles = ("target", "positive", "groups", "weights", "time", "leave_out", "kind")
    table = {"file": where, **{name: given[name] for name in roles if given[name]}}
    by = list(given["by"]) or "kfold(k=10)"
    study = Study([table], _named(given["learners"]), by, seed=given["seed"])
    (data,) = study.data.values()
    wrong = [name for name in scores if not known.choose(name).entry.suits(data.kind)]
    if wrong:
        way = numbers_hint(data.classes, ": say --kind numbers")
        raise BadInput(f"{wrong[0]} is not for a target of {data.kind}, which {given['target']} is{way}")
    work = Work(given["workers"], given["engine"], given["address"], given["timeout"])
    store = temporary_store() if given["store"] is None else given["store"]
    runs = study.run(store, **work.how, progress=False if as_json else None)
    nothing_done(runs)
    return runs


def nothing_done(runs: Runs) -> None:
    """A call of which every fit failed has failed itself."""
    if not runs.store.status().failed:
        return
    keys = {key for place in runs.places() for key in runs.store.cells(*place)}
    counted = runs.store.status(keys)
    if counted.failed and not counted.done:
        reason = next(outcome.reason for outcome in runs.failures() if outcome.key in keys)
        raise NothingDone(f"all {counted.failed} fits failed, the first because {reason}")


class NothingDone(VeracityError):
    """Everything that was tried failed."""

    exit_status = 1


def _named(texts: Sequence[str]) -> dict[str, str]:
    """Learners by the text typed, or by the name typed before it."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, rest = text.partition("=")
        named = bool(equals) and name.isidentifier()
        label = name if named else text
        if label in found:
            raise BadInput(f"the learner {label!r} is given twice: give each a name, --learner NAME=MODULE:CLASS")
        found[label] = rest if named else text
    return found
