"""Runs of learners on data, fitted now or read from a store.

Of a study file, runs in a store are found by its texts: nothing that the file names is imported, called or opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from veracity.core.arguments import Column, DesignLike, Label, Learners, Preparation, Table, verb
from veracity.core.errors import BadInput, damage_error
from veracity.core.notes import Note, unique
from veracity.designs.make_design import spell_design
from veracity.evidence.runs import CODE_UNSEEN, Runs
from veracity.learners.from_text import NOTHING, Unseen
from veracity.learners.inspection import target_kind
from veracity.readers.read_data import data_of
from veracity.records.data import Data
from veracity.risk.designs import choose_by
from veracity.risk.estimates import scores_of_runs
from veracity.stores.open_store import store_of, temporary_store
from veracity.stores.plan import GROWING, Place, SplitCount, check_same_study, grow, is_whole
from veracity.studies.parse import parse_design, parse_learners
from veracity.studies.progress import is_watched
from veracity.studies.study import Study, not_in_study
from veracity.studies.study_file import read_part, source_texts, with_scores

if TYPE_CHECKING:
    from veracity.records.plan import ProgressCallback
    from veracity.stores.open_store import StoreLike
    from veracity.stores.store import Status, Store


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

    Parameters
    ----------
    learners
        One learner, or a mapping of names to learners; a learner is any object with fit and predict.
    X
        The features, rows x features, as an array or a frame; learners get them as they are.
    y
        The target, one value per row.
    by
        A design or an estimator of risk, such as 'kfold(k=10)' or 'boot632plus'; several share their fits.
    seed
        Where random numbers begin; the same seed gives the same numbers.
    workers
        How many processes fit at the same time; the numbers do not depend on it.
    engine
        'local' for worker processes of this machine, 'dask' for a cluster.
    address
        Where the scheduler of a dask cluster listens, 'tcp://127.0.0.1:8786'; without it dask starts here.
    store
        The file or address that keeps every fit, so that a stopped run goes on; temporary unless said.
    groups
        One label per row, equal for rows that belong together, such as those of one patient.
    weights
        Sampling weights, one per row.
    time
        One number or date per row; a model never trains on rows later than those it is tested on.
    positive
        The class that scores of one class are about, named by its label and never guessed.
    kind
        'classes' or 'numbers' where a target of whole numbers could be either; 'auto' asks the learners.
    timeout
        Seconds after which a fit is ended and counts as failed.
    prepare
        How categories and missing cells become numbers, learned in each training part; None changes nothing.
    name
        What the data set is called in tables.
    progress
        A bar of what is done; False shows none, a function is called with how far it is.
    refit_outdated
        Whether fits of a store that other versions of libraries made than today's are made anew.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> runs = vc.evaluate({"nb": GaussianNB()}, X, y, by="kfold(k=5)", seed=7)
    >>> print(f"{vc.estimate(runs, 'error')['nb'].value:.4f}")
    0.0533
    """
    by_name = parse_learners(learners)
    roles = {"groups": groups, "weights": weights, "time": time, "positive": positive, "kind": kind}
    table = data_of(X, y, name=name, **roles, meant=target_kind(by_name.values()))
    shown = progress if progress is not None or is_watched() else False  # nobody's log is written to unasked
    how: dict[str, Any] = {"workers": workers, "engine": engine, "address": address, "refit_outdated": refit_outdated}
    about = {"seed": seed, "timeout": timeout, "prepare": prepare}
    return evaluate_data(table, by_name, by, store=store, progress=shown, **how, **about)


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
    timeout: float | None = None,
    prepare: Preparation = "default",
    store: StoreLike | None = None,
    progress: bool | ProgressCallback | None = False,
    **how: Any,
) -> Runs:
    """The runs of learners on data that is made already; `how` they are run is as in `Study.run`."""
    study = Study({table.name: table}, learners, by, seed=seed, timeout=timeout, prepare=prepare)
    return study.run(temporary_store() if store is None else store, progress=progress, **how)


@verb
def read_runs(where: StoreLike, study: Study | str | Path | None = None) -> Runs:
    """Everything that was run into a store, read when it is asked for; nothing is fitted.

    With `study`, a study or the path of its file, only what that names: the store may hold more. A file is matched by
    its texts: no code and no data that it names are looked at.

    Parameters
    ----------
    where
        The file or address of a store.
    study
        A study or its file, of which alone is read.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.naive_bayes import GaussianNB
    >>> X, y = load_iris(return_X_y=True)
    >>> runs = vc.evaluate(GaussianNB(), X, y, by="kfold(k=5)", store="iris.db")
    >>> vc.read_runs("iris.db")
    Runs(1 data set, 1 learner, 1 design)
    """
    store, held = _held(where)
    if isinstance(study, (str, Path)):
        return named_runs(study, store, held)[0]
    if study is not None:  # what changed since, or was never run, is refused
        grow(store.where, held, study.description())
        places = store.places()
        for data, designs in study.designs.items():
            for learner, design in product(study.learners, designs):
                if (data, learner, design.name) not in places:
                    raise not_held(store.where, f"{learner} on {data} by {design.name}")
        return study.runs(store, held)
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


def not_held(where: str, what: str) -> BadInput:
    return BadInput(f"{where} does not hold {what} yet: run the study into it")


def named_runs(path: str | Path, store: Store, held: Mapping[str, Any]) -> tuple[Runs, dict[str, Any]]:
    """The runs that a study file names, and the questions it asks of them; what the store lacks is refused."""
    part = read_part(path)
    sources, where = source_texts(part), store.where
    check_same_study(where, held, {"seed": part.seed, **sources})
    for what, noun in GROWING.items():  # a name that stood for another text when it was run
        for name, text in sources[what].items():
            if held[what].get(name, {}).get("source", text) != text:
                says = f"the text of the {noun} {name!r} changed since {where} was made"
                raise BadInput(f"{says}: run the study, which fits nothing again if the text means the same")
    designs = {_design_name(where, text, held["by"]): text for text in part.by}
    places = store.places()
    named = list(product(sources["data"], sources["learners"], designs))
    for data, learner, name in named:
        if (data, learner, name) not in places:
            raise not_held(where, f"{learner} on {data} by {name}")
    untold = [name for what in GROWING for name in sources[what] if "source" not in held[what].get(name, {})]
    alone = f", and by their names alone {', '.join(untold)}, of which it keeps no text" if untold else ""
    says = f"{Path(path).name} was only read: what it names was found in {where} by its texts{alone}"
    notes = tuple(Note(**note) for note in held.get("notes", []))
    notes += not_in_study(where, held, {**sources, "by": designs}) + store.mixed_notes(set(named))
    notes += (Note(CODE_UNSEEN, "remark", f"{says}; neither code nor data were looked at"),)
    about: dict[str, Any] = {"spellings": designs, "notes": unique(notes), "scorer": scores_of_runs}
    names = (list(sources["data"]), list(designs), list(sources["learners"]))
    runs = Runs(store, *names, seed=part.seed, asked_scores=part.scores, **about)
    return runs, with_scores(part.questions, map(runs.kind, runs.names))


class NamedPlaces(NamedTuple):
    """The places of a store that a study file names, and whether it names others that the store does not plan yet."""

    places: frozenset[Place]
    more: bool


def named_places(path: str | Path, store: Store) -> NamedPlaces:
    """Return the data sets, learners and designs of a store that a study file names now."""
    part = read_part(path)
    sources, held, planned = source_texts(part), store.study(), store.places()
    designs = []
    for text in part.by:
        try:
            designs.append(_design_name(store.where, text, held.get("by", {})))
        except BadInput:
            designs.append("")  # which the store does not have
    named = set(product(sources["data"], sources["learners"], designs))
    return NamedPlaces(frozenset(named & planned), not named <= planned)


def status_of_study(path: str | Path, store: Store) -> tuple[Status, NamedPlaces]:
    """Count what a store holds of the study that a file names now, without fits of designs that it named before.

    Where it holds nothing of that yet, all it holds is counted, from which the study may take what it needs again.
    """
    named, status, counts = named_places(path, store), store.status(), store.counts()
    if not named.places or named.places == counts.keys():
        return status, named
    total = sum((count for place, count in counts.items() if place in named.places), SplitCount())
    return status._replace(planned=total.planned, done=total.done, failed=total.failed), named


def _design_name(where: str, text: str, held: Mapping[str, str]) -> str:
    """The name of a design in a store; a splitter is known by the text that made it."""
    design = parse_design(text, NOTHING)
    if not isinstance(design, Unseen):
        return spell_design(choose_by(design))
    for name, other in held.items():
        typed = parse_design(other, NOTHING)
        if isinstance(typed, Unseen) and typed.text == design.text:
            return name
    raise not_held(where, f"results by {text}")
