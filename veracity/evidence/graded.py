"""Answers that somebody graded, several of one item averaged: the item is the unit of every interval and test."""

from __future__ import annotations

from typing import Any, overload

import numpy as np

from veracity.core.arguments import Column, verb
from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.evidence.align_models import check_number_of_models, pair_by_item
from veracity.evidence.columns import check_missing, drop_rows, label_column, number_column
from veracity.evidence.labels import Places, text_codes
from veracity.evidence.predictions import Predictions
from veracity.records.arrays import Array, freeze, python_value


@overload
def graded(
    grade: Column,
    *,
    item: Column,
    repeat: Column = ...,
    groups: Column = ...,
    model: None = ...,
    missing: str = ...,
    name: str = ...,
    places: Places | None = ...,
) -> Predictions: ...
@overload
def graded(
    grade: Column,
    *,
    item: Column,
    repeat: Column = ...,
    groups: Column = ...,
    model: Column,
    missing: str = ...,
    name: str = ...,
    places: Places | None = ...,
) -> dict[str, Predictions]: ...
@verb
def graded(
    grade: Column,
    *,
    item: Column,
    repeat: Column = None,
    groups: Column = None,
    model: Column = None,
    missing: str = "refuse",
    name: str = "model",
    places: Places | None = None,
) -> Predictions | dict[str, Predictions]:
    """Graded answers, one row per answer: any finite number is a grade, 0/1, 1 to 5 or a percentage; higher is better.

    `item` says what each answer is about, such as a question or a task. The item is the unit of every interval and
    test: an item that was graded several times counts once, by the mean of its grades, however many they are. `repeat`
    tells the answers of one item apart, so that a row that stands there twice is refused. `groups` are clusters of
    items, such as the questions about one passage. With `model`, the models come back by name, paired by item; items
    that not all models have are refused, or left out and counted with `missing="drop"`, as rows with missing cells are.
    Scores are `mean` and, of grades 0 and 1, `pass_at(k=...)`.

    Parameters
    ----------
    grade
        One grade per answer, higher is better: any finite numbers, or true and false.
    item
        What each answer is about, such as the id of a question: the unit of every interval and test.
    repeat
        Which answer to its item it is, such as the number of the sample; tells copies of a row apart.
    groups
        One label per answer, equal for items that belong together, such as the questions of one passage.
    model
        The name of the model that gave each answer; the models then come back by name, paired by item.
    missing
        'refuse' missing cells and items that not all models have, or 'drop' them and say how many.
    name
        What the result is called in tables.
    places
        Where each row stands in a file, for sentences about bad rows.

    Examples
    --------
    >>> items = ["q1", "q1", "q2"] * 2
    >>> log = {"grade": [5, 4, 2, 3, 3, 1], "item": items, "model": ["a"] * 3 + ["b"] * 3}
    >>> models = vc.graded(log["grade"], item=log["item"], model=log["model"])
    >>> print(vc.score(models["a"], "mean"), vc.compare(models).difference)
    3.25 1.25
    """
    at = places or Places()
    check_missing(missing)
    columns: dict[str, Any] = {"grade": grade, "item": item, "repeat": repeat, "groups": groups, "model": model}
    notes: tuple[Note, ...] = ()
    if missing == "drop":
        columns, at, notes = drop_rows(columns, at, "all")
    at = Places({**at.names, "truth": at["grade"]}, at.first)
    grades = number_column(columns.pop("grade"), "grade", at)
    if not len(grades):
        raise BadInput(f"{at['grade']}: there are no rows")
    labels = {
        role: label_column(column, role, len(grades), at) for role, column in columns.items() if column is not None
    }
    codes = {role: _codes(column) for role, column in labels.items()}
    of_model = codes.get("model", np.zeros(len(grades), np.intp))
    number_of_models = int(of_model.max()) + 1
    check_number_of_models(number_of_models, at["model"])
    of_both = codes["item"] * number_of_models + of_model
    _check_items(labels, codes, of_both, at)
    notes += _repeat_notes(grades, codes, of_both)
    models = {}
    for rows in np.split(np.argsort(of_model, kind="stable"), np.cumsum(np.bincount(of_model))[:-1]):
        called = name if model is None else str(labels["model"][rows[0]])
        # items in the order in which they first occur, with the mean grade of each
        _, first, of_item = np.unique(codes["item"][rows], return_index=True, return_inverse=True)
        own = grades[rows]
        number, total = np.bincount(of_item), np.bincount(of_item, own)
        models[called] = Predictions(
            "grades",
            freeze(np.zeros(len(first), np.int8)),
            grade=freeze(total / number),
            tries=freeze(number),
            passes=freeze(total) if ((own == 0) | (own == 1)).all() else None,
            rows=freeze(labels["item"][rows[first]]),
            groups=freeze(text_codes(labels["groups"][rows[first]])) if "groups" in labels else None,
            name=called,
            notes=notes,
        )
    return models[name] if model is None else pair_by_item(models, missing)


def _codes(labels: Array) -> Array:
    """Return for each row the number of its label, in the order in which labels first occur."""
    number: dict[Any, int] = {}
    return np.fromiter((number.setdefault(each, len(number)) for each in labels.tolist()), np.intp, len(labels))


def _check_items(labels: dict[str, Array], codes: dict[str, Array], of_both: Array, at: Places) -> None:
    """Refuse one item alone, an answer that stands there twice, an item in two groups; `of_both` is item and model."""
    item = codes["item"]

    def word(role: str, row: int) -> str:
        return brief(repr(python_value(labels[role][row])), 40)

    if not item.any():
        says = f"{at['item']} holds one item, {word('item', 0)}, and a mean over items needs two or more"
        raise BadInput(f"{says}: name the column that tells items apart, `item=`")
    if "repeat" in codes:
        first = _first_rows(of_both * (codes["repeat"].max() + 1) + codes["repeat"])
        row = int((first != np.arange(len(item))).argmax())
        if first[row] != row:
            which = f"repeat {word('repeat', row)} of item {word('item', row)}"
            which += f" by model {word('model', row)}" if "model" in labels else ""
            way = "" if "model" in labels else "; of several models name the column, `model=`"
            rows = f"rows {first[row] + at.first} and {row + at.first}"
            raise BadInput(f"{at['repeat']}: {rows} are both {which}: leave one out{way}")
    if "groups" in codes:
        first = _first_rows(item)
        row = int((codes["groups"] != codes["groups"][first]).argmax())
        if codes["groups"][row] != codes["groups"][first[row]]:
            places = [f"{word('groups', each)} in row {each + at.first}" for each in (int(first[row]), row)]
            says = f"item {word('item', row)} is in group {' and '.join(places)}"
            raise BadInput(f"{at['groups']}: {says}: an item has one group")


def _first_rows(codes: Array) -> Array:
    """Return for each row the first one that has the same code."""
    _, first, place = np.unique(codes, return_index=True, return_inverse=True)
    return np.asarray(first[place])


def _repeat_notes(grades: Array, codes: dict[str, Array], of_both: Array) -> tuple[Note, ...]:
    """Return what to say of items with several grades; where all grades of an item agree, they may be copies."""
    numbers = np.bincount(of_both)
    low, high = int(numbers[numbers > 0].min()), int(numbers.max())
    if high == 1:
        return ()
    items = plural(int(codes["item"].max()) + 1, "item")
    often = f"{low} to {high}" if low < high else f"{high}"
    each = " by each model" if "model" in codes else ""
    says = f"{items}, graded {often} times{each}: an item counts once, by the mean of its grades"
    if "repeat" in codes or (grades != grades[_first_rows(of_both)]).any():
        return (Note("grades-averaged", "remark", says),)
    copies = "all grades of an item agree: if rows stand there twice, name the column of repeats, `repeat=`"
    return (Note("grades-averaged", "caution", f"{says}; {copies}"),)
