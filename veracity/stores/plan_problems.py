"""What is wrong with the plan that a store holds: its study, data sets, designs and the keys of its fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sqlalchemy import Connection, delete, inspect, select

from veracity.records.arrays import Array
from veracity.records.data import Data
from veracity.records.design import Design, Split
from veracity.records.fit import fit_key, rows_digest
from veracity.stores.data_and_designs import unpack_data, unpack_design
from veracity.stores.packing import DamagedBytes, reading
from veracity.stores.planned_cells import count_again, digest_of_shared
from veracity.stores.recorded_places import PLANNED, SHARED, Place, read_keys, record_places, recorded_places
from veracity.stores.schema import SCHEMA, about, cells, data, designs, looks, shared, tables
from veracity.stores.study_description import is_whole, read_study, read_text

KEY = re.compile("[0-9a-f]{32}")
NAMED = 3  # of many alike, those that are named
RUN = "run the study again, which brings it back and fits only what is missing"
REPAIR = "`vc.check_store(where, repair=True)`"
ANEW = f"{REPAIR} takes that away, and the next run of the study makes it anew"
COUNT = f"{REPAIR} counts again"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, under a code that stays the same, and what to do; `repair` does it where it can."""

    code: str
    says: str
    repair: Callable[[Connection], object] | None = field(default=None, compare=False, repr=False)

    def to_json(self) -> dict[str, str]:
        return {"code": self.code, "says": self.says}


@dataclass
class KnownPlan:
    """What could be read of a plan, for those who look at its fits."""

    study: dict[str, Any] = field(default_factory=dict)
    places: set[Place] = field(default_factory=set)
    tables: dict[str, Data] = field(default_factory=dict)
    designs: dict[tuple[str, str], Design] = field(default_factory=dict)
    keys: dict[Place, tuple[str, ...]] = field(default_factory=dict)
    whole: bool = True  # whether the keys of all fits could be read

    @property
    def final(self) -> set[str]:
        """Keys of the fits on all rows."""
        return {key for of in self.study.get("final", {}).values() for key in of.values()}


def names_of(things: Iterable[object]) -> str:
    """The first of many, and how many more there are."""
    every = list(map(str, things))
    more = f" and {len(every) - NAMED} more" if len(every) > NAMED else ""
    return f"{', '.join(every[:NAMED])}{more}"


def table_problems(connection: Connection) -> Iterator[Problem]:
    """What the database itself finds in its file, and tables or columns that are not there."""
    if connection.dialect.name == "sqlite":
        found = connection.exec_driver_sql("pragma integrity_check(3)").scalars().all()
        if found != ["ok"]:
            says = "restore a copy, or save what can be read with sqlite3's .recover"
            yield Problem("file", f"the file is damaged ({'; '.join(map(str, found))}): {says}")
    look = inspect(connection)
    for table in tables.sorted_tables:
        if table is looks and _is_older(connection):
            continue
        there = {column["name"] for column in look.get_columns(table.name)} if look.has_table(table.name) else set()
        lost = [column.name for column in table.columns if column.name not in there]
        if lost:
            what = f"columns {', '.join(lost)} of the table {table.name}" if there else f"the table {table.name}"
            yield Problem("table", f"there is no {what}: restore a copy, or run the study in a new store")


def _is_older(connection: Connection) -> bool:
    """Whether a store has no table of looks yet, as nothing may be written to it."""
    version = read_text(connection, SCHEMA)
    return str(version) in ("1", "2", "3")


def plan_problems(connection: Connection, known: KnownPlan) -> Iterator[Problem]:
    """Everything about the plan; what could be read is known afterwards."""
    yield from _list_problems(connection, known)
    yield from _data_problems(connection, known)
    yield from _design_problems(connection, known)
    yield from _key_problems(connection, known)
    yield from _misplaced_problems(known)
    yield from _count_problems(connection, known)


def _list_problems(connection: Connection, known: KnownPlan) -> Iterator[Problem]:
    there = {(row.data, row.learner, row.design) for row in connection.execute(select(cells))}
    try:
        known.study = read_study(connection)
        if there and not known.study:
            yield Problem("study-lost", f"the description of the study is lost: {RUN}")
        elif there and not is_whole(known.study):
            raise DamagedBytes
    except DamagedBytes:
        yield Problem("study-damaged", f"the description of the study is damaged: {ANEW}", _forget_value("study"))
    try:
        recorded = recorded_places(connection)
    except DamagedBytes:
        recorded = None
    if recorded is None and there:
        says = f"the list of what was planned is lost or damaged, and {REPAIR} makes it of what is there"
        yield Problem("list-lost", f"{says}: then run the study again", lambda link: record_places(link))
    known.places = there | (recorded or set())
    lost = sorted((recorded or set()) - there)
    if lost:
        known.whole = False
        places = names_of(f"{learner} on {of} by {design}" for of, learner, design in lost)
        yield Problem("plan-lost", f"the plan of {places} is lost: {RUN}")
    split = {(row.data, row.name) for row in connection.execute(select(designs.c.data, designs.c.name))}
    for place in sorted(there - recorded) if recorded is not None else ():
        of, learner, by = place
        if (of, by) in split and learner in known.study.get("learners", {}):
            yield Problem("plan-unlisted", f"{learner} on {of} by {by} is in no list of plans: {COUNT}", record_places)
        else:
            known.places.remove(place)
            says = f"{learner} on {of} by {by} was never planned: {REPAIR} takes it away"
            yield Problem("plan-orphan", says, _executes(delete(cells).where(*_at(place))))


def _forget_value(name: str) -> Callable[[Connection], object]:
    return lambda connection: connection.execute(delete(about).where(about.c.name == name))


def _data_problems(connection: Connection, known: KnownPlan) -> Iterator[Problem]:
    planned = {of for of, _, _ in known.places}
    rows = {row.name: row for row in connection.execute(select(data))}
    if lost := sorted(planned - set(rows)):
        yield Problem("data-lost", f"of the data sets {names_of(lost)} is lost which rows are of which class: {RUN}")
    for name, row in rows.items():
        forget = delete(data).where(data.c.name == name)
        try:
            with reading(name):
                known.tables[name] = table = unpack_data(name, row)
        except DamagedBytes as why:
            reason = why.__cause__ or why
            yield Problem("data-damaged", f"the data set {name!r} is damaged ({reason}): {ANEW}", _executes(forget))
            continue
        if name not in planned:
            yield Problem(
                "data-orphan", f"no fit is of the data set {name!r}: {REPAIR} takes it away", _executes(forget)
            )
        about_it = known.study.get("data", {}).get(name)
        marks = (about_it.get("fingerprint"), about_it.get("rows")) if isinstance(about_it, dict) else (None, None)
        if marks[0] not in (None, row.fingerprint) or marks[1] not in (None, len(table)):
            says = f"the data set {name!r} is not the one that the study describes (fingerprint or number of rows)"
            yield Problem("data-changed", f"{says}: {ANEW}", _executes(forget))


def _executes(statement: Any) -> Callable[[Connection], object]:
    return lambda connection: connection.execute(statement)


def _design_problems(connection: Connection, known: KnownPlan) -> Iterator[Problem]:
    planned = {(of, design) for of, _, design in known.places}
    rows = {(row.data, row.name): row for row in connection.execute(select(designs))}
    if lost := sorted(planned - set(rows)):
        yield Problem(
            "design-lost", f"the splits of {names_of(f'{of} by {name}' for of, name in lost)} are lost: {RUN}"
        )
    for (of, name), row in rows.items():
        forget = _executes(delete(designs).where(designs.c.data == of, designs.c.name == name))
        try:
            with reading(name):
                design = unpack_design(name, row.described, row.arrays, (of, name, row.fingerprint))
        except DamagedBytes as why:
            says = f"the splits of {of!r} by {name} are damaged ({why.__cause__ or why})"
            yield Problem("design-damaged", f"{says}: {ANEW}", forget)
            continue
        table = known.tables.get(of)
        if design.fingerprint != row.fingerprint or (table is not None and len(table) != design.rows):
            says = f"the splits of {of!r} by {name} are not those that were written (fingerprint or number of rows)"
            yield Problem("design-changed", f"{says}: {ANEW}", forget)
        elif (of, name) not in planned:
            yield Problem("design-orphan", f"no fit is of {of!r} by {name}: {REPAIR} takes it away", forget)
        else:
            known.designs[of, name] = design


def _key_problems(connection: Connection, known: KnownPlan) -> Iterator[Problem]:
    for row in connection.execute(select(cells)):
        place = of, learner, by = row.data, row.learner, row.design
        if place not in known.places:
            continue
        try:
            keys = read_keys(place, row[-1])
            if bad := [key for key in keys if not KEY.fullmatch(key)]:
                raise DamagedBytes(f"{bad[0]!r} is no key")
            design = known.designs.get((of, by))
            if design is not None and len(keys) != len(design):
                raise DamagedBytes(f"{len(keys)} keys for {len(design)} splits")
            known.keys[place] = keys
        except DamagedBytes as why:
            known.whole = False
            says = f"the plan of {learner} on {of} by {by} is damaged ({why})"
            yield Problem("plan-damaged", f"{says}: {ANEW}", _executes(delete(cells).where(*_at(place))))


def predicted_rows(split: Split) -> Array:
    """The rows that a fit must have predicted for a split."""
    return np.sort(split.test) if split.validation is None else np.union1d(split.test, split.validation)


def _misplaced_problems(known: KnownPlan) -> Iterator[Problem]:
    """A key is made of what it stands for: that of another learner, data set or split is in a wrong place."""
    own = _own_keys(known)
    every: set[str] = set().union(*own.values())
    for place, keys in known.keys.items():
        of, learner, by = place
        known_by_content = any(key in own.get((place, at), ()) for at, key in enumerate(keys))
        twice = {key for key, times in Counter(keys).items() if times > 1 and not _same_splits(known, place, key)}
        wrong = [
            at
            for at, key in enumerate(keys)
            if key in twice or ((known_by_content or key in every) and key not in own.get((place, at), ()))
        ]
        if wrong:
            says = f"split {names_of(wrong)} of {learner} on {of} by {by} points to a fit of something else"
            yield Problem("plan-misplaced", f"{says}: {ANEW}", _executes(delete(cells).where(*_at(place))))


def _same_splits(known: KnownPlan, place: Place, key: str) -> bool:
    """Whether all splits that one fit answers train and test on the same rows."""
    of, _, by = place
    splits = known.designs[of, by].splits if (of, by) in known.designs else ()
    own = [split for split, other in zip(splits, known.keys[place], strict=False) if other == key]
    return len({(rows_digest(split.train), rows_digest(predicted_rows(split))) for split in own}) <= 1


def _at(place: Place) -> tuple[Any, ...]:
    return tuple(column == name for column, name in zip(cells.primary_key, place, strict=True))


def _own_keys(known: KnownPlan) -> dict[tuple[Place, int], set[str]]:
    """The keys that each split of each learner may have, without and with rows that validate.

    A learner behind a preparation, or tuned by the design, has others, which nobody can know without the learner.
    """
    marks = {
        what: {name: one["fingerprint"] for name, one in known.study.get(what, {}).items() if "fingerprint" in one}
        for what in ("data", "learners")
    }
    own = {}
    for (of, by), design in known.designs.items():
        for number, split in enumerate(design.splits if of in marks["data"] else ()):
            digests = {rows_digest(split.train), rows_digest(split.train, split.validation)}
            for learner, mark in marks["learners"].items():
                fits = {fit_key(marks["data"][of], mark, digest, known.study["seed"]) for digest in digests}
                own[(of, learner, by), number] = fits
    return own


def text_or_nonsense(connection: Connection, name: str) -> str | None:
    """One entry of the table of single values, also where it is damaged."""
    try:
        return read_text(connection, name)
    except DamagedBytes:
        return "nonsense"


def _count_problems(connection: Connection, known: KnownPlan) -> Iterator[Problem]:
    if not known.whole:
        return  # what is lost is told already, and the next run counts again
    answers = Counter(key for keys in known.keys.values() for key in keys)
    planned, digest = (text_or_nonsense(connection, name) for name in (PLANNED, SHARED))
    if planned != str(answers.total()) and (planned is not None or answers):
        says = f"{answers.total()} splits are planned, and the store counts {planned or 'none'}"
        yield Problem("count-splits", f"{says}: {COUNT}", count_again)
    counts = {row.key: row.splits for row in connection.execute(select(shared))}
    unusual = {key: number for key, number in answers.items() if number != 1}
    extra = {key for key, number in counts.items() if number == 0} | (known.final - set(answers))
    if counts != unusual | dict.fromkeys(extra - set(answers), 0) or digest not in (None, digest_of_shared(connection)):
        says = "fits that answer several splits or none are not counted as such"
        yield Problem("count-shared", f"{says}: {COUNT}", count_again)
