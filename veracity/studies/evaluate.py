"""A learner's risk on one data set: fit once, ask many questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from veracity.core.errors import BadInput
from veracity.evidence.runs import Runs
from veracity.learners.target_kind import target_kind
from veracity.readers.read_data import data_of
from veracity.records.data import Data
from veracity.stores.open_store import temporary_store
from veracity.studies.parse import parse_learners
from veracity.studies.study import Study

if TYPE_CHECKING:
    from veracity.records.plan import ProgressCallback
    from veracity.stores.open_store import StoreLike

FITS = ("engine", "address", "timeout")


def evaluate(
    learners: Any,
    X: Any,  # noqa: N803 (the name that everybody uses)
    y: Any,
    *,
    by: Any = "kfold(k=10)",
    seed: int = 0,
    workers: int = 1,
    engine: str = "local",
    address: str | None = None,
    store: StoreLike | None = None,
    groups: Any = None,
    weights: Any = None,
    time: Any = None,
    positive: Any = None,
    kind: str = "auto",
    timeout: float | None = None,
    prepare: Any = "default",
    name: str = "data",
    progress: bool | ProgressCallback | None = False,
) -> Runs:
    """Fit one learner, or a mapping of learners by name, on the splits of a design, or of several that share fits.

    A target of whole numbers is taken for numbers if all learners are regressors, for classes if all are classifiers;
    `kind="numbers"` or `"classes"` decides. Without a store the predictions are kept in a temporary one for as long as
    the runs are used.
    """
    by_name = parse_learners(learners)
    roles = {"groups": groups, "weights": weights, "time": time, "positive": positive, "kind": kind}
    table = data_of(X, y, name=name, **roles, meant=target_kind(by_name.values()))
    fits: dict[str, Any] = {"seed": seed, "workers": workers, "engine": engine, "address": address, "store": store}
    return evaluate_data(table, by_name, by, timeout=timeout, prepare=prepare, progress=progress, **fits)


def fit_options(verb: str, more: Mapping[str, Any], without: Mapping[str, str] | None = None) -> Mapping[str, Any]:
    """What a verb may say of its fits beside its own words; `without` says why it cannot take others."""
    for word in more:
        if word not in FITS:
            why = (without or {}).get(word, f"of fits it takes {', '.join(FITS)}")
            raise BadInput(f"{verb} takes no {word}=: {why}")
    return more


def evaluate_data(
    table: Data,
    learners: Mapping[str, Any],
    by: Any,
    *,
    seed: int = 0,
    workers: int = 1,
    engine: str = "local",
    address: str | None = None,
    store: StoreLike | None = None,
    timeout: float | None = None,
    prepare: Any = "default",
    progress: bool | ProgressCallback | None = False,
) -> Runs:
    """The runs of learners on data that is made already."""
    study = Study({table.name: table}, learners, by, seed=seed, timeout=timeout, prepare=prepare)
    return study.run(temporary_store() if store is None else store, workers, engine, address, progress=progress)
