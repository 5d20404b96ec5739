"""What a store was told to keep: the study, its data sets without features, their splits, and the fit of each."""

from __future__ import annotations

import json
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from sqlalchemy import Connection, Row, Table, case, func, select

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.evidence.runs import STORE_INCOMPLETE
from veracity.records.arrays import Array, freeze, python_value
from veracity.records.data import Data
from veracity.records.design import Design, Split, SplitPart
from veracity.records.plan import PlannedSplit
from veracity.stores.errors import DamagedBytes, DamagedStore, reading
from veracity.stores.schema import about, data, designs, fits, insert_into, pack, sealed, splits, storable_name, unpack
from veracity.stores.schema import verify as verify_row

K = TypeVar("K", bound=Hashable)
Place = tuple[str, str, str]  # data set, learner, design
STUDY = "study"  # the name under which the description is kept
GROWING = {"data": "data set", "learners": "learner"}  # by name; what a name stands for must stay
ADDED = ("by", "final")  # designs as they were typed and keys of fits on all rows, where they are given by name
ELSEWHERE = "use another store"
NO_ROWS, OTHER_ROWS = -1, -2  # in place of a number of rows: there are none, or all that the split has nowhere else


def where_of(connection: Connection) -> str:
    """Return what sentences call the store."""
    return str(connection.get_execution_options()["where"])


# The study


def save_study(connection: Connection, new: Mapping[str, Any]) -> dict[str, Any]:
    """Keep or grow the description; another seed, or the same name for another thing, is refused."""
    _as_json(new)
    old = read_study(connection)
    study = grow(where_of(connection), old, new) if old else dict(new)
    if study != old:
        row = sealed(name=STUDY, value=_as_json(study))
        insert = insert_into(connection, about).values(row)
        connection.execute(insert.on_conflict_do_update(index_elements=["name"], set_=row))
    return study


def read_study(connection: Connection) -> dict[str, Any]:
    """Return the description; empty when none was kept yet."""
    row = connection.execute(select(about).where(about.c.name == STUDY)).one_or_none()
    return {} if row is None else unpack_study(row)


def unpack_study(row: Row[Any]) -> dict[str, Any]:
    """Return the description that a row of facts holds."""
    with reading("the description of its study"):
        verify_row(row)
        study: dict[str, Any] = json.loads(row.value)
        return study


def is_whole(study: Mapping[str, Any]) -> bool:
    """Return whether a description says what must be known to ask anything of the study."""
    return study.keys() >= {"seed", "data", "learners"} and isinstance(study.get("by"), dict)


def _as_json(study: Mapping[str, Any]) -> str:
    try:
        return json.dumps(study, allow_nan=False)
    except (TypeError, ValueError) as why:
        raise BadInput(f"the description of a study must be JSON: {why}") from None


def grow(where: str, old: dict[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """Return the description of a study that grows: names are added, and of the rest what was said last holds."""
    check_same_study(where, old, new)
    study = {**old, **new}
    for field, noun in GROWING.items():
        before, now = old.get(field) or {}, new.get(field) or {}
        for name in before.keys() & now.keys():
            if _fingerprint(before[name]) != _fingerprint(now[name]):
                raise changed_error(where, noun, name)
        study[field] = {**before, **now}
    return study | {field: _add(old[field], new[field]) for field in ADDED if field in old and field in new}


def check_same_study(where: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """Refuse another seed, and data sets of which none was there."""
    if old.get("seed") != new.get("seed"):
        raise BadInput(f"{where} holds a study with seed {old.get('seed')}, not {new.get('seed')}: {ELSEWHERE}")
    before, now = old.get("data") or {}, new.get("data") or {}
    if before and now and not set(before) & set(now):
        names = ", ".join(list(before)[:3])
        raise BadInput(f"{where} holds another study, of {names}: {ELSEWHERE}")


def _add(old: Any, new: Any) -> Any:
    """Join names and what they stand for, at any depth."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    return {**old, **{name: _add(old[name], part) if name in old else part for name, part in new.items()}}


def _fingerprint(described: Any) -> Any:
    """Return what must not change of a data set or a learner."""
    return described["fingerprint"] if isinstance(described, dict) and "fingerprint" in described else described


def changed_error(where: str, noun: str, name: str) -> BadInput:
    """Return the refusal of the same name for another thing."""
    return BadInput(f"the {noun} {name!r} changed since {where} was made: give it another name, or {ELSEWHERE}")


def incomplete_notes(connection: Connection) -> tuple[Note, ...]:
    """Return a caution where the description of the study is lost, for every answer that is made of the store."""
    described = connection.execute(select(about.c.name).where(about.c.name == STUDY)).scalar()
    if described or connection.execute(select(splits.c.key).limit(1)).scalar() is None:
        return ()
    says = f"{where_of(connection)} has lost the description of its study, so data sets, learners and scores may be"
    return (Note(STORE_INCOMPLETE, "caution", f"{says} missing here; `vc.check_store` tells more"),)


# Data sets


def save_data(connection: Connection, table: Data) -> None:
    """Keep a data set without its features; the same name for other rows is refused."""
    name = storable_name(table.name)
    stored = connection.execute(select(data.c.fingerprint).where(data.c.name == name)).scalar()
    if stored not in (None, table.fingerprint):
        raise changed_error(where_of(connection), "data set", table.name)
    if stored is not None:
        return
    classes = list(map(python_value, table.classes))
    for label in classes:
        if not isinstance(label, (str, int, float, bool, type(None))):
            raise BadInput(f"a class {label!r} cannot be stored: name classes by texts or numbers")
    described = json.dumps(
        {
            "kind": table.kind,
            "classes": classes,
            "positive": None if table.positive is None else int(table.positive),
            "columns": [str(name) for name in table.columns],
            "categorical": [int(place) for place in table.categorical],
            "incomplete": bool(table.incomplete),
        }
    )
    arrays = pack(table.truth, table.weights, table.groups, table.time)
    row = sealed(name=name, fingerprint=table.fingerprint, described=described, arrays=arrays)
    connection.execute(data.insert().values(row))


def read_data(connection: Connection, name: str) -> Data:
    """Return a data set without features, with the fingerprint it had."""
    return unpack_data(_read_named(connection, "data set", data, name=name))


def unpack_data(row: Row[Any]) -> Data:
    """Return the data set as it was, without its features."""
    with reading(f"the data set {row.name!r}"):
        verify_row(row)
        columns: list[Any] = unpack(row.arrays)
        truth, weights, groups, time = columns
        described = json.loads(row.described)
        for field in ("classes", "columns", "categorical"):
            described[field] = tuple(described[field])
        table = Data(row.name, None, truth=truth, weights=weights, groups=groups, time=time, **described)
    vars(table)["fingerprint"] = row.fingerprint  # of the features too, which are not here to be read again
    return table


def _read_named(connection: Connection, noun: str, table: Table, **names: str) -> Row[Any]:
    row = connection.execute(select(table).filter_by(**names)).one_or_none()
    if row is not None:
        return row
    planned = {"data": names["data"], "design": names["name"]} if "data" in names else {"data": names["name"]}
    if connection.execute(select(splits.c.key).filter_by(**planned).limit(1)).scalar() is not None:
        says = f"{where_of(connection)} has lost the {noun} called {names['name']!r}"
        raise DamagedStore(f"{says}: run the study again, which writes it anew and fits nothing twice")
    others = {column: name for column, name in names.items() if column != "name"}
    there = connection.execute(select(table.c.name).filter_by(**others).order_by(table.c.name)).scalars()
    says = f"{where_of(connection)} has no {noun} called {names['name']!r}"
    raise BadInput(f"{says}: there are {', '.join(there) or 'none'}")


# Designs


def save_designs(connection: Connection, of: str, every: Collection[Design]) -> None:
    """Keep the splits of a data set by some designs; the same name for other splits is refused.

    Of the same splits, the seed and the notes that came first stay.
    """
    here = select(designs.c.name, designs.c.fingerprint).where(designs.c.data == storable_name(of))
    stored = {row.name: row.fingerprint for row in connection.execute(here)}
    rows = []
    for design in every:
        name = storable_name(design.name)
        if name not in stored:
            described, arrays = pack_design(design)
            content = {"fingerprint": design.fingerprint, "described": described, "arrays": arrays}
            rows.append(sealed(data=of, name=name, **content))
        elif stored[name] != design.fingerprint:
            raise changed_error(where_of(connection), f"design of {of!r}", name)
    if rows:
        connection.execute(designs.insert(), rows)


def read_design(connection: Connection, of: str, name: str) -> Design:
    """Return the splits that a design made of a data set."""
    row = _read_named(connection, f"design of {of!r}", designs, data=of, name=name)
    with reading(f"the design {name!r} of {of!r}"):
        verify_row(row)
        return unpack_design(name, row.described, row.arrays)


def pack_design(design: Design) -> tuple[str, bytes]:
    """Return what describes a design as JSON, and its splits packed."""
    parts = sorted({str(split.part) for split in design.splits})
    described = {
        "seed": design.seed,
        "rows": design.rows,
        "parts": parts,
        "inner": None if design.inner is None else str(design.inner),  # as it is spelled
        "notes": [note.to_json() for note in design.notes],
    }
    places = [[split.repeat, split.fold, parts.index(str(split.part))] for split in design.splits]
    train: list[Array | int] = []
    for split in design.splits:
        own = np.asarray(split.train)
        is_rest = np.array_equal(own, _other_rows(design.rows, split.test, split.validation))  # as in most designs
        train.append(OTHER_ROWS if is_rest else own)
    test = [split.test for split in design.splits]
    validation = [split.validation for split in design.splits]
    packed = [array for role in (train, test, validation) for array in _pack_role(role)]
    return json.dumps(described), pack(np.array(places, np.int64).reshape(-1, 3), *packed)


def _other_rows(rows: int, test: Array, validation: Array | None) -> Array:
    left = np.ones(rows, bool)
    left[np.asarray(test, np.int64)] = False
    if validation is not None:
        left[np.asarray(validation, np.int64)] = False
    return left.nonzero()[0]


def _pack_role(role: Sequence[Array | int | None]) -> tuple[Array, Array]:
    """Return the number of rows of each split, and the steps from row to row, which are small where rows ascend."""
    sizes = [NO_ROWS if part is None else part if isinstance(part, int) else len(part) for part in role]
    every = np.concatenate([np.empty(0, np.int64), *(part for part in role if isinstance(part, np.ndarray))])
    steps = np.diff(every, prepend=0)
    narrow = np.min_scalar_type(-int(np.abs(steps).max(initial=0)) - 1)
    return np.array(sizes, np.int64), steps.astype(narrow)


def unpack_design(name: str, described: str, packed: bytes) -> Design:
    """Return the design as it was."""
    design = json.loads(described)
    rows = design["rows"]
    places, *roles = (np.empty(0, np.int64) if array is None else array for array in unpack(packed))
    train, test, validation = (_unpack_role(roles[at], roles[at + 1], rows) for at in (0, 2, 4))
    parts = [SplitPart.parse(text) for text in design["parts"]]
    every = []
    for (repeat, fold, part), own, tested, validated in zip(places.tolist(), train, test, validation, strict=True):
        training = own if isinstance(own, np.ndarray) else _other_rows(rows, tested, validated)
        kept = None if validated is None else freeze(validated)
        every.append(Split(freeze(training), freeze(tested), repeat, fold, parts[part], kept))
    notes = tuple(Note(**note) for note in design["notes"])
    return Design(name, design["seed"], rows, tuple(every), notes, design["inner"])


def _unpack_role(sizes: Array, steps: Array, rows: int) -> list[Any]:
    every = np.cumsum(steps, dtype=np.int64)
    if every.size and not 0 <= every.min() <= every.max() < rows:
        raise DamagedBytes("rows that the data set does not have")
    ends = np.cumsum(np.maximum(sizes, 0)).tolist()
    marks = {NO_ROWS: None, OTHER_ROWS: OTHER_ROWS}
    return [
        every[end - size : end] if size >= 0 else marks[size] for size, end in zip(sizes.tolist(), ends, strict=True)
    ]


# Planned splits

_PLACE = (splits.c.data, splits.c.learner, splits.c.design)
_PLANNED = select(*(column for column in splits.c if column is not splits.c.number))  # as the checksum is of them


def save_splits(connection: Connection, planned: Collection[PlannedSplit]) -> None:
    """Add which fit answers which split; the fits of a place never change, and what is missing of them is added."""
    where, new = where_of(connection), []
    known = read_plan(connection)
    wanted: dict[Place, dict[int, str]] = {}
    for of, learner, design, split, key in planned:
        wanted.setdefault((of, learner, design), {})[split] = key
    for place, keys in wanted.items():
        of, learner, design = map(storable_name, place)
        there = known.get(place, {})
        if set(keys) != set(range(len(keys))):
            raise BadInput(f"splits are missing in the plan of {learner!r} on {of!r} by {design!r}")
        if not there.items() <= keys.items():
            raise changed_error(where, f"learner on {of!r} by {design!r}", learner)
        for split in sorted(keys.keys() - there.keys()):
            new.append(sealed(data=of, design=design, learner=learner, split=split, key=keys[split]))
    if new:
        connection.execute(splits.insert(), new)


def register(
    connection: Connection, tables: Mapping[str, tuple[Data, Sequence[Design]]], planned: Collection[PlannedSplit]
) -> None:
    """Keep data sets with their designs and which fit answers each split, in one transaction."""
    for name, (table, splits_of_designs) in tables.items():
        save_data(connection, table)
        save_designs(connection, name, splits_of_designs)
    save_splits(connection, planned)


def read_plan(connection: Connection, *conditions: Any) -> dict[Place, dict[int, str]]:
    """Return the key of the fit of each planned split, by place, in the order of planning."""
    found: dict[Place, dict[int, str]] = {}
    with reading("the plan of its fits"):
        for row in connection.execute(_PLANNED.where(*conditions).order_by(splits.c.number)):
            verify_row(row)
            found.setdefault((row.data, row.learner, row.design), {})[row.split] = row.key
    return found


def planned_keys(connection: Connection, *conditions: Any) -> dict[Place, tuple[str, ...]]:
    """Return the keys of the fits of each place in the order of its splits."""
    with reading("the plan of its fits"):
        plan = read_plan(connection, *conditions)
        return {place: tuple(keys[split] for split in range(len(keys))) for place, keys in plan.items()}


def read_keys(connection: Connection, of: str, design: str, learners: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the keys of the fits that answer the splits of a design, in their order, by the names of learners."""
    names = [storable_name(learner) for learner in learners]
    here = splits.c.data == storable_name(of), splits.c.design == storable_name(design)
    found = planned_keys(connection, *here, splits.c.learner.in_(names))
    for learner in names:
        if (of, learner, design) not in found:
            raise BadInput(f"{where_of(connection)} has no fits of {learner!r} on {of!r} by {design!r}")
    return {learner: found[of, learner, design] for learner in learners}


def read_places(connection: Connection) -> set[Place]:
    """Return data set, learner and design of everything planned."""
    return {(of, learner, design) for of, learner, design in connection.execute(select(*_PLACE).distinct())}


@dataclass(frozen=True)
class SplitCount:
    """Splits that are planned, done and failed, and the seconds that the done ones took together."""

    planned: int = 0
    done: int = 0
    failed: int = 0
    seconds: float = 0.0

    def __add__(self, other: SplitCount) -> SplitCount:
        numbers = self.planned + other.planned, self.done + other.done, self.failed + other.failed
        return SplitCount(*numbers, self.seconds + other.seconds)


def count_splits(connection: Connection) -> dict[Place, SplitCount]:
    """Count the splits of each place, in the order of planning."""
    done, failed = fits.c.status == "done", fits.c.status == "failed"
    numbers = [func.coalesce(func.sum(case((which, 1), else_=0)), 0) for which in (done, failed)]
    seconds = func.coalesce(func.sum(case((done, fits.c.seconds), else_=0.0)), 0.0)
    counted = select(*_PLACE, func.count(), *numbers, seconds, func.count(fits.c.key))
    counted = counted.select_from(splits.outerjoin(fits, fits.c.key == splits.c.key)).group_by(*_PLACE)
    counts = {}
    with reading("the number of its splits"):
        for *place, planned, is_done, has_failed, took, ended in connection.execute(
            counted.order_by(func.min(splits.c.number))
        ):
            if is_done + has_failed != ended:
                raise DamagedBytes("fits that are neither done nor failed")
            counts[place[0], place[1], place[2]] = SplitCount(planned, int(is_done), int(has_failed), float(took))
    return counts


def by_data_and_learner(counts: Mapping[Place, SplitCount]) -> dict[tuple[str, str], SplitCount]:
    """Return the counts of all designs together."""
    return _join_counts(((of, learner), count) for (of, learner, _), count in counts.items())


def seconds_per_fit(counts: Mapping[Place, SplitCount]) -> dict[str, float]:
    """Return the mean seconds of a fit of each learner of which one is done."""
    joined = _join_counts((learner, count) for (_, learner, _), count in counts.items())
    return {learner: count.seconds / count.done for learner, count in joined.items() if count.done}


def _join_counts(counts: Iterable[tuple[K, SplitCount]]) -> dict[K, SplitCount]:
    joined: dict[K, SplitCount] = {}
    for key, count in counts:
        joined[key] = joined.get(key, SplitCount()) + count
    return joined
