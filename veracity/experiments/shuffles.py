"""Data in which nothing is left to learn, or nothing of how features go together: what a learner is held against."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.errors import BadInput, Refused
from veracity.core.seeds import generator
from veracity.experiments.entry import procedure
from veracity.records.arrays import Array, freeze
from veracity.records.data import Data

INSIDE = "`kind='within_class'`"

Shuffle = Callable[[Data, np.random.Generator], Data]


def shuffle_data(data: Data, kind: str, seed: int, draw: int) -> Data:
    """The data of one draw, which seed and number alone decide; draw 0 is the data itself."""
    return SHUFFLES[kind](data, generator(seed, "permutation", kind, draw)) if draw else data


@procedure(
    "Permutation of labels",
    "permutation_test(learner, X, y, kind='labels')",
    cite=("ojala2010", "phipson2010"),
    assumes=("EXCH",),
    aliases="label_permutation, permuted_labels",
    keywords="Ojala, Ojala and Garriga, randomised labels, target shuffling, y-scrambling",
)
def labels(data: Data, random: np.random.Generator) -> Data:
    """Targets and features parted: rows of features trade places, with groups the labels of whole groups do.

    A small p-value says that features tell something of the target; how much, the estimate itself says. Not for rows in
    time order, nor for weighted ones, which cannot trade places.

    Targets keep their places, and thus each split its classes: what a stratified design did for the data as it is, it
    does for every draw. Were labels moved between folds, even a learner that predicts the commonest class would look
    better than chance, because only its own folds were balanced.
    """
    if data.groups is None:
        return replace(data, features=data.take(random.permutation(len(data))))
    first = np.unique(data.groups, return_index=True)[1]
    return replace(data, truth=freeze(random.permutation(data.truth[first])[data.groups]))


@procedure(
    "Permutation within classes",
    "permutation_test(learner, X, y, kind='within_class')",
    cite=("ojala2010", "phipson2010"),
    assumes=("EXCH",),
    aliases="permutation_within_class",
    keywords="Ojala, Ojala and Garriga, feature independence",
)
def within_class(data: Data, random: np.random.Generator) -> Data:
    """Each feature shuffled by itself inside each class: what features tell one by one stays, the rest goes.

    A small p-value says that the learner uses how features go together; a large one that a simpler learner may do. For
    classes, with at least two features and two rows of each class; not for rows in time order, in groups or weighted.
    """
    members = [np.flatnonzero(data.truth == code) for code in np.unique(data.truth)]
    places = [_places_within_class(members, len(data), random) for _ in data.columns]
    return replace(data, features=_take_columns(data, places))


def _places_within_class(members: list[Array], rows: int, random: np.random.Generator) -> Array:
    """For each row, the row of its class that it takes a cell from."""
    places = np.empty(rows, np.int64)
    for rows_of_class in members:
        places[rows_of_class] = random.permutation(rows_of_class)
    return places


def _take_columns(data: Data, places: list[Array]) -> Any:
    if isinstance(data.features, np.ndarray):
        return freeze(np.take_along_axis(data.features, np.stack(places, 1), 0))
    import narwhals as nw

    frame = nw.from_native(data.features)
    parts = [frame[name][rows.tolist()] for name, rows in zip(frame.columns, places, strict=True)]
    return frame.with_columns(*parts).to_native()


SHUFFLES: dict[str, Shuffle] = {"labels": labels, "within_class": within_class}


def check_shuffle(data: Data, kind: str) -> None:
    """Refuse data whose rows are not exchangeable in the way that this kind of shuffle needs."""
    if kind not in SHUFFLES:
        raise BadInput(f"kind is {' or '.join(map(repr, SHUFFLES))}, not {kind!r}")
    if data.time is not None:
        raise Refused("rows in time order cannot trade places: leave time= out if their order means nothing", "in-time")
    if data.weights is not None:
        raise Refused("rows with weights are not exchangeable: leave weights= out", "weights")
    if kind == "labels":
        _check_whole_groups(data)
    else:
        _check_table(data)


def _check_whole_groups(data: Data) -> None:
    if data.groups is None:
        return
    first = np.unique(data.groups, return_index=True)[1]
    mixed = np.flatnonzero(data.truth != data.truth[first][data.groups])
    if len(mixed):
        raise Refused(
            f"the labels of whole groups trade places, but row {mixed[0]} has another label than the first row of its "
            "group: give groups= of one label each, or leave groups= out if rows are independent",
            "mixed-groups",
        )


def _check_table(data: Data) -> None:
    if data.kind != "classes":
        raise Refused(f"{INSIDE} shuffles inside classes, but the target is of numbers", "not-classes")
    if data.groups is not None:
        raise Refused("cells cannot trade places between rows of different groups: use `kind='labels'`", "groups")
    if hasattr(data.features, "tocsr"):
        raise Refused(f"{INSIDE} needs columns that are not sparse: give an array or a frame", "sparse")
    if len(data.columns) < 2:
        raise Refused(f"{INSIDE} is about how features go together, and there is one feature only", "feature")
    rarest = int(np.bincount(data.truth).min())
    if rarest < 2:
        raise Refused(f"{INSIDE} needs at least 2 rows of each class, and one class has fewer", "rare-class")
