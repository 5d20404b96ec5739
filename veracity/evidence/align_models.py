"""Models whose rows come apart, brought to the same rows in one order; of items tried several times, their means."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import brief, plural
from veracity.evidence.labels import id_codes
from veracity.evidence.predictions import Predictions, subset
from veracity.records.arrays import Array, FirstRow, RowNames, freeze, python_value

NAME_IDS = "name a column of row ids (`rows=`) to join them"
PARTS = "; files that are parts of one table are read by `parts=True`"
DROP = "to leave out rows that not all have, give `missing='drop'`"
DROP_ITEMS = "to leave out items that not all have, ask for `vc.graded(..., model=..., missing='drop')`"
SHARED = {"truth": "truth", "weights": "weight", "repeats": "count", "groups": "group"}
MATCHED = "rows of models that come one after the other are matched by their order, as no row ids are named"
BY_ORDER = Note("rows-by-order", "remark", f"{MATCHED} (`rows=`); their truths agree")
BY_ORDER_BLINDLY = Note("rows-by-order", "caution", f"{MATCHED}, and nothing shows that they are the same: `rows=`")
SHOWN = 3  # ids in a sentence
MOST_MODELS = 1_000  # more are no models but rows


class Member(NamedTuple):
    """One model, what sentences call it, what they call its rows, and where these stand in a long table."""

    predictions: Predictions
    called: str
    first: FirstRow = 1
    rows: Array = np.empty(0, np.intp)


def align_models(members: Mapping[str, Member], missing: str = "refuse") -> dict[str, Predictions]:
    """The rows of all models in the order of the first, matched by their ids, else by their order.

    Rows that some model lacks are refused, or with `missing="drop"` left out of all and told.
    """
    for member in members.values():
        _check_unique(member)
    notes: tuple[Note, ...] = ()
    if missing == "drop":
        members, notes = _shared_rows(members)
    (first, one), *others = members.items()
    if others and one.predictions.rows is None:
        notes += (BY_ORDER_BLINDLY if one.predictions.kind in ("correct", "loss") else BY_ORDER,)
    models = {first: one.predictions, **{name: _align(one, other, members) for name, other in others}}
    return {name: replace(p, notes=p.notes + notes) for name, p in models.items()}


def pair_by_item(models: Mapping[str, Predictions], missing: str = "refuse") -> dict[str, Predictions]:
    """Return graded models with their items in one order; models of any other kind as they are."""
    if any(p.kind != "grades" for p in models.values()):
        return dict(models)
    return align_models({name: Member(p, f"model {brief(name, 40)}") for name, p in models.items()}, missing)


def check_number_of_models(number: int, column: str) -> None:
    """Refuse a column of models that tells so many apart that it is of rows."""
    if number > MOST_MODELS:
        says = f"{column} tells {number:,} models apart"
        raise BadInput(f"{says}: name the column that says which model a row is of, `model=`")


def split_models(p: Predictions, names: Array, of_row: Array, called: str, first: FirstRow) -> dict[str, Member]:
    """The rows of each model of a long table by its name, in the order in which models come; `called` is its column.

    `names` are those of the models, and `of_row` says which of them each row is of.
    """
    check_number_of_models(len(names), called)
    order = np.argsort(of_row, kind="stable")
    parts = np.split(order, np.cumsum(np.bincount(of_row, minlength=len(names)))[:-1])
    members = {}
    for name, rows in sorted(zip(map(str, names), parts, strict=True), key=lambda part: part[1][:1].tolist()):
        if len(rows):
            own = replace(subset(p, rows), name=name)
            members[name] = Member(own, f"model {brief(name, 40)}", _names(rows, first), rows)
    return members


def _names(rows: Array, first: FirstRow) -> RowNames:
    return RowNames(lambda place: int(rows[place]) + first)


def _align(one: Member, two: Member, members: Mapping[str, Member]) -> Predictions:
    """Return the other model's rows in the order of the first's."""
    first, other = one.predictions, two.predictions
    if first.rows is None or other.rows is None:
        if len(first) != len(other):
            parts = "" if two.rows.size else PARTS  # a long table is one already
            raise BadInput(f"{two.called} has {len(other)} rows, but {one.called} has {len(first)}: {NAME_IDS}{parts}")
    elif not np.array_equal(first.rows, other.rows):
        if (first.rows.dtype.kind in "OU") != (other.rows.dtype.kind in "OU"):
            says = f"the row ids are text in one of {one.called} and {two.called} and numbers in the other"
            raise BadInput(f"{says}: make them alike")
        by_first, by_other = _order(one), _order(two)
        if len(first) != len(other) or (first.rows[by_first] != other.rows[by_other]).any():
            raise _other_rows(members)
        order = np.empty(len(first), np.intp)
        order[by_first] = by_other
        other = subset(other, order)
    for role, word in SHARED.items():  # what belongs to the rows, not to the models
        mine, yours = getattr(first, role), getattr(other, role)
        if mine is None or yours is None or (mine == yours).all():
            continue
        row = int((mine != yours).argmax())
        where = f"row {row + 1}" if first.rows is None else f"id {_word(first.rows[row])}"
        values = f"{_cell_word(first, role, row)} in {one.called}, {_cell_word(other, role, row)} in {two.called}"
        way_out = f"; {NAME_IDS}" if first.rows is None else ""
        raise BadInput(f"the {word} of {where} differs: {values}{way_out}")
    return other


def _order(member: Member) -> Array:
    assert member.predictions.rows is not None
    try:
        return np.argsort(member.predictions.rows, kind="stable")
    except TypeError:
        raise BadInput(f"{member.called}: the row ids are of different types: make them alike") from None


def _check_unique(member: Member) -> None:
    ids = member.predictions.rows
    if ids is None or _rising(ids) or len(set(ids.tolist())) == len(ids):
        return
    order = _order(member)
    row = int(order[np.flatnonzero(ids[order][1:] == ids[order][:-1]) + 1].min())
    before = int(np.flatnonzero(ids[:row] == ids[row])[0])
    rows = f"rows {before + member.first} and {row + member.first}"
    tried = "; of items that were tried several times `correct=` or `loss=` is averaged"
    again = f"{tried}, or give `groups=` in its place" if member.rows.size else ""
    says = f"{member.called}: the row id {_word(ids[row])} occurs twice, in {rows}"
    raise BadInput(f"{says}: each row needs its own{again}")


def _rising(ids: Array) -> bool:
    """Return whether each id is larger than the one before, as in most files, which a single pass shows."""
    try:
        return bool((ids[1:] > ids[:-1]).all())
    except TypeError:
        return False


def _lacking(members: Mapping[str, Member]) -> tuple[list[Any], list[tuple[str, list[Any]]]]:
    """Return the row ids that any model has, and which of them each model lacks that does not have all."""
    own = [dict.fromkeys(np.asarray(member.predictions.rows).tolist()) for member in members.values()]
    every = list(dict.fromkeys(chain.from_iterable(own)))
    lack = [[row for row in every if row not in ids] for ids in own]
    return every, [(one.called, ids) for one, ids in zip(members.values(), lack, strict=True) if ids]


def _other_rows(members: Mapping[str, Member]) -> BadInput:
    """Return the error that names which models lack which rows."""
    unit = next(iter(members.values())).predictions.unit
    every, lacking = _lacking(members)
    parts = []
    for called, ids in lacking:
        shown = ", ".join(map(_word, ids[:SHOWN])) + (f" and {len(ids) - SHOWN} more" if len(ids) > SHOWN else "")
        parts.append(f"{called} lacks {len(ids)} of {plural(len(every), unit)} ({shown})")
    rule = f"all models must predict the same rows; {DROP}"
    if unit == "item":
        rule = f"models are paired by item; {DROP_ITEMS}"
    return BadInput(f"{', '.join(parts)}: {rule}")


def _shared_rows(members: Mapping[str, Member]) -> tuple[Mapping[str, Member], tuple[Note, ...]]:
    """Return of every model the rows that all have, and a caution that counts the others."""
    rows = [member.predictions.rows for member in members.values()]
    if any(ids is None for ids in rows) or all(np.array_equal(np.asarray(ids), np.asarray(rows[0])) for ids in rows):
        return members, ()
    every, lacking = _lacking(members)
    if not lacking:
        return members, ()
    unit = next(iter(members.values())).predictions.unit
    gone = {row for _, ids in lacking for row in ids}
    if len(gone) == len(every):
        raise BadInput(f"no {unit} is there for all of {brief(', '.join(one.called for one in members.values()), 200)}")
    kept = {}
    for name, member in members.items():
        stays = [row not in gone for row in np.asarray(member.predictions.rows).tolist()]
        kept[name] = member._replace(predictions=subset(member.predictions, np.array(stays, bool)))
    lack = ", ".join(f"{called} lacks {len(ids)}" for called, ids in lacking)
    number = f"{len(gone)} of {plural(len(every), unit)}"
    says = f"{number} are not there for every model and were left out: {lack}"
    return kept, (Note("rows-left-out", "caution", says),)


def _cell_word(model: Predictions, role: str, row: int) -> str:
    item = getattr(model, role)[row]
    return _word(model.classes[item] if role == "truth" and model.kind == "classes" else item)


def _word(item: Any) -> str:
    return brief(repr(python_value(item)), 40)


OF_ITEMS = ("weights", "groups")  # what belongs to an item and not to a try


def mean_over_tries(members: Mapping[str, Member]) -> Mapping[str, Member]:
    """Losses, or right and wrong answers, with one row for each item where some item was tried more than once.

    Tries of one item depend on each other and are no rows of their own; their mean is an item's loss, whose spread
    over items holds what tries add to it. Labels and numbers have no such mean, and stay as they are.
    """
    every = [member.predictions for member in members.values()]
    if any(p.rows is None or p.repeats is not None or p.kind not in ("correct", "loss") for p in every):
        return members
    items = {name: id_codes(np.asarray(member.predictions.rows)) for name, member in members.items()}
    tries = {name: np.bincount(of_row) for name, of_row in items.items()}
    if all(number.max(initial=0) <= 1 for number in tries.values()):
        return members
    numbers = np.concatenate(list(tries.values()))
    often = f"{numbers.min()} to {numbers.max()}" if numbers.min() < numbers.max() else f"{numbers.max()}"
    what = "share of wrong answers" if every[0].kind == "correct" else "mean loss"
    number_of_items = plural(max(map(len, tries.values())), "item")
    says = f"{number_of_items}, tried {often} times by each model: the {what} of its tries is an item's loss, and items"
    note = Note("tries-averaged", "remark", f"{says} are the unit")
    first = {name: np.unique(codes, return_index=True)[1][codes] for name, codes in items.items()}
    losses = {name: _losses(member.predictions) for name, member in members.items()}
    if all((losses[name] == losses[name][first[name]]).all() for name in members):
        copies = "all tries of an item agree: if rows stand there twice, mend that"
        note = Note("tries-averaged", "caution", f"{note.says}; {copies}")
    return {name: _means(member, items[name], note) for name, member in members.items()}


def _losses(p: Predictions) -> Array:
    return np.asarray(p.label != p.truth, float) if p.kind == "correct" else np.asarray(p.loss)


def _means(member: Member, item: Array, note: Note) -> Member:
    """The items in the order of their first tries."""
    p, (_, first) = member.predictions, np.unique(item, return_index=True)
    for role in OF_ITEMS:
        own = getattr(p, role)
        differ = None if own is None else own != own[first][item]
        if differ is not None and differ.any():
            row = int(differ.argmax())
            says = f"row {row + member.first} has other {role} than the first try of the same item"
            raise BadInput(f"{member.called}: {says}: tries of an item share them")
    means = np.bincount(item, _losses(p)) / np.bincount(item)
    order = np.argsort(first, kind="stable")
    places = first[order]
    whole = replace(subset(p, places), kind="loss", classes=(), label=None, loss=freeze(means[order]))
    names = RowNames(lambda place: int(places[place]) + member.first)
    return Member(replace(whole, notes=(*p.notes, note)), member.called, names, member.rows[places])
