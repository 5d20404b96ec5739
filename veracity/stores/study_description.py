"""The description of the study that a store holds, and what may be added to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select

from veracity.core.errors import BadInput
from veracity.core.notes import Note
from veracity.stores.packing import DamagedBytes, reading, seal_text, unseal_text
from veracity.stores.schema import about, insert_into

STUDY = "study"  # the name under which the description is kept
GROWING = {"data": "data set", "learners": "learner"}  # by name; what a name stands for must stay
ADDED = ("by", "final")  # designs as they were typed and keys of fits on all rows, where they are given by name
SHAPE = {"words": str, "data": dict, "learners": dict, "scores": list, "notes": list, "final": dict}
ELSEWHERE = "use another store"


def write_text(connection: Connection, name: str, value: str) -> None:
    """Set one entry of the table of single values."""
    sealed = seal_text(value, name)
    row = insert_into(connection.dialect.name, about).values(name=name, value=sealed)
    connection.execute(row.on_conflict_do_update(index_elements=["name"], set_={"value": sealed}))


def read_text(connection: Connection, name: str) -> str | None:
    """One entry of the table of single values; None where there is none."""
    text = connection.execute(select(about.c.value).where(about.c.name == name)).scalar()
    return None if text is None else unseal_text(text, name)


def where_of(connection: Connection) -> str:
    """What sentences call the store."""
    return str(connection.get_execution_options()["where"])


def save_study(connection: Connection, new: Mapping[str, Any]) -> dict[str, Any]:
    """Keep or grow the description; another seed, or the same name for another thing, is refused."""
    _as_json(new)
    old = read_study(connection)
    study = grow(where_of(connection), old, new) if old else dict(new)
    if study != old:
        write_text(connection, STUDY, _as_json(study))
    return study


def read_study(connection: Connection) -> dict[str, Any]:
    """The description; empty when none was kept yet."""
    with reading("the description of its study"):
        text = read_text(connection, STUDY)
        if text is None:
            return {}
        study: dict[str, Any] = json.loads(text)
        for field, kind in SHAPE.items():
            if not isinstance(study.get(field, kind()), kind):
                raise DamagedBytes(field)
        for note in study.get("notes", []):
            Note(**note)
    return study


def is_whole(study: Mapping[str, Any]) -> bool:
    """Whether a description says what must be known to ask anything of the study."""
    return study.keys() >= {"seed", "data", "learners"} and isinstance(study.get("by"), dict)


def _as_json(study: Mapping[str, Any]) -> str:
    try:
        return json.dumps(study, allow_nan=False)
    except (TypeError, ValueError) as why:
        raise BadInput(f"the description of a study must be JSON: {why}") from None


def grow(where: str, old: dict[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    """What goes by name is added to what was there; everything else is what was said last."""
    check_same_study(where, old, new)
    study = {**old, **new}
    for field, noun in GROWING.items():
        study[field] = _join(where, noun, old.get(field) or {}, new.get(field) or {})
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
    """Names and what they stand for, at any depth."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    return {**old, **{name: _add(old[name], part) if name in old else part for name, part in new.items()}}


def _join(where: str, noun: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any]:
    for name in set(old) & set(new):
        if _mark(old[name]) != _mark(new[name]):
            raise changed_error(where, noun, name)
    return {**old, **new}


def _mark(described: Any) -> Any:
    """What must not change of a data set or a learner."""
    return described["fingerprint"] if isinstance(described, dict) and "fingerprint" in described else described


def changed_error(where: str, noun: str, name: str) -> BadInput:
    """The same name for another thing."""
    return BadInput(f"the {noun} {name!r} changed since {where} was made: give it another name, or {ELSEWHERE}")
