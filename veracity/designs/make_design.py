"""From the name of a design, or a scikit-learn splitter, to its splits of some rows."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from numbers import Integral
from typing import Any

import numpy as np

from veracity.core.bounds import ANYWAY, SPLIT_ROWS, SPLITS, check_bound
from veracity.core.entry import Choice
from veracity.core.errors import BadInput, Refused
from veracity.core.notes import Note, check, unique
from veracity.core.seeds import generator
from veracity.core.words import plural
from veracity.designs import designs
from veracity.designs.entry import SplitsAndNotes, design
from veracity.designs.holdout import test_file
from veracity.designs.splitter import from_splitter
from veracity.records.arrays import Array
from veracity.records.design import Design, Rows, Split

CHANCE = ", or leave it to chance with "
WHOLE = "holdout, kfold, leave_one_out, bootstrap and their kin keep groups whole"


@design("Nested resampling", cite=("stone1974", "varma2006"))
def nested(rows: Rows, random: np.random.Generator, *, outer: Any, inner: Any) -> SplitsAndNotes:
    """The outer design reports; tuning happens inside each outer training part by the inner design.

    The splits are those of the outer design, so an untuned learner on that design is compared on the same rows.
    """
    yield from outer(rows, random)


def make_design(by: Any, rows: Rows, seed: int, features: Any = None) -> Design:
    """The splits that a design makes of some rows from a seed; a group on both sides is refused.

    `features` is only for a scikit-learn splitter that looks at their shape. A design that is made already stays.
    """
    if isinstance(by, Design):
        if by.rows != len(rows):
            raise BadInput(f"{by.name} was made for {by.rows} rows, and here are {len(rows)}: make it for these")
        return by
    rows = code_rows(rows)
    if hasattr(by, "split") and not isinstance(by, str):
        _check_test_file(rows, type(by).__name__)
        return _check_design(from_splitter(by, rows, seed, features), rows)
    choice = choose_design(by)
    if reporting_design(choice).entry is not test_file:
        _check_test_file(rows, str(choice))
    return _check_design(_from_choice(choice, rows, seed), rows, reporting_design(choice))


def _check_test_file(rows: Rows, by: str) -> None:
    """Refuse to deal the rows of a test file out among training rows."""
    if rows.test is not None:
        says = f"{rows.name or 'the data set'} names a test file, whose rows {by} would train on"
        raise Refused(f"{says}: use `by='test_file'`, or leave the test file out", "test-file")


def choose_design(by: Any) -> Choice:
    """The choice that a text, an entry or a choice stands for, with designs inside it chosen too."""
    choice = designs.choose(by)
    if choice.entry is not nested:
        return choice
    parts = {"outer": choose_design, "inner": choose_inner_design}
    return choice.setting(**{name: parts[name](value) for name, value in choice.arguments})


def choose_inner_design(by: Any) -> Choice:
    """A design by whose splits a setting can be chosen: test rows did not train, and all splits are of one kind."""
    choice = choose_design(by)
    rule: Any = reporting_design(choice).entry
    if rule.tests_training:
        says = "would choose by the rows that trained, where whatever learns them by heart wins"
        raise Refused(f"{choice} {says}: choose by kfold(k=5)", "tests-training")
    if rule.several_kinds:
        says = "has splits that train on different numbers of rows, whose mean is no score to choose by"
        raise Refused(f"{choice} {says}: choose by kfold(k=5)", "several-kinds")
    return choice


def reporting_design(choice: Choice) -> Choice:
    """The design whose test rows report: the choice itself, or the outer one of a nested design."""
    return reporting_design(choice.value("outer")) if choice.entry is nested else choice


def spell_design(choice: Choice) -> str:
    """The canonical name: sizes are always said, variants only where they differ from what the rows ask for."""
    words = []
    for parameter in choice.parameters:
        value = choice.value(parameter.name)
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, Choice):
            text = spell_design(value)
            words.append(f"{parameter.name}={text if text.endswith(')') else text + '()'}")
        elif not (value == parameter.default and parameter.default in ("auto", 0)):
            words.append(f"{parameter.name}={value!r}")
    words += [f"{ANYWAY}=True"] * choice.anyway
    return f"{choice.name}({', '.join(words)})" if words else choice.name


def code_rows(rows: Rows) -> Rows:
    """The same rows with classes and groups as codes 0, 1, ... and time as ranks."""
    number = len(rows)
    there, classes = _codes("classes", rows.classes, number)
    labels = tuple(rows.labels[code] for code in there) if rows.labels else ()
    _, groups = _codes("groups", rows.groups, number)
    _, time = _codes("time", rows.time, number)
    return Rows(number, classes, groups, time, labels, rows.name, rows.test)


def _codes(name: str, column: Array | None, rows: int) -> tuple[Array, Array | None]:
    """The different values in order, and the place of each row's among them."""
    if column is None:
        return np.empty(0), None
    column = np.asarray(column)
    if column.shape != (rows,):
        raise BadInput(f"there are {rows} rows but {name} has the shape {column.shape}: give one for each row")
    if (column != column).any():  # only a number that is NaN and a date that is no time differ from themselves
        raise BadInput(f"{name} is missing for some rows: fill it in or leave these rows out")
    there, places = np.unique(column, return_inverse=True)
    return there, places


def _from_choice(choice: Choice, rows: Rows, seed: int) -> Design:
    """All designs share one stream, so that asked together with one seed they share repeats, and thus fits."""
    notes = check(reporting_design(choice).limits, rows)
    if not choice.anyway:  # more splits than anybody fits by mistake
        number = split_count(choice, rows)
        cost = f"{spell_design(choice)} of {len(rows):,} rows makes about {number:,} splits"
        way = f"ask for fewer, or write {choice.setting(**{ANYWAY: True})} if that is meant"
        check_bound(number, SPLITS, cost, way)
        check_bound(number * len(rows), SPLIT_ROWS, f"{cost} with {number * len(rows):,} rows in all", way)
    try:
        items = list(choice(rows, generator(seed, "design")))
    except Refused as why:
        raise offer_chance(choice, why) from None
    splits = tuple(item for item in items if isinstance(item, Split))
    notes = unique((*notes, *(item for item in items if isinstance(item, Note))))
    inner = choice.value("inner")
    return Design(spell_design(choice), seed, len(rows), splits, notes, inner if isinstance(inner, Choice) else None)


def split_count(choice: Choice, rows: Rows) -> int:
    """Return how many splits a design makes, before it makes them; 0 where a parameter is no number."""
    outer = reporting_design(choice)
    values = {one.name: outer.value(one.name) for one in outer.parameters}
    if any(one.holds == "int" and not isinstance(values[one.name], Integral) for one in outer.parameters):
        return 0  # the design itself says which parameter is wrong
    return int(outer.count(rows, **values))


def offer_chance(choice: Choice, why: Refused) -> Refused:
    """The refusal of a class too rare to be spread, with what leaves it to chance in place of an earlier offer."""
    if why.code != "rare-class" or not reporting_design(choice).accepts("stratified"):
        return why
    loose = reporting_design(choice).setting(stratified=False)
    if loose.entry is not choice.entry:
        loose = choice.setting(outer=loose)
    return Refused(f"{str(why).partition(CHANCE)[0]}{CHANCE}{spell_design(loose)}", why.code)


def _check_design(design: Design, rows: Rows, choice: Choice | None = None) -> Design:
    """Note or refuse splits in which a model learns from rows that depend on its test rows."""
    if choice is not None and choice.tests_training:
        return design
    notes = list(design.notes)
    if rows.groups is not None:
        torn = [(number, row) for number, split in enumerate(design.splits) if (row := _torn(split, rows.groups)) >= 0]
        if torn and (choice is None or choice.value("grouped") is not False):
            where = f"in split {torn[0][0]} the group of row {torn[0][1]} both trains and tests; {WHOLE}"
            raise Refused(f"{design.name} puts a group on both sides: {where}", "group-on-both-sides")
        if torn:
            where = f"in {len(torn)} of {plural(len(design), 'split')} a group is both in training and in test"
            says = f"rows are not independent: {where}; leave grouped=False out"
            notes.append(Note("group-on-both-sides", "caution", says))
    if rows.time is not None:
        late = sum(bool(rows.time[split.train].max() >= rows.time[split.test].min()) for split in design.splits)
        if late:
            where = f"in {late} of {plural(len(design), 'split')} a model learns from rows not before its test rows"
            says = f"rows are not independent: {where}; kfold, holdout and three_way keep time order"
            notes.append(Note("out-of-time-order", "caution", says))
    return replace(design, notes=tuple(notes))


def _torn(split: Split, groups: Array) -> int:
    """Return a row whose group also lies in another part of the split, -1 where there is none."""
    parts = [rows for rows in (split.train, split.validation, split.test) if rows is not None]
    for first, second in combinations(parts, 2):
        met = np.zeros(groups.max() + 1, bool)
        met[groups[first]] = True
        torn = second[met[groups[second]]]
        if len(torn):
            return int(torn[0])
    return -1
