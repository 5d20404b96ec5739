"""A learner's risk on one data set: fit once, ask many questions."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veracity.core.arguments import Column, DesignLike, Label, Learners, Preparation, Table, verb
from veracity.core.errors import BadInput, damage_error
from veracity.core.notes import Note
from veracity.evidence.runs import Runs
from veracity.learners.inspection import target_kind
from veracity.readers.read_data import data_of
from veracity.records.data import Data
from veracity.risk.estimates import scores_of_runs
from veracity.stores.open_store import store_of, temporary_store
from veracity.stores.plan import grow, is_whole
from veracity.studies.named_runs import named_runs, not_held
from veracity.studies.parse import parse_learners
from veracity.studies.progress import is_watched
from veracity.studies.study import Study

if TYPE_CHECKING:
    from veracity.records.plan import ProgressCallback
    from veracity.stores.open_store import StoreLike
    from veracity.stores.store import Store


FITS = ("engine", "address", "timeout")


@verb
def evaluate(
    learners: Learners,
    X: Table,  # noqa: N803 (the name that everybody uses)
    y: Column,
    *,
    by: DesignLike = "kfold(k=10)",
    seed: int = 0,
    workers: int = 1,
    engine: str = "local",
    address: str | None = None,
    store: StoreLike | None = None,
    groups: Column = None,
    weights: Column = None,
    time: Column = None,
    positive: Label = None,
    kind: str = "auto",
    timeout: float | None = None,
    prepare: Preparation = "default",
    name: str = "data",
    progress: bool | ProgressCallback | None = None,
    refit_outdated: bool = False,
) -> Runs:
    """Fit one learner, or a mapping of learners by name, on the splits of a design, or of several that share fits.

    A target of whole numbers is taken for numbers if all learners are regressors, for classes if all are classifiers;
    `kind="numbers"` or `"classes"` decides. Without a store the predictions are kept in a temporary one for as long as
    the runs are used; with `refit_outdated`, fits in a store that other versions of libraries made are made anew. On a
    terminal and in a notebook a bar shows how far it is, unless `progress=False`.
    """
    by_name = parse_learners(learners)
    roles = {"groups": groups, "weights": weights, "time": time, "positive": positive, "kind": kind}
    table = data_of(X, y, name=name, **roles, meant=target_kind(by_name.values()))
    fits: dict[str, Any] = {"seed": seed, "workers": workers, "engine": engine, "address": address, "store": store}
    shown = progress if progress is not None or is_watched() else False  # nobody's log is written to unasked
    fits |= {"progress": shown, "refit_outdated": refit_outdated}
    return evaluate_data(table, by_name, by, timeout=timeout, prepare=prepare, **fits)


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
    workers: int = 1,
    engine: str = "local",
    address: str | None = None,
    store: StoreLike | None = None,
    progress: bool | ProgressCallback | None = False,
    refit_outdated: bool = False,
    **about: Any,
) -> Runs:
    """The runs of learners on data that is made already; `about` the study are its seed, timeout and preparation."""
    study = Study({table.name: table}, learners, by, **about)
    place = temporary_store() if store is None else store
    return study.run(place, workers, engine, address, progress=progress, refit_outdated=refit_outdated)


@verb
def read_runs(where: StoreLike, study: Study | str | Path | None = None) -> Runs:
    """Everything that was run into a store, read when it is asked for; nothing is fitted.

    With `study`, a study or the path of its file, only what that names: the store may hold more. A file is matched by
    its texts: no code and no data that it names are looked at.
    """
    store, held = _held(where)
    if isinstance(study, (str, Path)):
        return named_runs(study, store, held)[0]
    if study is not None:
        return stored_runs(study, store, held)
    names = (list(held["data"]), list(held["by"]), list(held["learners"]))
    notes = store.notes() + tuple(Note(**note) for note in held.get("notes", []))
    about: dict[str, Any] = {"spellings": held["by"], "notes": notes, "scorer": scores_of_runs}
    return Runs(store, *names, seed=held["seed"], asked_scores=held.get("scores", []), **about)


def read_questions(where: StoreLike, path: str | Path) -> tuple[Runs, dict[str, Any]]:
    """What a study file names of a store, and what it asks of it."""
    return named_runs(path, *_held(where))


def _held(where: StoreLike) -> tuple[Store, dict[str, Any]]:
    """A store that is there, and what it says of its study."""
    store = store_of(where, create=False)
    held = store.study()
    if not held:
        raise BadInput(f"{store.where} holds no study yet: run one with veracity run study.toml --store {store.where}")
    if not is_whole(held):
        raise damage_error(store.where, "the description of its study")
    return store, held


def stored_runs(study: Study, store: Store, held: dict[str, Any]) -> Runs:
    """The runs of a study that a store holds already; what changed since, or was never run, is refused."""
    grow(store.where, held, study.description())
    places = store.places()
    for data, designs in study.designs.items():
        for learner, design in product(study.learners, designs):
            if (data, learner, design.name) not in places:
                raise not_held(store.where, f"{learner} on {data} by {design.name}")
    return study.runs(store, held)
