"""Items that a model tried several times: the mean over its tries stands for each, so that items stay the unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.core.words import plural
from veracity.evidence.align_models import Member
from veracity.evidence.labels import id_codes
from veracity.evidence.predictions import Predictions
from veracity.evidence.take_rows import subset
from veracity.records.arrays import Array, RowNames, freeze

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
    note = _note(tries, every[0].kind, [_agree(p, items[name]) for name, p in zip(members, every, strict=True)])
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


def _agree(p: Predictions, item: Array) -> bool:
    """Whether all tries of each item have the same loss."""
    losses, (_, first) = _losses(p), np.unique(item, return_index=True)
    return bool((losses == losses[first][item]).all())


def _note(tries: Mapping[str, Array], kind: str, agree: list[bool]) -> Note:
    numbers = np.concatenate(list(tries.values()))
    often = f"{numbers.min()} to {numbers.max()}" if numbers.min() < numbers.max() else f"{numbers.max()}"
    what = "share of wrong answers" if kind == "correct" else "mean loss"
    items = plural(max(map(len, tries.values())), "item")
    says = (
        f"{items}, tried {often} times by each model: the {what} of its tries is an item's loss, and items are the unit"
    )
    if not all(agree):
        return Note("tries-averaged", "remark", says)
    return Note(
        "tries-averaged", "caution", f"{says}; all tries of an item agree: if rows stand there twice, mend that"
    )
