"""From the name of a design, or a scikit-learn splitter, to its splits of some rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check, unique
from veracity.core.seeds import generator
from veracity.designs import designs
from veracity.designs.groups import groups_on_both_sides, no_group_on_both_sides
from veracity.designs.in_time import out_of_order
from veracity.designs.splitter import from_splitter
from veracity.records.arrays import Array
from veracity.records.design import Design, Rows, Split

CHANCE = ", or leave it to chance with "


def make(asked: Any, rows: Rows, seed: int, features: Any = None) -> Design:
    """The splits that a design makes of some rows from a seed; a group on both sides is refused.

    `features` is only for a scikit-learn splitter that looks at their shape. A design that is made already stays.
    """
    if isinstance(asked, Design):
        return _ready(asked, len(rows))
    known = coded(rows)
    if hasattr(asked, "split") and not isinstance(asked, str):
        return _checked(from_splitter(asked, known, seed, features), known)
    choice = chosen_design(asked)
    return _checked(_from_choice(choice, known, seed), known, reporting(choice))


def _ready(design: Design, rows: int) -> Design:
    if design.rows != rows:
        raise BadInput(f"{design.name} was made for {design.rows} rows, and here are {rows}: make it for these")
    return design


def chosen_design(asked: Any) -> Choice:
    """The choice that a text, an entry or a choice stands for, with designs inside it chosen too."""
    choice = designs.choose(asked)
    if choice.entry is not designs["nested"]:
        return choice
    parts = {"outer": chosen_design, "inner": choosing_design}
    return choice.setting(**{name: parts[name](value) for name, value in choice.arguments})


def choosing_design(asked: Any) -> Choice:
    """A design by whose splits a setting can be chosen: test rows did not train, and all splits are of one kind."""
    choice = chosen_design(asked)
    rule: Any = reporting(choice).entry
    if rule.tests_training:
        says = f"{choice} would choose by the rows that trained, where whatever learns them by heart wins"
        raise Refused(f"{says}: choose by kfold(k=5)", "tests-training")
    if rule.several_kinds:
        says = f"{choice} has splits that train on different numbers of rows, whose mean is no score to choose by"
        raise Refused(f"{says}: choose by kfold(k=5)", "several-kinds")
    return choice


def reporting(choice: Choice) -> Choice:
    """The design whose test rows report: the choice itself, or the outer one of a nested design."""
    return reporting(choice.value("outer")) if choice.entry is designs["nested"] else choice


def spelled(choice: Choice) -> str:
    """The canonical name: sizes are always said, variants only where they differ from what the rows ask for."""
    said = []
    for parameter in choice.entry.parameters:
        value = choice.value(parameter.name)
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, Choice):
            text = spelled(value)
            said.append(f"{parameter.name}={text if text.endswith(')') else text + '()'}")
        elif not (value == parameter.default and parameter.default in ("auto", 0)):
            said.append(f"{parameter.name}={value!r}")
    return f"{choice.entry.name}({', '.join(said)})" if said else choice.entry.name


def coded(rows: Rows) -> Rows:
    """The same rows with classes and groups as codes 0, 1, ... and time as ranks."""
    number = len(rows)
    there, classes = _codes("classes", rows.classes, number)
    labels = tuple(rows.labels[code] for code in there) if rows.labels else ()
    _, groups = _codes("groups", rows.groups, number)
    _, time = _codes("time", rows.time, number)
    return Rows(number, classes, groups, time, labels, rows.name)


def _codes(name: str, column: Array | None, rows: int) -> tuple[Array, Array | None]:
    """The different values in order, and the place of each row's among them."""
    if column is None:
        return np.empty(0), None
    column = np.asarray(column)
    if column.shape != (rows,):
        raise BadInput(f"there are {rows} rows but {name} has the shape {column.shape}: give one for each row")
    if _missing(column):
        raise BadInput(f"{name} is missing for some rows: fill it in or leave these rows out")
    there, places = np.unique(column, return_inverse=True)
    return there, places


def _missing(column: Array) -> bool:
    """Whether a number is NaN or a date is not a time: only these differ from themselves."""
    return bool((column != column).any())


def _from_choice(choice: Choice, rows: Rows, seed: int) -> Design:
    """All designs share one stream, so that asked together with one seed they share repeats, and thus fits."""
    notes = check(reporting(choice).entry.limits, rows)
    try:
        made = list(choice(rows, generator(seed, "design")))
    except Refused as why:
        raise left_to_chance(choice, why) from None
    splits = tuple(item for item in made if isinstance(item, Split))
    notes = unique((*notes, *(item for item in made if isinstance(item, Note))))
    inner = choice.value("inner")
    return Design(spelled(choice), seed, len(rows), splits, notes, inner if isinstance(inner, Choice) else None)


def left_to_chance(choice: Choice, why: Refused) -> Refused:
    """The refusal of a class too rare to be spread, with what leaves it to chance in place of an earlier offer."""
    if why.code != "rare-class" or not reporting(choice).accepts("stratified"):
        return why
    loose = reporting(choice).setting(stratified=False)
    if loose.entry is not choice.entry:
        loose = choice.setting(outer=loose)
    return Refused(f"{str(why).partition(CHANCE)[0]}{CHANCE}{spelled(loose)}", why.code)


def _checked(design: Design, rows: Rows, choice: Choice | None = None) -> Design:
    if choice is not None and choice.entry.tests_training:
        return design
    notes = list(design.notes)
    if rows.groups is not None:
        if choice is not None and choice.value("grouped") is False:
            notes.extend(groups_on_both_sides(design, rows.groups))
        else:
            no_group_on_both_sides(design, rows.groups)
    if rows.time is not None:
        notes.extend(out_of_order(design, rows.time))
    return replace(design, notes=tuple(notes))
