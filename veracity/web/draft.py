"""A study that is being written: checked without running it, with a picture of its splits."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup

from veracity.core.errors import BadInput, Mistake, Mistakes, VeracityError
from veracity.core.notes import Note
from veracity.core.words import for_command_line, plural
from veracity.records.arrays import Array
from veracity.records.design import Design, Split
from veracity.reports.svg.paper import drawing, tag, text
from veracity.risk.designs import estimator_of, trained_share
from veracity.stores.open_store import KEY as STORE
from veracity.stores.open_store import place_of_store
from veracity.studies.progress import duration
from veracity.studies.study import Study
from veracity.web.asked import Bench

FIRST = """seed = 0
by = "repeated_kfold(k=10, repeats=2)"
scores = ["error"]

[data]
iris = "sklearn:load_iris"

[learners]
nb = "sklearn.naive_bayes:GaussianNB"
"""
NEEDED = {"data": "data set", "learners": "learner", "by": "design"}


@dataclass(frozen=True)
class Checked:
    """What can be said of a text before anything is fitted."""

    mistakes: tuple[Mistake, ...] = ()
    plan: str = ""
    fits: int = 0
    notes: tuple[Note, ...] = ()
    picture: Markup | None = None
    data: Mapping[str, str] = field(default_factory=dict)  # what each data set is
    answers: Mapping[str, str] = field(default_factory=dict)  # the question of each design

    def to_json(self) -> dict[str, Any]:
        mistakes = [{"place": one.path, "says": for_command_line(one.says)} for one in self.mistakes]
        return {
            "mistakes": mistakes,
            "plan": self.plan,
            "fits": self.fits,
            "notes": [note.to_json() for note in self.notes],
        }


def tables_of(study: str) -> dict[str, Any]:
    """The tables of a text."""
    try:
        return tomllib.loads(study)
    except (ValueError, RecursionError) as why:  # a number of thousands of digits, a list in thousands of lists
        raise BadInput(f"this is not TOML: {str(why)[:1].lower()}{str(why)[1:]}") from None


def missing_parts(study: Path) -> str:
    """Return what a study must name before it can be run, such as `no data set and no learner`; empty if it does."""
    try:
        tables = tables_of(study.read_text("utf-8", "replace"))
    except BadInput:  # which its run tells
        return ""
    return " and ".join(f"no {word}" for part, word in NEEDED.items() if not tables.get(part))


def check(bench: Bench, folder: Path, study: str, store: str | None = None) -> Checked:
    """All mistakes of a text; without any, what it would fit."""
    try:
        tables = tables_of(study)
        unreadable = tuple(_unreadable_paths(bench, folder, tables))
        if unreadable:
            return Checked(unreadable)
        draft = Study.draft(tables, folder)
        if isinstance(named := tables.get(STORE), str):  # else the results are those of the saved study
            store = bench.folder.store_inside(place_of_store(named, folder))
        if store is not None and not bench.stores.may_open(store):
            store = None
        return _foresee(bench, draft, store)
    except Mistakes as why:
        return Checked(why.mistakes)
    except VeracityError as why:
        return Checked((Mistake("", why.says),))


def _unreadable_paths(bench: Bench, folder: Path, tables: Mapping[str, Any]) -> Iterator[Mistake]:
    """Yield data and stores that are not looked at: those outside the folder of the workbench, and what is no file."""
    named = tables.get(STORE)
    if isinstance(named, str) and "://" not in named:
        yield from _mistake_at(STORE, partial(bench.folder.inside, os.path.relpath(folder / named, bench.folder.root)))
    data = tables.get("data")
    for name, part in data.items() if isinstance(data, dict) else ():
        table = {"file": part} if isinstance(part, str) else part if isinstance(part, dict) else {}
        for word in ("file", "test"):
            path = table.get(word)
            if isinstance(path, str) and not path.startswith("sklearn:"):
                yield from _mistake_at(f"data.{name}.{word}", partial(bench.folder.data_file, folder, path))


def _mistake_at(place: str, look: Callable[[], Any]) -> Iterator[Mistake]:
    try:
        look()
    except BadInput as why:
        yield Mistake(place, why.says)


def _foresee(bench: Bench, study: Study, store: str | None) -> Checked:
    planned = study.plan()
    there = store is not None and bench.stores.has(store)
    progress = planned.against(bench.stores.open(store)) if there and store is not None else None
    plan = str(progress) if progress is not None else planned.sentence()
    each = seconds_of_fit(bench, store, study)
    left = len(planned) if progress is None else progress.left
    rest = f"; about {duration(left * each)} by one worker" if each else "; how long is told when some are done"
    told = plan + (rest if left else "")
    name, table = next(iter(study.data.items()))
    designs = study.designs[name]
    picture = splits_picture(designs[0], len(table), name)
    about = {}
    for one, of in study.data.items():
        target = f"{len(of.classes)} classes" if of.kind == "classes" else "a target of numbers"
        about[one] = f"{plural(len(of), 'row')}, {plural(len(of.columns), 'column')}, {target}"
    answers = {one.name: str(estimator_of(one).answers.format(share=trained_share(one))) for one in designs}
    return Checked((), told, len(planned), study.foreseen + planned.notes, picture, about, answers)


def seconds_of_fit(bench: Bench, store: str | None, study: Study) -> float | None:
    """The mean of what fits of the same learners took, those of others counting as their mean; None where none did."""
    from veracity.stores.plan import seconds_per_fit

    if store is None or not bench.stores.may_open(store) or not bench.stores.has(store):
        return None
    known = seconds_per_fit(bench.stores.open(store).counts())
    if not known:
        return None
    mean = sum(known.values()) / len(known)
    return sum(known.get(name, mean) for name in study.learners) / len(study.learners)


MAX_SPLITS, MAX_CELLS = 20, 150  # of a picture; a cell stands for one row, or for several neighbours
LINE_PX, BAR_PX, LEFT_PX, WIDTH_PX = 11, 9, 70, 480
KINDS = ("bar s1", "bar s0 faint")  # of test rows, which stand below, and of training rows


def splits_picture(design: Design, rows: int, name: str) -> Markup:
    """Draw the splits in the order of the data; a cell of several rows is painted as high as their share."""
    shown = design.splits[:MAX_SPLITS]
    edges = np.linspace(0, rows, min(rows, MAX_CELLS) + 1).astype(int)
    at = LEFT_PX + (WIDTH_PX - LEFT_PX - 10) * edges / rows
    ways = dict.fromkeys(KINDS, "")
    parts = [text(LEFT_PX, 12, f"rows of {name}, in their order", "tick")]
    for number, split in enumerate(shown):
        bottom = 20.0 + LINE_PX * number + BAR_PX
        parts.append(text(LEFT_PX - 6, bottom, f"split {number + 1}", "tick", "end"))
        tests, trains = _shares(split, rows, edges)
        for kind, low, high in zip(KINDS, (np.zeros_like(tests), tests), (tests, tests + trains), strict=True):
            ways[kind] += _bars(at, bottom - BAR_PX * low, bottom - BAR_PX * high)
    parts += [tag("path", d=way, class_=kind) for kind, way in ways.items() if way]
    more = f"; {len(design.splits) - MAX_SPLITS} more splits follow" if len(design.splits) > MAX_SPLITS else ""
    says = f"{len(design.splits)} splits of {rows} rows by {design.name}: blue rows train, orange rows test{more}"
    return drawing(WIDTH_PX, 28 + LINE_PX * len(shown), says, parts)


def _shares(split: Split, rows: int, edges: Array) -> tuple[Array, Array]:
    """Return the share of the rows of each cell that test, and of those that only train."""
    tests, trains = np.zeros(rows, bool), np.zeros(rows, bool)
    tests[split.test], trains[split.train] = True, True
    if (tests & ~trains).any():  # of a bootstrap the rows that were drawn are predicted too, and test nothing
        tests &= ~trains
    sizes = np.diff(edges)
    return np.add.reduceat(tests, edges[:-1]) / sizes, np.add.reduceat(trains & ~tests, edges[:-1]) / sizes


def _bars(at: Array, low: Array, high: Array) -> str:
    """Return the outline of each stretch of cells that are painted alike."""
    changes = np.flatnonzero((np.diff(low) != 0) | (np.diff(high) != 0)) + 1
    begins, ends = np.r_[0, changes], np.r_[changes, len(low)]
    return "".join(
        f"M{at[begin]:.2f} {low[begin]:.2f}V{high[begin]:.2f}H{at[end]:.2f}V{low[begin]:.2f}z"
        for begin, end in zip(begins, ends, strict=True)
        if low[begin] > high[begin]
    )
